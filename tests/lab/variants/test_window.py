"""A window in blocks is full attention with the mask of that window, and costs what it sees."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode
from typechecking import unchecked

from annotated_transformer.attention import attention
from annotated_transformer.lab.variants.window import window_attention, window_mask
from annotated_transformer.masks import padding_mask

BATCH, HEADS, LENGTH, D_K, D_V = 2, 3, 12, 7, 5


def tensors(length=LENGTH, **options):
    shapes = ((length, D_K), (length, D_K), (length, D_V))
    options = {"dtype": torch.float64, "requires_grad": True} | options
    return [torch.randn(BATCH, HEADS, *shape, **options) for shape in shapes]


def test_a_window_of_two_by_hand():
    both = [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0], [1, 1, 1, 1, 1], [0, 1, 1, 1, 1], [0, 0, 1, 1, 1]]
    back = [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 1, 1, 1]]
    assert window_mask(5, 2).int().tolist() == both
    assert window_mask(5, 2, causal=True).int().tolist() == back


@given(st.integers(0, 30), st.integers(1, 40), st.booleans())
def test_in_the_middle_of_a_text_as_many_keys_are_seen_as_the_window_says(length, window, causal):
    seen = window_mask(length, window, causal=causal).sum(-1)
    for place, number in enumerate(seen.tolist()):
        later = 0 if causal else min(window, length - 1 - place)
        assert number == min(window, place) + 1 + later


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("window", [1, 2, 3, 5, 11, 12, 40])
def test_blocks_are_the_masked_formula_forward_and_backward(window, masked, causal):
    inputs, mask = tensors(), None
    seen = window_mask(LENGTH, window, causal=causal)
    if masked:  # with a gap that leaves small windows without a key
        mask = padding_mask(torch.tensor([[4] * 3 + [0] * 5 + [4] * 4, [4] * 9 + [0] * 3]))
        seen = mask & seen
    found = window_attention(*inputs, mask, window=window, causal=causal)
    expected, weights = attention(*inputs, seen)
    torch.testing.assert_close(found, expected)
    upstream = torch.randn_like(found)
    ours = torch.autograd.grad(found, inputs, upstream)
    theirs = torch.autograd.grad(expected, inputs, upstream)
    torch.testing.assert_close(ours, theirs)
    empty = (weights.sum(-1) == 0).expand(found.shape[:-1])
    assert empty.any() == (masked and window < 3 + causal)
    assert found[empty].eq(0).all()


@given(st.integers(1, 20), st.integers(1, 25), st.booleans())
def test_any_window_over_any_length(length, window, causal):
    inputs = tensors(length, requires_grad=False)
    found = window_attention(*inputs, window=window, causal=causal)
    expected, _ = attention(*inputs, window_mask(length, window, causal=causal))
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize(("causal", "seen"), [(False, 3), (True, 2)])
def test_the_cost_grows_with_the_length_and_the_window_and_not_with_the_square(causal, seen):
    for length, window in ((64, 4), (128, 4), (128, 8)):
        inputs = tensors(length, requires_grad=False)
        with FlopCounterMode(display=False) as counter:
            window_attention(*inputs, window=window, causal=causal)
        scores = BATCH * HEADS * length * seen * window
        assert counter.get_total_flops() == 2 * scores * (D_K + D_V)


@pytest.mark.parametrize("window", [0, -2, 2.5])
def test_a_window_that_is_none_is_refused(window):
    for form in (
        lambda: window_attention(*tensors(), window=window),
        lambda: window_mask(4, window),
    ):
        message = f"window={window} must be a positive integer"
        with unchecked(), pytest.raises(ValueError, match=message):
            form()


def test_a_window_over_another_text_is_refused():
    query, key, value = tensors()
    with unchecked(), pytest.raises(ValueError, match="7 queries and 12 keys: a window is one"):
        window_attention(query[..., :7, :], key, value, window=2)
