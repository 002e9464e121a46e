"""Attention inside windows: how an image falls into them, and layers that stay in them."""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from annotated_transformer.checks.state import Derived
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import LayerNorm
from annotated_transformer.transformer import EncoderLayer


def into_windows(
    grid: Float[Tensor, "batch height width d_model"], size: int
) -> Float[Tensor, "window token d_model"]:
    """Cut all images into windows as sequences: image by image, row by row."""
    cut = grid.unflatten(2, (-1, size)).unflatten(1, (-1, size))
    return cut.transpose(2, 3).flatten(0, 2).flatten(1, 2)


def out_of_windows(
    x: Float[Tensor, "window token d_model"], height: int, width: int
) -> Float[Tensor, "batch {height} {width} d_model"]:
    """Put together what `into_windows` took apart."""
    size = math.isqrt(x.size(1))
    cut = x.unflatten(1, (size, size))
    cut = cut.unflatten(0, (-1, height // size, width // size))
    return cut.transpose(2, 3).flatten(3, 4).flatten(1, 2)


def shift_mask(
    height: int, width: int, size: int, shift: int
) -> Bool[Tensor, "window 1 query key"]:
    """Mark with True two patches of a window of the shifted image that were neighbours before.

    What leaves the image at the top or left comes in at the bottom or right,
    into windows of patches from the other side.

    Source: Liu et al. 2021, section 3.2 and figure 4.
    """
    rows = torch.arange(height) >= height - shift
    columns = torch.arange(width) >= width - shift
    origin = 2.0 * rows[:, None] + columns
    origin = into_windows(origin[None, :, :, None], size).squeeze(-1)
    return (origin[:, :, None] == origin[:, None, :])[:, None]


class RelativeBias(Derived):
    """A learned number for each head and each distance inside a window.

    Source: Liu et al. 2021, equation 4.
    """

    index: Tensor

    def __init__(self, size: int, n_heads: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty((2 * size - 1) ** 2, n_heads))
        nn.init.normal_(self.table, std=0.02)
        self.size = size
        self.derive()

    def derived(self) -> dict[str, Tensor]:
        """Compute which number of the table each pair of places has."""
        size = self.size
        place = torch.cartesian_prod(torch.arange(size), torch.arange(size))
        far = place[:, None] - place[None] + size - 1  # from 0, down and right
        return {"index": far[..., 0] * (2 * size - 1) + far[..., 1]}

    def forward(self) -> Float[Tensor, "1 heads query key"]:
        """Return what to add to the scores."""
        return self.table[self.index].permute(2, 0, 1)[None]


class WindowLayer(nn.Module):
    """An encoder layer whose sequences are windows.

    The windows lie `shift` patches further down and right; where a side of the
    image is one window, there is nowhere to go, and they stay.
    """

    def __init__(
        self, config: TransformerConfig, size: int, shift: int
    ) -> None:
        super().__init__()
        self.size, self.shift = size, shift
        self.bias = RelativeBias(size, config.n_heads)
        self.layer = EncoderLayer(config)

    def forward(
        self, grid: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch height width d_model"]:
        """Shift, attend inside windows, shift back."""
        batch, height, width, _ = grid.shape
        shift = self.shift if min(height, width) > self.size else 0
        bias = self.bias()
        if shift:
            near = shift_mask(height, width, self.size, shift).to(grid.device)
            # The authors' code subtracts 100; e^-100 is as good as nothing.
            bias = bias.masked_fill(~near, -math.inf).repeat(batch, 1, 1, 1)
        moved = grid.roll((-shift, -shift), (1, 2))
        windows = into_windows(moved, self.size)
        x = self.layer(windows, None, attn_bias=bias)
        return out_of_windows(x, height, width).roll((shift, shift), (1, 2))


def window_layers(
    config: TransformerConfig, size: int, *, shifted: bool
) -> nn.Sequential:
    """Make as many layers as `config` says; if `shifted`, every second moves by half a window."""
    shifts = (0, size // 2 if shifted else 0)
    return nn.Sequential(
        *(
            WindowLayer(config, size, shifts[number % 2])
            for number in range(config.n_layers)
        )
    )


class Merging(nn.Module):
    """Four neighbours become one vector, twice as wide (Liu et al. 2021, section 3.1)."""

    def __init__(self, d_model: int, epsilon: float) -> None:
        super().__init__()
        self.norm = LayerNorm(4 * d_model, epsilon)
        self.reduce = nn.Linear(4 * d_model, 2 * d_model, bias=False)

    def forward(
        self, grid: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch half_height half_width wide"]:
        """Make the grid half as high and half as wide."""
        four = [grid[:, r::2, c::2] for c in (0, 1) for r in (0, 1)]
        return self.reduce(self.norm(torch.cat(four, dim=-1)))
