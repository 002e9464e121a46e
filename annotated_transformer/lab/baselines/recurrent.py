"""The models before the Transformer: an LSTM encoder-decoder, without attention and with it.

Paper: sections 1 and 2. Chapter: *Why attention*. Without attention the memory is one row, the
encoder's last states, whatever the length of the sentence. With attention it has the states at all
tokens, and additive attention weighs them anew for each output token. The model is trained and
searched with like a `Transformer`. Left out: several layers, the source in reverse (Sutskever et
al. 2014), and Bahdanau's GRU and maxout, in whose place an LSTM and a tanh stand.
"""

import math
from bisect import bisect_right

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from annotated_transformer.checks.state import Tied
from annotated_transformer.checks.tensors import (
    check_ids,
    check_mask,
    check_memory,
    check_pairs,
)
from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.fast.precision import float16_in_float32
from annotated_transformer.lab.checks import check_not_traced
from annotated_transformer.layers import Embedding
from annotated_transformer.masks import padding_mask

State = tuple[Tensor, Tensor]
"""Hidden state and cell state of an LSTM, each (1, batch, d_hidden)."""


@float16_in_float32
def additive_attention(
    query: Float[Tensor, "*batch query d_hidden"],
    key: Float[Tensor, "*batch key d_hidden"],
    value: Float[Tensor, "*batch key d_v"],
    v: Float[Tensor, " d_hidden"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> tuple[
    Float[Tensor, "*batch query d_v"], Float[Tensor, "*batch query key"]
]:
    """Attend with the score v . tanh(query + key); return (output, weights).

    Query and key are projected already, so the score is a network with one hidden layer, applied to
    each pair. Each row of weights sums to 1; a row whose mask allows no key is all zeros.

    Raises:
        ValueError: the mask is not boolean or does not broadcast to (..., query, key).

    Source: Bahdanau et al. 2015, section 3.1 and appendix A.1.2.
    """
    check_pairs(query, key, value)
    scores = torch.tanh(query[..., :, None, :] + key[..., None, :, :]) @ v
    check_mask(mask, scores.shape)
    if mask is None:
        weights = scores.softmax(dim=-1)
    else:
        weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
        weights = weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
    return weights @ value, weights


class AdditiveAttention(nn.Module):
    """`additive_attention` with its learned parts: w_query, w_key and v."""

    def __init__(self, d_query: int, d_key: int, d_hidden: int) -> None:
        super().__init__()
        self.w_query = nn.Linear(d_query, d_hidden, bias=False)
        self.w_key = nn.Linear(d_key, d_hidden, bias=False)
        self.v = nn.Parameter(torch.randn(d_hidden) / math.sqrt(d_hidden))

    def forward(
        self,
        query: Float[Tensor, "batch query d_query"],
        key: Float[Tensor, "batch key d_hidden"],
        value: Float[Tensor, "batch key d_key"],
        mask: Bool[Tensor, "#batch #query #key"],
    ) -> tuple[
        Float[Tensor, "batch query d_key"], Float[Tensor, "batch query key"]
    ]:
        """Attend; `key` is w_key(value), which a caller computes once for all queries."""
        return additive_attention(self.w_query(query), key, value, self.v, mask)


class Recurrent(Tied):
    """An LSTM that reads a sentence in both directions, and one that writes its translation.

    Args:
        config: its vocab_size, d_model (width of the embeddings, one matrix for source, target and
            output), dropout, max_length and padding_id are used; the rest describes Transformers.
        d_hidden: width of the state, in each direction.
        attention: whether the decoder may look at all states of the encoder.

    Raises:
        ValueError: d_hidden is not a positive integer.

    Source: Cho et al. 2014, where the context enters each step of the decoder, and Bahdanau et al.
    2015, where it is a new one each time.
    """

    def __init__(
        self, config: TransformerConfig, d_hidden: int, *, attention: bool
    ) -> None:
        super().__init__()
        if not isinstance(d_hidden, int) or d_hidden < 1:
            raise ValueError(
                f"d_hidden={d_hidden!r} must be a positive integer"
            )
        self.config = config
        self.d_hidden = d_hidden
        d_model, d_memory = config.d_model, 2 * d_hidden
        self.embedding = Embedding(
            config.vocab_size, d_model, scaled=config.scale_embeddings
        )
        self.dropout = Dropout(config.dropout)
        self.encoder = nn.LSTM(
            d_model, d_hidden, batch_first=True, bidirectional=True
        )
        self.first_state = nn.Linear(d_hidden, 2 * d_hidden)
        self.attention = (
            AdditiveAttention(d_hidden, d_memory, d_hidden)
            if attention
            else None
        )
        self.decoder = nn.LSTM(d_model + d_memory, d_hidden, batch_first=True)
        self.readout = nn.Linear(d_hidden + d_memory + d_model, d_model)
        self.output = nn.Linear(d_model, config.vocab_size, bias=False)
        self.output.weight = self.embedding.weight

    def forward(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits for the token after each target position.

        The ids are those that `Transformer` takes.

        Raises:
            ValueError: an id outside the vocabulary; a source row that is all padding or has a
                token after it; or more tokens than `config.max_length`.
        """
        return self.decode(target, self.encode(source), source)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> Float[Tensor, "batch memory d_memory"]:
        """Return the memory: with attention the state at each token, without it one row.

        A state joins those of the forward and of the backward LSTM. The one row joins the last
        state of each.
        """
        check_ids(
            "source", source, self.config.vocab_size, self.config.max_length
        )
        check_not_traced(source, "an LSTM packs its sentences by their lengths")
        real = source != self.config.padding_id
        lengths = real.sum(dim=1)
        if not real[:, :1].all() or (real[:, 1:] & ~real[:, :-1]).any():
            raise ValueError(
                "a source row is all padding, or has a token after its padding"
            )
        x = self.dropout(self.embedding(source))
        # Packed, so that the backward LSTM begins at the last token and not in
        # the padding.
        packed = pack_padded_sequence(
            x, lengths.cpu(), batch_first=True, enforce_sorted=False
        )
        states, (last, _) = self.encoder(packed)
        if self.attention is None:
            return torch.cat([last[0], last[1]], dim=-1)[:, None]
        return pad_packed_sequence(
            states, batch_first=True, total_length=source.size(1)
        )[0]

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch memory d_memory"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits; `source` tells which rows of the memory are padding."""
        return self.output(self.decode_hidden(target, memory, source))

    def decode_hidden(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch memory d_memory"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """Return what `decode` projects to logits: one vector for each target position."""
        check_ids(
            "target", target, self.config.vocab_size, self.config.max_length
        )
        looked_at = source if self.attention else source[:, :1]
        check_memory(memory, looked_at, target, 2 * self.d_hidden)
        x = self.dropout(self.embedding(target))
        if self.attention is None:
            contexts = memory.expand(-1, target.size(1), -1)
            states, _ = self.decoder(
                torch.cat([x, contexts], dim=-1), self._start(memory)
            )
        else:
            states, contexts, _ = self._attend_and_write(x, memory, source)
        read = torch.tanh(
            self.readout(torch.cat([states, contexts, x], dim=-1))
        )
        return self.dropout(read)

    def alignment(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target source"]:
        """Return the attention weights of each step of the decoder, which is fed `target`.

        Raises:
            ValueError: the model has no attention, or `forward` would raise one.
        """
        memory = self.encode(source)
        return self._attend_and_write(self.embedding(target), memory, source)[2]

    def _start(self, memory: Float[Tensor, "batch memory d_memory"]) -> State:
        """Make the decoder's first state from that of the backward LSTM at the first token."""
        first = torch.tanh(self.first_state(memory[:, 0, self.d_hidden :]))[
            None
        ]
        hidden, cell = first.chunk(2, dim=-1)
        return hidden.contiguous(), cell.contiguous()

    def _attend_and_write(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_memory"],
        source: Int[Tensor, "batch source"],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return states, contexts and weights; the query of a context is the state before it."""
        if self.attention is None:
            raise ValueError(
                "this model has no attention, and no weights: attention=False"
            )
        mask = padding_mask(source, self.config.padding_id)[:, 0]
        key, state = self.attention.w_key(memory), self._start(memory)
        steps = []
        for token in x.split(1, dim=1):
            context, weights = self.attention(
                state[0].transpose(0, 1), key, memory, mask
            )
            written, state = self.decoder(
                torch.cat([token, context], dim=-1), state
            )
            steps.append((written, context, weights))
        states, contexts, all_weights = (
            torch.cat(s, dim=1) for s in zip(*steps, strict=True)
        )
        return states, contexts, all_weights

    def count_parameters(self) -> dict[str, int]:
        """Count the trainable values of each part, shared ones once, and their "total"."""
        counts: dict[str, int] = {}
        for name, parameter in self.named_parameters():
            part = name.partition(".")[0]
            counts[part] = counts.get(part, 0) + parameter.numel()
        return {**counts, "total": sum(counts.values())}


def hidden_width(
    config: TransformerConfig, parameters: int, *, attention: bool
) -> int:
    """Return the largest d_hidden for which a `Recurrent` has at most this many parameters.

    Raises:
        ValueError: no width is small enough.
    """
    with torch.device("meta"):
        width = bisect_right(
            range(1, parameters),
            parameters,
            key=lambda w: _size(config, w, attention=attention),
        )
    if not width:
        raise ValueError(
            f"{parameters} parameters are too few for any width of the states"
        )
    return width


def _size(config: TransformerConfig, d_hidden: int, *, attention: bool) -> int:
    return Recurrent(config, d_hidden, attention=attention).count_parameters()[
        "total"
    ]
