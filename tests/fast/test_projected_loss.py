"""The loss together with the projection, in chunks, against the loss of whole logits."""

import pytest
import torch
from torch.testing import assert_close

from annotated_transformer.fast import projected_loss as module
from annotated_transformer.fast.projected_loss import projected_loss
from annotated_transformer.tokenizer import PAD_ID
from annotated_transformer.training.loss import label_smoothing_loss_explicit

VOCAB = 11
N_TOKENS = 9
"""Target tokens in what `hidden_weight_and_target` gives, of fifteen positions."""


def hidden_weight_and_target(dtype=torch.float64, d_model=6):
    """Three rows of 5, 3 and 1 tokens, padded; all sizes differ."""
    hidden = torch.randn(3, 5, d_model, dtype=dtype, requires_grad=True)
    weight = torch.randn(VOCAB, d_model, dtype=dtype, requires_grad=True)
    target = torch.randint(1, VOCAB, (3, 5))
    target[1, 3:] = PAD_ID
    target[2, 1:] = PAD_ID
    return hidden, weight, target


def loss_of(hidden, weight, target, smoothing=0.1, n_tokens=N_TOKENS):
    return projected_loss(hidden, weight, target, smoothing=smoothing, n_tokens=n_tokens)


@pytest.mark.parametrize("chunk", [1, 4, 512])  # of 9 real positions
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.4])
def test_projected_loss_is_the_oracle_of_the_projection(monkeypatch, chunk, smoothing):
    monkeypatch.setattr(module, "CHUNK", chunk)
    hidden, weight, target = hidden_weight_and_target()
    ours = 3 * loss_of(hidden, weight, target, smoothing)
    oracle = 3 * label_smoothing_loss_explicit(hidden @ weight.T, target, smoothing=smoothing)
    assert_close(ours, oracle)
    inputs = (hidden, weight)
    assert_close(torch.autograd.grad(ours, inputs), torch.autograd.grad(oracle, inputs))


def test_any_id_may_be_the_padding():
    hidden, weight, target = hidden_weight_and_target()
    target[0, :3] = torch.tensor([4, 5, 6])
    ours = projected_loss(hidden, weight, target, smoothing=0.1, n_tokens=14, padding_id=5)
    oracle = label_smoothing_loss_explicit(hidden @ weight.T, target, smoothing=0.1, padding_id=5)
    real = (target != 5).sum()
    assert_close(ours * 14, oracle * real)


def test_gradient_of_the_projected_loss_by_finite_differences(monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 2)
    hidden, weight, target = hidden_weight_and_target()
    assert torch.autograd.gradcheck(
        lambda hidden, weight: loss_of(hidden, weight, target), (hidden, weight)
    )


def test_no_more_than_a_chunk_of_logits_exists(monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 4)
    sizes, inner = [], torch.Tensor.softmax

    def recording(logits, *arguments, **options):
        sizes.append(len(logits))
        return inner(logits, *arguments, **options)

    monkeypatch.setattr(torch.Tensor, "softmax", recording)
    loss_of(*hidden_weight_and_target())
    assert sizes == [4, 4, 1], "nine real positions of fifteen"


def test_parts_divided_by_all_tokens_add_up_and_an_idle_part_is_nothing():
    hidden, weight, target = hidden_weight_and_target()
    parts = [loss_of(hidden[i : i + 1], weight, target[i : i + 1]) for i in range(3)]
    assert_close(torch.stack(parts).sum(), loss_of(hidden, weight, target))
    idle = loss_of(hidden, weight, torch.full_like(target, PAD_ID))
    assert idle == 0
    assert not torch.autograd.grad(idle, weight)[0].any()


def test_under_autocast_logits_and_softmax_are_rounded_and_no_sum_is():
    hidden, weight, target = hidden_weight_and_target(torch.float32, 64)
    exact = loss_of(hidden, weight, target)
    with torch.autocast("cpu", torch.bfloat16):
        low = loss_of(hidden, weight, target)
    assert low != exact
    assert_close(low, exact, rtol=0.01, atol=0)
    for ours, theirs in zip(
        torch.autograd.grad(low, (hidden, weight)),
        torch.autograd.grad(exact, (hidden, weight)),
        strict=True,
    ):
        assert ours.dtype == torch.float32
        assert (ours - theirs).norm() < 0.02 * theirs.norm()


@pytest.mark.parametrize("size", [1e4, 1e30])
def test_no_infinity_from_extreme_projections(size):
    hidden = torch.tensor([[[size], [-size]]], requires_grad=True)
    weight = torch.linspace(-1, 1, VOCAB)[:, None].requires_grad_()
    loss_of(hidden, weight, torch.tensor([[3, 4]]), n_tokens=2).backward()
    assert hidden.grad.isfinite().all()
    assert weight.grad.isfinite().all()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"smoothing": -0.1}, "smoothing=-0.1"),
        ({"smoothing": 1.0}, "smoothing=1.0"),
        ({"n_tokens": 0}, "n_tokens=0"),
        ({"target": torch.full((3, 5), -1)}, "target id -1 is outside the vocabulary of 11"),
    ],
)
def test_what_is_no_loss_is_refused_with_the_value(changes, says):
    hidden, weight, target = hidden_weight_and_target()
    with pytest.raises(ValueError, match=says):
        loss_of(**{"hidden": hidden, "weight": weight, "target": target} | changes)
