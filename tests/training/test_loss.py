"""Label smoothing: the formula and PyTorch's function agree; padding is nothing."""

import math

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from annotated_transformer.tokenizer import PAD_ID
from annotated_transformer.training.loss import (
    label_smoothing_loss,
    label_smoothing_loss_explicit,
    smoothed_targets,
)

VOCAB = 11


def logits_and_target(dtype=torch.float64):
    """Three rows of 5, 3 and 1 tokens, padded; all sizes differ."""
    logits = torch.randn(3, 5, VOCAB, dtype=dtype, requires_grad=True)
    target = torch.randint(1, VOCAB, (3, 5))
    target[1, 3:] = PAD_ID
    target[2, 1:] = PAD_ID
    return logits, target


def torch_loss(logits, target, smoothing):
    loss = nn.CrossEntropyLoss(label_smoothing=smoothing, ignore_index=PAD_ID)
    return loss(logits.transpose(1, 2), target)


def test_a_number_to_redo_by_hand():
    # Four tokens, all equally likely for the model: every -log p is log 4, whatever is wanted.
    uniform = torch.zeros(1, 1, 4)
    assert label_smoothing_loss(uniform, torch.tensor([[2]])).item() == pytest.approx(math.log(4))
    # p = (1/2, 1/2) on two tokens becomes p = (3/4, 1/4) by the logits log 3 and 0. Smoothing 0.2
    # wants 0.9 and 0.1, so the loss is -0.9 log 3/4 - 0.1 log 1/4.
    logits = torch.tensor([[[0.0, math.log(3)]]])
    wanted = -0.9 * math.log(3 / 4) - 0.1 * math.log(1 / 4)
    assert label_smoothing_loss(logits, torch.tensor([[1]]), smoothing=0.2).item() == pytest.approx(
        wanted
    )


def test_smoothed_targets_by_hand():
    wanted = smoothed_targets(torch.tensor([1]), 4, 0.2)
    assert_close(wanted, torch.tensor([[0.05, 0.85, 0.05, 0.05]], dtype=torch.float64))
    assert_close(wanted.sum(), torch.tensor(1.0, dtype=torch.float64))


@pytest.mark.parametrize("loss", [label_smoothing_loss, label_smoothing_loss_explicit])
@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.4])
def test_equals_torch_in_value_and_gradient(loss, smoothing):
    logits, target = logits_and_target()
    ours, theirs = loss(logits, target, smoothing=smoothing), torch_loss(logits, target, smoothing)
    assert_close(ours, theirs)
    assert_close(torch.autograd.grad(ours, logits), torch.autograd.grad(theirs, logits))


@pytest.mark.parametrize("loss", [label_smoothing_loss, label_smoothing_loss_explicit])
def test_smoothing_is_that_of_the_paper_unless_another_is_asked_for(loss):
    logits, target = logits_and_target()
    assert_close(loss(logits, target), torch_loss(logits, target, 0.1))


@pytest.mark.parametrize("loss", [label_smoothing_loss, label_smoothing_loss_explicit])
def test_any_id_may_be_the_padding(loss):
    logits, target = logits_and_target()
    target[0, :3] = torch.tensor([4, 5, 6])
    theirs = nn.CrossEntropyLoss(label_smoothing=0.1, ignore_index=5)(logits.mT, target)
    assert_close(loss(logits, target, smoothing=0.1, padding_id=5), theirs)


def test_without_smoothing_it_is_the_mean_of_minus_log_p():
    logits, target = logits_and_target()
    log_p = logits.log_softmax(dim=-1).gather(2, target[..., None])[..., 0]
    assert_close(
        label_smoothing_loss(logits, target, smoothing=0.0), -log_p[target != PAD_ID].mean()
    )


def test_loss_of_a_padded_batch_is_the_weighted_mean_of_single_losses():
    logits, target = logits_and_target()
    lengths = [5, 3, 1]
    single = [
        label_smoothing_loss(logits[i : i + 1, :n], target[i : i + 1, :n]) * n
        for i, n in enumerate(lengths)
    ]
    assert_close(label_smoothing_loss(logits, target), torch.stack(single).sum() / sum(lengths))


def test_parts_divided_by_all_tokens_add_up_to_the_whole():
    logits, target = logits_and_target()
    parts = [
        label_smoothing_loss(logits[i : i + 1], target[i : i + 1], n_tokens=9) for i in range(3)
    ]
    assert_close(torch.stack(parts).sum(), label_smoothing_loss(logits, target))


def test_logits_at_padding_change_nothing_and_get_no_gradient():
    logits, target = logits_and_target()
    loss = label_smoothing_loss(logits, target)
    [gradient] = torch.autograd.grad(loss, logits)
    assert not gradient[target == PAD_ID].any()
    assert gradient[target != PAD_ID].abs().sum(dim=-1).min() > 0
    changed = logits.detach().clone()
    changed[target == PAD_ID] = 1e6
    assert torch.equal(label_smoothing_loss(changed, target), loss)


def test_the_smoothed_distribution_itself_is_the_optimum():
    target = torch.tensor([[3]])
    best = smoothed_targets(target, VOCAB, 0.1).log()
    lowest = label_smoothing_loss(best, target)
    entropy = -(best.exp() * best).sum()
    assert_close(lowest, entropy)
    for _ in range(20):
        assert label_smoothing_loss(best + 0.1 * torch.randn_like(best), target) > lowest


@pytest.mark.parametrize("size", [1e4, 1e30])
def test_no_infinity_from_extreme_logits(size):
    logits = torch.zeros(1, 2, VOCAB)
    logits[0, 0, 3] = size
    logits[0, 1, 4] = -size
    logits.requires_grad_()
    loss = label_smoothing_loss(logits, torch.tensor([[3, 4]]))
    loss.backward()
    assert math.isfinite(loss.item())
    assert logits.grad is not None
    assert logits.grad.isfinite().all()


def test_the_authors_program_differs_only_in_the_name_of_epsilon():
    # tensor2tensor gives epsilon / (vocab - 1) to each wrong token and 1 - epsilon to the true one.
    epsilon = 0.1
    theirs = torch.full((VOCAB,), epsilon / (VOCAB - 1), dtype=torch.float64)
    theirs[3] = 1 - epsilon
    ours = smoothed_targets(torch.tensor([3]), VOCAB, epsilon * VOCAB / (VOCAB - 1))
    assert_close(ours[0], theirs)


@pytest.mark.parametrize("smoothing", [-0.1, 1.0, math.nan])
def test_impossible_smoothing_is_refused(smoothing):
    with pytest.raises(ValueError, match=f"smoothing={smoothing} must be"):
        label_smoothing_loss(torch.zeros(1, 1, 4), torch.tensor([[1]]), smoothing=smoothing)


def test_a_target_of_padding_alone_is_refused():
    with pytest.raises(ValueError, match="no token but padding"):
        label_smoothing_loss(torch.zeros(1, 2, 4), torch.full((1, 2), PAD_ID))
