"""Attention that is linear in the length: a feature map takes the place of the exponential.

Chapter: *The cost of n squared*. Where a weight is a product phi(q) . phi(k),
the sum over the keys can be taken before the query is known, and a text of any
length is summed up in one matrix. These weights are not those of a softmax: it
is another attention, not a faster way to the same. Left out: feature maps that
approximate the softmax.
"""

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import check_positive
from annotated_transformer.checks.tensors import check_mask, check_pairs
from annotated_transformer.fast.precision import float16_in_float32
from annotated_transformer.lab.checks import check_same_length
from annotated_transformer.lab.variants.tiled import blocks


def feature_map(x: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
    """Return elu(x) + 1, that is x + 1 above zero and e^x below: always positive.

    Source: Katharopoulos et al. 2020, equation 7.
    """
    # elu(x) + 1 as it stands is 0 in float32 from x = -17 on.
    return torch.where(x > 0, x + 1, x.clamp(max=0.0).exp())


@float16_in_float32
def linear_attention_weights(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "*batch query key"]:
    """Return phi(q) . phi(k), divided by its sum over the keys: the definition.

    This forms all n^2 weights. Each row sums to 1; a row whose mask allows no
    key is all zeros.

    Source: Katharopoulos et al. 2020, equation 4.
    """
    check_pairs(query, key)
    weights = feature_map(query) @ feature_map(key).mT
    check_mask(mask, weights.shape)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0.0)
    total = weights.sum(dim=-1, keepdim=True)
    return weights / total.masked_fill(total == 0, 1.0)


def summary(
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    mask: Bool[Tensor, "*#batch 1 #key"] | None = None,
) -> Float[Tensor, "*batch d_k d_v_and_1"]:
    """Return the sum over the keys of phi(k) (v, 1)^T: all that is stored.

    The last column, where the value is 1, is the sum of phi(k) itself. The
    summary of two sets of keys is the sum of their summaries.
    """
    features = feature_map(key)
    check_mask(mask, (*key.shape[:-2], 1, key.size(-2)))
    if mask is not None:
        features = features.masked_fill(~mask.mT, 0.0)
    return features.mT @ with_one(value)


def with_one(
    value: Float[Tensor, "*batch key d_v"],
) -> Float[Tensor, "*batch key d_v_and_1"]:
    """Put a 1 behind each value: its weighted sum is the sum of the weights."""
    return F.pad(value, (0, 1), value=1.0)


def divide(
    sums: Float[Tensor, "*batch query d_v_and_1"],
) -> Float[Tensor, "*batch query d_v"]:
    """Divide the sums of weighted values by the sum of the weights; zeros where there is no key."""
    total = sums[..., -1:]
    return sums[..., :-1] / total.masked_fill(total == 0, 1.0)


@float16_in_float32
def linear_attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    mask: Bool[Tensor, "*#batch 1 #key"] | None = None,
) -> Float[Tensor, "*batch query d_v"]:
    """Let every query see every key: about 2 n d_k d_v multiply-adds, and no n^2.

    Raises:
        ValueError: queries and keys differ in width, there is not one value for
            each key, or the mask is not boolean and of keys alone.

    Source: Katharopoulos et al. 2020, equations 5 and 6.
    """
    check_linear(query, key, value, mask)
    return divide(feature_map(query) @ summary(key, value, mask))


def step(
    state: Float[Tensor, "*batch d_k d_v_and_1"],
    query: Float[Tensor, "*batch 1 d_k"],
    key: Float[Tensor, "*batch 1 d_k"],
    value: Float[Tensor, "*batch 1 d_v"],
) -> tuple[
    Float[Tensor, "*batch 1 d_v"], Float[Tensor, "*batch d_k d_v_and_1"]
]:
    """Take one token of the causal form: its key joins the state, then its query reads.

    Before the first token the state is zero. Its size never changes.

    Source: Katharopoulos et al. 2020, equations 16 to 20.
    """
    state = state + summary(key, value)
    return divide(feature_map(query) @ state), state


@float16_in_float32
def causal_linear_attention(
    query: Float[Tensor, "*batch length d_k"],
    key: Float[Tensor, "*batch length d_k"],
    value: Float[Tensor, "*batch length d_v"],
    mask: Bool[Tensor, "*#batch 1 #length"] | None = None,
    *,
    chunk: int = 64,
) -> Float[Tensor, "*batch length d_v"]:
    """Let every query see the keys up to its own, from a state that grows by chunks.

    Inside a chunk the weights are formed; what lies before it is in the state.
    A chunk of 1 is `step` after `step`, a chunk of n forms all n^2 weights.

    Raises:
        ValueError: as `linear_attention`, or a chunk without tokens.

    Source: Katharopoulos et al. 2020, equations 8 to 12; chunks: Hua et al. 2022.
    """
    check_linear(query, key, value, mask)
    check_positive("chunk", chunk)
    check_same_length(query, key)
    if mask is None:
        mask = torch.ones_like(key[..., :1], dtype=torch.bool).mT
    state = summary(key[..., :0, :], value[..., :0, :])
    outputs = []
    for here in blocks(key.size(-2), chunk):
        q, k, v = (x[..., here, :] for x in (query, key, value))
        present = mask[..., here]
        weights = feature_map(q) @ feature_map(k).mT
        inside = weights.masked_fill(~present, 0.0).tril() @ with_one(v)
        outputs.append(divide(feature_map(q) @ state + inside))
        state = state + summary(k, v, present)
    return torch.cat(outputs, dim=-2)


def check_linear(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None
) -> None:
    """Refuse tensors that do not pair, and a mask that differs from query to query."""
    check_pairs(query, key, value)
    check_mask(mask, (*key.shape[:-2], 1, key.size(-2)))
