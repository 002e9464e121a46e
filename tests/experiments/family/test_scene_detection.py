"""What the comparisons of detectors share."""

import pytest
import torch

from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family import DETR, DETRConfig
from experiments.family import scene_detection
from experiments.family.detectors import DEFORMABLE, FocalDETR


@pytest.fixture(scope="module")
def data():
    return scenes("train", 20, seed=1)


def test_every_batch_has_the_boxes_and_classes_of_its_images(data):
    """An epoch has each scene once, and a seed repeats the order."""
    first, again = (
        list(scene_detection.batches(data, 4, torch.Generator().manual_seed(2), 5))
        for _ in range(2)
    )
    rows = []
    for (images, boxes, classes), same in zip(first, again, strict=True):
        assert torch.equal(images, same[0])
        for image, box, label in zip(images, boxes, classes, strict=True):
            row = next(i for i, other in enumerate(data.images) if torch.equal(image, other))
            assert torch.equal(box, data.boxes[row])
            assert torch.equal(label, data.classes[row])
            rows.append(row)
    assert sorted(rows) == list(range(20))


def test_splits_share_no_scene_and_the_test_is_that_of_every_seed():
    one, two = (scene_detection.splits(4, 3, seed) for seed in (1, 2))
    assert torch.equal(one.test.images, two.test.images)
    assert not torch.equal(one.train.images, two.train.images)
    assert not torch.equal(one.train.images[:3], one.valid.images)


@pytest.mark.parametrize("kind", [DETR, FocalDETR])
def test_a_detection_is_the_most_likely_class_of_a_slot(kind, data):
    """By a softmax without its last answer, "no object"; or, without such an answer, by itself."""
    torch.manual_seed(0)
    model = kind(DETRConfig(**scene_detection.SIZES)).eval()
    logits, boxes = model(data.images)
    likely = torch.softmax(logits, -1)[..., :10] if kind is DETR else 1 / (1 + (-logits).exp())
    found = scene_detection.detections(model, data.images)
    assert len(found) == 20
    for i, each in enumerate(found):
        torch.testing.assert_close(each.boxes, boxes[i])
        assert each.classes.tolist() == likely[i].argmax(-1).tolist()
        torch.testing.assert_close(each.confidence, likely[i].amax(-1))


def test_contestants_begin_with_the_backbone_and_draw_the_rest_by_their_seed():
    weights = scene_detection.digit_backbone(2, seed=3)
    again = scene_detection.digit_backbone(2, seed=3)
    assert all(torch.equal(x, again[name]) for name, x in weights.items())
    for make in DEFORMABLE.values():
        torch.manual_seed(5)
        plain = make().state_dict()
        torch.manual_seed(5)
        found = scene_detection.beginning(make, weights)().state_dict()
        for name, x in found.items():
            inside = name.removeprefix("backbone.")
            expected = plain[name] if inside == name else weights[inside]
            assert torch.equal(x, expected)


def test_the_backbone_learns_digits():
    """The loss after a few updates is below that of a guess."""
    torch.manual_seed(0)
    made = scenes("train", 64, seed=2, side=16, max_objects=1)
    images, classes = made.images, torch.cat(made.classes)
    model = scene_detection.Classifier()
    before = model.loss(images, classes).item()
    scene_detection.fit(model, [(images, classes)] * 40, rate=3e-3)
    assert model.loss(images, classes).item() < 0.8 * before
