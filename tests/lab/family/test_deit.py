"""DeiT against Hugging Face's with a teacher, and what its two tokens are."""

import pytest
import torch
from family_oracle import VIEWER, assert_same_gradients, copied, disturbed
from torch.nn import functional as F
from transformers import DeiTConfig as Theirs
from transformers import DeiTForImageClassificationWithTeacher as Reference

from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.family import DeiT, DeiTConfig, fit

SETTINGS = VIEWER | {"num_channels": 1}
SIZES = {"n_layers": 2, "d_model": 16, "d_ff": 24, "n_heads": 2, "n_channels": 1, "n_classes": 5}


def reference(image_size=8, patch_size=2):
    torch.manual_seed(0)
    sizes = {"image_size": image_size, "patch_size": patch_size}
    return disturbed(Reference(Theirs(**SETTINGS, **sizes, attn_implementation="sdpa")))


def images(side=8, n=3):
    return torch.randn(n, 1, side, side, dtype=torch.float64)


@pytest.mark.parametrize(("side", "patch"), [(8, 2), (9, 3)])
def test_it_is_the_reference_forward_and_gradient(side, patch):
    theirs = reference(side, patch)
    ours = copied(DeiT, theirs)
    x = images(side)
    assert_same_gradients(ours, theirs, ours(x), theirs(x).logits)


def test_each_head_is_the_references():
    theirs = reference()
    own, distilled = copied(DeiT, theirs).heads(x := images())
    expected = theirs(x)
    torch.testing.assert_close(own, expected.cls_logits, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(distilled, expected.distillation_logits, rtol=1e-10, atol=1e-10)


def test_it_reads_what_the_reference_saved(tmp_path):
    theirs = reference()
    theirs.save_pretrained(tmp_path)
    ours = DeiT.from_pretrained(tmp_path)
    x = images()
    torch.testing.assert_close(ours(x), theirs(x).logits, rtol=1e-10, atol=1e-10)


def deit():
    torch.manual_seed(1)
    config = DeiTConfig(**SIZES, image_size=8, patch_size=2, dropout=0.0)
    return DeiT(config).double().eval()


def test_the_loss_is_half_of_the_labels_and_half_of_the_teachers_answers():
    model, x = deit(), images()
    labels, taught = torch.tensor([0, 1, 4]), torch.tensor([3, 1, 2])
    own, distilled = (logits.log_softmax(-1) for logits in model.heads(x))
    expected = -(own[range(3), labels].mean() + distilled[range(3), taught].mean()) / 2
    torch.testing.assert_close(model.loss(x, labels, taught), expected)


def test_each_head_learns_from_its_own_teacher_alone():
    model, x = deit(), images()
    labels, taught = torch.tensor([0, 1, 4]), torch.tensor([3, 1, 2])
    gradients = []
    for answers in (taught, taught.flip(0)):
        model.zero_grad()
        model.loss(x, labels, answers).backward()
        gradients.append((model.head.weight.grad, model.distillation_head.weight.grad))
    (own, distilled), (own_again, distilled_again) = gradients
    torch.testing.assert_close(own, own_again, rtol=0, atol=0)
    assert not torch.allclose(distilled, distilled_again)


def exchange(model):
    """Make each token the other, with its position and its head."""
    with torch.no_grad():
        first = model.positions.encoding
        first[:2] = first[:2].flip(0)
        for a, b in (
            (model.class_token.weight, model.distillation_token.weight),
            (model.head.weight, model.distillation_head.weight),
            (model.head.bias, model.distillation_head.bias),
        ):
            a[:], b[:] = b.clone(), a.clone()


def test_the_two_tokens_are_alike_but_for_what_they_learned():
    """Nothing in the network tells them apart: exchanged, they exchange their answers."""
    model, x = deit(), images()
    own, distilled = model.heads(x)
    exchange(model)
    again = model.heads(x)
    assert not torch.allclose(own, distilled)
    torch.testing.assert_close(again, (distilled, own), rtol=1e-12, atol=1e-12)


def test_two_equal_tokens_with_equal_answers_stay_equal():
    """What the paper saw of two class tokens; what keeps them apart is what they are asked for."""
    model, x = deit(), images()
    with torch.no_grad():
        model.positions.encoding[1] = model.positions.encoding[0]
        model.distillation_token.weight.copy_(model.class_token.weight)
        model.distillation_head.load_state_dict(model.head.state_dict())
    labels = torch.tensor([0, 1, 4])
    for taught, equal in ((labels, True), (labels.flip(0), False)):
        model.zero_grad()
        model.loss(x, labels, taught).backward()
        a, b = model.class_token.weight.grad, model.distillation_token.weight.grad
        assert torch.allclose(a, b, rtol=1e-10) is equal


def test_both_tokens_are_learned_from_a_teacher_that_errs():
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 4, "n_channels": 1}
    model = DeiT(DeiTConfig(**sizes, n_classes=10, image_size=8, patch_size=2, dropout=0.0))
    x, labels = digits("train", 30)
    taught = (labels + 1) % 10
    losses = fit(model, ((x, labels, taught) for _ in range(100)), rate=3e-3, warmup=10)
    assert losses[-1] < 0.1 < losses[0]
    own, distilled = model.heads(x)
    assert F.cross_entropy(own, labels) < 0.2 > F.cross_entropy(distilled, taught)


@pytest.mark.parametrize(
    ("labels", "taught", "message"),
    [
        ([0, 1, 5], [0, 1, 2], "^label 5 is no class"),
        ([0, 1, 2], [0, -1, 2], "^the teacher's answer -1 is no class"),
    ],
)
def test_an_answer_that_is_no_class_is_refused(labels, taught, message):
    with pytest.raises(ValueError, match=message):
        deit().loss(images(), torch.tensor(labels), torch.tensor(taught))


def test_there_is_a_position_for_each_token():
    assert DeiTConfig(**SIZES, image_size=8, patch_size=2).max_length == 18


def test_the_base_model_has_the_size_that_everybody_knows():
    base = {"n_layers": 12, "d_model": 768, "d_ff": 3072, "n_heads": 12}
    with torch.device("meta"):
        model = DeiT(DeiTConfig(**base))
    assert sum(p.numel() for p in model.parameters()) == 87_338_192
