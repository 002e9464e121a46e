import math
import statistics

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from typechecking import unchecked

from annotated_transformer.layers import (
    Dropout,
    Embedding,
    FeedForward,
    LayerNorm,
    Residual,
    layer_norm,
)


def norm_pair(d_model):
    ours = LayerNorm(d_model, epsilon=1e-5).double()
    theirs = nn.LayerNorm(d_model, eps=1e-5).double()
    with torch.no_grad():
        ours.gain.copy_(torch.randn(d_model))
        ours.bias.copy_(torch.randn(d_model))
        theirs.weight.copy_(ours.gain)
        theirs.bias.copy_(ours.bias)
    return ours, theirs


@pytest.mark.parametrize("d_model", [1, 2, 4, 7, 512])
def test_layer_norm_equals_torch_forward_and_gradient(d_model):
    """A small width is the sharp test: there the unbiased variance would show."""
    torch.manual_seed(0)
    ours, theirs = norm_pair(d_model)
    x = torch.randn(3, 5, d_model, dtype=torch.float64, requires_grad=True)
    y = x.detach().clone().requires_grad_()
    z = x.detach().clone().requires_grad_()
    explicit = layer_norm(z, ours.gain.detach(), ours.bias.detach(), 1e-5)
    for output in (ours(x), theirs(y), explicit):
        output.pow(3).sum().backward()
    torch.testing.assert_close(ours(x), theirs(y))
    torch.testing.assert_close(explicit, theirs(y))
    torch.testing.assert_close(x.grad, y.grad)
    torch.testing.assert_close(z.grad, y.grad)
    torch.testing.assert_close(ours.gain.grad, theirs.weight.grad)
    torch.testing.assert_close(ours.bias.grad, theirs.bias.grad)


@settings(max_examples=50)
@given(st.floats(0.1, 100), st.floats(-1000, 1000))
def test_layer_norm_ignores_scale_and_shift(scale, shift):
    x = torch.linspace(-1, 2, 9, dtype=torch.float64) ** 3
    one, zero = torch.ones(9).double(), torch.zeros(9).double()
    torch.testing.assert_close(
        layer_norm(scale * x + shift, one, zero, 0.0), layer_norm(x, one, zero, 0.0)
    )


@pytest.mark.parametrize(("d_model", "epsilon"), [(0, 1e-6), (-4, 1e-6), (4, -1.0), (4, math.nan)])
def test_layer_norms_that_are_none(d_model, epsilon):
    with pytest.raises(ValueError, match=f"no LayerNorm of width {d_model} with epsilon"):
        LayerNorm(d_model, epsilon)


def test_layer_norm_survives_a_large_mean():
    """Mean 1000, deviation 0.01: E[x^2] - E[x]^2 in float32 would be noise or negative."""
    torch.manual_seed(0)
    x = 1000 + 0.01 * torch.randn(64, 32)
    exact = layer_norm(x.double(), torch.ones(32).double(), torch.zeros(32).double())
    for output in (LayerNorm(32)(x), layer_norm(x, torch.ones(32), torch.zeros(32))):
        assert (output - exact).abs().max() < 0.02


def test_feed_forward_is_equation_2_at_each_position():
    torch.manual_seed(0)
    module = FeedForward(5, 7).double()
    x = torch.randn(2, 3, 5, dtype=torch.float64)
    w1, b1 = module.inner.weight, module.inner.bias
    w2, b2 = module.outer.weight, module.outer.bias
    for b in range(2):
        for t in range(3):
            expected = w2 @ torch.maximum(torch.tensor(0.0), w1 @ x[b, t] + b1) + b2
            torch.testing.assert_close(module(x)[b, t], expected)


def test_gelu_is_the_number_times_the_normal_probability_below_it():
    normal = statistics.NormalDist()
    module = FeedForward(1, 5, "gelu").double()
    x = torch.linspace(-3, 3, 9, dtype=torch.float64)[:, None]
    for i, row in enumerate(x):
        pre = (module.inner.weight @ row + module.inner.bias).tolist()
        hidden = torch.tensor([h * normal.cdf(h) for h in pre], dtype=torch.float64)
        expected = module.outer.weight @ hidden + module.outer.bias
        torch.testing.assert_close(module(x)[i], expected)


def test_without_an_activation_it_is_one_linear_map_of_the_same_rank():
    """W1 W2 keeps everything only if d_ff >= d_model; a narrow inside loses rank for good."""
    torch.manual_seed(0)
    for d_ff in (3, 5, 20):
        module = FeedForward(5, d_ff, "none").double()
        one = nn.Linear(5, 5).double()
        with torch.no_grad():
            one.weight.copy_(module.outer.weight @ module.inner.weight)
            one.bias.copy_(module(torch.zeros(5, dtype=torch.float64)))
        x = torch.randn(4, 7, 5, dtype=torch.float64)
        torch.testing.assert_close(module(x), one(x))
        assert torch.linalg.matrix_rank(one.weight) == min(5, d_ff)


@pytest.mark.parametrize("activation", ["relu", "gelu", "none"])
def test_feed_forward_keeps_its_input_and_has_right_gradients(activation):
    torch.manual_seed(0)
    module = FeedForward(3, 4, activation).double()
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    before = x.detach().clone()
    module(x)
    assert torch.equal(x, before)
    assert torch.autograd.gradcheck(module, x)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 4), "d_model=0 must be a positive integer"),
        ((4, -1), "d_ff=-1 must be a positive integer"),
        ((4, 2.5), r"d_ff=2\.5 must be a positive integer"),
        ((4, 4, "swish"), "activation='swish' is unknown; choose one of relu, gelu, none"),
        ((4, 4, ""), "activation='' is unknown"),
    ],
)
def test_feed_forward_refuses_nonsense_with_a_sentence(arguments, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        FeedForward(*arguments)


def test_residual_in_both_orders():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 4)
    for norm in ("post", "pre"):
        residual = Residual(4, 0.0, norm)
        normalise = residual.layer_norm
        expected = x + normalise(x).tanh() if norm == "pre" else normalise(x + x.tanh())
        torch.testing.assert_close(residual(x, torch.tanh), expected)


def test_dropout_hits_the_sublayer_and_never_the_shortcut():
    residual = Residual(4, 0.5, "pre")
    x = torch.randn(200, 3, 4)
    torch.manual_seed(0)
    change = residual(x, torch.ones_like) - x
    zero, double = change.abs() < 1e-5, (change - 2).abs() < 1e-5
    assert (zero | double).all()
    assert 0.4 < zero.double().mean() < 0.6


def test_dropout_comes_before_the_sum_and_the_norm():
    residual = Residual(4, 0.5, "post")
    x = torch.randn(20, 3, 4)
    torch.manual_seed(0)
    output = residual(x, torch.tanh)
    torch.manual_seed(0)
    assert torch.equal(output, residual.layer_norm(x + residual.dropout(x.tanh())))


def test_embedding_is_a_scaled_one_hot_product():
    module = Embedding(11, 6)
    ids = torch.tensor([[3, 0, 10], [10, 10, 1]])
    one_hot = nn.functional.one_hot(ids, 11).float()
    torch.testing.assert_close(module(ids), one_hot @ module.weight * math.sqrt(6))


def test_an_unscaled_embedding_has_the_same_weights_and_no_factor():
    torch.manual_seed(0)
    scaled = Embedding(11, 6)
    torch.manual_seed(0)
    unscaled = Embedding(11, 6, scaled=False)
    ids = torch.tensor([[3, 0, 10]])
    assert torch.equal(unscaled.weight, scaled.weight)
    assert torch.equal(unscaled(ids)[0], scaled.weight[ids[0]])


@pytest.mark.parametrize(
    ("sizes", "message"),
    [((-3, 4), "vocab_size=-3"), ((3, 0), "d_model=0"), ((3, -4), "d_model=-4")],
)
def test_embeddings_that_are_none(sizes, message):
    with pytest.raises(ValueError, match=f"{message} must be a positive integer"):
        Embedding(*sizes)


def test_there_are_two_places_for_the_norm():
    with unchecked(), pytest.raises(ValueError, match=r"norm='banana' is unknown.* post, pre"):
        Residual(8, 0.1, "banana")


def test_vectors_of_another_width_are_refused_by_the_feed_forward_network():
    with pytest.raises(ValueError, match="the vectors have width 9; this layer takes width 8"):
        FeedForward(8, 16)(torch.zeros(1, 3, 9))


def test_under_adam_the_factor_is_a_larger_start_and_a_larger_rate():
    """The chapter derives it from steps that do not grow with the gradient."""
    torch.manual_seed(0)
    wanted, ids = torch.randn(11, 5).double(), torch.tensor([[3, 0, 10, 3]])
    first = torch.randn(11, 5).double() / 5
    ends = []
    for scaled, times in ((True, 1.0), (False, math.sqrt(5))):
        module = Embedding(11, 5, scaled=scaled).double()
        module.weight.data = first * times
        adam = torch.optim.Adam(module.parameters(), lr=0.03 * times, eps=0.0)
        # An id that does not occur has gradient 0, and without epsilon a step of 0 / 0.
        module.weight.register_hook(lambda gradient: gradient + (gradient == 0))
        for _ in range(20):
            adam.zero_grad()
            (module(ids)[0] - wanted[ids[0]]).square().sum().backward()
            adam.step()
        ends.append(module(torch.arange(11)[None]))
    torch.testing.assert_close(*ends)


def test_only_rows_that_are_looked_up_receive_a_gradient():
    """Each lookup adds its part: the gradient is the transposed one-hot product, row by row."""
    torch.manual_seed(0)
    module = Embedding(11, 6).double()
    ids, above = torch.tensor([[3, 0, 10], [10, 10, 1]]), torch.randn(2, 3, 6).double()
    module(ids).backward(above)
    expected = torch.zeros_like(module.weight)
    for i, gradient in zip(ids.flatten(), above.flatten(0, 1), strict=True):
        expected[i] += math.sqrt(6) * gradient
    torch.testing.assert_close(module.weight.grad, expected)
    assert (module.weight.grad == 0).all(-1).nonzero().flatten().tolist() == [2, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize("wrong", [-1, 11, 999])
def test_ids_outside_the_vocabulary(wrong):
    with pytest.raises(ValueError, match=f"token id {wrong} is outside the vocabulary of 11"):
        Embedding(11, 6)(torch.tensor([[3, wrong]]))


@pytest.mark.parametrize("p", [0.1, 0.3, 0.5])
def test_dropout_has_the_stated_share_and_expectation(p):
    """Within five standard deviations, over all values and by place in the word that four share."""
    torch.manual_seed(0)
    n = 1_000_000
    output = Dropout(p)(torch.ones(n))
    share = round(p * 2**16) / 2**16
    assert abs(share - p) <= 2**-17
    kept = output[output != 0]
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - share)))
    dropped = (output == 0).double()
    deviation = math.sqrt(p * (1 - p))
    assert abs(dropped.mean() - share) < 5 * deviation / math.sqrt(n)
    for lane in range(4):
        assert abs(dropped[lane::4].mean() - share) < 5 * deviation / math.sqrt(n / 4)
    centred = dropped - share
    for distance in (1, 2, 3, 4, 8):  # values that share a draw, and values of neighbouring draws
        covariance = (centred[:-distance] * centred[distance:]).mean()
        assert abs(covariance) < 5 * p * (1 - p) / math.sqrt(n)


def test_dropout_uses_the_same_mask_backward_and_only_the_state_of_the_generator():
    x = torch.randn(7, 9, dtype=torch.float64, requires_grad=True)
    state = torch.get_rng_state()
    output = Dropout(0.4)(x)
    [gradient] = torch.autograd.grad(output.sum(), x)
    torch.testing.assert_close(output, x * gradient)
    torch.set_rng_state(state)
    assert torch.equal(Dropout(0.4)(x), output)
    assert not torch.equal(Dropout(0.4)(x), output)


def test_dropout_of_nothing_and_in_evaluation_leaves_values_and_generator_alone():
    x, state = torch.randn(3, 5), torch.get_rng_state()
    assert torch.equal(Dropout(0.0)(x), x)
    assert torch.equal(Dropout(0.7).eval()(x), x)
    assert torch.equal(torch.get_rng_state(), state)


@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (2, 3, 7)])
def test_dropout_of_any_number_of_values(shape):
    assert Dropout(0.5)(torch.ones(shape)).shape == shape


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_dropout_draws_the_same_mask_in_every_number_format(dtype):
    masks = []
    for kind in (torch.float64, dtype):
        torch.manual_seed(3)
        masks.append(Dropout(0.3)(torch.ones(999, dtype=kind)))
    assert masks[1].dtype == dtype
    assert torch.equal(masks[1], masks[0].to(dtype))


def test_dropout_is_pytorchs_own_where_it_is_compiled(monkeypatch):
    monkeypatch.setattr(torch.compiler, "is_compiling", lambda: True)
    outputs = []
    for kind in (Dropout, torch.nn.Dropout):
        torch.manual_seed(3)
        outputs.append(kind(0.3)(torch.ones(999)))
    assert torch.equal(*outputs)


def test_dropout_keeps_bfloat16_without_bias():
    torch.manual_seed(0)
    output = Dropout(0.1)(torch.linspace(1, 2, 1_000_000).bfloat16())
    assert output.dtype == torch.bfloat16
    assert output.double().mean().item() == pytest.approx(1.5, rel=2e-3)
