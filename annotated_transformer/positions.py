"""How a model without recurrence learns the order of its tokens: positional encodings.

Paper: section 3.5, and row (E) of Table 3. Chapter: *Positional encoding*. Sinusoids and learned
vectors are added to the embeddings. Rotations and linear biases, two later ways, enter the scores
of self-attention instead (relative.py applies them). Left out: encodings for positions that are no
whole numbers, and the ways to stretch rotations to longer texts.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def sinusoidal_encoding(
    length: int, d_model: int, base: float = 10_000.0
) -> Float[Tensor, "length d_model"]:
    """PE(pos, 2i) = sin(pos / base^(2i / d_model)), PE(pos, 2i + 1) = cos of the same angle.

    Computed in float64, because pos / base^(2i / d_model) loses digits in float32 at large
    positions, and returned in the default dtype. An odd `d_model` ends on a sine.

    Raises:
        ValueError: `length` is negative, or `d_model` or `base` not positive.

    Source: section 3.5.
    """
    check_sizes(length, d_model, base)
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / base ** (even / d_model)
    encoding = torch.empty(length, d_model, dtype=torch.float64)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle[:, : d_model // 2].cos()
    return encoding.to(torch.get_default_dtype())


def check_sizes(length: int, d_model: int, base: float) -> None:
    """Refuse sizes that no sinusoids have, and tables of more than 2^31 numbers.

    Raises:
        ValueError: naming the size.
    """
    whole = type(length) is int and type(d_model) is int
    if not whole or length < 0 or d_model < 1 or not 0 < base < math.inf:
        raise ValueError(
            f"no sinusoids for length={length!r}, d_model={d_model!r}, base={base}: expected whole "
            "numbers, a length of 0 or more, a width of 1 or more, and a positive base"
        )
    if length * d_model > 2**31:
        raise ValueError(
            f"length={length} times d_model={d_model} is more than 2^31 numbers, 16 GiB in "
            "float64: ask for fewer positions"
        )


class SinusoidalPositions(nn.Module):
    """Adds the fixed sinusoids; nothing to learn, nothing to store.

    Source: section 3.5.
    """

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        # Not persistent: the formula is its own checkpoint.
        self.register_buffer(
            "encoding",
            sinusoidal_encoding(max_length, d_model),
            persistent=False,
        )

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Position 0 is the first token."""
        return x + self.encoding[: x.size(1)]


class LearnedPositions(nn.Module):
    """Adds one learned vector per position, as row (E) of Table 3 does."""

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.encoding = nn.Parameter(torch.empty(max_length, d_model))
        nn.init.normal_(self.encoding, std=d_model**-0.5)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Position 0 is the first token."""
        return x + self.encoding[: x.size(1)]


class NoPositions(nn.Module):
    """Adds nothing: the order is left out, or enters in the scores of self-attention."""

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        # What the others add to position t is row t of their encoding, and here it is zero.
        self.register_buffer(
            "encoding", torch.zeros(max_length, d_model), persistent=False
        )

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """The embeddings as they are."""
        return x


def rotate(
    x: Float[Tensor, "*batch position d_k"],
    positions: Int[Tensor, " #position"],
    base: float = 10_000.0,
) -> Float[Tensor, "*batch position d_k"]:
    """Turn each pair (x_2i, x_2i+1) of the vector at position p by the angle p / base^(2i / d_k).

    Turned so, a query at position p and a key at position q have an inner product that depends on
    p - q alone. Angles are computed in float64.

    Raises:
        ValueError: d_k is odd, so that a component has no partner; `base` is not positive; or
            there is not one position for each vector.

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
    """Refuse what does not fall into pairs, or does not turn; `counts` are vectors and positions.

    Raises:
        ValueError: naming the width, the base or the counts.
    """
    if d_k % 2:
        raise ValueError(
            f"d_k={d_k} is odd: rotary positions turn pairs of components"
        )
    if not 0 < base < math.inf:
        raise ValueError(f"base={base} must be positive")
    vectors, positions = counts
    if positions not in (1, vectors):
        raise ValueError(
            f"{positions} positions for {vectors} vectors: give one for each"
        )


def linear_bias(
    n_heads: int, query: Int[Tensor, " query"], key: Int[Tensor, " key"]
) -> Float[Tensor, "heads query key"]:
    """-2^(-8 h / n_heads) |query - key| for head h = 1, 2, ..., in float64: added to the scores.

    The paper's models are decoders, where no key is later than its query. In an encoder keys stand
    on both sides, and we take the distance. For a number of heads that is no power of two the
    authors' code mixes two sequences of slopes; we keep to the formula.

    Raises:
        ValueError: no heads.

    Source: Press et al. 2022, section 3 (ALiBi).
    """
    if type(n_heads) is not int or n_heads < 1:
        raise ValueError(f"n_heads={n_heads!r} must be a positive integer")
    head = torch.arange(
        1, n_heads + 1, dtype=torch.float64, device=query.device
    )
    distance = (query[:, None] - key).abs()
    return -(2 ** (-8 * head / n_heads))[:, None, None] * distance
