"""Rotary positions: queries and keys are turned by angles that grow with the position.

Chapter: *Positional encoding*. Positions are compared within one sentence, so
this serves the self-attention of encoder and decoder. Source and target have no
common count of positions: cross-attention stays as it is, and finds the order
of the source in the memory. Left out: ways to stretch rotations to longer texts.
"""

import torch
from jaxtyping import Float, Real
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_factor


def rotate(
    x: Float[Tensor, "*batch position d_k"],
    positions: Real[Tensor, " #position"],
    base: float = 10_000.0,
) -> Float[Tensor, "*batch position d_k"]:
    """Turn each pair (x_2i, x_2i+1) at position p by p / base^(2i / d_k).

    Turned so, a query at position p and a key at position q have an inner
    product that depends on p - q alone. Angles are computed in float64.

    Raises:
        ValueError: d_k is odd, so that a component has no partner; `base` is
            not positive; or there is not one position for each vector.

    Source: Su et al. 2024, section 3.2.2 (RoPE).
    """
    d_k = x.size(-1)
    check_rotary(d_k, base, (x.size(-2), positions.size(0)))
    even = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device)
    angle = positions[:, None] / base ** (even / d_k)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack(
        [first * cos - second * sin, first * sin + second * cos], dim=-1
    )
    return turned.flatten(-2)


def check_rotary(
    d_k: int, base: float = 10_000.0, counts: tuple[int, int] = (1, 1)
) -> None:
    """Refuse vectors that cannot be turned; `counts` are vectors and positions.

    Raises:
        ValueError: naming the width, the base or the counts.
    """
    if d_k % 2:
        raise ValueError(
            f"d_k={d_k} is odd: rotary positions turn pairs of components"
        )
    check_factor("base", base)
    vectors, positions = counts
    if positions not in (1, vectors):
        raise ValueError(
            f"{positions} positions for {vectors} vectors: give one for each"
        )


class RotaryAttention(MultiHeadAttention):
    """Multi-head attention with queries and keys turned by their positions.

    Source: Su et al. 2024.
    """

    def relate(
        self, query: Tensor, key: Tensor, attn_bias: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Turn queries and keys, not values; position 0 is the first token."""
        return turned(query), turned(key), attn_bias


def turned(
    x: Float[Tensor, "batch heads length d_k"],
) -> Float[Tensor, "batch heads length d_k"]:
    """Turn each vector by its position in the sentence."""
    return rotate(x, torch.arange(x.size(-2), device=x.device))
