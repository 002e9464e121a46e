"""Linear attention in all its forms is one function: n^2 weights, a product, a recurrence."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional as F
from typechecking import unchecked

from annotated_transformer.lab.variants.linear import (
    causal_linear_attention,
    feature_map,
    linear_attention,
    linear_attention_weights,
    step,
    summary,
)
from annotated_transformer.masks import causal_mask, padding_mask

BATCH, HEADS, QUERY, KEY, D_K, D_V = 2, 3, 5, 11, 7, 4


def tensors(query=QUERY, key=KEY):
    shapes = ((query, D_K), (key, D_K), (key, D_V))
    return [
        torch.randn(BATCH, HEADS, *shape, dtype=torch.float64, requires_grad=True)
        for shape in shapes
    ]


def key_mask():
    """The second sentence has three tokens less; its first is hidden, too."""
    mask = padding_mask(torch.tensor([[4] * KEY, [0] + [4] * (KEY - 4) + [0] * 3]))
    assert mask.shape == (BATCH, 1, 1, KEY)
    return mask


def by_loops(query, key, value, mask):
    """Equation 4 with scalars; mask is (batch, heads, query, key)."""
    output = torch.zeros(*query.shape[:-1], value.size(-1), dtype=torch.float64)
    phi = [F.elu(x) + 1 for x in (query, key)]
    for place in torch.cartesian_prod(*map(torch.arange, query.shape[:-1])).tolist():
        b, h, i = place
        weights = {
            j: sum(x * y for x, y in zip(phi[0][b, h, i], phi[1][b, h, j], strict=True))
            for j in range(key.size(-2))
            if mask[b, h, i, j]
        }
        for j, weight in weights.items():
            output[b, h, i] += weight / sum(weights.values()) * value[b, h, j]
    return output


def same_gradients(found, expected, inputs):
    upstream = torch.randn_like(found)
    ours = torch.autograd.grad(found, inputs, upstream)
    theirs = torch.autograd.grad(expected, inputs, upstream)
    torch.testing.assert_close(found, expected)
    torch.testing.assert_close(ours, theirs)


@given(st.lists(st.floats(-40, 40), min_size=1))
def test_features_are_elu_plus_one_and_positive_even_in_float32(numbers):
    x = torch.tensor(numbers, dtype=torch.float64)
    torch.testing.assert_close(feature_map(x), F.elu(x) + 1, rtol=1e-6, atol=1e-12)
    assert (feature_map(x.float()) > 0).all()


def test_the_weights_are_the_definition():
    query, key, value = (x.detach() for x in tensors())
    mask = torch.rand(BATCH, HEADS, QUERY, KEY) < 0.5
    mask[0, 1, 2] = False
    weights = linear_attention_weights(query, key, mask)
    torch.testing.assert_close(weights @ value, by_loops(query, key, value, mask))
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).double())


@pytest.mark.parametrize("masked", [False, True])
def test_two_products_are_the_n_squared_weights_forward_and_backward(masked):
    inputs, mask = tensors(), key_mask() if masked else None
    query, key, value = inputs
    expected = linear_attention_weights(query, key, mask) @ value
    same_gradients(linear_attention(*inputs, mask), expected, inputs)


@pytest.mark.parametrize("chunk", [1, 3, 4, KEY, 50])
@pytest.mark.parametrize("masked", [False, True])
def test_chunks_of_any_size_are_the_causal_weights_forward_and_backward(chunk, masked):
    inputs, mask = tensors(query=KEY), key_mask() if masked else None
    query, key, value = inputs
    seen = causal_mask(KEY) if mask is None else mask & causal_mask(KEY)
    expected = linear_attention_weights(query, key, seen) @ value
    found = causal_linear_attention(*inputs, mask, chunk=chunk)
    same_gradients(found, expected, inputs)
    if masked:  # nothing to see for the first token of the second sentence
        assert found[1, :, 0].eq(0).all()


def test_token_by_token_a_state_of_fixed_size_gives_the_same():
    query, key, value = tensors(query=KEY)
    state = torch.zeros(BATCH, HEADS, D_K, D_V + 1, dtype=torch.float64)
    outputs = []
    for i in range(KEY):
        now = slice(i, i + 1)
        output, state = step(state, query[..., now, :], key[..., now, :], value[..., now, :])
        outputs.append(output)
    expected = causal_linear_attention(query, key, value, chunk=4)
    torch.testing.assert_close(torch.cat(outputs, dim=-2), expected)
    torch.testing.assert_close(state, summary(key, value))


def test_the_causal_form_is_a_cumulative_sum():
    query, key, value = tensors(query=KEY)
    features = feature_map(key)
    values = (features.unsqueeze(-1) * value.unsqueeze(-2)).cumsum(dim=-3)
    top = (feature_map(query).unsqueeze(-2) @ values).squeeze(-2)
    bottom = (feature_map(query) * features.cumsum(dim=-2)).sum(-1, keepdim=True)
    torch.testing.assert_close(causal_linear_attention(query, key, value), top / bottom)


@given(st.integers(1, KEY - 1))
def test_the_summary_of_two_parts_is_the_sum_of_their_summaries(cut):
    _, key, value = tensors()
    parts = [summary(key[..., p, :], value[..., p, :]) for p in (slice(cut), slice(cut, None))]
    torch.testing.assert_close(parts[0] + parts[1], summary(key, value))


def test_without_any_key_the_output_is_zero_and_the_gradient_finite():
    inputs, mask = tensors(query=KEY), torch.zeros(BATCH, 1, 1, KEY, dtype=torch.bool)
    for form in (linear_attention, causal_linear_attention):
        found = form(*inputs, mask)
        assert found.eq(0).all()
        assert all(x.isfinite().all() for x in torch.autograd.grad(found.sum(), inputs))


def test_a_mask_that_differs_from_query_to_query_is_refused():
    mask = causal_mask(KEY)[None, None]
    for form in (linear_attention, causal_linear_attention):
        message = r"a mask of shape \(1, 1, 11, 11\) does not fit scores of shape \(2, 3, 1, 11\)"
        with unchecked(), pytest.raises(ValueError, match=message):
            form(*tensors(query=KEY), mask)


def test_a_chunk_without_tokens_is_refused():
    with pytest.raises(ValueError, match="chunk=0 must be a positive integer"):
        causal_linear_attention(*tensors(query=KEY), chunk=0)
