"""Scenes of several digits on one canvas, with gold boxes, classes and masks.

Made of the 8 x 8 digits (digits.py), so that detection and segmentation can be
learned with no download. A digit's mask is what is seen of it: where two
overlap, the pixel is that of the one placed later. Needs the extra `[family]`.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.checks import check_positive, check_probability
from annotated_transformer.lab.corpora.digits import SIDE, digits

BACKGROUND = 10
"""The class of a pixel that shows no digit."""
INK = 0.25
"""A pixel belongs to a digit from this brightness on, before the digit is dimmed."""
SEEN = 0.5
"""The part of its pixels that stays in sight of every digit, at least."""
TRIES = 20
"""Places tried for a digit before its scene is begun anew."""


class Scenes(NamedTuple):
    """A batch of images and the gold answers, of which a list has one entry per image."""

    images: Float[Tensor, "batch 1 side side"]
    """0 black, 1 white."""
    boxes: list[Tensor]
    """(objects, 4): centre x, centre y, width, height, in parts of the side."""
    classes: list[Tensor]
    """(objects,): which digit each object is."""
    masks: list[Tensor]
    """(objects, side, side): True where an object is seen; never two at a pixel."""
    class_map: Int[Tensor, "batch side side"]
    """The class of each pixel, `BACKGROUND` where there is none."""


def scenes(
    split: str,
    n: int,
    *,
    seed: int = 0,
    side: int = 24,
    max_objects: int = 3,
    dimming: float = 0.0,
    noise: float = 0.0,
) -> Scenes:
    """Draw `n` scenes of 1 to `max_objects` digits, the same for the same arguments.

    Each number of objects is equally likely. A digit may lie anywhere, also
    over another, as long as `SEEN` of each stays in sight.

    Args:
        split: "train" or "test": whose digits are used.
        n: number of scenes.
        seed: of the digits, their places, the dimming and the noise.
        side: pixels of a side of the canvas.
        max_objects: at most so many digits in a scene.
        dimming: each digit loses a random part of its brightness up to this.
        noise: standard deviation of what is added to each pixel; brightness
            that leaves [0, 1] by it is put back to the nearer end.

    Raises:
        ValueError: no such split, `n`, `side` or `max_objects` is no positive
            integer, the canvas is smaller than a digit or too small for so
            many, dimming or noise is outside [0, 1).
    """
    for name, value in (("n", n), ("side", side), ("max_objects", max_objects)):
        check_positive(name, value)
    check_probability("dimming", dimming)
    check_probability("noise", noise)
    room = (side // SIDE) ** 2
    if max_objects > room:
        raise ValueError(
            f"max_objects={max_objects}, but side={side} has room for {room} digits "
            f"of {SIDE} x {SIDE} pixels: take a larger side, or fewer objects"
        )
    images, labels = digits(split)
    generator = torch.Generator().manual_seed(seed)
    canvases, classes, masks = [], [], []
    for _ in range(n):
        count = int(torch.randint(1, max_objects + 1, (), generator=generator))
        chosen = torch.randint(len(images), (count,), generator=generator)
        light = 1 - dimming * torch.rand(count, 1, 1, generator=generator)
        layers = _placed(images[chosen, 0], side, generator)
        seen = in_sight(layers >= INK)
        canvases.append(_painted(light * layers, seen))
        classes.append(labels[chosen])
        masks.append(seen)
    clean = torch.stack(canvases)[:, None]
    grain = noise * torch.randn(clean.shape, generator=generator)
    boxes = [tight_boxes(seen) for seen in masks]
    class_map = [
        BACKGROUND + ((digit - BACKGROUND)[:, None, None] * seen).sum(0)
        for digit, seen in zip(classes, masks, strict=True)
    ]
    return Scenes((clean + grain).clamp(0, 1), boxes, classes, masks, torch.stack(class_map))


def in_sight(whole: Bool[Tensor, "objects height width"]) -> Bool[Tensor, "objects height width"]:
    """Return what is seen of each object: its pixels that no later one covers."""
    reached = whole.flip(0).cumsum(0).flip(0)  # by itself and the later ones
    return whole & (reached == 1)


def tight_boxes(masks: Bool[Tensor, "objects height width"]) -> Float[Tensor, "objects 4"]:
    """Return the smallest box around each mask: centre x, y, width, height in image parts.

    Raises:
        ValueError: a mask is empty.
    """
    ends = []
    for axis in (1, 2):  # over the rows: columns that the object has; then rows
        taken = masks.any(axis).byte()
        if not taken.any(1).all():
            raise ValueError("an empty mask has no box")
        first, after = taken.argmax(1), taken.size(1) - taken.flip(1).argmax(1)
        ends.append(torch.stack((first, after)) / taken.size(1))
    (left, right), (top, bottom) = ends
    centre = (left + right) / 2, (top + bottom) / 2
    return torch.stack((*centre, right - left, bottom - top), dim=1)


def _placed(ink: Tensor, side: int, generator: torch.Generator) -> Tensor:
    """Place each digit on a canvas of its own, where it leaves enough of the others in sight."""
    layers: list[Tensor] = []
    tries = 0
    while len(layers) < len(ink):
        if tries == TRIES:
            layers, tries = [], 0
        corner = torch.randint(side - SIDE + 1, (2,), generator=generator)
        top, left = corner.tolist()
        layer = torch.zeros(side, side)
        layer[top : top + SIDE, left : left + SIDE] = ink[len(layers)]
        whole = torch.stack([*layers, layer]) >= INK
        parts = in_sight(whole).sum((1, 2)) / whole.sum((1, 2))
        tries += 1
        if parts.min() >= SEEN:
            layers, tries = [*layers, layer], 0
    return torch.stack(layers)


def _painted(layers: Tensor, seen: Tensor) -> Tensor:
    """Paint one canvas of all; the faint edges, which are in no mask, only add light."""
    canvas = layers.amax(0)
    for layer, own in zip(layers, seen, strict=True):
        canvas = torch.where(own, layer, canvas)
    return canvas
