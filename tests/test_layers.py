import copy
import math
import pickle
import statistics

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import OPTIONS, TransformerConfig
from annotated_transformer.layers import (
    ACTIVATIONS,
    Embedding,
    FeedForward,
    LayerNorm,
    Residual,
    layer_norm,
)
from annotated_transformer.transformer import Transformer


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


@given(small=st.floats(-1e3, 1e3), apart=st.floats(1e-2, 1e3))
def test_after_layer_norm_two_components_are_one_and_minus_one(small, apart):
    """Mean 0 and variance 1, and as far from a normal distribution as there is."""
    x = torch.tensor([small, small + apart], dtype=torch.float64)
    found = layer_norm(x, torch.ones(2).double(), torch.zeros(2).double(), epsilon=0)
    torch.testing.assert_close(found, torch.tensor([-1.0, 1.0]).double())


@pytest.mark.parametrize(("width", "apart"), [(4, 0.134), (512, 0.00098)])
def test_the_layer_norm_of_the_annotated_transformer_is_another(width, apart):
    """It divides by the unbiased deviation plus epsilon; in a constant row its slope is large."""

    def tutorial(x, epsilon=1e-6):
        return (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True) + epsilon)

    def ours(x):
        return layer_norm(x, torch.ones(width).double(), torch.zeros(width).double(), 1e-6)

    torch.manual_seed(0)
    x = torch.randn(3, width).double()
    ratio = tutorial(x) / ours(x)
    torch.testing.assert_close(1 - ratio, torch.full_like(ratio, apart), rtol=0.01, atol=0)
    nearly = torch.full((1, width), 2.0).double() + 1e-9 * torch.randn(1, width).double()
    slopes = [torch.func.jacrev(norm)(nearly).abs().max() for norm in (tutorial, ours)]
    assert slopes[0] > 900 * slopes[1]


def test_the_mean_of_squares_less_the_square_of_the_mean_is_noise():
    """Mean 1000, deviation 0.01: nearly half of the variances are negative, and their roots NaN."""
    torch.manual_seed(0)
    x = 1000 + 0.01 * torch.randn(4096, 32)
    variance = x.square().mean(-1) - x.mean(-1).square()
    assert 0.2 < (variance < 0).double().mean() < 0.6
    assert (x.var(-1, unbiased=False) > 0).all()


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


def test_a_dead_unit_lives_again_when_its_input_moves():
    """It is silent on all inputs and has no gradient; the layer below it still has one."""
    below = nn.Linear(1, 1, bias=False).double()
    network = FeedForward(1, 2).double()
    with torch.no_grad():
        below.weight.fill_(1.0)
        network.inner.weight.copy_(torch.tensor([[1.0], [-1.0]]))  # unit 0 is dead, unit 1 not
        network.inner.bias.copy_(torch.tensor([0.0, 2.0]))
        network.outer.weight.fill_(1.0)
    inputs = -torch.rand(20, 1).double() - 0.1

    def units():
        return torch.relu(network.inner(below(inputs)))

    assert (units()[:, 0] == 0).all()
    optimizer = torch.optim.SGD(below.parameters(), lr=0.1)
    for _ in range(200):
        loss = (network(below(inputs)) - 1.0).square().mean()
        below.zero_grad()
        network.zero_grad()
        loss.backward()
        if not units()[:, 0].any():
            assert network.inner.weight.grad[0] == network.inner.bias.grad[0] == 0
        optimizer.step()
    assert (units()[:, 0] > 0).any()


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


def _normal(x):
    """Return the standard normal distribution function of each number."""
    return (1 + torch.erf(x / math.sqrt(2))) / 2


FORMULAS = {
    "relu": lambda x: x.clamp(min=0),
    "gelu": lambda x: x * _normal(x),
    "gelu_tanh": lambda x: x / 2 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "silu": lambda x: x / (1 + torch.exp(-x)),
    "none": lambda x: x,
}
"""The formula of each activation; one that is new in the package needs its line here."""


def test_each_activation_of_a_configuration_is_there():
    assert ACTIVATIONS.keys() == set(OPTIONS["activation"])


@pytest.mark.parametrize("activation", OPTIONS["activation"])
def test_an_activation_is_its_formula(activation):
    x = torch.linspace(-3, 3, 9, dtype=torch.float64)
    torch.testing.assert_close(ACTIVATIONS[activation](x), FORMULAS[activation](x))


@pytest.mark.parametrize("activation", OPTIONS["activation"])
def test_an_activation_stays_itself_in_a_copy_and_in_another_process(activation):
    function = ACTIVATIONS[activation]
    assert copy.deepcopy(function) is pickle.loads(pickle.dumps(function)) is function


def test_without_a_bias_the_network_maps_zero_to_zero():
    module = FeedForward(3, 4, "gelu", bias=False)
    module.initialise()
    assert [name for name, _ in module.named_parameters()] == ["inner.weight", "outer.weight"]
    assert not module(torch.zeros(2, 3)).any()


@pytest.mark.parametrize("bias", OPTIONS["bias"])
@pytest.mark.parametrize("norm", OPTIONS["norm"])
def test_a_configuration_says_which_products_have_a_bias_and_every_epsilon(bias, norm):
    sizes = {"vocab_size": 9, "n_layers": 1, "d_model": 8, "d_ff": 8, "n_heads": 2}
    model = Transformer(TransformerConfig(**sizes, bias=bias, norm=norm, epsilon=0.01))
    linears = {
        name: module.bias is not None
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and name != "output"
    }
    assert {has for name, has in linears.items() if "attention" in name} == {bias == "all"}
    assert {has for name, has in linears.items() if "feed_forward" in name} == {bias != "none"}
    norms = [module for module in model.modules() if isinstance(module, LayerNorm)]
    assert len(norms) == (5 if norm == "post" else 7)
    assert {module.epsilon for module in norms} == {0.01}


@pytest.mark.parametrize("activation", OPTIONS["activation"])
def test_feed_forward_keeps_its_input_and_has_right_gradients(activation):
    torch.manual_seed(0)
    module = FeedForward(3, 4, activation).double()
    x = torch.randn(2, 3, dtype=torch.float64, requires_grad=True)
    before = x.detach().clone()
    module(x)
    assert torch.equal(x, before)
    assert torch.autograd.gradcheck(module, x)


def test_without_a_gain_both_matrices_start_glorot_uniform():
    module = FeedForward(64, 96)
    module.initialise()
    for linear in (module.inner, module.outer):
        bound = math.sqrt(6 / (64 + 96))
        assert 0.99 * bound < linear.weight.abs().max().item() <= bound
        assert not linear.bias.any()


def test_residual_in_both_orders():
    torch.manual_seed(0)
    x = torch.randn(2, 3, 4)
    for norm in ("post", "pre"):
        residual = Residual(4, 0.0, norm)
        normalise = residual.layer_norm
        expected = x + normalise(x).tanh() if norm == "pre" else normalise(x + x.tanh())
        torch.testing.assert_close(residual(x, torch.tanh), expected)


def test_attention_without_residuals_makes_all_rows_alike():
    """What twelve attentions in a row leave of the differences between rows, and one residual."""
    torch.manual_seed(0)
    attentions = [MultiHeadAttention(32, 4).double() for _ in range(12)]
    for attention in attentions:
        attention.initialise()

    def differences(residual):
        x = torch.randn(10, 32, dtype=torch.float64, generator=torch.Generator().manual_seed(1))[
            None
        ]
        for attention in attentions:
            x = attention(x, x, x) + (x if residual else 0)
        return ((x - x.mean(1, keepdim=True)).norm() / x.norm()).item()

    assert differences(residual=False) < 1e-6
    assert differences(residual=True) > 0.1


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
