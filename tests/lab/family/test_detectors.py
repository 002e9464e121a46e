"""What both detectors share: the reference's results, and laws of sets of queries and objects."""

import pytest
import torch
from detectors import REFERENCES, gold, pictures
from family_oracle import assert_same_gradients, copied, disturbed
from zoo import ZOO, build

from annotated_transformer.lab import family
from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family import fit

DETECTORS = [name for name in ZOO if "DETR" in name]


def test_both_detectors_are_tried():
    assert {type(build(name)[0]) for name in DETECTORS} == set(REFERENCES)


@pytest.mark.parametrize("member", REFERENCES)
@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("padded", [False, True])
def test_it_is_the_reference_forward_and_gradient(member, part, padded):
    theirs = REFERENCES[member]()
    ours = copied(member, theirs)
    images, real = pictures()
    real = real if padded else torch.ones_like(real)
    output = theirs(images, pixel_mask=real.long())
    expected = (output.logits, output.pred_boxes)[part]
    found = ours(images, real if padded else None)[part]
    assert_same_gradients(ours, theirs, found, expected)


@pytest.mark.parametrize("name", DETECTORS)
@torch.no_grad()
def test_permuted_queries_give_permuted_predictions(name):
    model, (images,) = build(name)
    disturbed(model)
    order = torch.tensor([3, 0, 4, 2, 1])
    logits, boxes = model(images)
    model.queries.copy_(model.queries[order])
    again_logits, again_boxes = model(images)
    torch.testing.assert_close(again_logits, logits[:, order])
    torch.testing.assert_close(again_boxes, boxes[:, order])
    assert not torch.allclose(again_boxes, boxes)


@pytest.mark.parametrize("name", DETECTORS)
@torch.no_grad()
def test_the_loss_does_not_know_the_order_of_the_objects(name):
    model, (images,) = build(name)
    boxes, classes = gold()
    expected, order = model.loss(images, boxes, classes), torch.tensor([2, 0, 1])
    other = [boxes[0], boxes[1][order]]
    shuffled = model.loss(images, other, [classes[0], classes[1][order]])
    torch.testing.assert_close(shuffled, expected)
    assert not torch.allclose(model.loss(images, other, classes), expected)


@pytest.mark.parametrize("name", DETECTORS)
@pytest.mark.parametrize("count", [0, 6])
def test_more_objects_than_queries_or_none_are_refused(name, count):
    model, (images,) = build(name)
    boxes, classes = gold()
    boxes[1], classes[1] = torch.full((count, 4), 0.5), torch.zeros(count, dtype=torch.long)
    with pytest.raises(ValueError, match=f"image 1 has {count} objects; expected 1 to 5"):
        model.loss(images, boxes, classes)


@pytest.mark.parametrize("kind", ["DETR", "DeformableDETR"])
def test_a_detector_learns_scenes_and_all_gradients_are_finite(kind):
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 32, "d_ff": 24, "n_heads": 2, "dropout": 0.0, "channels": 1}
    sizes |= {"widths": (8, 12, 16), "depths": (), "n_classes": 10, "n_queries": 5}
    model = getattr(family, kind)(getattr(family, f"{kind}Config")(**sizes))
    made = scenes("train", 6, side=16, max_objects=2)
    batch = made.images, made.boxes, made.classes
    losses = fit(model, [batch] * 40, rate=3e-3, clip=0.5)
    assert losses[-1] < 0.7 * losses[0]
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
