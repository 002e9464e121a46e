"""The key/value cache: the logits after a prefix from its newest token alone.

Paper: section 3.2.3. Chapter: *Decoding*. What the causal mask hides from a
position can never change the position's keys and values, so they are computed
and stored once. Those of the source are the same for all prefixes of a sentence
and are stored once. The same logits without a cache are those of `WholePrefixes`
(prefixes.py). Left out: a limit on the memory, and freeing, before a sentence
ends, the nodes that none of its prefixes needs any more.
"""

from collections.abc import Sequence
from typing import Any, cast

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.decoding.packed import packed
from annotated_transformer.fast.attention import LayerCache, as_bias
from annotated_transformer.fast.linear import products
from annotated_transformer.transformer import DecoderLayer, Transformer
from annotated_transformer.variants.alibi import linear_bias
from annotated_transformer.variants.rotary import rotate

Heads = Float[Tensor, "sentence heads key _"]


class CachedPrefixes:
    """Prefixes as keys and values; a step costs the newest tokens alone.

    The prefixes of a sentence form a tree, and its nodes, in the order in which
    they were written, are the positions of the cache: one key and one value for
    each token written, whatever number of prefixes it is part of. `lineage`
    says which nodes lead to which prefix. To reorder prefixes is to reorder
    rows of `lineage`; no key moves.
    """

    def __init__(
        self, model: Transformer, source: Int[Tensor, "sentence source"]
    ) -> None:
        memory = model.encode(source)
        self.model = model = packed(model)
        self.length = 0
        self.lineage = torch.ones(
            len(source), 1, 0, dtype=torch.bool, device=source.device
        )
        source_bias = as_bias(source != model.config.padding_id, memory)
        layers = cast("Sequence[DecoderLayer]", model.decoder.layers)
        kind = CACHES.get(model.config.positions, SelfAttentionCache)
        self.caches = [
            LayerCache(
                kind(layer.self_attention, memory),
                CrossAttentionCache(
                    layer.cross_attention, memory, source_bias[:, None, None]
                ),
            )
            for layer in layers
        ]

    def step(
        self, tokens: Int[Tensor, "sentence prefix"]
    ) -> Float[Tensor, "sentence prefix vocab"]:
        """Write one token after each prefix; return the logits of the next.

        Dropout must be off.

        Raises:
            ValueError: more tokens than `config.max_length`.
        """
        model = self.model
        if self.length == model.config.max_length:
            raise ValueError(
                f"a prefix has max_length={self.length} tokens and cannot grow"
            )
        # The tokens side by side are the newest of as many prefixes: they have
        # one position.
        x = model.dropout(
            model.target_embedding(tokens)
            + model.target_positions.encoding[self.length]
        )
        itself = torch.eye(
            tokens.size(1), dtype=torch.bool, device=tokens.device
        )
        self.lineage = torch.cat(
            [self.lineage, itself.expand(len(tokens), -1, -1)], dim=-1
        )
        self.length += 1
        # One node per position means one prefix per sentence: then all nodes
        # lead to it.
        branched = self.lineage.size(-1) > self.length
        bias = as_bias(self.lineage, x)[:, None] if branched else None
        return model.output(
            model.decoder(x, None, None, None, self.caches, attn_bias=bias)
        )

    def select(
        self, sentences: Sequence[int], prefixes: Sequence[Sequence[int]]
    ) -> None:
        """Reorder as `Prefixes` says; a sentence that stays is not copied."""
        device = self.lineage.device
        sentence_ids = torch.tensor(sentences, device=device)
        prefix_ids = torch.tensor(prefixes, device=device)
        none_moves = list(sentences) == [*range(len(self.lineage))]
        self.lineage = self.lineage[sentence_ids[:, None], prefix_ids]
        # Keys belong to nodes and not to prefixes: only a sentence can move.
        if none_moves:
            return
        for self_cache, cross_cache in self.caches:
            self_cache.select(sentences)
            cross_cache.select(sentences)


class KeyValues:
    """Keys and values of one attention, with room for more positions.

    The buffers are (sentence, heads, position, d_k or d_v). They double when
    they are full, so that a position is copied less than twice on average.
    """

    def __init__(
        self, attention: MultiHeadAttention, keys: Heads, values: Heads
    ) -> None:
        self.attention = attention
        self.buffers = (keys, values)
        self.n_sentences, self.n_positions = keys.size(0), keys.size(2)

    @property
    def views(self) -> tuple[Heads, Heads]:
        """Keys and values written so far, of the sentences that are left."""
        used = slice(self.n_sentences), slice(None), slice(self.n_positions)
        keys, values = self.buffers
        return keys[used], values[used]

    def append(self, keys: Heads, values: Heads) -> tuple[Tensor, Tensor]:
        """Write further positions behind the others; return the views of all."""
        start = self.n_positions
        self.n_positions += keys.size(2)
        if self.n_positions > self.buffers[0].size(2):
            self.buffers = self._enlarged_buffers(start)
        written = self.views
        written[0][:, :, start:] = keys
        written[1][:, :, start:] = values
        return written

    def select(self, sentences: Sequence[int]) -> None:
        """Move the sentences into the first slots; some are there already."""
        self.n_sentences = len(sentences)
        moves = [(new, old) for new, old in enumerate(sentences) if new != old]
        if moves:
            new, old = (list(slots) for slots in zip(*moves, strict=True))
            for buffer in self.buffers:
                used = buffer[:, :, : self.n_positions]
                used[new] = used[old]

    def _enlarged_buffers(self, n_used: int) -> tuple[Tensor, Tensor]:
        capacity = max(2 * self.n_positions, 32)
        larger = []
        for buffer in self.buffers:
            _, heads, _, d = buffer.shape
            new = buffer.new_empty(self.n_sentences, heads, capacity, d)
            new[:, :, :n_used] = buffer[: self.n_sentences, :, :n_used]
            larger.append(new)
        return larger[0], larger[1]


class SelfAttentionCache(KeyValues):
    """Keys and values of the target so far, for one self-attention."""

    def __init__(
        self,
        attention: MultiHeadAttention,
        memory: Float[Tensor, "sentence source d_model"],
    ) -> None:
        linears = (attention.w_query, attention.w_key, attention.w_value)
        # In each step one product for the three, instead of three products.
        self.joined = attention.w_query.joined(linears)
        self.widths = [linear.out_features for linear in linears]
        nothing = self.joined(memory[:, :0]).split(self.widths, -1)
        super().__init__(attention, *map(attention.split, nothing[1:]))

    def project(
        self, x: Float[Tensor, "sentence prefix d_model"]
    ) -> tuple[Heads, ...]:
        """Compute queries, keys and values of the newest tokens."""
        projections = self.joined(x).split(self.widths, -1)
        return tuple(map(self.attention.split, projections))

    def __call__(
        self,
        query: Float[Tensor, "sentence prefix d_model"],
        attn_bias: Tensor | None,
    ) -> tuple[Any, ...]:
        """Write the newest tokens; return their queries and what all have."""
        q, k, v = self.project(query)
        return q, *self.append(k, v), attn_bias


class CrossAttentionCache(KeyValues):
    """Keys and values of the memory, for a cross-attention of the decoder.

    `bias` says what of the source is padding.
    """

    def __init__(
        self,
        attention: MultiHeadAttention,
        memory: Float[Tensor, "sentence source d_model"],
        bias: Float[Tensor, "sentence 1 1 source"],
    ) -> None:
        self.bias = bias
        linears = (attention.w_key, attention.w_value)
        keys, values = map(attention.split, products((memory, memory), linears))
        super().__init__(attention, keys.contiguous(), values.contiguous())

    def __call__(
        self,
        query: Float[Tensor, "sentence prefix d_model"],
        attn_bias: Tensor | None,
    ) -> tuple[Any, ...]:
        """Return the newest tokens' queries and the memory's keys and values."""
        q = self.attention.split(self.attention.w_query(query))
        return q, *self.views, self.bias

    def select(self, sentences: Sequence[int]) -> None:
        """Move the sentences into the first slots, and their biases too."""
        super().select(sentences)
        self.bias = self.bias[torch.tensor(sentences, device=self.bias.device)]


class RotaryCache(SelfAttentionCache):
    """A cache of rotary keys, which are turned once, before they are stored."""

    step = 0

    def __call__(
        self,
        query: Float[Tensor, "sentence prefix d_model"],
        attn_bias: Tensor | None,
    ) -> tuple[Any, ...]:
        """Turn queries and keys by the position that a step's tokens share."""
        position = torch.tensor([self.step], device=query.device)
        self.step += 1
        q, k, v = self.project(query)
        keys, values = self.append(rotate(k, position), v)
        return rotate(q, position), keys, values, attn_bias


class LinearBiasCache(SelfAttentionCache):
    """A cache that adds ALiBi's bias for each node and head."""

    positions: tuple[int, ...] = ()  # of the nodes

    def __call__(
        self,
        query: Float[Tensor, "sentence prefix d_model"],
        attn_bias: Tensor | None,
    ) -> tuple[Any, ...]:
        """Add the bias of the distance to each node; a step is one position."""
        now = self.positions[-1] + 1 if self.positions else 0
        self.positions += (now,) * query.size(1)
        query_positions = torch.tensor([now], device=query.device)
        key_positions = torch.tensor(self.positions, device=query.device)
        bias = linear_bias(
            self.attention.n_heads, query_positions, key_positions
        ).to(query.dtype)
        if attn_bias is not None:
            bias = attn_bias + bias
        return super().__call__(query, bias)


CACHES = {"rotary": RotaryCache, "alibi": LinearBiasCache}
