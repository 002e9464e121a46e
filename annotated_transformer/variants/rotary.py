"""Rotary positions: queries and keys are turned by angles that grow with the position.

Chapter: *Positional encoding*. Positions are compared within one sentence, so
this serves the self-attention of encoder and decoder. Source and target have no
common count of positions: cross-attention stays as it is, and finds the order
of the source in the memory. Left out: ways to stretch rotations to longer texts.
"""

from typing import Any

import torch
from jaxtyping import Float, Real
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_factor
from annotated_transformer.checks.tensors import check_device, described


def rotate(
    x: Float[Tensor, "*batch position d_k"],
    positions: Real[Tensor, " #position"],
    base: float = 10_000.0,
) -> Float[Tensor, "*batch position d_k"]:
    """Turn each pair (x_2i, x_2i+1) at position p by p / base^(2i / d_k).

    Turned so, a query at position p and a key at position q have an inner
    product that depends on p - q alone. Angles are computed in float64.

    Raises:
        ValueError: x has no floating-point numbers, or an odd d_k, so that a
            component has no partner; `base` is not positive; or there is not
            one position for each vector.

    Source: Su et al. 2024, section 3.2.2 (RoPE).
    """
    check_rotary(x, positions, base)
    d_k = x.size(-1)
    even = torch.arange(0, d_k, 2, dtype=torch.float64, device=x.device)
    angle = positions[:, None] / base ** (even / d_k)
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., 0::2], x[..., 1::2]
    turned = torch.stack(
        [first * cos - second * sin, first * sin + second * cos], dim=-1
    )
    return turned.flatten(-2)


def check_rotary(x: Any, positions: Any, base: float = 10_000.0) -> None:
    """Refuse vectors that cannot be turned, and other positions than theirs."""
    if not isinstance(x, Tensor) or x.dim() < 2 or not x.is_floating_point():
        raise ValueError(
            f"x is {described(x)}; expected floating-point numbers, "
            "(..., position, d_k)"
        )
    if not isinstance(positions, Tensor) or positions.dim() != 1:
        raise ValueError(
            f"the positions are {described(positions)}; expected a tensor of "
            "one number for each vector"
        )
    check_device("the tensor of positions", positions, "x", x)
    if x.size(-1) % 2:
        raise ValueError(
            f"d_k={x.size(-1)} is odd: rotary positions turn pairs of components"
        )
    check_factor("base", base)
    if positions.size(0) not in (1, x.size(-2)):
        raise ValueError(
            f"{positions.size(0)} positions for {x.size(-2)} vectors: give one "
            "for each"
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
