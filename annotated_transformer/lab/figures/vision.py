"""Pictures of *Vision*: an image as a sentence, what windows let a patch see, and scenes."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Int
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from torch import Tensor

from annotated_transformer.lab.corpora.scenes import BACKGROUND, Scenes
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, TEXT_ON_LIGHT

_ROW = 6  # tokens in a line of the sentence
_STEP = 1.35  # from one token to the next, in patches
_INK = LinearSegmentedColormap.from_list("", ["white", "#333333"])
_SEEN = LinearSegmentedColormap.from_list("", ["white", "#9CC8E3"])


def patches_picture(
    image: Float[Tensor, "side side"], patch_size: int, first: Sequence[str] = ("class",)
) -> None:
    """Draw an image with numbered patches, and below it the sentence that it becomes.

    `first` names the learned tokens before the patches. Call `use_book_style` first.

    Raises:
        ValueError: the side is no multiple of the patch.
    """
    side = len(image)
    if side % patch_size:
        raise ValueError(
            f"patches_picture: an image of side {side} does not fall into "
            f"patches of {patch_size} x {patch_size}"
        )
    pixels, n = image.numpy(), side // patch_size
    lines = -(-(len(first) + n * n) // _ROW)
    size, ratios = (PHONE_WIDTH, 1.9 + 0.75 * lines), (1.9, 0.75 * lines)
    _, (whole, sentence) = plt.subplots(2, 1, figsize=size, height_ratios=ratios)
    whole.imshow(pixels, cmap=_INK, vmin=0, vmax=1, extent=(0, n, n, 0))
    _bare(whole)
    for border in range(n + 1):
        for line in (whole.axhline, whole.axvline):
            line(border, color=PALETTE["source"], lw=1.4, clip_on=False)
    for number, name in enumerate(first):
        _token(sentence, number, name, PALETTE["target"])
    for patch in range(n * n):
        row, column = divmod(patch, n)
        _number(whole, column, row, str(patch + 1))
        place = len(first) + patch
        top, start = row * patch_size, column * patch_size
        cut = pixels[top : top + patch_size, start : start + patch_size]
        x, y = _token(sentence, place, str(patch + 1), PALETTE["source"])
        sentence.imshow(cut, cmap=_INK, vmin=0, vmax=1, extent=(x, x + 1, y + 1, y))
    sentence.set(xlim=(-0.1, _ROW * _STEP - 0.25), ylim=(lines * 1.6 - 0.5, -0.45))
    _bare(sentence)


def _token(axes: Any, place: int, name: str, colour: str) -> tuple[float, float]:
    """Frame and name one token of the sentence; return its corner."""
    x, y = place % _ROW * _STEP, place // _ROW * 1.6
    axes.add_patch(Rectangle((x, y), 1, 1, fc="none", ec=colour, lw=1.6, zorder=3))
    axes.text(x + 0.5, y - 0.08, name, ha="center", va="bottom", fontsize=9)
    return x, y


def _number(axes: Any, column: float, row: float, name: str) -> None:
    axes.text(
        column + 0.06,
        row + 0.06,
        name,
        ha="left",
        va="top",
        fontsize=8.5,
        color=TEXT_ON_LIGHT["source"],
        bbox={"fc": "white", "ec": "none", "pad": 0.8, "alpha": 0.85},
    )


def _bare(axes: Any) -> None:
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_axis_off()


class Sight(NamedTuple):
    """One panel: what a place of a square grid depends on."""

    title: str
    """What stands above the panel."""
    seen: Bool[Tensor, "side side"]
    """True for what the place depends on."""
    place: tuple[int, int]
    """Row and column of the place."""
    window: int
    """How many places wide a window is."""
    shift: int
    """How far the windows of the last layer have moved, down and right."""


def windows_picture(sights: Sequence[Sight]) -> None:
    """Draw panels side by side: what a place sees in blue, the last layer's windows as lines.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no panel, or a place outside its grid.
    """
    if not sights:
        raise ValueError("windows_picture: there is nothing to draw")
    size = (PHONE_WIDTH, 0.6 + PHONE_WIDTH / len(sights))
    _, panels = plt.subplots(1, len(sights), figsize=size, squeeze=False)
    for axes, sight in zip(panels[0], sights, strict=True):
        side = len(sight.seen)
        if not all(0 <= where < side for where in sight.place):
            raise ValueError(f"windows_picture: {sight.title!r} has no place {sight.place}")
        axes.imshow(sight.seen.numpy(), cmap=_SEEN, vmin=0, vmax=1, extent=(0, side, side, 0))
        for line in range(side + 1):
            for draw in (axes.axhline, axes.axvline):
                draw(line, color="#d0d0d0", lw=0.6, zorder=1)
        for line in {0, side, *range(sight.shift, side, sight.window)}:
            for draw in (axes.axhline, axes.axvline):
                draw(line, color=TEXT_ON_LIGHT["key"], lw=2, clip_on=False)
        row, column = sight.place
        axes.plot(column + 0.5, row + 0.5, "o", color="black", ms=5)
        axes.set_title(sight.title, fontsize=9)
        _bare(axes)


def scenes_picture(*parts: Scenes) -> None:
    """Draw every scene, and below it the class of each pixel. Call `use_book_style` first.

    Scenes of more pixels are drawn larger. The digit's class stands on its mask.

    Raises:
        ValueError: there is no scene.
    """
    drawn = [
        (image[0].numpy(), class_map, masks, classes)
        for part in parts
        for image, class_map, masks, classes in zip(
            part.images, part.class_map, part.masks, part.classes, strict=True
        )
    ]
    if not drawn:
        raise ValueError("scenes_picture: there is nothing to draw")
    sides = [len(image) for image, *_ in drawn]
    size = (PHONE_WIDTH, 2 * PHONE_WIDTH * max(sides) / sum(sides))
    _, axes = plt.subplots(2, len(drawn), figsize=size, width_ratios=sides, squeeze=False)
    for above, below, scene in zip(*axes, drawn, strict=True):
        image, class_map, masks, classes = scene
        above.imshow(image, cmap=_INK, vmin=0, vmax=1)
        below.imshow(_taken(class_map).numpy(), cmap=_SEEN, vmin=0, vmax=1)
        for mask, digit in zip(masks, classes.tolist(), strict=True):
            y, x = np.argwhere(mask.numpy()).mean(0)
            below.text(x, y, str(digit), ha="center", va="center", fontsize=9)
        for panel in (above, below):
            panel.grid(visible=False)
            panel.set(xticks=[], yticks=[])
            panel.spines[:].set_visible(True)


def _taken(class_map: Int[Tensor, "side side"]) -> Bool[Tensor, "side side"]:
    return class_map != BACKGROUND
