"""Non-maximum suppression by hand, and as the only set that keeps its own rule."""

from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.analysis.average_precision import Detections, box_iou
from annotated_transformer.lab.analysis.suppression import suppressed


def in_a_row(*starts, classes=None, confidence=None):
    """Boxes of width 0.2 that begin at these places; the first is the surest."""
    n = len(starts)
    boxes = torch.tensor([[start + 0.1, 0.5, 0.2, 0.2] for start in starts])
    labels = torch.tensor(classes or [0] * n)
    return Detections(boxes, labels, torch.tensor(confidence or [1 - i / 10 for i in range(n)]))


def starts(found):
    return [round(x.item() - 0.1, 4) for x in found.boxes[:, 0]]


def test_the_surest_stays_and_those_on_it_go():
    found = in_a_row(0.0, 0.02, 0.5, 0.52, confidence=[0.6, 0.9, 0.8, 0.7])
    assert starts(suppressed(found)) == [0.02, 0.5]


def test_another_class_stays():
    assert starts(suppressed(in_a_row(0.0, 0.02, classes=[0, 1]))) == [0.0, 0.02]


def test_what_was_silenced_silences_nothing():
    """The second lies on the first, the third on the second alone: IoU 0.6, 0.6, 1/3."""
    assert starts(suppressed(in_a_row(0.0, 0.05, 0.1))) == [0.0, 0.1]


def test_equal_boxes_at_overlap_1_all_stay():
    """IoU 1 is not above 1."""
    assert len(suppressed(in_a_row(0.25, 0.25), overlap=1).boxes) == 2


def test_no_detection_leaves_none():
    empty = Detections(torch.zeros(0, 4), torch.zeros(0, dtype=torch.long), torch.zeros(0))
    assert [x.shape for x in suppressed(empty)] == [(0, 4), (0,), (0,)]


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.sampled_from([0.2, 0.5, 0.8]))
def test_it_is_the_only_set_whose_members_are_just_those_that_no_surer_member_silences(
    seed, n, overlap
):
    generator = torch.Generator().manual_seed(seed)
    boxes = torch.rand(n, 4, generator=generator) / 4 + torch.tensor([0.4, 0.4, 0.3, 0.3])
    classes = torch.randint(2, (n,), generator=generator)
    found = Detections(boxes, classes, torch.rand(n, generator=generator))
    sure = found.confidence.tolist()

    def silences(j, i):
        close = box_iou(boxes[j], boxes[i]) > overlap
        return sure[j] > sure[i] and bool(classes[j] == classes[i]) and bool(close)

    sets = []
    for flags in product([False, True], repeat=n):
        members = {i for i in range(n) if flags[i]}
        free = {i for i in range(n) if not any(silences(j, i) for j in members)}
        if free == members:
            sets.append(sorted(sure[i] for i in members))
    assert sets == [sorted(suppressed(found, overlap).confidence.tolist())]


def test_an_overlap_that_is_none_is_refused():
    with pytest.raises(ValueError, match=r"overlap=1.5 must be from 0 to 1"):
        suppressed(in_a_row(0.0), overlap=1.5)
