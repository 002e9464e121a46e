"""The output of `attention`, by PyTorch's fused kernel where that is faster."""

import math

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import check_pairs
from annotated_transformer.masks import masked_softmax

FEW_QUERIES = 8
"""Up to so many queries, the formula is faster on a CPU than the kernel."""
FEW_KEYS = 256
"""Up to so many keys, it is faster backward in bfloat16."""


def fast_attention(
    query: Float[Tensor, "batch heads query d_k"],
    key: Float[Tensor, "batch heads key d_k"],
    value: Float[Tensor, "batch heads key d_v"],
    mask: Shaped[Tensor, "*#heads #query #key"] | None = None,
) -> Float[Tensor, "batch heads query d_v"]:
    """The output of `attention`; the mask may also be numbers to add to the scores.

    The kernel never forms the weights, which would fill the memory where
    sentences are long. On a CPU the formula is faster in two cases: for the few
    queries of a search, and backward in bfloat16 where sentences are short.

    Raises:
        ValueError: as `attention` does for queries, keys and values.
    """
    check_pairs(query, key, value)  # the kernel would read past the end
    if query.device.type == "cpu":
        if not torch.is_grad_enabled() and query.size(-2) <= FEW_QUERIES:
            return few_queries_attention(query, key, value, mask)
        bfloat16 = query.dtype == torch.bfloat16 and query.requires_grad
        if bfloat16 and key.size(-2) <= FEW_KEYS:
            # Each head by itself in memory, copied once and not again for each product.
            return formula(
                query.contiguous(), key.contiguous(), value.contiguous(), mask
            )
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)


def few_queries_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> Tensor:
    """Equation 1 without a gradient, in place.

    PyTorch's softmax costs a CPU so much for each row that exponential, sum and
    quotient by themselves are faster on the many short rows of a search.
    """
    scores = query @ key.transpose(-2, -1)
    scores /= math.sqrt(query.size(-1))
    if mask is not None:
        if mask.is_floating_point():
            scores += mask
        else:
            scores.masked_fill_(~mask, -math.inf)
    lowest = torch.finfo(scores.dtype).min
    scores -= scores.amax(dim=-1, keepdim=True).clamp_(min=lowest)
    weights = scores.exp_()
    # A row with a key has a sum of at least e^0; one without takes nothing.
    weights /= weights.sum(dim=-1, keepdim=True).clamp_(min=1.0)
    return weights @ value


def formula(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> Tensor:
    """Equation 1: the output of `attention`, nothing checked."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return masked_softmax(scores, mask) @ value
