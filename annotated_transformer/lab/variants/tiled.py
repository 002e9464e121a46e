"""Attention in tiles: the softmax of a long row, put together from its blocks.

Chapter: *The cost of n squared*. The scores of one block of queries with one
block of keys are all that ever exists at a time. Left out: the backward pass of
the paper, which computes the tiles a second time (here autograd keeps them),
and the kernel that holds a tile in fast memory; PyTorch's has both.
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.checks import check_positive
from annotated_transformer.checks.tensors import check_mask, check_pairs
from annotated_transformer.fast.precision import float16_in_float32


class Partial(NamedTuple):
    """Attention to some of the keys, before the division by the sum."""

    highest: Float[Tensor, "*batch query 1"]
    """The highest score."""
    total: Float[Tensor, "*batch query 1"]
    """The sum of e^(score - highest); 0 where there is no key."""
    values: Float[Tensor, "*batch query d_v"]
    """The sum of e^(score - highest) times the key's value."""


def partial_attention(
    scores: Float[Tensor, "*batch query key"],
    value: Float[Tensor, "*batch key d_v"],
) -> Partial:
    """Return what a block of keys adds; a score of -inf hides its key."""
    # Of no key at all the highest score is the lowest number, so that -inf is
    # never subtracted from -inf.
    lowest = torch.finfo(scores.dtype).min
    highest = scores.amax(dim=-1, keepdim=True).clamp(min=lowest)
    weights = (scores - highest).exp()
    return Partial(highest, weights.sum(-1, keepdim=True), weights @ value)


def merge(one: Partial, other: Partial) -> Partial:
    """Join the contributions of two blocks, each seen from the higher maximum.

    Source: Milakov and Gimelshein 2018, section 3.1.
    """
    highest = torch.maximum(one.highest, other.highest)
    a, b = (one.highest - highest).exp(), (other.highest - highest).exp()
    total = a * one.total + b * other.total
    return Partial(highest, total, a * one.values + b * other.values)


def no_keys(query: Float[Tensor, "*batch query d_k"], d_v: int) -> Partial:
    """Return what there is before the first block: `merge` with it changes nothing."""
    zero = query.new_zeros(*query.shape[:-1], 1)
    lowest = torch.finfo(query.dtype).min
    return Partial(zero + lowest, zero, zero.expand(*zero.shape[:-1], d_v))


def finish(
    partial: Partial,
) -> Float[Tensor, "*batch query d_v"]:
    """Divide by the sum: the output of attention; zeros where there is no key."""
    # The key with the highest score has e^0 in the sum, so only an empty sum
    # is below 1.
    return partial.values / partial.total.clamp(min=1.0)


@float16_in_float32
def tiled_attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
    *,
    query_block: int = 128,
    key_block: int = 128,
    causal: bool = False,
) -> Float[Tensor, "*batch query d_v"]:
    """Compute the output of `attention` from tiles of `query_block` times `key_block` scores.

    With `causal` query i sees the keys up to i, and tiles in which none of
    these lies are not computed.

    Raises:
        ValueError: a block without tokens, or what `attention` refuses.

    Source: Dao et al. 2022, algorithm 1; queries in the outer loop: Dao 2024.
    """
    check_pairs(query, key, value)
    check_positive("query_block", query_block)
    check_positive("key_block", key_block)
    check_mask(mask, (*query.shape[:-1], key.size(-2)))
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.size(-2))
    place = torch.arange(max(query.size(-2), key.size(-2)), device=query.device)
    output = query.new_empty(*query.shape[:-1], value.size(-1))
    for rows in blocks(query.size(-2), query_block):
        q = query[..., rows, :] / math.sqrt(query.size(-1))
        state = no_keys(q, value.size(-1))
        for columns in blocks(key.size(-2), key_block):
            if causal and columns.start >= rows.stop:
                break
            scores = q @ key[..., columns, :].mT
            if mask is not None:
                scores = scores.masked_fill(
                    ~mask[..., rows, columns], -math.inf
                )
            if causal:
                later = place[columns] > place[rows, None]
                scores = scores.masked_fill(later, -math.inf)
            state = merge(
                state, partial_attention(scores, value[..., columns, :])
            )
        output[..., rows, :] = finish(state)
    return output


def blocks(length: int, size: int) -> list[slice]:
    """Cut positions 0 to `length` into blocks; the last may be smaller."""
    starts = range(0, length, size)
    return [slice(start, min(start + size, length)) for start in starts]
