"""The ResNet in front of a detector's Transformer; no part of the paper is in it.

It is that of DETR's published weights, whose normalisations keep the statistics
of an earlier training.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.lab.checks import check_pictures


class FrozenBatchNorm(nn.Module):
    """(x - mean) / sqrt(variance + 1e-5) * gain + bias of each channel; nothing is learned.

    A detector's batches are too small for statistics of their own.

    Source: Ioffe and Szegedy 2015; frozen: Carion et al. 2020, appendix A.4.
    """

    gain: Tensor
    bias: Tensor
    mean: Tensor
    variance: Tensor

    def __init__(self, channels: int) -> None:
        super().__init__()
        starts = {"gain": 1.0, "bias": 0.0, "mean": 0.0, "variance": 1.0}
        for name, start in starts.items():
            self.register_buffer(name, torch.full((channels,), start))

    def forward(
        self, x: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch channels height width"]:
        """Scale and shift every image and place alike."""
        statistics = self.mean, self.variance
        return F.batch_norm(x, *statistics, self.gain, self.bias, eps=1e-5)


class Bottleneck(nn.Module):
    """Narrow to a quarter, look at 3 x 3 neighbours, widen; and add the input.

    Source: He et al. 2016, figure 5; the stride is in the middle convolution.
    """

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.narrow = _convolution(channels, width // 4, 1)
        self.look = _convolution(width // 4, width // 4, 3, stride)
        self.widen = _convolution(width // 4, width, 1)
        self.shortcut: nn.Module = nn.Identity()
        if channels != width or stride != 1:
            self.shortcut = _convolution(channels, width, 1, stride)

    def forward(
        self, x: Float[Tensor, "batch channels height width"]
    ) -> Float[Tensor, "batch channels_out height_out width_out"]:
        """Apply ReLU after each normalisation, the last one after the sum."""
        y = F.relu(self.look(F.relu(self.narrow(x))))
        return F.relu(self.widen(y) + self.shortcut(x))


class ResNet(nn.Module):
    """The map of each stage, the first a quarter of the image's side, each next one half of that.

    Source: He et al. 2016, table 1.
    """

    def __init__(self, channels: int, widths: Sequence[int], depths: Sequence[int]) -> None:
        super().__init__()
        self.stem = _convolution(channels, widths[0], 7, 2)
        self.stages = nn.ModuleList()
        sizes = zip(widths, widths[1:], depths, strict=False)
        for number, (narrow, width, depth) in enumerate(sizes):
            first = Bottleneck(narrow, width, 2 if number else 1)
            more = (Bottleneck(width, width, 1) for _ in range(depth - 1))
            self.stages.append(nn.Sequential(first, *more))

    def forward(self, images: Float[Tensor, "batch channels height width"]) -> list[Tensor]:
        """Return (batch, width, height, width) of each stage, the finest first."""
        check_pictures(images, self.stem[0].in_channels, self.stem[0].weight)
        maps = [F.max_pool2d(F.relu(self.stem(images)), 3, 2, padding=1)]
        for stage in self.stages:
            maps.append(stage(maps[-1]))
        return maps[1:]


def _convolution(channels: int, width: int, kernel: int, stride: int = 1) -> nn.Sequential:
    """Make a convolution without bias, and its normalisation."""
    weights = nn.Conv2d(channels, width, kernel, stride, padding=kernel // 2, bias=False)
    return nn.Sequential(weights, FrozenBatchNorm(width))
