"""How SAM reads a click: random waves say where, a learned vector says yes or no."""

import math
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.checks.tensors import check_dense, check_device, described
from annotated_transformer.lab.checks import has_values


class ClickEncoder(nn.Module):
    """A vector for each click, and for each place of the image by the same waves.

    Source: Kirillov et al. 2023, section 3 and appendix A; random Fourier
    features: Tancik et al. 2020.
    """

    waves: Tensor

    def __init__(self, width: int, side: int) -> None:
        super().__init__()
        self.side = side
        self.register_buffer("waves", torch.randn(2, width // 2))  # not learned
        self.negative = nn.Parameter(torch.randn(1, width))
        self.positive = nn.Parameter(torch.randn(1, width))
        self.no_box = nn.Parameter(torch.randn(1, width))

    def where(self, at: Float[Tensor, "*shape 2"]) -> Float[Tensor, "*shape width"]:
        """Return sines and cosines of (x, y), in parts of the image, in random directions."""
        angle = 2 * math.pi * (2 * at - 1) @ self.waves
        return torch.cat((angle.sin(), angle.cos()), dim=-1)

    def places(self, grid: int) -> Float[Tensor, "place width"]:
        """Return where the centres of grid x grid places lie, row by row."""
        centre = (torch.arange(grid).to(self.waves) + 0.5) / grid
        at = torch.stack(torch.meshgrid(centre, centre, indexing="xy"), dim=-1)
        return self.where(at.flatten(0, 1))

    def forward(
        self,
        clicks: Float[Tensor, "batch prompt click 2"],
        labels: Int[Tensor, "batch prompt click"],
    ) -> Float[Tensor, "batch prompt _ width"]:
        """Return one vector for each click, and one that says: there is no box."""
        sign = torch.where(labels[..., None] == 1, self.positive, self.negative)
        marks = self.where((clicks.to(self.waves) + 0.5) / self.side) + sign
        end = self.no_box.expand(*marks.shape[:2], 1, -1)
        return torch.cat((marks, end), dim=2)


def check_clicks(clicks: Any, labels: Any, image: Tensor, side: int) -> None:
    """Refuse clicks and labels that do not fit these (encoded) images.

    Raises:
        ValueError: not (image, prompt, click, 2) and a label for each, no
            click, a click outside the image, or a label that is not 0 or 1.
    """
    n_images = len(image)
    if (
        not isinstance(clicks, Tensor)
        or not isinstance(labels, Tensor)
        or clicks.is_complex()
        or labels.is_complex()
        or clicks.dim() != 4
        or clicks.shape[:-1] != labels.shape
        or clicks.size(-1) != 2
        or len(clicks) != n_images
        or not clicks.numel()
    ):
        raise ValueError(
            f"clicks {described(clicks)} and labels {described(labels)}; expected real numbers, "
            f"({n_images}, prompts, clicks, 2) and ({n_images}, prompts, clicks), "
            "one click at least"
        )
    for name, x in (("clicks", clicks), ("labels", labels)):
        check_dense(f"the tensor of {name}", x)
        check_device(f"the tensor of {name}", x, "the images", image)
    if not (has_values(clicks) and has_values(labels)):
        return
    outside = ~((clicks >= 0) & (clicks < side)).all(-1)
    if outside.any():
        raise ValueError(
            f"the click {clicks[outside][0].tolist()} is outside the image; expected x and y "
            f"from 0 to below {side}"
        )
    wrong = (labels != 0) & (labels != 1)
    if wrong.any():
        raise ValueError(
            f"the label {labels[wrong][0].item()} is unknown; expected 1 for a click on the "
            "object, 0 for one beside it"
        )
