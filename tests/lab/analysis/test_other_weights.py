"""Other weights with the same output, on cases by hand; replaced weights against the formula."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer import MultiHeadAttention
from annotated_transformer.attention import attention_weights
from annotated_transformer.lab.analysis.heads import head_matrices
from annotated_transformer.lab.analysis.other_weights import (
    distance,
    free_directions,
    furthest,
    furthest_weights,
    taken_from,
    uniform,
    with_weights,
)
from annotated_transformer.masks import causal_mask

D_MODEL, HEADS, LENGTH = 12, 3, 7


def test_equal_values_leave_the_weights_free_and_all_of_them_move():
    weights = torch.tensor([0.7, 0.2, 0.1], dtype=torch.float64)
    values = torch.ones(3, 2, dtype=torch.float64)
    assert free_directions(values) == 2
    found = furthest_weights(weights, values)
    torch.testing.assert_close(found, torch.tensor([0.0, 0.0, 1.0]).double())
    assert distance(found, weights).item() == pytest.approx(0.9)


def test_a_value_between_two_others_can_be_replaced_by_both():
    """Values 0, 1 and 2 in a line: all weight on the middle one, or half on each end."""
    values = torch.tensor([[0.0], [1.0], [2.0]], dtype=torch.float64)
    weights = torch.tensor([0.0, 1.0, 0.0], dtype=torch.float64)
    assert free_directions(values) == 1
    found = furthest_weights(weights, values)
    torch.testing.assert_close(found, torch.tensor([0.5, 0.0, 0.5]).double())


def test_independent_values_leave_no_other_weights_but_a_tolerance_does():
    torch.manual_seed(0)
    values = torch.randn(5, 8, dtype=torch.float64)
    weights = torch.rand(5, dtype=torch.float64).softmax(-1)
    assert free_directions(values) == 0
    assert distance(furthest_weights(weights, values), weights).item() < 1e-6
    near = furthest_weights(weights, values, tolerance=0.1)
    assert distance(near, weights) > 0.01
    assert ((near - weights) @ values).abs().max() <= 0.1 + 1e-6
    with pytest.raises(ValueError, match="tolerance=-1 must not be negative"):
        furthest_weights(weights, values, tolerance=-1)


@given(st.integers(0, 10_000), st.integers(2, 12), st.integers(1, 4))
def test_other_weights_are_weights_and_give_the_same_output(seed, n_keys, d_v):
    generator = torch.Generator().manual_seed(seed)
    values = torch.randn(n_keys, d_v, generator=generator, dtype=torch.float64)
    weights = torch.randn(n_keys, generator=generator, dtype=torch.float64).softmax(-1)
    found = furthest_weights(weights, values)
    assert found.min() >= -1e-9
    assert found.sum().item() == pytest.approx(1, abs=1e-7)
    torch.testing.assert_close(found @ values, weights @ values, atol=1e-6, rtol=0)
    moved = distance(found, weights).item()
    # The weights of a softmax are all positive, so that any free direction can be taken.
    assert (moved > 1e-6) == (free_directions(values) > 0)


@pytest.fixture
def module():
    torch.manual_seed(0)
    return MultiHeadAttention(D_MODEL, HEADS).double()


@pytest.fixture
def x():
    torch.manual_seed(1)
    return torch.randn(2, LENGTH, D_MODEL, dtype=torch.float64)


def by_hand(module, x, mask, whose):
    """The output if head i uses the weights of head whose[i], or even ones for None."""
    matrices, total = head_matrices(module), 0
    weights = [
        attention_weights(x @ w_query, x @ w_key, mask)
        for w_query, w_key in zip(matrices.query, matrices.key, strict=True)
    ]
    even = mask.double() / mask.sum(-1, keepdim=True)
    for head, other in enumerate(whose):
        used = even if other is None else weights[other]
        total = total + used @ x @ matrices.value[head] @ matrices.output[head]
    return total


@pytest.mark.parametrize("kind", ["boolean", "additive"])
def test_a_head_can_be_made_even_or_given_the_weights_of_another(module, x, kind):
    allowed = causal_mask(LENGTH)
    given = {"mask": allowed}
    if kind == "additive":
        bias = torch.zeros(LENGTH, LENGTH).double()
        given = {"attn_bias": bias.masked_fill(~allowed, -torch.inf)}
    whole = module(x, x, x, **given)
    torch.testing.assert_close(whole, by_hand(module, x, allowed, [0, 1, 2]))
    with with_weights(module, "", uniform([1])):
        expected = by_hand(module, x, allowed, [0, None, 2])
        torch.testing.assert_close(module(x, x, x, **given), expected)
    with with_weights(module, "", taken_from({0: 2, 2: 1})):
        expected = by_hand(module, x, allowed, [2, 1, 1])
        torch.testing.assert_close(module(x, x, x, **given), expected)
    assert torch.equal(module(x, x, x, **given), whole)


def test_far_weights_leave_the_output_and_respect_the_mask(module, x):
    seen = []

    def kept(weights, value, mask):
        seen.append((weights, furthest(0.0)(weights, value, mask)))
        return seen[-1][1]

    mask = causal_mask(LENGTH)
    with torch.no_grad():
        whole = module(x, x, x, mask)
        with with_weights(module, "", kept):
            torch.testing.assert_close(module(x, x, x, mask), whole, atol=1e-5, rtol=0)
    ((own, other),) = seen
    assert not other[..., ~mask].any()
    assert distance(own, other).max() > 0.05  # d_k is 4, and there are up to 7 keys


def test_an_attention_that_is_not_there_is_named(module):
    with (
        pytest.raises(ValueError, match="no attention is called 'cross'"),
        with_weights(module, "cross", uniform([0])),
    ):
        pass
