"""Where things lie in an image: sinusoids in two directions, and layers that add them.

DETR adds positions in every layer, where vectors are compared. That is all in
which its layers differ from the paper's.
"""

import math

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.lab.checks import check_marks
from annotated_transformer.transformer import DecoderLayer, EncoderLayer


def image_positions(
    real: Bool[Tensor, "batch height width"],
    d_model: int,
    dtype: torch.dtype,
    *,
    centred: bool = False,
) -> Float[Tensor, "batch place d_model"]:
    """Make sinusoids: half of the components of y, the other half of x, row by row of the image.

    Each direction is counted in real places from 1 and stretched to end at
    2 pi, so that images of all sizes have positions of one range. `centred`
    counts from 1/2, the middle of the first place.

    Raises:
        ValueError: d_model is no multiple of 4.

    Source: section 3.5; two directions: Parmar et al. 2018; stretched: Carion
    et al. 2020, the released code.
    """
    if d_model % 4:
        raise ValueError(
            f"d_model={d_model} must be a multiple of 4: sines and cosines of y and of x"
        )
    if dtype == torch.float16:  # it counts to 2,048 and has no 10^-6
        wide = image_positions(real, d_model, torch.float32, centred=centred)
        return wide.half()
    half = d_model // 2
    even = torch.arange(0, half, 2, dtype=dtype, device=real.device)
    rate = 10_000 ** (-even / half)
    parts = []
    for axis in (1, 2):
        count = real.cumsum(axis, dtype=dtype)
        last = count.narrow(axis, -1, 1) + 1e-6  # a row may hold nothing real
        turn = 2 * math.pi * (count - (0.5 if centred else 0.0)) / last
        angle = turn.flatten(1)[..., None] * rate
        parts.append(torch.stack((angle.sin(), angle.cos()), -1).flatten(-2))
    return torch.cat(parts, dim=-1)


def real_places(
    images: Float[Tensor, "batch channels height width"],
    real: Bool[Tensor, "batch height width"] | None,
    features: Float[Tensor, "batch d_model rows columns"],
) -> Bool[Tensor, "batch rows columns"]:
    """Mark which places of a feature map show a real part of the image: all, if nothing is said.

    Raises:
        ValueError: `real` is not True or False for each pixel.
    """
    if real is None:
        real = torch.ones_like(images[:, 0], dtype=torch.bool)
    check_marks("real", real, images[:, 0].shape, images)
    size = features.shape[-2:]
    return F.interpolate(real[:, None].to(images.dtype), size)[:, 0].bool()


class PlacedEncoderLayer(EncoderLayer):
    """The paper's layer, told where each vector lies each time that it looks."""

    def forward(  # type: ignore[override]
        self,
        x: Float[Tensor, "batch place d_model"],
        mask: Bool[Tensor, "batch 1 1 place"],
        place: Float[Tensor, "batch place d_model"],
    ) -> Float[Tensor, "batch place d_model"]:
        """Add positions to what is compared, not to what is taken along."""
        x = self.after_attention(
            x, lambda y: self.self_attention(y + place, y + place, y, mask)
        )
        return self.after_feed_forward(x, self.feed_forward)


class PlacedDecoderLayer(DecoderLayer):
    """The paper's layer without a causal mask; a slot's own query says what it looks for."""

    def forward(  # type: ignore[override]
        self,
        x: Float[Tensor, "batch slot d_model"],
        memory: Float[Tensor, "batch place d_model"],
        queries: Float[Tensor, "batch slot d_model"],
        place: Float[Tensor, "batch place d_model"],
        mask: Bool[Tensor, "batch 1 1 place"],
    ) -> Float[Tensor, "batch slot d_model"]:
        """Let all slots look at each other, then across at the image."""
        x = self.after_attention(
            x, lambda y: self.self_attention(y + queries, y + queries, y)
        )
        x = self.after_cross_attention(
            x,
            lambda y: self.cross_attention(
                y + queries, memory + place, memory, mask
            ),
        )
        return self.after_feed_forward(x, self.feed_forward)
