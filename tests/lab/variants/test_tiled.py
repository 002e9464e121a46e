"""Attention from tiles is attention, and a softmax may be taken in any order of its blocks."""

import inspect
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.overrides import TorchFunctionMode
from typechecking import unchecked

from annotated_transformer.attention import attention
from annotated_transformer.lab.analysis.memory_traffic import (
    fast_memory,
    plain_traffic,
    tiled_traffic,
)
from annotated_transformer.lab.variants.tiled import (
    finish,
    merge,
    no_keys,
    partial_attention,
    tiled_attention,
)
from annotated_transformer.masks import causal_mask
from count_lines import count

BATCH, HEADS, QUERY, KEY, D_K, D_V = 2, 3, 13, 29, 7, 5


def tensors(dtype=torch.float32, query=QUERY, key=KEY):
    shapes = ((query, D_K), (key, D_K), (key, D_V))
    return [torch.randn(BATCH, HEADS, *shape, dtype=dtype) for shape in shapes]


def some_mask(shape, empty_row=1):
    mask = torch.rand(shape) < 0.4
    mask[..., empty_row, :] = False
    return mask


@pytest.mark.parametrize("blocks", [(1, 1), (4, 6), (13, 29), (100, 3), (5, 100)])
@pytest.mark.parametrize("mask_shape", [None, (QUERY, KEY), (BATCH, 1, QUERY, KEY), (1, KEY)])
def test_tiles_give_the_output_of_the_formula_to_a_millionth(blocks, mask_shape):
    query, key, value = tensors()
    mask = None if mask_shape is None else some_mask(mask_shape, empty_row=0)
    expected, _ = attention(query, key, value, mask)
    found = tiled_attention(query, key, value, mask, query_block=blocks[0], key_block=blocks[1])
    assert (found - expected).abs().max() <= 1e-6
    if mask is not None:
        assert found[..., 0, :].eq(0).all()


@pytest.mark.parametrize("blocks", [(1, 1), (4, 6), (8, 3), (64, 64)])
@pytest.mark.parametrize("masked", [False, True])
def test_causal_tiles_are_those_of_the_causal_mask_forward_and_backward(blocks, masked):
    ours = [x.requires_grad_() for x in tensors(torch.float64, query=KEY)]
    theirs = [x.detach().clone().requires_grad_() for x in ours]
    mask = some_mask((BATCH, 1, KEY, KEY)) if masked else None
    seen = causal_mask(KEY) if mask is None else mask & causal_mask(KEY)
    found = tiled_attention(*ours, mask, query_block=blocks[0], key_block=blocks[1], causal=True)
    expected, _ = attention(*theirs, seen)
    torch.testing.assert_close(found, expected)
    upstream = torch.randn_like(found)
    found.backward(upstream)
    expected.backward(upstream)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one.grad, other.grad)


def test_scores_that_overflow_without_the_maximum_do_not():
    query, key, value = tensors()
    found = tiled_attention(1e3 * query, key, value, query_block=4, key_block=6)
    expected, _ = attention(1e3 * query.double(), key.double(), value.double())
    assert found.isfinite().all()
    assert (found - expected).abs().max() <= 1e-3  # the scores themselves are rounded


def partials(seed, sizes, hidden, scale):
    """Scores and values of three blocks of keys for two queries, and their partial attentions."""
    torch.manual_seed(seed)
    scores = scale * torch.randn(2, sum(sizes), dtype=torch.float64)
    scores[torch.rand(scores.shape) < hidden] = -math.inf
    value = torch.randn(sum(sizes), D_V, dtype=torch.float64)
    pieces = zip(scores.split(sizes, -1), value.split(sizes), strict=True)
    return scores, value, [partial_attention(*piece) for piece in pieces]


BLOCKS = st.tuples(*[st.integers(1, 6)] * 3)


@given(st.integers(0, 2**16), BLOCKS, st.sampled_from([0.0, 0.3, 0.9]), st.floats(0.1, 300))
def test_merging_is_associative_and_gives_the_softmax_of_the_whole_row(seed, sizes, hidden, scale):
    scores, value, (a, b, c) = partials(seed, sizes, hidden, scale)
    left, right = merge(merge(a, b), c), merge(a, merge(b, c))
    for one, other in zip(left, right, strict=True):
        torch.testing.assert_close(one, other)
    for one, other in zip(merge(a, b), merge(b, a), strict=True):
        assert torch.equal(one, other)
    # NaN: a row of -inf, which has nothing to attend to.
    expected = scores.softmax(-1).nan_to_num(0.0) @ value
    torch.testing.assert_close(finish(left), expected)


@given(st.integers(0, 2**16), st.sampled_from([0.0, 0.5, 1.0]))
def test_merging_with_no_keys_changes_nothing(seed, hidden):
    _, _, (partial, _, _) = partials(seed, (3, 1, 1), hidden, 5.0)
    nothing = no_keys(torch.zeros(2, D_K, dtype=torch.float64), D_V)
    for merged in (merge(nothing, partial), merge(partial, nothing)):
        for one, other in zip(merged, partial, strict=True):
            assert torch.equal(one, other)


class Counting(TorchFunctionMode):
    """Count the numbers that slices of tensors of floats read and write."""

    def __init__(self):
        super().__init__()
        self.reads = self.writes = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        if function is torch.Tensor.__getitem__ and args[0].is_floating_point():
            self.reads += result.numel()
        if function is torch.Tensor.__setitem__:
            self.writes += args[2].numel()
        return result


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("blocks", [(4, 4), (4, 6), (6, 4), (1, 5), (29, 29), (64, 64)])
@pytest.mark.parametrize("n", [1, 12, 29])
def test_the_tiles_move_as_many_numbers_as_the_formula_says(n, blocks, causal):
    query, key, value = (torch.randn(n, D_K) for _ in range(3))
    with unchecked(), Counting() as counted:
        tiled_attention(
            query, key, value, query_block=blocks[0], key_block=blocks[1], causal=causal
        )
    assert (counted.reads, counted.writes) == tiled_traffic(n, D_K, *blocks, causal=causal)


def test_plain_attention_moves_the_square_four_times():
    n, d = 12, 5
    query, key, value = (torch.randn(n, d) for _ in range(3))
    reads = writes = 0
    scores = query @ key.T / d**0.5
    reads, writes = reads + query.numel() + key.numel(), writes + scores.numel()
    weights = scores.softmax(-1)
    reads, writes = reads + scores.numel(), writes + weights.numel()
    output = weights @ value
    reads, writes = reads + weights.numel() + value.numel(), writes + output.numel()
    assert plain_traffic(n, d) == (reads, writes)
    assert plain_traffic(n, d).total == 4 * n * d + 4 * n**2


def test_in_long_texts_tiles_move_less_by_twice_the_block_over_the_width():
    """4 n^2 against 2 n^2 d / block; 100 kB hold a tile of 128 by 64 in numbers of 2 bytes."""
    assert 2 * fast_memory(64, 128, 64) < 100_000
    ratios = [plain_traffic(n, 64).total / tiled_traffic(n, 64, 128).total for n in (2**12, 2**20)]
    assert ratios[0] < ratios[1] < 2 * 128 / 64
    assert ratios[1] == pytest.approx(2 * 128 / 64, rel=1e-3)


def test_fast_memory_holds_the_tensors_of_a_tile():
    rows, columns = 6, 4
    query, key, value = (torch.randn(n, D_K) for n in (rows, columns, columns))
    scores = query @ key.T
    state = partial_attention(scores, value)
    held = sum(x.numel() for x in (query, key, value, scores, *state))
    assert fast_memory(D_K, rows, columns) == held


def test_the_loop_over_the_tiles_has_forty_lines_at_most():
    assert count(inspect.getsource(tiled_attention))["code"] <= 40
    assert count(inspect.getsource(merge))["code"] <= 6


@pytest.mark.parametrize("name", ["query_block", "key_block"])
def test_a_block_without_tokens_is_refused(name):
    with pytest.raises(ValueError, match=f"{name}=0 must be a positive integer"):
        tiled_attention(*tensors(), **{name: 0})
