"""Average precision: how many objects a detector finds, and how many false alarms come with them.

Chapter: *Detection and prompts*. For each class, the detections of all images
are ordered by confidence, the surest first. Whoever stops after k of them has a
precision, the part of the k that is right, and a recall, the part of the objects
that is found. Going on can only raise the recall.

Source: the evaluation of COCO (Lin et al. 2014), for one overlap: precision at a
recall is the best with this recall or more, read at the 101 recalls 0, 0.01 ... 1,
0 where the recall is never reached; the mean of these; and then of the classes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.lab.family.detr.boxes import intersection_and_union

RECALLS = 100
"""Steps from no object found to all of them."""


class Detections(NamedTuple):
    """What a detector says of one image."""

    boxes: Float[Tensor, "detection 4"]
    """Centre x, centre y, width, height, in parts of the image."""
    classes: Int[Tensor, " detection"]
    """The number of each class."""
    confidence: Float[Tensor, " detection"]
    """How sure it is of each."""


class Verdict(NamedTuple):
    """Whether each detection of an image is right or comes again; else it is a false alarm."""

    right: Bool[Tensor, " detection"]
    """It finds an object that no surer detection has found."""
    again: Bool[Tensor, " detection"]
    """It lies on an object, but all objects on which it lies belong to surer detections."""


def box_iou(
    first: Float[Tensor, "*#shape 4"], second: Float[Tensor, "*#shape 4"]
) -> Float[Tensor, "*#shape"]:
    """Return intersection over union: the part that two boxes share of the area of both."""
    intersection, union = intersection_and_union(first, second)
    return intersection / union


def judged(
    detections: Detections,
    boxes: Float[Tensor, "object 4"],
    classes: Int[Tensor, " object"],
    overlap: float = 0.5,
) -> Verdict:
    """Match each detection with an object, the surest first, and no object twice.

    It may have an object of its class with at least this IoU that is still
    free; of several, the one with the highest.
    """
    overlaps = box_iou(detections.boxes[:, None], boxes[None])
    fits = (overlaps >= overlap) & (detections.classes[:, None] == classes)
    right = torch.zeros_like(detections.classes, dtype=torch.bool)
    free = torch.ones_like(classes, dtype=torch.bool)
    for i in by_confidence(detections.confidence).tolist():
        possible = fits[i] & free
        if possible.any():
            right[i] = True
            free[overlaps[i].where(possible, -1).argmax()] = False
    return Verdict(right, fits.any(1) & ~right)


def average_precision(
    detections: Sequence[Detections],
    boxes: Sequence[Tensor],
    classes: Sequence[Tensor],
    overlap: float = 0.5,
) -> float:
    """Return the average precision in per cent, as a mean over the classes that have an object.

    `boxes` and `classes` are the gold ones of each image. Detections of other classes cost
    nothing, as there is no precision to lower.

    Raises:
        ValueError: not as many detections as gold answers, no object at all, or
            an overlap that is not above 0 and up to 1.
    """
    if not len(detections) == len(boxes) == len(classes):
        raise ValueError(
            f"detections of {len(detections)} images, boxes of {len(boxes)} and classes of "
            f"{len(classes)}; expected as many of each"
        )
    if not sum(map(len, classes)):
        raise ValueError("there is no object to find; expected one at least")
    if not 0 < overlap <= 1:
        raise ValueError(f"overlap={overlap} must be above 0 and at most 1")
    images = zip(detections, boxes, classes, strict=True)
    right = torch.cat([judged(*image, overlap).right for image in images])
    confidence = torch.cat([each.confidence for each in detections])
    predicted = torch.cat([each.classes for each in detections])
    gold_classes = torch.cat([*classes])
    parts = []
    for number in gold_classes.unique():
        own = right[predicted == number][by_confidence(confidence[predicted == number])]
        parts.append(_of_class(own, int((gold_classes == number).sum())))
    return 100 * sum(parts) / len(parts)


def by_confidence(confidence: Float[Tensor, " detection"]) -> Int[Tensor, " detection"]:
    """Sort detections, the surest first; of equals, the one that was given first."""
    return confidence.argsort(descending=True, stable=True)


def _of_class(right: Bool[Tensor, " detection"], n_objects: int) -> float:
    """Return the mean precision at all recalls, of detections in the order of their confidence."""
    hits = right.cumsum(0)
    precision = hits.double() / torch.arange(1, len(hits) + 1)
    # The best precision with this recall or more.
    best = precision.flip(0).cummax(0).values.flip(0)
    recalls = n_objects * torch.arange(RECALLS + 1)
    # Both sides times 100 and the objects: whole numbers, no rounding.
    at = torch.searchsorted(RECALLS * hits, recalls)
    return torch.cat((best, best.new_zeros(1)))[at].mean().item()
