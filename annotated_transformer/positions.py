"""How a model without recurrence learns the order of its tokens: sinusoids.

Paper: section 3.5. Chapter: *Positional encoding*. Learned vectors (row E of
Table 3), rotations and linear biases are in variants/. Left out: encodings for
positions that are no whole numbers.
"""

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.checks import check_sinusoids
from annotated_transformer.checks.state import Derived
from annotated_transformer.checks.tensors import check_places


def sinusoidal_encoding(
    length: int, d_model: int, base: float = 10_000.0
) -> Float[Tensor, "length d_model"]:
    """Return PE(pos, 2i) = sin(pos / base^(2i / d_model)) and, as PE(pos, 2i + 1), the cosine.

    Computed in float64, because pos / base^(2i / d_model) loses digits in
    float32 at large positions, and returned in the default dtype. An odd
    `d_model` ends on a sine.

    Raises:
        ValueError: `length` is negative, `d_model` or `base` is not positive,
            or the table would have more than 2^31 numbers.

    Source: section 3.5.
    """
    check_sinusoids(length, d_model, base)
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / base ** (even / d_model)
    encoding = torch.empty(length, d_model, dtype=torch.float64)
    encoding[:, 0::2] = angle.sin()
    encoding[:, 1::2] = angle[:, : d_model // 2].cos()
    return encoding.to(torch.get_default_dtype())


class SinusoidalPositions(Derived):
    """Adds the fixed sinusoids; nothing to learn, nothing to store.

    Source: section 3.5.
    """

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.sizes = check_sinusoids(max_length, d_model)
        self.derive()

    def derived(self) -> dict[str, Tensor]:
        """Return the table by name: it is computed anew, and not stored."""
        return {"encoding": sinusoidal_encoding(*self.sizes)}

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Add each position's encoding; position 0 is the first token."""
        check_places(x, self.encoding)
        return x + self.encoding[: x.size(1)]
