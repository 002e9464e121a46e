import math

import pytest
import torch

from annotated_transformer.fast.dropout import Dropout


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


def test_dropout_draws_where_its_input_is_whatever_the_default_device():
    x = torch.ones(9)
    with torch.device("meta"):
        assert Dropout(0.4)(x).device == x.device


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


def test_dropout_of_everything_leaves_nothing():
    assert torch.equal(Dropout(1.0)(torch.ones(2**18)), torch.zeros(2**18))
