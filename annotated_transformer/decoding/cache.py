"""The key/value cache: the logits after a prefix from its newest token alone.

Paper: section 3.2.3. Chapter: *Decoding*. What the causal mask hides from a position can never
change the position's keys and values, so they are computed once and kept. Those of the source are
the same for all prefixes of a sentence and are kept once. The same logits without a cache are those
of `WholePrefixes` (prefixes.py). Left out: a limit on the memory, and giving up, before a sentence
ends, what none of its prefixes needs any more.
"""

import math
from collections.abc import Sequence
from typing import cast

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.config import TransformerConfig
from annotated_transformer.positions import linear_bias, rotate
from annotated_transformer.transformer import DecoderLayer, Transformer

Heads = Float[Tensor, "sentence heads key _"]


class CachedPrefixes:
    """Prefixes as keys and values of each layer; a step costs the newest tokens alone.

    The prefixes of a sentence form a tree, and its nodes, in the order in which they were written,
    are the positions of the cache: one key and one value for each token written, whatever number of
    prefixes it is part of. `lineage` says which nodes lead to which prefix. To reorder prefixes is
    to reorder rows of `lineage`; no key moves.
    """

    def __init__(
        self, model: Transformer, source: Int[Tensor, "sentence source"]
    ) -> None:
        memory = model.encode(source)
        self.model = model
        self.length = 0
        self.lineage = torch.ones(
            len(source), 1, 0, dtype=torch.bool, device=source.device
        )
        self.source_mask = additive_mask(
            source != model.config.padding_id, memory
        )[:, None, None]
        layers = cast("Sequence[DecoderLayer]", model.decoder.layers)
        cached = CACHED.get(model.config.positions, CachedLayer)
        self.layers = [cached(layer, memory) for layer in layers]

    def step(
        self, tokens: Int[Tensor, "sentence prefix"]
    ) -> Float[Tensor, "sentence prefix vocab"]:
        """Write one token after each prefix and return the logits of the token after it.

        Dropout must be off.

        Raises:
            ValueError: the prefixes would have more tokens than `config.max_length`.
        """
        if self.length == self.model.config.max_length:
            raise ValueError(
                f"a prefix has max_length={self.length} tokens and cannot grow"
            )
        x = self.model.target_embedding(tokens)
        x = x + self.model.target_positions.encoding[self.length]
        itself = torch.eye(
            tokens.size(1), dtype=torch.bool, device=tokens.device
        )
        self.lineage = torch.cat(
            [self.lineage, itself.expand(len(tokens), -1, -1)], dim=-1
        )
        self.length += 1
        # One node per position means one prefix per sentence: then all nodes lead to it.
        branched = self.lineage.size(-1) > self.length
        mask = additive_mask(self.lineage, x)[:, None] if branched else None
        for layer in self.layers:
            x = layer.step(x, mask, self.source_mask)
        return self.model.output(self.model.decoder.final_norm(x))

    def select(
        self, sentences: Sequence[int], prefixes: Sequence[Sequence[int]]
    ) -> None:
        """See `Prefixes`; of sentences that keep their place, no key or value is copied."""
        kept, rows = (
            torch.tensor(x, device=self.lineage.device)
            for x in (sentences, prefixes)
        )
        self.lineage = self.lineage[kept[:, None], rows]
        if len(sentences) == len(self.source_mask) and list(sentences) == [
            *range(len(sentences))
        ]:
            return
        self.source_mask = self.source_mask[kept]
        for layer in self.layers:
            for positions in (layer.target, layer.source):
                positions.select(sentences)


class KeyValues:
    """Keys and values of one attention, in buffers with room for more positions.

    The buffers are (sentence, heads, position, d_k or d_v). They double when they are full, so
    that a position is copied less than twice on average.
    """

    def __init__(self, keys: Heads, values: Heads) -> None:
        self.buffers = (keys, values)
        self.n_sentences, self.n_positions = keys.size(0), keys.size(2)

    @property
    def views(self) -> tuple[Heads, Heads]:
        """The keys and the values written so far, of the sentences that are left."""
        keys, values = (
            x[: self.n_sentences, :, : self.n_positions] for x in self.buffers
        )
        return keys, values

    def append(self, keys: Heads, values: Heads) -> None:
        """Write further positions behind the others."""
        start, self.n_positions = (
            self.n_positions,
            self.n_positions + keys.size(2),
        )
        if self.n_positions > self.buffers[0].size(2):
            self.buffers = self._enlarged(start)
        for written, new in zip(self.views, (keys, values), strict=True):
            written[:, :, start:] = new

    def select(self, sentences: Sequence[int]) -> None:
        """Move the sentences into the first places, those that are there already not at all."""
        self.n_sentences = len(sentences)
        moved = [(new, old) for new, old in enumerate(sentences) if new != old]
        if moved:
            new, old = (list(places) for places in zip(*moved, strict=True))
            for buffer in self.buffers:
                used = buffer[:, :, : self.n_positions]
                used[new] = used[old]

    def _enlarged(self, used: int) -> tuple[Tensor, Tensor]:
        room = max(2 * self.n_positions, 32)
        larger = []
        for buffer in self.buffers:
            _, heads, _, d = buffer.shape
            larger.append(buffer.new_empty(self.n_sentences, heads, room, d))
            larger[-1][:, :, :used] = buffer[: self.n_sentences, :, :used]
        return larger[0], larger[1]


class CachedLayer:
    """A decoder layer that reads one token per prefix and remembers keys and values."""

    def __init__(
        self,
        layer: DecoderLayer,
        memory: Float[Tensor, "sentence source d_model"],
    ) -> None:
        own, cross = layer.self_attention, layer.cross_attention
        self.layer = layer
        self.n_heads = own.n_heads
        # One product for the three; the scaling of the scores is put into the query's weights.
        query, key, value = (
            own.w_query.weight,
            own.w_key.weight,
            own.w_value.weight,
        )
        self.widths = [len(query), len(key), len(value)]
        self.w_self = torch.cat([query * self._scale(query), key, value])
        self.w_cross_query = cross.w_query.weight * self._scale(
            cross.w_query.weight
        )
        keys, values = (
            self._split(w(memory)).contiguous()
            for w in (cross.w_key, cross.w_value)
        )
        self.source = KeyValues(keys, values)
        none = memory[:, :0]
        self.target = KeyValues(
            *(self._split(w(none)) for w in (own.w_key, own.w_value))
        )

    def step(
        self,
        x: Float[Tensor, "sentence prefix d_model"],
        mask: Float[Tensor, "sentence 1 prefix node"] | None,
        source_mask: Float[Tensor, "sentence 1 1 source"],
    ) -> Float[Tensor, "sentence prefix d_model"]:
        """What `DecoderLayer.forward` gives at the newest position."""
        residuals = self.layer.residuals
        x = residuals[0](x, lambda y: self._self_attention(y, mask))
        x = residuals[1](x, lambda y: self._cross_attention(y, source_mask))
        return residuals[2](x, self._feed_forward)

    def _self_attention(self, x: Tensor, mask: Tensor | None) -> Tensor:
        query, key, value = map(
            self._split, project(self.w_self, x).split(self.widths, dim=-1)
        )
        self.target.append(key, value)
        heads = attend(query, *self.target.views, mask)
        return project(self.layer.self_attention.w_output.weight, heads)

    def _cross_attention(self, x: Tensor, mask: Tensor) -> Tensor:
        query = self._split(project(self.w_cross_query, x))
        heads = attend(query, *self.source.views, mask)
        return project(self.layer.cross_attention.w_output.weight, heads)

    def _feed_forward(self, x: Tensor) -> Tensor:
        network = self.layer.feed_forward
        inner, outer = network.inner, network.outer
        hidden = network.activate(project(inner.weight, x, inner.bias))
        return project(outer.weight, hidden, outer.bias)

    def _split(self, x: Float[Tensor, "sentence position width"]) -> Heads:
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def _scale(self, weight: Tensor) -> float:
        return 1 / math.sqrt(len(weight) / self.n_heads)


class _RelativeLayer(CachedLayer):
    """The same, where positions enter the scores: `positions` has that of each node."""

    def __init__(
        self,
        layer: DecoderLayer,
        memory: Float[Tensor, "sentence source d_model"],
    ) -> None:
        super().__init__(layer, memory)
        self.now = torch.tensor([-1], device=memory.device)
        self.positions = self.now[:0]

    def step(
        self, x: Tensor, mask: Tensor | None, source_mask: Tensor
    ) -> Tensor:
        """All tokens of a step have the same position."""
        self.now = self.now + 1
        self.positions = torch.cat([self.positions, self.now.expand(x.size(1))])
        return super().step(x, mask, source_mask)


class _RotaryLayer(_RelativeLayer):
    """Keys are turned once, before they are kept."""

    def _self_attention(self, x: Tensor, mask: Tensor | None) -> Tensor:
        query, key, value = map(
            self._split, project(self.w_self, x).split(self.widths, dim=-1)
        )
        self.target.append(rotate(key, self.now), value)
        heads = attend(rotate(query, self.now), *self.target.views, mask)
        return project(self.layer.self_attention.w_output.weight, heads)


class _LinearBiasLayer(_RelativeLayer):
    """A bias for each node and head joins the mask."""

    def _self_attention(self, x: Tensor, mask: Tensor | None) -> Tensor:
        bias = linear_bias(self.n_heads, self.now, self.positions).to(x.dtype)
        return super()._self_attention(x, bias if mask is None else mask + bias)


CACHED = {"rotary": _RotaryLayer, "alibi": _LinearBiasLayer}


def attend(
    query: Float[Tensor, "sentence heads prefix d_k"],
    keys: Float[Tensor, "sentence heads key d_k"],
    values: Float[Tensor, "sentence heads key d_v"],
    mask: Float[Tensor, "*#heads #prefix key"] | None,
) -> Float[Tensor, "sentence prefix width"]:
    """Equation 1 for scaled queries, heads concatenated; the prefixes of a sentence share keys."""
    scores = query @ keys.transpose(-2, -1)
    weights = (scores if mask is None else scores + mask).softmax(dim=-1)
    return (weights @ values).transpose(1, 2).flatten(-2)


def project(
    weight: Float[Tensor, "width d"],
    x: Float[Tensor, "sentence prefix d"],
    bias: Float[Tensor, " width"] | None = None,
) -> Float[Tensor, "sentence prefix width"]:
    """x W^T + b, computed as (W x^T + b)^T: faster on a CPU where there are few rows."""
    rows = x.flatten(0, 1).t()
    columns = (
        weight @ rows
        if bias is None
        else torch.addmm(bias[:, None], weight, rows)
    )
    return columns.t().unflatten(0, x.shape[:2])


def additive_mask(
    mask: Bool[Tensor, "*any"], like: Tensor
) -> Float[Tensor, "*any"]:
    """0 where the mask is True, -inf elsewhere, with the dtype of `like`."""
    return torch.zeros_like(mask, dtype=like.dtype).masked_fill_(
        ~mask, -math.inf
    )


def cache_bytes(
    config: TransformerConfig,
    *,
    target: int,
    source: int,
    bytes_per_value: int = 4,
) -> int:
    """Bytes of the keys and values of a sentence: n_layers x heads x (d_k + d_v) a position.

    With the paper's d_k = d_v = d_model / heads that is 2 x n_layers x d_model values for each of
    `target` tokens written (those of all prefixes; a token that prefixes share counts once) and as
    many for each of `source` tokens. The buffers have room for up to twice the `target` tokens.
    """
    width = config.n_heads * sum(
        d for d in (config.d_k, config.d_v) if d is not None
    )
    return config.n_layers * width * (target + source) * bytes_per_value
