"""Which positions may look at which: padding and causal masks.

Paper: section 3.2.3. Chapter: *Masks*. Every mask in this package is boolean,
True means "may attend", and it broadcasts to (batch, heads, query, key). Here
is the only place that builds one.
"""

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.checks import check_length
from annotated_transformer.checks.tensors import check_mask, check_sentences


def padding_mask(
    ids: Int[Tensor, "batch key"], padding_id: int = 0
) -> Bool[Tensor, "batch 1 1 key"]:
    """Mark with True each key that is a real token, with False what only fills up the batch.

    Raises:
        ValueError: the ids are not those of a batch of sentences, or
            `padding_id` is no whole number.
    """
    check_sentences(ids, padding_id)
    return (ids != padding_id)[:, None, None, :]


def causal_mask(
    length: int, device: torch.device | None = None
) -> Bool[Tensor, "query key"]:
    """Mark with True each key that is not later than the query: the lower triangle.

    Raises:
        ValueError: the length is not a whole number, or negative.

    Source: section 3.2.3, "preserve the auto-regressive property".
    """
    check_length(length)
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def masked_softmax(
    scores: Float[Tensor, "*batch query key"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "*batch query key"]:
    """Take the softmax over the keys that the mask allows; zeros where it allows none.

    Raises:
        ValueError: the mask is not boolean or does not broadcast to the scores.
    """
    check_mask(mask, scores.shape)
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    # softmax makes NaN of a row of -inf; a query without a key takes nothing.
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)
