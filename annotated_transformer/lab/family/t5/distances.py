"""How far apart two tokens stand, as T5 tells its heads: a learned number per class of distances.

Chapter: *Text to text*.
"""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn


def bucket(
    distance: Int[Tensor, "*shape"],
    n_buckets: int,
    max_distance: int,
    *,
    both_sides: bool,
) -> Int[Tensor, "*shape"]:
    """Return the bucket of each distance, key minus query; near ones have their own.

    Half of the buckets are for 0, 1, 2 ...; those of the other half grow in
    proportion to the distance and end at `max_distance`, the last holding all
    that is farther. On both sides, keys after the query have buckets of their
    own; otherwise they are in bucket 0, and a causal mask hides them. Computed
    in float32, as published models are.

    Source: Raffel et al. 2020, section 2.1; the formula is that of their code.
    """
    first = torch.zeros_like(distance)
    if both_sides:
        n_buckets //= 2
        first = n_buckets * (distance > 0).long()
        distance = distance.abs()
    else:
        distance = (-distance).clamp(min=0)
    exact = n_buckets // 2
    share = (distance.clamp(min=1).float() / exact).log()
    share = share / math.log(max_distance / exact)
    far = (exact + (share * (n_buckets - exact)).long()).clamp(
        max=n_buckets - 1
    )
    return first + torch.where(distance < exact, distance, far)


class RelativeBias(nn.Module):
    """What each head adds to a score for the distance between query and key."""

    def __init__(
        self,
        n_heads: int,
        n_buckets: int,
        max_distance: int,
        *,
        both_sides: bool,
    ) -> None:
        super().__init__()
        self.sizes = n_buckets, max_distance
        self.both_sides = both_sides
        self.weight = nn.Parameter(torch.empty(n_buckets, n_heads))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, length: int) -> Float[Tensor, "1 heads query key"]:
        """Return the biases of a text of this length, for all layers of a stack."""
        place = torch.arange(length, device=self.weight.device)
        distance = place - place[:, None]
        buckets = bucket(distance, *self.sizes, both_sides=self.both_sides)
        return self.weight[buckets].permute(2, 0, 1)[None]
