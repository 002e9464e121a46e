"""The parts of SegFormer: layers that need no positions, stages, and a head.

Chapter: *Vision*. The layers are the paper's but for two things: the image is
made smaller before keys and values are made of it, and the feed-forward network
mixes neighbours.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import FeedForward, LayerNorm, residual
from annotated_transformer.variants import self_attention


class Convolution(nn.Conv2d):
    """A convolution of a grid whose last axis is the vectors'."""

    def forward(
        self, grid: Float[Tensor, "batch height width d_in"]
    ) -> Float[Tensor, "batch rows columns d_out"]:
        """Put the axes as PyTorch wants them, and back."""
        return super().forward(grid.permute(0, 3, 1, 2)).permute(0, 2, 3, 1)


class MixFeedForward(FeedForward):
    """The paper's network, with a look at the eight neighbours before the activation.

    Each of the d_ff numbers is mixed with the same number of the neighbours.
    Beyond the border there are zeros, which is how a place can know where it is.

    Source: Xie et al. 2021, equation 3.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config.d_model, config.d_ff, config.activation)
        self.mix = Convolution(
            config.d_ff, config.d_ff, 3, padding=1, groups=config.d_ff
        )

    def forward(
        self, x: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch height width d_model"]:
        """Widen, mix, activate, narrow."""
        return self.outer(self.activate(self.mix(self.inner(x))))


class Reduce(nn.Module):
    """R x R places become one vector, from which keys and values are made.

    Attention then costs R^2 times less.

    Source: Xie et al. 2021, equation 2.
    """

    def __init__(self, config: TransformerConfig, ratio: int) -> None:
        super().__init__()
        width = config.d_model
        self.convolution = Convolution(width, width, ratio, ratio)
        self.norm = LayerNorm(width, config.epsilon)

    def forward(
        self, grid: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch rows columns d_model"]:
        """Make the grid smaller; what is left over at the right and at the bottom is not seen."""
        return self.norm(self.convolution(grid))


class MixLayer(nn.Module):
    """An encoder layer on a grid, with both changes; a ratio of 1 reduces nothing."""

    def __init__(self, config: TransformerConfig, ratio: int) -> None:
        super().__init__()
        self.reduce = Reduce(config, ratio) if ratio > 1 else nn.Identity()
        self.self_attention = self_attention(config)
        self.feed_forward = MixFeedForward(config)
        self.after_attention = residual(config)
        self.after_feed_forward = residual(config)

    def forward(
        self, grid: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch height width d_model"]:
        """Let every place look at all, then at its neighbours."""
        size = grid.shape[1:3]

        def attend(x: Tensor) -> Tensor:
            few = self.reduce(x.unflatten(1, size)).flatten(1, 2)
            return self.self_attention(x, few, few)

        def mix(x: Tensor) -> Tensor:
            return self.feed_forward(x.unflatten(1, size)).flatten(1, 2)

        x = self.after_attention(grid.flatten(1, 2), attend)
        return self.after_feed_forward(x, mix).unflatten(1, size)


class MixStage(nn.Module):
    """Overlapping patches of the input, layers, and a LayerNorm at the end.

    Args:
        config: of the layers.
        d_in: width of what comes in; that of a pixel is its channels.
        patch: height and width of a patch, and from one to the next.
        ratio: of the reduction.
    """

    def __init__(
        self,
        config: TransformerConfig,
        d_in: int,
        patch: tuple[int, int],
        ratio: int,
    ) -> None:
        super().__init__()
        self.ratio = ratio
        size, stride = patch
        self.patches = Convolution(
            d_in, config.d_model, size, stride, padding=size // 2
        )
        self.patch_norm = LayerNorm(config.d_model, config.epsilon)
        self.layers = nn.Sequential(
            *(MixLayer(config, ratio) for _ in range(config.n_layers))
        )
        self.norm = LayerNorm(config.d_model, config.epsilon)

    def forward(
        self, grid: Float[Tensor, "batch height width d_in"]
    ) -> Float[Tensor, "batch rows columns d_model"]:
        """Return a smaller grid of wider vectors.

        Raises:
            ValueError: there are fewer patches than one key is made of.
        """
        patches = self.patch_norm(self.patches(grid))
        height, width = patches.shape[1:3]
        if min(height, width) < self.ratio:
            raise ValueError(
                f"an image that has {height} x {width} patches at a stage which reduces "
                f"{self.ratio} x {self.ratio} of them to one key; make it larger"
            )
        return self.norm(self.layers(patches))


class Head(nn.Module):
    """The places of all stages at the size of the first, side by side, made one vector each.

    Source: Xie et al. 2021, section 3.2 and equation 4; the normalisation over
    the batch and the ReLU are those of the authors' code.
    """

    def __init__(self, widths: Sequence[int], d_head: int) -> None:
        super().__init__()
        self.project = nn.ModuleList(nn.Linear(d, d_head) for d in widths)
        self.fuse = nn.Linear(len(widths) * d_head, d_head, bias=False)
        self.norm = nn.BatchNorm2d(d_head)

    def forward(
        self, stages: Sequence[Tensor]
    ) -> Float[Tensor, "batch rows columns d_head"]:
        """Join the grids (batch, height, width, d_model) of all stages."""
        size, grids = stages[0].shape[1:3], []
        for project, stage in zip(self.project, stages, strict=True):
            grids.append(larger(project(stage).permute(0, 3, 1, 2), size))
        # The last stage comes first, as in the authors' code.
        fused = self.fuse(torch.cat(grids[::-1], dim=1).permute(0, 2, 3, 1))
        normed = self.norm(fused.permute(0, 3, 1, 2)).relu()
        return normed.permute(0, 2, 3, 1)


def larger(
    x: Float[Tensor, "batch channel rows columns"], size: Sequence[int]
) -> Float[Tensor, "batch channel height width"]:
    """Enlarge a map: the values of new places lie on straight lines between the given ones."""
    return F.interpolate(x, tuple(size), mode="bilinear", align_corners=False)
