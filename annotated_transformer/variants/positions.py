"""What may be added to the embeddings in place of the sinusoids.

Learned vectors are in the paper (section 3.5 and Table 3, row E). Nothing is
added where the order enters the scores instead (rotary.py, alibi.py), or is
left out.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.checks.state import Derived
from annotated_transformer.checks.tensors import check_places


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
        check_places(x, self.encoding)
        return x + self.encoding[: x.size(1)]


class NoPositions(Derived):
    """Adds nothing: the order is left out, or enters the scores."""

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.sizes = max_length, d_model
        self.derive()

    def derived(self) -> dict[str, Tensor]:
        """What the others add to position t is row t of their encoding; here it is zero."""
        return {"encoding": torch.zeros(self.sizes)}

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """The embeddings as they are."""
        check_places(x, self.encoding)
        return x
