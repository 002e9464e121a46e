"""The largest of many numbers, found in two steps.

PyTorch's `topk` and `max` look at a row of a vocabulary number by number on a
CPU; `amax` looks at many at a time. So the row is cut into blocks, `amax` says
which blocks hold the largest numbers, and only these are looked at closely.
"""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

BLOCK = 64
FEW = 16 * BLOCK
"""A row of fewer numbers is looked at as a whole."""

Largest = tuple[Float[Tensor, "*rows k"], Int[Tensor, "*rows k"]]


def largest(x: Float[Tensor, "*rows n"], k: int) -> Largest:
    """Return the k largest of each row in falling order and their indices, as `topk` does.

    Which of equal numbers are taken is left open.
    """
    if x.size(-1) < FEW or x.device.type != "cpu":
        return x.topk(k, dim=-1)
    blocks = _blocks(x)
    best = blocks.amax(dim=-1).topk(min(k, blocks.size(-2)), dim=-1).indices
    return _of_candidates(x, blocks, best, lambda near: near.topk(k, dim=-1))


def first_largest(x: Float[Tensor, "*rows n"]) -> Largest:
    """Return the largest of each row and its index, the first of equals; k is 1."""
    if x.size(-1) < FEW or x.device.type != "cpu":
        return x.max(dim=-1, keepdim=True)
    blocks = _blocks(x)
    best = blocks.amax(dim=-1).argmax(dim=-1, keepdim=True)
    return _of_candidates(x, blocks, best, lambda near: near.max(dim=-1, keepdim=True))


def _blocks(x: Tensor) -> Float[Tensor, "*rows block inside"]:
    """Cut each row into blocks; what is left at its end is in none."""
    return x[..., : x.size(-1) // BLOCK * BLOCK].unflatten(-1, (-1, BLOCK))


def _of_candidates(
    x: Tensor,
    blocks: Tensor,
    best: Int[Tensor, "*rows chosen"],
    choose: Callable[[Tensor], Sequence[Tensor]],
) -> Largest:
    """Choose among the numbers of the best blocks and of the end of each row."""
    chosen = best[..., None].expand(*best.shape, BLOCK)
    near = blocks.gather(-2, chosen).flatten(-2)
    end = blocks.size(-2) * BLOCK
    if end < x.size(-1):
        near = torch.cat([near, x[..., end:]], dim=-1)
    values, indices = choose(near)
    # Where each piece of `near` starts in x; its last piece is the end.
    starts = F.pad(best * BLOCK, (0, 1), value=end)
    return values, starts.gather(-1, indices // BLOCK) + indices % BLOCK
