"""Average precision by hand, and against a count of every way to stop."""

from fractions import Fraction

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.analysis.average_precision import (
    Detections,
    average_precision,
    box_iou,
    judged,
)
from annotated_transformer.lab.family.detr.boxes import generalized_iou

LEFT, RIGHT = [0.25, 0.5, 0.25, 0.5], [0.75, 0.5, 0.25, 0.5]
NEARLY_LEFT = [0.3, 0.5, 0.25, 0.5]
"""IoU with LEFT: 0.2 / 0.3."""


def detections(*rows):
    """Of rows (box, class, confidence)."""
    boxes, classes, confidence = zip(*rows, strict=True)
    return Detections(torch.tensor(boxes), torch.tensor(classes), torch.tensor(confidence))


def nothing():
    return Detections(torch.zeros(0, 4), torch.zeros(0, dtype=torch.long), torch.zeros(0))


def gold(*rows):
    """Boxes and classes of rows (box, class)."""
    boxes, classes = zip(*rows, strict=True)
    return torch.tensor(boxes), torch.tensor(classes)


def precision_of(found, *objects):
    """Of one image."""
    boxes, classes = gold(*objects)
    return average_precision([found], [boxes], [classes])


def test_iou_by_hand():
    assert box_iou(torch.tensor(LEFT), torch.tensor(NEARLY_LEFT)).item() == pytest.approx(2 / 3)
    assert box_iou(torch.tensor(LEFT), torch.tensor(LEFT)).item() == 1
    assert box_iou(torch.tensor(LEFT), torch.tensor(RIGHT)).item() == 0


@given(st.integers(0, 2**32 - 1))
def test_iou_is_never_below_the_generalized_one(seed):
    """Which takes away what neither covers of a box around both; nothing if one is in the other."""
    boxes = torch.rand(2, 50, 4, generator=torch.Generator().manual_seed(seed)) + 0.01
    assert (box_iou(*boxes) >= generalized_iou(*boxes) - 1e-6).all()
    inside = boxes[0] * torch.tensor([1, 1, 0.5, 0.5])
    torch.testing.assert_close(box_iou(boxes[0], inside), torch.full((50,), 0.25))


def test_all_right_is_100_and_none_is_0():
    objects = (LEFT, 3), (RIGHT, 5)
    assert precision_of(detections((RIGHT, 5, 0.2), (LEFT, 3, 0.1)), *objects) == 100
    assert precision_of(detections((RIGHT, 3, 0.2), (LEFT, 5, 0.1)), *objects) == 0
    assert precision_of(nothing(), *objects) == 0


def test_one_of_two_objects_reaches_51_of_101_recalls():
    found = detections((LEFT, 0, 0.9))
    assert precision_of(found, (LEFT, 0), (RIGHT, 0)) == pytest.approx(100 * 51 / 101)


def test_a_surer_false_alarm_halves_the_precision_and_a_less_sure_one_costs_nothing():
    surer = detections((RIGHT, 0, 0.9), (LEFT, 0, 0.8))
    assert precision_of(surer, (LEFT, 0)) == pytest.approx(50)
    later = detections((RIGHT, 0, 0.7), (LEFT, 0, 0.8))
    assert precision_of(later, (LEFT, 0)) == 100


def test_an_object_that_is_found_again_is_a_false_alarm():
    """Right, again, right: precision 1 up to recall 1/2, then 2/3."""
    found = detections((LEFT, 0, 0.9), (NEARLY_LEFT, 0, 0.8), (RIGHT, 0, 0.7))
    expected = 100 * (51 + 50 * 2 / 3) / 101
    assert precision_of(found, (LEFT, 0), (RIGHT, 0)) == pytest.approx(expected)


def test_each_class_counts_the_same():
    """Class 0, of three objects, is found; class 1, of one, is not: half, not three quarters."""
    found = detections((LEFT, 0, 0.9))
    boxes, classes = zip(gold((LEFT, 0)), gold((LEFT, 0)), gold((LEFT, 0), (RIGHT, 1)), strict=True)
    assert average_precision([found] * 3, boxes, classes) == pytest.approx(50)


def test_a_class_without_objects_is_left_out():
    found = detections((LEFT, 0, 0.9), (RIGHT, 7, 1.0))
    assert precision_of(found, (LEFT, 0)) == 100


def test_images_are_ordered_together_by_confidence():
    """The false alarm is the surest of its own image, but not of all."""
    found = [detections((LEFT, 0, 0.9)), detections((RIGHT, 0, 0.95), (LEFT, 0, 0.1))]
    boxes, classes = zip(*[gold((LEFT, 0))] * 2, strict=True)
    assert average_precision(found, boxes, classes) == pytest.approx(100 * 2 / 3)
    calmer = [found[0], found[1]._replace(confidence=torch.tensor([0.5, 0.1]))]
    expected = 100 * (51 + 50 * 2 / 3) / 101
    assert average_precision(calmer, boxes, classes) == pytest.approx(expected)


def test_of_two_objects_a_detection_has_the_one_it_fits_best():
    """So that the other is left for a detection that fits it alone."""
    boxes, classes = gold((NEARLY_LEFT, 0), (LEFT, 0))
    found = detections((LEFT, 0, 0.9), (NEARLY_LEFT, 0, 0.8), (LEFT, 0, 0.7), (RIGHT, 0, 0.6))
    verdict = judged(found, boxes, classes, overlap=0.9)
    assert verdict.right.tolist() == [True, True, False, False]
    assert verdict.again.tolist() == [False, False, True, False]


def test_the_surer_detection_has_the_object_whatever_the_order():
    boxes, classes = gold((LEFT, 0))
    verdict = judged(detections((LEFT, 0, 0.1), (NEARLY_LEFT, 0, 0.9)), boxes, classes)
    assert verdict.right.tolist() == [False, True]
    assert verdict.again.tolist() == [True, False]


@st.composite
def images(draw):
    """Images of few places, so that much overlaps, and few classes; confidences may be equal."""
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**32 - 1)))
    found, boxes, classes = [], [], []
    for n, n_objects in draw(st.lists(st.tuples(*[st.integers(0, 6)] * 2), min_size=1, max_size=3)):
        parts = []
        for size in (n, n_objects + (not boxes)):  # one object at least
            centre = torch.randint(1, 3, (size, 2), generator=generator) / 4
            sides = 0.4 + 0.1 * torch.rand(size, 2, generator=generator)
            label = torch.randint(2, (size,), generator=generator)
            parts.append((torch.cat((centre, sides), 1), label))
        confidence = torch.randint(4, (n,), generator=generator) / 4
        found.append(Detections(*parts[0], confidence))
        boxes.append(parts[1][0])
        classes.append(parts[1][1])
    return found, boxes, classes


def brute_force(found, boxes, classes, overlap):
    """Stop after each k, and at each recall take the best precision of all k that reach it."""
    results = []
    for number in set(torch.cat(classes).tolist()):
        line = sorted(
            (-each.confidence[i].item(), image, i)
            for image, each in enumerate(found)
            for i in range(len(each.classes))
            if each.classes[i] == number
        )
        objects = {
            (image, j)
            for image, label in enumerate(classes)
            for j in range(len(label))
            if label[j] == number
        }
        free, hits, stops = set(objects), 0, []
        for k, (_, image, i) in enumerate(line, start=1):
            fit = [
                (box_iou(found[image].boxes[i], boxes[image][j]).item(), j)
                for where, j in free
                if where == image
            ]
            if fit and max(fit)[0] >= overlap:
                free.remove((image, max(fit)[1]))
                hits += 1
            stops.append((Fraction(hits, len(objects)), Fraction(hits, k)))
        at_recall = [
            max((p for r, p in stops if r >= Fraction(step, 100)), default=Fraction(0))
            for step in range(101)
        ]
        results.append(sum(at_recall) / 101)
    return float(100 * sum(results) / len(results))


@given(images(), st.sampled_from([0.3, 0.5, 0.75]))
def test_it_is_what_every_way_to_stop_gives(drawn, overlap):
    assert average_precision(*drawn, overlap) == pytest.approx(brute_force(*drawn, overlap))


def test_what_cannot_be_is_refused():
    boxes, classes = gold((LEFT, 0))
    with pytest.raises(ValueError, match="detections of 2 images, boxes of 1 and classes of 1"):
        average_precision([nothing()] * 2, [boxes], [classes])
    with pytest.raises(ValueError, match="there is no object to find"):
        average_precision([nothing()], [boxes[:0]], [classes[:0]])
    with pytest.raises(ValueError, match=r"overlap=0 must be above 0 and at most 1"):
        average_precision([nothing()], [boxes], [classes], overlap=0)
