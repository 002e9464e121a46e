import pytest
import torch
from typechecking import unchecked

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.fast.attention import FEW_QUERIES, fast_attention

BATCH, HEADS, QUERY, KEY, D_K, D_V = 2, 3, 5, 7, 11, 13


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float64])
def test_fused_path_gives_zero_for_an_empty_row_with_finite_gradient(dtype):
    module = MultiHeadAttention(12, 3).to(dtype)
    x = torch.randn(BATCH, QUERY, 12, dtype=dtype, requires_grad=True)
    mask = torch.ones(BATCH, 1, QUERY, QUERY, dtype=torch.bool)
    mask[0, :, 1] = False
    output = module(x, x, x, mask)
    assert output[0, 1].eq(0).all()
    assert output[1, 1].ne(0).any()
    output.square().sum().backward()
    assert x.grad.isfinite().all()
    assert all(parameter.grad.isfinite().all() for parameter in module.parameters())


@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("shape", [(), (KEY,), (1, KEY), (FEW_QUERIES + 1, 1)])
def test_a_mask_and_a_bias_of_few_axes_are_those_of_the_formula(shape, gradient):
    query, key = random(BATCH, HEADS, FEW_QUERIES + 1, D_K), random(BATCH, HEADS, KEY, D_K)
    value = random(BATCH, HEADS, KEY, D_V).requires_grad_(gradient)
    mask, bias = torch.rand(shape) < 0.7, torch.randn(shape, dtype=torch.float64)
    with unchecked(), torch.set_grad_enabled(gradient):
        for given in ((mask, None), (None, bias), (mask, bias)):
            wanted = attention(query, key, value, *given)[0]
            torch.testing.assert_close(fast_attention(query, key, value, *given), wanted)


def test_a_bias_that_is_no_number_does_not_hide_a_key():
    query, bias = random(1, 1, FEW_QUERIES + 1, D_K), random(FEW_QUERIES + 1, FEW_QUERIES + 1)
    bias[2, 3] = float("nan")
    by_formula = attention(query, query, query, None, bias)[0]
    for output in (by_formula, fast_attention(query, query, query, None, bias)):
        assert output[0, 0].isnan().any(dim=-1).nonzero().tolist() == [[2]]


@pytest.mark.parametrize("function", [attention, fast_attention])
def test_queries_keys_and_values_that_do_not_pair_are_refused(function):
    query, key, value = torch.zeros(1, 1, 2, 3), torch.zeros(1, 1, 4, 3), torch.zeros(1, 1, 4, 5)
    assert len(function(query, key, value)) > 0
    with unchecked(), pytest.raises(ValueError, match="queries have width 3, the keys 2"):
        function(query, key[..., :2], value)
    with unchecked(), pytest.raises(ValueError, match="1 values for 4 keys"):
        function(query, key, value[..., :1, :])


@pytest.mark.parametrize("n_keys", [7, 256, 257])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_fast_attention_is_the_formula_forward_and_backward(n_keys, dtype):
    """Both sides of the rule for bfloat16; the oracle is in float64, from the same numbers."""
    torch.manual_seed(0)
    shapes = ((QUERY, D_K), (n_keys, D_K), (n_keys, D_K))
    fast = [torch.randn(BATCH, HEADS, *shape).to(dtype).requires_grad_() for shape in shapes]
    exact = [tensor.detach().double().requires_grad_() for tensor in fast]
    mask = torch.rand(BATCH, 1, QUERY, n_keys) < 0.7
    mask[0, :, 1] = False
    ours, (oracle, _) = fast_attention(*fast, mask), attention(*exact, mask)
    upstream = random(*oracle.shape)
    ours.backward(upstream.to(dtype))
    oracle.backward(upstream)
    assert ours.dtype == dtype
    assert ours[0, :, 1].eq(0).all()
    tolerance = {torch.float64: 1e-12, torch.float32: 1e-5, torch.bfloat16: 0.02}[dtype]
    pairs = [(ours, oracle), *[(a.grad, b.grad) for a, b in zip(fast, exact, strict=True)]]
    for low, high in pairs:
        assert (low.double() - high).norm() < tolerance * high.norm()


@pytest.mark.parametrize("kind", ["no mask", "boolean", "numbers"])
@pytest.mark.parametrize("n_queries", [1, FEW_QUERIES, FEW_QUERIES + 1])
@pytest.mark.parametrize("scale", [1, 1e3])
def test_without_a_gradient_few_queries_give_what_many_do(kind, n_queries, scale):
    """An empty row is zero, large scores do not overflow, and what goes in stays as it was."""
    torch.manual_seed(0)
    shapes = ((n_queries, D_K), (KEY, D_K), (KEY, D_V))
    inputs = [scale * random(BATCH, HEADS, *shape) for shape in shapes]
    allowed = torch.rand(BATCH, 1, n_queries, KEY) < 0.7
    allowed[0, :, 0] = False
    mask = None if kind == "no mask" else allowed
    bias = torch.where(allowed, random(BATCH, 1, n_queries, KEY), -torch.inf)
    given = (None, bias) if kind == "numbers" else (mask, None)
    there = [x for x in (*inputs, *given) if x is not None]
    before = [x.clone() for x in there]
    with torch.no_grad():
        found = fast_attention(*inputs, *given)
    scores = inputs[0] @ inputs[1].mT / D_K**0.5
    if kind == "boolean":
        scores = scores.masked_fill(~allowed, -torch.inf)
    elif kind == "numbers":
        scores = scores + bias
    expected = scores.softmax(-1).nan_to_num(0.0) @ inputs[2]  # NaN: a row of -inf
    torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-9)
    if mask is not None:
        assert found[0, :, 0].eq(0).all()
    for x, y in zip(before, there, strict=True):
        assert torch.equal(x, y)


@pytest.mark.parametrize("gradient", [True, False])
@pytest.mark.parametrize("n_queries", [0, 1, FEW_QUERIES, FEW_QUERIES + 1])
def test_queries_of_no_keys_take_nothing(gradient, n_queries):
    query, key, value = random(2, 3, n_queries, 4), random(2, 3, 0, 4), random(2, 3, 0, 5)
    with torch.set_grad_enabled(gradient):
        output = fast_attention(query, key, value)
    assert torch.equal(output, torch.zeros(2, 3, n_queries, 5))
    assert torch.equal(output, attention(query, key, value)[0])
