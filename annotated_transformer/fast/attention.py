"""The output of `attention`, by PyTorch's fused kernel where that is faster."""

import math

import torch
from jaxtyping import Float, Shaped
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import check_pairs
from annotated_transformer.masks import masked_softmax

SHORT = 256
"""Up to so many keys, the kernel's backward pass in bfloat16 is slower on a CPU."""


def fast_attention(
    query: Float[Tensor, "batch heads query d_k"],
    key: Float[Tensor, "batch heads key d_k"],
    value: Float[Tensor, "batch heads key d_v"],
    mask: Shaped[Tensor, "*#heads #query #key"] | None = None,
) -> Float[Tensor, "batch heads query d_v"]:
    """The output of `attention`; the mask may also be numbers to add to the scores.

    The kernel never forms the weights. But its backward pass in bfloat16 on a CPU
    is slower than the formula where sentences are short; where they are long, the
    weights would fill the memory.

    Raises:
        ValueError: as `attention` does for queries, keys and values.
    """
    check_pairs(query, key, value)  # the kernel would read past the end
    slow_backward = query.requires_grad and query.dtype == torch.bfloat16
    if slow_backward and query.device.type == "cpu" and key.size(-2) <= SHORT:
        # Each head by itself in memory, copied once and not again for each product.
        query, key, value = (
            query.contiguous(),
            key.contiguous(),
            value.contiguous(),
        )
        scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
        return masked_softmax(scores, mask) @ value
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
