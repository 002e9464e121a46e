"""The inputs of DiT beside the image: a patch's position, the step of the noise, the class."""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks.state import Derived
from annotated_transformer.checks.tensors import WHOLE, described
from annotated_transformer.lab.checks import check_answers, has_values
from annotated_transformer.lab.family.dit.diffusion import check_steps
from annotated_transformer.layers import Embedding
from annotated_transformer.positions import sinusoidal_encoding


class Condition(Derived):
    """A vector for the step, from sinusoids through two matrices, and one for the class.

    Args:
        n_steps: steps there are; the sinusoids are the paper's, of `width`
            components.
        n_classes: classes there are; one more vector stands for none of them.
        d_model: width of both vectors.
        width: of the sinusoids.

    Source: Peebles and Xie 2023, section 3.2 and appendix A.
    """

    sinusoids: Tensor

    def __init__(self, n_steps: int, n_classes: int, d_model: int, *, width: int = 256) -> None:
        super().__init__()
        self.sizes = n_steps, width
        self.derive()
        self.inner = nn.Linear(width, d_model)
        self.outer = nn.Linear(d_model, d_model)
        self.classes = Embedding(n_classes + 1, d_model, scaled=False)

    def derived(self) -> dict[str, Tensor]:
        """Compute the paper's sinusoids of each step."""
        return {"sinusoids": sinusoidal_encoding(*self.sizes)}

    def forward(
        self, t: Int[Tensor, " batch"], labels: Int[Tensor, " batch"]
    ) -> Float[Tensor, "batch 2 d_model"]:
        """Step and class, one after the other.

        Raises:
            ValueError: a step or a class that there is not.
        """
        check_each(t, labels, self.sinusoids)
        check_steps(t, len(self.sinusoids))
        check_classes(labels, len(self.classes.weight) - 1)
        step = self.outer(F.silu(self.inner(self.sinusoids[t])))
        return torch.cat([step[:, None], self.classes(labels[:, None])], dim=1)


def check_each(t: Any, labels: Any, beside: Tensor) -> None:
    """Refuse what is not a step and a label for each image."""
    if not isinstance(t, Tensor) or t.dim() != 1:
        raise ValueError(f"t is {described(t)}; expected a step for each image, (batch,)")
    check_answers("t", t, t.shape, beside, WHOLE)
    check_answers("the tensor of labels", labels, t.shape, t, WHOLE)


def check_classes(labels: Int[Tensor, " batch"], n_classes: int) -> None:
    """Refuse a label that is neither a class nor the one for "no class"."""
    if not has_values(labels):
        return
    wrong = labels[(labels < 0) | (labels > n_classes)]
    if wrong.numel():
        raise ValueError(
            f"label {wrong[0].item()} is no class: there are n_classes={n_classes}, "
            f"0 to {n_classes - 1}, and {n_classes} for none"
        )


def grid_positions(n: int, d_model: int) -> Float[Tensor, "place d_model"]:
    """Make sinusoids: of the column in the first half of the components, of the row in the second.

    In each half, the sines come first and then the cosines. Places are those
    of a grid of n rows and n columns, row by row.

    Raises:
        ValueError: `d_model` is no multiple of 4.
    """
    if d_model % 4:
        raise ValueError(
            f"d_model={d_model} must be a multiple of 4: sine and cosine, row and column"
        )
    table = sinusoidal_encoding(n, d_model // 2)
    table = torch.cat([table[:, 0::2], table[:, 1::2]], dim=1)
    column, row = table.repeat(n, 1), table.repeat_interleave(n, dim=0)
    return torch.cat([column, row], dim=1)
