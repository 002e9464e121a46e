"""Feature maps of several sizes, laid end to end, on which Deformable DETR looks."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from annotated_transformer.checks import check_positive
from annotated_transformer.lab.family.detr.model import DETRConfig


@dataclass(frozen=True, kw_only=True)
class DeformableDETRConfig(DETRConfig):
    """The sizes of the paper's model, and what it sets otherwise than DETR."""

    d_ff: int = 1024
    n_queries: int = 300
    n_maps: int = 3
    """Maps of the backbone that are used, from the coarsest."""
    n_levels: int = 4
    """Maps in all; a convolution of stride 2 makes each that is missing."""
    n_points: int = 4
    """Looks of a head at each map."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("n_maps", "n_levels", "n_points"):
            check_positive(name, getattr(self, name))
        there = len(self.depths) or len(self.widths)
        if self.n_maps > min(there, self.n_levels) or self.d_model % 32:
            raise ValueError(
                f"n_maps={self.n_maps}, n_levels={self.n_levels}, d_model={self.d_model}: expected "
                f"at most {there} maps, that many levels or more, and a multiple of 32"
            )


class FeatureMaps(nn.ModuleList):
    """The maps of a backbone in d_model channels, and those that are missing, half as wide each.

    Source: Zhu et al. 2021, appendix A.2.
    """

    def __init__(self, config: DeformableDETRConfig) -> None:
        super().__init__()
        d_model, widths = config.d_model, config.widths[-config.n_maps :]
        layers = [nn.Conv2d(width, d_model, 1) for width in widths]
        for i in range(config.n_levels - config.n_maps):
            width = d_model if i else widths[-1]
            layers.append(nn.Conv2d(width, d_model, 3, stride=2, padding=1))
        for layer in layers:
            self.append(nn.Sequential(layer, nn.GroupNorm(32, d_model)))
        self.n_maps = config.n_maps

    def forward(self, maps: Sequence[Tensor]) -> list[Tensor]:
        """Return (batch, d_model, height, width) of each map, from the finest."""
        maps, x = maps[-self.n_maps :], maps[-1]
        levels = []
        for number, project in enumerate(self):
            if number < len(maps):
                levels.append(project(maps[number]))
            else:
                x = project(x)
                levels.append(x)
        return levels


class Maps(NamedTuple):
    """What is known of several feature maps that are laid end to end."""

    sizes: list[tuple[int, int]]
    """Height and width of each."""
    real: Bool[Tensor, "batch place"]
    """False where an image was filled up."""
    ratio: Float[Tensor, "batch level 2"]
    """The part of the width and of the height that is real."""
    centres: Float[Tensor, "batch place 2"]
    """(x, y) of each place, in parts of the real image."""


def laid_out(reals: Sequence[Bool[Tensor, "batch _ _"]], dtype: torch.dtype) -> Maps:
    """Lay maps out in a row, with what is known from the places that are real in each."""
    ratios, centres = [], []
    for real in reals:
        ends = real[:, 0], real[:, :, 0]  # the first row and the first column
        ratio = torch.stack([end.to(dtype).mean(1) for end in ends], dim=-1)
        x, y = ((torch.arange(end.size(1)).to(ratio) + 0.5) / end.size(1) for end in ends)
        grid = torch.stack(torch.meshgrid(x, y, indexing="xy"), dim=-1)
        centres.append(grid.flatten(0, 1) / ratio[:, None])
        ratios.append(ratio)
    return Maps(
        [(real.size(1), real.size(2)) for real in reals],
        torch.cat([real.flatten(1) for real in reals], dim=1),
        torch.stack(ratios, dim=1),
        torch.cat(centres, dim=1),
    )
