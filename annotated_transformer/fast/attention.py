"""The output of `attention`, by PyTorch's fused kernel where that is faster."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.autograd import forward_ad
from torch.nn import functional as F

from annotated_transformer.checks.tensors import check_bias, check_mask, check_pairs, is_transformed
from annotated_transformer.fast.precision import float16_in_float32
from annotated_transformer.masks import masked_softmax

FEW_QUERIES = 8
"""With at most this many queries the formula is faster on a CPU than the kernel."""
FEW_KEYS = 256
"""With at most this many keys the formula is faster backward in bfloat16."""


@runtime_checkable
class AttentionCache(Protocol):
    """Keys and values kept from one call to the next (decoding/cache.py)."""

    def __call__(self, query: Tensor, attn_bias: Tensor | None) -> tuple[Any, ...]:
        """Return queries of the new vectors, and keys, values and bias of all so far."""

    def select(self, sentences: Sequence[int]) -> None:
        """Move the sentences that go on into the first slots."""


class LayerCache(NamedTuple):
    """What a search keeps for a decoder layer (decoding/cache.py)."""

    own: AttentionCache
    """Keys and values of the target so far."""
    cross: AttentionCache
    """Keys and values of the memory."""


def fast_attention(
    query: Float[Tensor, "batch heads query d_k"],
    key: Float[Tensor, "batch heads key d_k"],
    value: Float[Tensor, "batch heads key d_v"],
    mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    attn_bias: Float[Tensor, "*#heads #query #key"] | None = None,
) -> Float[Tensor, "batch heads query d_v"]:
    """Return the output of `attention`; `attn_bias` is added to the scores, and -inf hides a key.

    The kernel never forms the weights, which would fill the memory where sentences are long. On a
    CPU the formula is faster in two cases: for the few queries of a search, and backward in
    bfloat16 where sentences are short. The kernel has no second derivative and says so; within
    `torch.nn.attention.sdpa_kernel(SDPBackend.MATH)` there is one. Raises as `attention` does.
    """
    check_pairs(query, key, value)  # the kernel would read past the end
    if mask is not None or attn_bias is not None:
        scores_shape = (*query.shape[:-1], key.size(-2))
        check_mask(mask, scores_shape, query)
        check_bias(attn_bias, scores_shape, query)
        # The kernel wants two axes of each.
        mask = mask if mask is None else torch.atleast_2d(mask)
        attn_bias = attn_bias if attn_bias is None else torch.atleast_2d(attn_bias)
    if query.device.type == "cpu":
        # With a gradient no length is looked at: an exported graph would hold for these alone.
        if not torch.is_grad_enabled() and query.size(-2) <= FEW_QUERIES and key.size(-2):
            return few_queries_attention(query, key, value, mask, attn_bias)
        bfloat16 = query.dtype == torch.bfloat16 and query.requires_grad
        if bfloat16 and key.size(-2) <= FEW_KEYS:
            # Each head by itself in memory, copied once and not again for each product.
            query, key, value = query.contiguous(), key.contiguous(), value.contiguous()
            return formula(query, key, value, mask, attn_bias)
    if forward_ad._current_level >= 0 or is_transformed(query):
        # The kernel has no forward derivative, and none for each example.
        return formula(query, key, value, mask, attn_bias)
    if attn_bias is None:
        return F.scaled_dot_product_attention(query, key, value, mask)
    if mask is not None:  # the kernel takes one of the two
        attn_bias = attn_bias.masked_fill(~mask, -math.inf)
    return F.scaled_dot_product_attention(query, key, value, attn_bias)


@float16_in_float32
def few_queries_attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, attn_bias: Tensor | None
) -> Tensor:
    """Compute equation 1 without a gradient, in place.

    PyTorch's softmax costs a CPU so much for each row that exponential, sum and
    quotient by themselves are faster on the many short rows of a search.
    """
    scores = query @ key.transpose(-2, -1)
    scores /= math.sqrt(query.size(-1))
    if attn_bias is not None:
        scores += attn_bias
    if mask is not None:
        scores.masked_fill_(~mask, -math.inf)
    lowest = torch.finfo(scores.dtype).min
    scores -= scores.amax(dim=-1, keepdim=True).clamp_(min=lowest)
    weights = scores.exp_()
    # A row with a key has a sum of at least e^0; one without takes nothing.
    weights /= weights.sum(dim=-1, keepdim=True).clamp_(min=1.0)
    return weights @ value


@float16_in_float32
def formula(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, attn_bias: Tensor | None
) -> Tensor:
    """Compute equation 1, the output of `attention`, without checks."""
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    return masked_softmax(*biased(scores, mask, attn_bias)) @ value


def biased(
    scores: Tensor, mask: Tensor | None, attn_bias: Tensor | None
) -> tuple[Tensor, Tensor | None]:
    """Add `attn_bias` to the scores; return them and the mask, which hides keys at -inf too.

    Raises ValueError if `attn_bias` are no numbers, or do not broadcast to the scores.
    """
    if mask is not None:
        check_mask(mask, scores.shape, scores)
    if attn_bias is None:
        return scores, mask
    check_bias(attn_bias, scores.shape, scores)
    finite = attn_bias != -math.inf  # NaN hides nothing, and so does not go unseen
    return scores + attn_bias, finite if mask is None else mask & finite


def as_bias(mask: Bool[Tensor, "*any"], like: Tensor) -> Float[Tensor, "*any"]:
    """Turn a mask into numbers to add, like `like`: 0 where it is True, -inf elsewhere.

    Made once in a step for all layers: to add it to the scores takes a tenth of the time that it
    takes to fill them where a mask is False.
    """
    return torch.zeros_like(mask, dtype=like.dtype).masked_fill_(~mask, -math.inf)
