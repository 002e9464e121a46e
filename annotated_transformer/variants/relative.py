"""Self-attention whose scores know how far apart a query and a key are.

Chapter: *Positional encoding*. The formulas are `rotate` and `linear_bias` of positions.py. Both
compare positions of one sentence, so they serve the self-attention of encoder and decoder. Source
and target have no common count of positions: cross-attention stays as it is, and finds the order
of the source in the memory.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import (
    functional as F,  # the name PyTorch's own documentation uses
)

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.positions import check_rotary, linear_bias, rotate


class RotaryAttention(MultiHeadAttention):
    """Multi-head attention with queries and keys turned by their positions.

    Raises:
        ValueError: as `MultiHeadAttention`; or d_k is odd.

    Source: Su et al. 2024.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
    ) -> None:
        super().__init__(d_model, n_heads, d_k, d_v)
        check_rotary(self.w_query.out_features // n_heads)

    def attend(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        value: Float[Tensor, "batch heads key d_v"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query d_v"]:
        """Position 0 is the first token; values are not turned."""
        return super().attend(_turned(query), _turned(key), value, mask)

    def attend_weights(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query key"]:
        """The weights of `attend`."""
        return super().attend_weights(_turned(query), _turned(key), mask)


def _turned(
    x: Float[Tensor, "batch heads length d_k"],
) -> Float[Tensor, "batch heads length d_k"]:
    return rotate(x, torch.arange(x.size(-2), device=x.device))


class LinearBiasAttention(MultiHeadAttention):
    """Multi-head attention whose scores fall with the distance, in each head at its own rate.

    Source: Press et al. 2022.
    """

    def attend(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        value: Float[Tensor, "batch heads key d_v"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query d_v"]:
        """Position 0 is the first token."""
        bias = self.bias(query, key, mask)
        return F.scaled_dot_product_attention(query, key, value, attn_mask=bias)

    def attend_weights(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query key"]:
        """The weights of `attend`: softmax(Q K^T / sqrt(d_k) + bias)."""
        bias = self.bias(query, key, mask)
        scores = (
            query @ key.transpose(-2, -1) / math.sqrt(query.size(-1)) + bias
        )
        # softmax makes NaN of a row of -inf; a query with nothing to attend to takes nothing.
        empty = scores.isneginf().all(dim=-1, keepdim=True)
        return scores.softmax(dim=-1).masked_fill(empty, 0.0)

    def bias(
        self, query: Tensor, key: Tensor, mask: Tensor | None
    ) -> Float[Tensor, "*#heads query key"]:
        """What is added to the scores: minus slope times distance, or -inf where masked."""
        positions = (
            torch.arange(x.size(-2), device=x.device) for x in (query, key)
        )
        bias = linear_bias(self.n_heads, *positions).to(query.dtype)
        return bias if mask is None else bias.masked_fill(~mask, -math.inf)
