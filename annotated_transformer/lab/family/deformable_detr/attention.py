"""Attention without keys: a query looks at a few places that it chooses itself.

On maps of several sizes at once. It costs as much as there are queries, however
large the maps are.
"""

import math
from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks.tensors import check_vectors
from annotated_transformer.fast.linear import initialise
from annotated_transformer.lab.family.deformable_detr.maps import (
    DeformableDETRConfig,
    Maps,
)
from annotated_transformer.transformer import DecoderLayer, EncoderLayer


class DeformableAttention(nn.Module):
    """A weighted sum of values at a few points of each map, chosen by the query.

    Args:
        d_model: width of queries, values and output.
        choices: heads, maps, and points of a head on each map.

    Source: Zhu et al. 2021, section 4.1, equation 3.
    """

    def __init__(self, d_model: int, choices: tuple[int, int, int]) -> None:
        super().__init__()
        self.choices = choices
        looks = math.prod(choices)
        self.offsets = nn.Linear(d_model, 2 * looks)
        self.weights = nn.Linear(d_model, looks)
        self.w_value = nn.Linear(d_model, d_model)
        self.w_output = nn.Linear(d_model, d_model)
        self.initialise()

    def initialise(self) -> None:
        """Begin alike for every query: heads look in their own directions, 1, 2 ... places far."""
        initialise(self.w_value)
        initialise(self.w_output)
        for linear in (self.weights, self.offsets):
            nn.init.zeros_(linear.weight)
        nn.init.zeros_(self.weights.bias)
        heads, _, points = self.choices
        turn = 2 * math.pi * torch.arange(heads) / heads
        way = torch.stack((turn.cos(), turn.sin()), -1)
        way = (way / way.abs().amax(-1, keepdim=True))[:, None, None]
        steps = way * torch.arange(1, points + 1)[:, None]
        with torch.no_grad():
            bias = steps.expand(*self.choices, 2).flatten()
            self.offsets.bias.copy_(bias)

    def forward(
        self,
        query: Float[Tensor, "batch query d_model"],
        reference: Float[Tensor, "batch query 2"],
        value: Float[Tensor, "batch place d_model"],
        maps: Maps,
    ) -> Float[Tensor, "batch query d_model"]:
        """Attend around `reference`, (x, y) in parts of the real image; offsets count places."""
        check_vectors(self.w_value.in_features, query=query, value=value)
        sizes = reference.new_tensor(maps.sizes).flip(-1)[:, None]  # x, y
        start = reference[:, :, None] * maps.ratio[:, None]
        offsets = self.offsets(query).unflatten(-1, (*self.choices, 2))
        at = start[:, :, None, :, None] + offsets / sizes
        weights = self.weights(query).unflatten(-1, (self.choices[0], -1))
        v = self.w_value(value).masked_fill(~maps.real[..., None], 0)
        read = sampled(v.unflatten(-1, (self.choices[0], -1)), at, maps.sizes)
        mixed = torch.einsum("bqhl,bhdql->bqhd", weights.softmax(-1), read)
        return self.w_output(mixed.flatten(-2))


def sampled(
    value: Float[Tensor, "batch place head d_v"],
    at: Float[Tensor, "batch query head level point 2"],
    sizes: Sequence[tuple[int, int]],
) -> Float[Tensor, "batch head d_v query looks"]:
    """Sample each head's values at its points from the four places around; outside are zeros."""
    read = []
    parts = value.split([height * width for height, width in sizes], dim=1)
    for level, (part, size) in enumerate(zip(parts, sizes, strict=True)):
        image = part.permute(0, 2, 3, 1).flatten(0, 1).unflatten(-1, size)
        grid = 2 * at[:, :, :, level].transpose(1, 2).flatten(0, 1) - 1
        read.append(F.grid_sample(image, grid, align_corners=False))
    return torch.cat(read, -1).unflatten(0, (len(value), -1))


class DeformableEncoderLayer(EncoderLayer):
    """The paper's layer with the other attention: each place looks around itself."""

    def __init__(self, config: DeformableDETRConfig) -> None:
        super().__init__(config)
        self.self_attention = deformable(config)  # type: ignore[assignment]

    def forward(  # type: ignore[override]
        self, x: Tensor, place: Tensor, reference: Tensor, maps: Maps
    ) -> Tensor:
        """Map (batch, place, d_model) to the same shape, given where each place lies."""
        x = self.after_attention(
            x, lambda y: self.self_attention(y + place, reference, y, maps)
        )
        return self.after_feed_forward(x, self.feed_forward)


class DeformableDecoderLayer(DecoderLayer):
    """The paper's layer with the other attention over the memory."""

    def __init__(self, config: DeformableDETRConfig) -> None:
        super().__init__(config)
        self.cross_attention = deformable(config)  # type: ignore[assignment]

    def forward(  # type: ignore[override]
        self,
        x: Tensor,
        memory: Tensor,
        queries: Tensor,
        reference: Tensor,
        maps: Maps,
    ) -> Tensor:
        """Map (batch, slot, d_model): slots look at each other as in DETR, then at their points."""
        x = self.after_attention(
            x, lambda y: self.self_attention(y + queries, y + queries, y)
        )
        x = self.after_cross_attention(
            x,
            lambda y: self.cross_attention(
                y + queries, reference, memory, maps
            ),
        )
        return self.after_feed_forward(x, self.feed_forward)


def deformable(config: DeformableDETRConfig) -> DeformableAttention:
    """Make the attention of a layer."""
    choices = config.n_heads, config.n_levels, config.n_points
    return DeformableAttention(config.d_model, choices)
