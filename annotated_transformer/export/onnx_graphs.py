"""What of a model goes into ONNX files: the encoder, and a step of the decoder with its cache.

Both are the model's own layers, and only the cache is another one than in `decoding/cache.py`,
because a graph cannot write in place: each step gives longer tensors. Keys and values of all layers
are stacked, so that a search has two tensors to keep.
"""

from collections.abc import Iterable
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.decoding.cache import Heads, KeyValues
from annotated_transformer.fast.attention import LayerCache
from annotated_transformer.masks import padding_mask
from annotated_transformer.transformer import DecoderLayer, Transformer
from annotated_transformer.variants import ADDED
from annotated_transformer.variants.alibi import LinearBiasAttention, linear_bias
from annotated_transformer.variants.rotary import RotaryAttention, rotate


class EncoderGraph(nn.Module):
    """Source ids to the keys and values that the layers of the decoder have of the memory."""

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, source: Int[Tensor, "batch source"]
    ) -> tuple[
        Float[Tensor, "layer batch heads source d_k"], Float[Tensor, "layer batch heads source d_v"]
    ]:
        """Encode as `Transformer.encode`, without its checks: a graph cannot raise them."""
        model = self.model
        x = model.source_positions(model.source_embedding(source))
        mask = padding_mask(source, model.config.padding_id)
        memory = model.encoder(x, mask)
        attentions = [layer.cross_attention for layer in layers(model)]
        keys = [each.split(each.w_key(memory)) for each in attentions]
        values = [each.split(each.w_value(memory)) for each in attentions]
        return torch.stack(keys), torch.stack(values)


class DecoderGraph(nn.Module):
    """From the newest tokens of each sentence's prefix to the logits of the tokens after them."""

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        *,
        source: Int[Tensor, "batch source"],
        memory_keys: Float[Tensor, "layer batch heads source d_k"],
        memory_values: Float[Tensor, "layer batch heads source d_v"],
        tokens: Int[Tensor, "batch newest"],
        keys: Float[Tensor, "layer batch heads past d_k"],
        values: Float[Tensor, "layer batch heads past d_v"],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits after each of the newest tokens, and the longer keys and values."""
        model = self.model
        positions = torch.arange(keys.size(3), keys.size(3) + tokens.size(1))
        x = model.target_embedding(tokens)
        if model.config.positions in ADDED:
            x = x + model.target_positions.encoding[positions]
        own = [
            GrowingCache(layer.self_attention, positions, *keys_and_values)
            for layer, *keys_and_values in zip(layers(model), keys, values, strict=True)
        ]
        cross = [
            MemoryCache(layer.cross_attention, *keys_and_values)
            for layer, *keys_and_values in zip(
                layers(model), memory_keys, memory_values, strict=True
            )
        ]
        caches = [LayerCache(*pair) for pair in zip(own, cross, strict=True)]
        # A new token sees those so far, itself and the new ones before it.
        so_far = keys.size(3) + tokens.size(1)
        mask = torch.arange(so_far) <= positions[:, None]
        memory_mask = padding_mask(source, model.config.padding_id)
        x = model.decoder(x, None, mask, memory_mask, caches)
        longer_keys, longer_values = zip(*(each.buffers for each in own), strict=True)
        return (model.output(x), torch.stack(longer_keys), torch.stack(longer_values))


def layers(model: Transformer) -> Iterable[DecoderLayer]:
    """Return the layers of the decoder."""
    return cast("Iterable[DecoderLayer]", model.decoder.layers)


class GrowingCache(KeyValues):
    """Keys and values of the target so far; those of the newest tokens make longer tensors."""

    def __init__(
        self,
        attention: MultiHeadAttention,
        positions: Int[Tensor, " newest"],
        keys: Heads,
        values: Heads,
    ) -> None:
        super().__init__(keys, values)
        self.attention = attention
        self.positions = positions

    def __call__(
        self, query: Float[Tensor, "batch newest d_model"], attn_bias: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """Return the queries of the new tokens, and keys and values with theirs at the end."""
        attention, positions = self.attention, self.positions
        q, k, v = attention.project(query, query, query)
        if isinstance(attention, RotaryAttention):
            q, k = rotate(q, positions), rotate(k, positions)
        keys, values = (torch.cat(pair, dim=2) for pair in zip(self.buffers, (k, v), strict=True))
        self.buffers = keys, values
        if isinstance(attention, LinearBiasAttention):
            every = torch.arange(keys.size(2))
            attn_bias = linear_bias(attention.n_heads, positions, every).to(q.dtype)
        return q, keys, values, attn_bias


class MemoryCache(KeyValues):
    """Keys and values of the memory, as the encoder's graph has computed them."""

    def __init__(self, attention: MultiHeadAttention, keys: Heads, values: Heads) -> None:
        super().__init__(keys, values)
        self.attention = attention

    def __call__(
        self, query: Float[Tensor, "batch newest d_model"], attn_bias: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """Return the queries of the new tokens, and the keys and values of the memory."""
        q = self.attention.split(self.attention.w_query(query))
        return q, *self.buffers, attn_bias
