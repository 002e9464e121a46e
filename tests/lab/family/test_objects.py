"""Boxes and the matching of slots and objects, against explicit loops."""

import itertools

import pytest
import torch
from transformers.loss.loss_for_object_detection import HungarianMatcher

from annotated_transformer.lab.family.detr.boxes import box_distance, generalized_iou
from annotated_transformer.lab.family.detr.objects import assign, check_objects, match


def boxes(*shape):
    return 0.2 + 0.4 * torch.rand(*shape, 4, dtype=torch.float64)


def iou_by_loop(first, second):
    """Return the generalized IoU of two boxes in plain numbers."""
    ends = []
    for x, y, width, height in (first.tolist(), second.tolist()):
        ends.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    (a, b, c, d), (e, f, g, h) = ends
    common = max(0.0, min(c, g) - max(a, e)) * max(0.0, min(d, h) - max(b, f))
    union = (c - a) * (d - b) + (g - e) * (h - f) - common
    hull = (max(c, g) - min(a, e)) * (max(d, h) - min(b, f))
    return common / union - (hull - union) / hull


def test_generalized_iou_is_that_of_the_explicit_loop():
    first, second = boxes(6), boxes(7)
    found = generalized_iou(first[:, None], second[None])
    for i, j in itertools.product(range(6), range(7)):
        assert found[i, j].item() == pytest.approx(iou_by_loop(first[i], second[j]), abs=1e-12)


def test_generalized_iou_of_known_boxes():
    left, right, far = torch.tensor(
        [[0.25, 0.5, 0.5, 1.0], [0.75, 0.5, 0.5, 1.0], [0.95, 0.5, 0.1, 1.0]]
    )
    assert generalized_iou(left, left).item() == pytest.approx(1)
    assert generalized_iou(left, right).item() == pytest.approx(0, abs=1e-6)
    assert generalized_iou(left, far).item() == pytest.approx(-0.4, abs=1e-6)


def test_the_gradient_of_boxes_apart_moves_them_together():
    near = torch.tensor([0.2, 0.5, 0.1, 0.1], requires_grad=True)
    generalized_iou(near, torch.tensor([0.8, 0.5, 0.1, 0.1])).backward()
    assert near.grad[0] > 0


def test_the_distance_of_a_box_to_itself_is_nothing():
    some = boxes(3)
    torch.testing.assert_close(box_distance(some, some), torch.zeros(3, dtype=torch.float64))


@pytest.mark.parametrize("n_objects", [1, 2, 4, 5])
def test_the_matching_is_the_best_of_all_permutations(n_objects):
    for seed in range(5):
        torch.manual_seed(seed)
        cost = torch.randn(5, n_objects)
        slots = match(cost)
        assert len(set(slots.tolist())) == n_objects
        best = min(
            sum(cost[slot, i].item() for i, slot in enumerate(some))
            for some in itertools.permutations(range(5), n_objects)
        )
        assert cost[slots, torch.arange(n_objects)].sum().item() == pytest.approx(best, abs=1e-5)


def test_answers_are_those_of_the_reference_matcher():
    logits, found = torch.randn(3, 6, 5, dtype=torch.float64), boxes(3, 6)
    gold = [boxes(n) for n in (1, 3, 6)]
    classes = [torch.randint(4, (n,)) for n in (1, 3, 6)]
    costs = -logits.softmax(-1)
    answers, distance = assign(costs, found, gold, classes, nothing=4)
    labels = [{"boxes": b, "class_labels": c} for b, c in zip(gold, classes, strict=True)]
    pairs = HungarianMatcher(1, 5, 2)({"logits": logits, "pred_boxes": found}, labels)
    distances = []
    for i, (slots, objects) in enumerate(pairs):
        expected = torch.full((6,), 4)
        expected[slots] = classes[i][objects]
        assert torch.equal(answers[i], expected)
        distances.append(box_distance(found[i, slots], gold[i][objects]))
    torch.testing.assert_close(distance, torch.cat(distances).mean())


LABEL = torch.tensor([1])


@pytest.mark.parametrize(
    ("gold", "classes", "message"),
    [
        ([], [], "1 images with boxes for 0 and classes for 0"),
        ([boxes(1)] * 2, [LABEL] * 2, "1 images with boxes for 2 and classes for 2"),
        ([boxes(2)], [LABEL], r"image 0 has boxes of shape \(2, 4\) for 1 classes"),
        ([boxes(0)], [LABEL[:0]], "image 0 has 0 objects; expected 1 to 3"),
        ([boxes(4)], [LABEL.expand(4)], "image 0 has 4 objects; expected 1 to 3"),
        ([boxes(1)], [LABEL + 9], r"image 0 has the classes \[10\]; expected 0 to 9"),
        ([boxes(1) + 1], [LABEL], "image 0 has the boxes .* from 0 to 1"),
        ([0 * boxes(1)], [LABEL], "no size of 0"),
    ],
)
def test_objects_that_cannot_be_matched_are_refused(gold, classes, message):
    with pytest.raises(ValueError, match=message):
        check_objects(gold, classes, torch.zeros(1, 1, 8, 8), 3, 10)


def test_no_image_is_refused():
    with pytest.raises(ValueError, match="0 images with boxes for 0"):
        check_objects([], [], torch.zeros(0, 1, 8, 8), 3, 10)
