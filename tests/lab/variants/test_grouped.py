"""Shared keys and values: equal to PyTorch's, and to the paper's attention with copied heads."""

import pytest
import torch
from torch.nn import functional as F
from typechecking import unchecked

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.caching import cache_bytes
from annotated_transformer.lab.variants.grouped import (
    GroupedQueryAttention,
    grouped_attention,
    grouped_cache_bytes,
)

BATCH, HEADS, QUERY, KEY, D_K, D_V = 2, 6, 5, 7, 4, 3
GROUPS = [1, 2, 3, 6]


def tensors(groups):
    shapes = ((HEADS, QUERY, D_K), (groups, KEY, D_K), (groups, KEY, D_V))
    return [torch.randn(BATCH, *shape, dtype=torch.float64, requires_grad=True) for shape in shapes]


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("shape", [None, (QUERY, KEY), (BATCH, 1, 1, KEY), (HEADS, QUERY, KEY)])
def test_groups_are_those_of_pytorch_forward_and_backward(groups, shape):
    inputs = tensors(groups)
    mask = None if shape is None else torch.rand(shape) < 0.6
    per_query = mask is not None and mask.size(-2) > 1
    if per_query:
        mask[..., 0, :] = False  # a query without a key
    found = grouped_attention(*inputs, mask)
    expected = F.scaled_dot_product_attention(*inputs, attn_mask=mask, enable_gqa=True)
    torch.testing.assert_close(found, expected)
    upstream = torch.randn_like(found)
    ours = torch.autograd.grad(found, inputs, upstream)
    theirs = torch.autograd.grad(expected, inputs, upstream)
    torch.testing.assert_close(ours, theirs)
    if per_query:
        assert found[..., 0, :].eq(0).all()


@pytest.mark.parametrize("groups", GROUPS)
def test_a_head_reads_the_keys_of_its_group(groups):
    query, key, value = tensors(groups)
    found = grouped_attention(query, key, value)
    for head in range(HEADS):
        group = head * groups // HEADS
        expected, _ = attention(query[:, head], key[:, group], value[:, group])
        torch.testing.assert_close(found[:, head], expected)


@pytest.mark.parametrize("groups", GROUPS)
def test_the_layer_is_the_paper_s_with_each_group_s_matrices_repeated(groups):
    layer = GroupedQueryAttention(12, HEADS, groups).double()
    full = MultiHeadAttention(12, HEADS).double()
    for name in ("w_query", "w_output", "w_key", "w_value"):
        weight = getattr(layer, name).weight
        if name in ("w_key", "w_value"):
            of_groups = weight.unflatten(0, (groups, -1))
            weight = of_groups.repeat_interleave(HEADS // groups, dim=0).flatten(0, 1)
        getattr(full, name).weight.data.copy_(weight)
    x, memory = (torch.randn(BATCH, n, 12, dtype=torch.float64) for n in (QUERY, KEY))
    mask = torch.rand(BATCH, 1, QUERY, KEY) < 0.6
    torch.testing.assert_close(layer(x, memory, mask), full(x, memory, memory, mask))
    saved = sum(p.numel() for p in full.parameters()) - sum(p.numel() for p in layer.parameters())
    assert saved == 2 * 12 * 12 * (HEADS - groups) / HEADS


@pytest.mark.parametrize("groups", GROUPS)
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_bytes_are_those_of_the_tensors_that_are_kept(groups, dtype):
    config = TransformerConfig(
        vocab_size=9, n_layers=3, d_model=24, n_heads=HEADS, d_k=D_K, d_v=D_V
    )
    kept = [torch.empty(groups, 10, d, dtype=dtype) for d in (D_K, D_V)] * config.n_layers
    found = grouped_cache_bytes(config, groups, tokens=10, bytes_per_value=dtype.itemsize)
    assert found == sum(x.nbytes for x in kept)
    full = cache_bytes(config, target=10, source=0, bytes_per_value=dtype.itemsize)
    assert found * HEADS == full * groups


@pytest.mark.parametrize("groups", [4, 12])
def test_groups_that_do_not_divide_the_heads_are_refused(groups):
    message = f"n_groups={groups} does not divide n_heads=6: every group must serve"
    for form in (
        lambda: grouped_attention(*tensors(groups)),
        lambda: GroupedQueryAttention(12, HEADS, groups),
        lambda: grouped_cache_bytes(
            TransformerConfig(vocab_size=9, d_model=12, n_heads=HEADS), groups, tokens=1
        ),
    ):
        with unchecked(), pytest.raises(ValueError, match=message):
            form()


def test_no_groups_are_refused():
    with pytest.raises(ValueError, match="n_groups=0 must be a positive integer"):
        GroupedQueryAttention(12, HEADS, 0)
