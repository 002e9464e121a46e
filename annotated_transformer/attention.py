"""Scaled dot-product attention, multi-head attention (sections 3.2.1, 3.2.2).

Chapter: *Attention*. `attention` is the formula, in any dtype and with nothing
hidden; the model takes the fastest way there is (fast/attention.py), and the
tests hold the two together. Left out: dropout on the weights (section 5.4 does
not name it).
"""

import math
from typing import Any

from jaxtyping import Bool, Float
from torch import Tensor, nn

from annotated_transformer.checks import check_sizes
from annotated_transformer.checks.tensors import check_pairs, check_vectors
from annotated_transformer.config import head_width
from annotated_transformer.fast.attention import (
    AttentionCache,
    biased,
    fast_attention,
)
from annotated_transformer.fast.linear import Linear, initialise, products
from annotated_transformer.fast.precision import float16_in_float32
from annotated_transformer.masks import masked_softmax


@float16_in_float32
def attention_weights(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
    attn_bias: Float[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "*batch query key"]:
    """Return softmax(Q K^T / sqrt(d_k)): how much each query takes from each key.

    Each row sums to 1; a row whose mask allows no key is all zeros. The numbers
    of `attn_bias`, if there are any, are added to the scores; -inf hides a key.

    Raises:
        ValueError: as `attention` does, but for the values.

    Source: equation 1.
    """
    check_pairs(query, key)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return masked_softmax(*biased(scores, mask, attn_bias))


@float16_in_float32
def attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
    attn_bias: Float[Tensor, "*#batch #query #key"] | None = None,
) -> tuple[
    Float[Tensor, "*batch query d_v"], Float[Tensor, "*batch query key"]
]:
    """Return (output, weights) of scaled dot-product attention, by the formula.

    The numbers of `attn_bias`, if there are any, are added to the scores.

    Raises:
        ValueError: queries and keys differ in width, there is not one value for
            each key, they are of other batches, types or devices, or the mask
            is not boolean or does not broadcast to (..., query, key).

    Source: equation 1.
    """
    check_pairs(query, key, value)
    weights = attention_weights(query, key, mask, attn_bias)
    return weights @ value, weights


class ScaledDotProductAttention(nn.Module):
    """The output of `attention` alone, by the fastest way there is."""

    def forward(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        value: Float[Tensor, "batch heads key d_v"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
        attn_bias: Float[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query d_v"]:
        """Attend in a module, so that `record_attention` sees what goes in."""
        return fast_attention(query, key, value, mask, attn_bias)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in its own learned subspace.

    Args:
        d_model: width of the inputs and of the output.
        n_heads: number of heads.
        d_k: width of a head's queries and keys; by default d_model / n_heads.
        d_v: width of a head's values; by default d_model / n_heads.
        bias: whether the four projections have one; the paper's have none.

    Raises:
        ValueError: a size is no positive integer, or a width is left open and
            d_model / n_heads is no whole number.

    Source: section 3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
        *,
        bias: bool = False,
    ) -> None:
        super().__init__()
        d_k = head_width(d_model, n_heads) if d_k is None else d_k
        d_v = head_width(d_model, n_heads) if d_v is None else d_v
        self.d_model, self.n_heads, d_k, d_v = check_sizes(
            d_model=d_model, n_heads=n_heads, d_k=d_k, d_v=d_v
        )
        self.w_query = Linear(d_model, self.n_heads * d_k, bias)
        self.w_key = Linear(d_model, self.n_heads * d_k, bias)
        self.w_value = Linear(d_model, self.n_heads * d_v, bias)
        self.w_output = Linear(self.n_heads * d_v, d_model, bias)
        self.attend = ScaledDotProductAttention()

    def initialise(self, gain: float = 1.0) -> None:
        """Draw Glorot-uniform weights; `gain` is for values and output."""
        initialise(self.w_query)
        initialise(self.w_key)
        initialise(self.w_value, gain)
        initialise(self.w_output, gain)

    def forward(
        self,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"] | None,
        value: Float[Tensor, "batch key d_model"] | None,
        mask: Bool[Tensor, "*#heads #query #keys"] | None = None,
        cache: AttentionCache | None = None,
        *,
        attn_bias: Float[Tensor, "*#heads #query #keys"] | None = None,
    ) -> Float[Tensor, "batch query d_model"]:
        """Project, split, attend, concatenate, project.

        The mask is True where a query may attend; numbers to add to the scores
        are `attn_bias`. A cache has the keys and values of its own.

        Raises:
            ValueError: not (batch, length, d_model), other batches, not one
                value for each key, or a mask that is not boolean or does not
                broadcast to (batch, heads, query, key).
        """
        if cache is None:
            check_vectors(self.d_model, query=query, key=key, value=value)
            q, k, v = self.project(query, key, value)
            q, k, attn_bias = self.relate(q, k, attn_bias)
        else:
            q, k, v, attn_bias = cache(query, attn_bias)
        heads = self.attend(q, k, v, mask, attn_bias)
        return self.w_output(heads.transpose(1, 2).flatten(-2))

    def project(
        self, query: Tensor, key: Any, value: Any
    ) -> tuple[Tensor, ...]:
        """Compute queries, keys, values of all heads: (batch, heads, length, d)."""
        linears = (self.w_query, self.w_key, self.w_value)
        return tuple(map(self.split, products((query, key, value), linears)))

    def split(
        self, x: Float[Tensor, "batch length width"]
    ) -> Float[Tensor, "batch heads length d"]:
        """Cut the width into heads, and put heads before positions."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def relate(
        self, query: Tensor, key: Tensor, attn_bias: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Let positions take part in the scores: the hook of variants/."""
        return query, key, attn_bias
