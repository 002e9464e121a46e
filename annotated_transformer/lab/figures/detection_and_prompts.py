"""Pictures of *Detection and prompts*: slots and objects, boxes, looks, masks for a click."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from jaxtyping import Bool, Float
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from torch import Tensor

from annotated_transformer.lab.family.detr.boxes import corners
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, TEXT_ON_LIGHT

_INK = LinearSegmentedColormap.from_list("", ["white", "#333333"])
_FAINT_INK = LinearSegmentedColormap.from_list("", ["white", "#8A8A8A"])
_FILLED = (0.0, 0.447, 0.698, 0.55)  # the query's blue, over the ink


class Slot(NamedTuple):
    """What one slot answers, and for which object it has to."""

    says: str
    """The class that it names."""
    box: Float[Tensor, "4"] | None
    """Where it sees an object; None is not drawn."""
    gold: int | None
    """The number of the object that it is matched with."""


def slots_picture(
    image: Float[Tensor, "side side"], boxes: Float[Tensor, "object 4"], slots: Sequence[Slot]
) -> None:
    """Draw an image with gold boxes, the slots below it, and a line for each pair of a matching.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no slot, or one is matched with an object that there is not.
    """
    if not slots:
        raise ValueError("slots_picture: there is no slot to draw")
    for slot in slots:
        if slot.gold is not None and not 0 <= slot.gold < len(boxes):
            raise ValueError(
                f"slots_picture: {slot.says!r} is matched with object {slot.gold} of {len(boxes)}"
            )
    side = len(image)
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 3.1))
    axes.imshow(image.numpy(), cmap=_INK, extent=(0, side, side, 0))
    axes.add_patch(Rectangle((0, 0), side, side, fc="none", ec="#999999"))
    for box in boxes:
        _frame(axes, side * box, "target", dashed=True)
    row, top, high = 1.65 * side, 1.2 * side, 0.2 * side
    start, wide = (side - row) / 2, row / len(slots)
    for number, slot in enumerate(slots):
        middle = start + (number + 0.5) * wide
        axes.add_patch(
            Rectangle(
                (middle - 0.46 * wide, top),
                0.92 * wide,
                high,
                fc="white",
                ec=PALETTE["query"],
                lw=1.6,
            )
        )
        axes.text(middle, top + high / 2, slot.says, ha="center", va="center", fontsize=9)
        if slot.box is not None:
            _frame(axes, side * slot.box, "query")
        if slot.gold is not None:
            x, y, _, h = (side * boxes[slot.gold]).tolist()
            ends = [x, middle], [y + h / 2, top]
            axes.plot(*ends, color=PALETTE["neutral"], lw=1.4)
    axes.set(xlim=(start - 0.1, start + row + 0.1), ylim=(top + high + 0.2, -0.2))
    _bare(axes)


def pairs_picture(pairs: Sequence[tuple[str, Float[Tensor, "4"], Float[Tensor, "4"]]]) -> None:
    """Draw panels of two boxes, the smallest box around both, and what of it neither covers.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no pair.
    """
    if not pairs:
        raise ValueError("pairs_picture: there is nothing to draw")
    around = [_hull(first, second) for _, first, second in pairs]
    widths = [(end - start)[0].item() + 0.4 for start, end in around]
    size = (PHONE_WIDTH, 1.2)
    _, panels = plt.subplots(1, len(pairs), figsize=size, width_ratios=widths, squeeze=False)
    for axes, (title, first, second), hull in zip(panels[0], pairs, around, strict=True):
        (left, top), (right, bottom) = (end.tolist() for end in hull)
        axes.add_patch(
            Rectangle(
                (left, top),
                right - left,
                bottom - top,
                fc="white",
                ec=PALETTE["neutral"],
                hatch="////",
                lw=1.2,
                ls="--",
            )
        )
        for box, colour in ((first, "query"), (second, "target")):
            _frame(axes, box, colour, fill="white")
        _frame(axes, first, "query")
        axes.set(xlim=(left - 0.2, right + 0.2), ylim=(bottom + 0.2, top - 0.2))
        axes.set_title(title, fontsize=9)
        _bare(axes)


def looks_picture(
    side: int, place: tuple[float, float], panels: Sequence[tuple[str, Float[Tensor, "_ 2"]]]
) -> None:
    """Draw panels of a grid of places: where one place, (x, y), looks.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no panel, or a look outside the grid.
    """
    if not panels:
        raise ValueError("looks_picture: there is nothing to draw")
    size = (PHONE_WIDTH, PHONE_WIDTH / len(panels) + 0.2)
    _, drawn = plt.subplots(1, len(panels), figsize=size, squeeze=False)
    for axes, (title, looks) in zip(drawn[0], panels, strict=True):
        if not ((looks >= 0) & (looks <= side)).all():
            raise ValueError(f"looks_picture: {title!r} has a look outside 0 to {side}")
        for line in range(side + 1):
            for draw in (axes.axhline, axes.axvline):
                draw(line, color="#d0d0d0", lw=0.8, zorder=1)
        for x, y in looks.tolist():
            ends = [place[0], x], [place[1], y]
            axes.plot(*ends, color=PALETTE["value"], lw=0.7)
        axes.plot(*looks.T.tolist(), "o", color=PALETTE["value"], ms=3)
        axes.plot(*place, "s", color=PALETTE["query"], ms=7)
        axes.set(xlim=(0, side), ylim=(side, 0))
        axes.set_title(title, fontsize=10)
        _bare(axes)


def detections_picture(
    images: Float[Tensor, "image 1 side side"],
    gold: Sequence[Float[Tensor, "_ 4"]],
    found: Sequence[Float[Tensor, "_ 4"]],
) -> None:
    """Draw images, three in a row: gold boxes dashed, found ones drawn through.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no image.
    """
    if not len(images):
        raise ValueError("detections_picture: there is nothing to draw")
    side = images.size(-1)
    columns, rows = min(3, len(images)), math.ceil(len(images) / 3)
    size = (PHONE_WIDTH, PHONE_WIDTH * rows / columns)
    figure, panels = plt.subplots(rows, columns, figsize=size, squeeze=False)
    for spare in panels.flat[len(images) :]:
        figure.delaxes(spare)
    drawn = zip(panels.flat[: len(images)], images, gold, found, strict=True)
    for axes, image, wanted, boxes in drawn:
        axes.imshow(image[0].numpy(), cmap=_FAINT_INK, extent=(0, side, side, 0))
        axes.add_patch(Rectangle((0, 0), side, side, fc="none", ec="#999999"))
        for box in boxes:
            _frame(axes, side * box, "query")
        for box in wanted:
            _frame(axes, side * box, "target", dashed=True)
        _bare(axes)


class Clicked(NamedTuple):
    """One row: an image, where it was clicked, and the masks that came back."""

    image: Float[Tensor, "side side"]
    """What was clicked."""
    click: tuple[float, float]
    """x and y, in pixels."""
    masks: Bool[Tensor, "mask side side"]
    """The answers, True on the object."""
    titles: Sequence[str]
    """One for each mask."""


def masks_picture(rows: Sequence[Clicked]) -> None:
    """Draw each image with its click, and the masks that it was answered with beside it.

    Call `use_book_style` first.

    Raises:
        ValueError: there is no row, not as many masks in each, or not a title for each mask.
    """
    shapes = {len(row.masks) for row in rows}
    if len(shapes) != 1:
        raise ValueError(
            f"masks_picture: rows with {sorted(shapes)} masks; expected as many in each"
        )
    columns = 1 + shapes.pop()
    size = (PHONE_WIDTH, len(rows) * (PHONE_WIDTH / columns + 0.15))
    _, panels = plt.subplots(len(rows), columns, figsize=size, squeeze=False)
    for axes, row in zip(panels, rows, strict=True):
        for panel in axes:
            side = len(row.image)
            panel.imshow(row.image.numpy(), cmap=_INK)
            frame = Rectangle((-0.5, -0.5), side, side, fc="none", ec="#999999")
            panel.add_patch(frame)
            _bare(panel)
        x, y = row.click
        axes[0].plot(x, y, "+", color=PALETTE["key"], ms=10, mew=2)
        for panel, mask, title in zip(axes[1:], row.masks, row.titles, strict=True):
            over = mask[..., None].numpy() * [_FILLED]
            panel.imshow(over)
            panel.set_title(title, fontsize=9)


def _hull(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """Return (left, top) and (right, bottom) of the smallest box around both."""
    (start_1, end_1), (start_2, end_2) = corners(first), corners(second)
    return start_1.minimum(start_2), end_1.maximum(end_2)


def _frame(
    axes: Any, box: Tensor, colour: str, *, dashed: bool = False, fill: str = "none"
) -> None:
    """Draw the outline of a box: centre x, centre y, width, height."""
    x, y, width, height = box.tolist()
    axes.add_patch(
        Rectangle(
            (x - width / 2, y - height / 2),
            width,
            height,
            fc=fill,
            ec=TEXT_ON_LIGHT[colour],
            lw=1.8,
            ls=(0, (4, 2)) if dashed else "-",
        )
    )


def _bare(axes: Any) -> None:
    axes.set_aspect("equal")
    axes.grid(visible=False)
    axes.set_axis_off()
