"""The largest few of many numbers."""

import torch
from torch import Tensor

LARGEST_GROUP = 32
"""Numbers in a group, at most: more would make the last step longer."""


def largest(x: Tensor, k: int) -> tuple[Tensor, Tensor]:
    """`x.topk(k)`; which of equal numbers it takes is left open there and here.

    The largest k lie in k groups: those whose own largest number is largest. A
    CPU compares the numbers of many groups at once if neighbours are in
    different ones, and `topk` is left with a few hundred numbers.
    """
    n = x.size(-1)
    size = max(d for d in range(1, LARGEST_GROUP + 1) if n % d == 0)
    groups = n // size
    if x.device.type != "cpu" or size <= k or groups <= k:
        values, places = x.topk(k, dim=-1)
        return values, places
    chosen = x.unflatten(-1, (size, groups)).amax(dim=-2).topk(k, dim=-1)
    members = chosen.indices[..., None] + torch.arange(0, n, groups)
    members = members.flatten(-2)
    values, places = x.gather(-1, members).topk(k, dim=-1)
    return values, members.gather(-1, places)
