"""Scenes in which a click may mean two things: a digit, or the number to which it belongs.

Two digits side by side are a number. A third stands alone: no row of pixels has
a part of both. Made of the 8 x 8 digits (digits.py). Needs the extra `[family]`.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.checks import check_positive
from annotated_transformer.lab.corpora.digits import SIDE, digits
from annotated_transformer.lab.corpora.scenes import INK


class Numbers(NamedTuple):
    """A batch of images, each with one number and one digit that stands alone."""

    images: Float[Tensor, "batch 1 side side"]
    """0 black, 1 white."""
    digits: Bool[Tensor, "batch 3 side side"]
    """The pixels of the number's first digit, of its second, and of the digit alone."""
    classes: Int[Tensor, "batch 3"]
    """Which digit each is."""

    @property
    def number(self) -> Bool[Tensor, "batch side side"]:
        """The pixels of the number: of either of its digits."""
        return self.digits[:, :2].any(1)


def numbers(split: str, n: int, *, seed: int = 0, side: int = 24) -> Numbers:
    """Draw `n` scenes, the same for the same arguments; nothing overlaps.

    Args:
        split: "train" or "test": whose digits are used.
        n: number of scenes.
        seed: of the digits and their places.
        side: pixels of a side of the canvas, two digits at least.

    Raises:
        ValueError: no such split, `n` or `side` is no positive integer, or the
            canvas is too small.
    """
    check_positive("n", n)
    check_positive("side", side)
    if side < 2 * SIDE:
        raise ValueError(
            f"side={side} is too small for a number and a digit below or above it; "
            f"expected {2 * SIDE} or more"
        )
    images, labels = digits(split)
    generator = torch.Generator().manual_seed(seed)
    chosen = torch.randint(len(images), (n, 3), generator=generator)
    ink = images[chosen, 0]
    layers = torch.zeros(n, 3, side, side)
    for layer, own in zip(layers, ink, strict=True):
        for one, digit, (top, left) in zip(layer, own, _corners(side, generator), strict=True):
            one[top : top + SIDE, left : left + SIDE] = digit
    return Numbers(layers.sum(1, keepdim=True), layers >= INK, labels[chosen])


def clicks(
    masks: Bool[Tensor, "*shape side side"], generator: torch.Generator
) -> Float[Tensor, "*shape 2"]:
    """Draw (x, y) of a pixel of each mask, all its pixels equally likely.

    Raises:
        ValueError: a mask is empty.
    """
    flat = masks.flatten(0, -3).flatten(1)
    if not flat.any(1).all():
        raise ValueError("an empty mask has no pixel to click on")
    pixel = flat.float().multinomial(1, generator=generator)[:, 0]
    side = masks.size(-1)
    at = torch.stack((pixel % side, pixel // side), dim=-1)
    return at.float().unflatten(0, masks.shape[:-2])


def _corners(side: int, generator: torch.Generator) -> list[tuple[int, int]]:
    """Draw (top, left) of the number's digits and of the one alone, above or below them."""

    def drawn(size: int) -> int:
        return int(torch.randint(size, (), generator=generator))

    room = side - 2 * SIDE + 1
    upper, lower = sorted((drawn(room), drawn(room)))
    tops = [upper, lower + SIDE]
    which = drawn(2)
    left = drawn(room)
    top, top_alone = tops[which], tops[1 - which]
    return [(top, left), (top, left + SIDE), (top_alone, drawn(side - SIDE + 1))]
