"""Pictures of the chapter *Feed-forward*."""

from collections.abc import Sequence
from typing import Any

from jaxtyping import Float
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH

_GAP = 1.2  # between two tables, in cells
_STAGES = ("neutral", "key", "value")


def position_wise_picture(
    words: Sequence[str], stages: Sequence[tuple[str, Sequence[str], Float[Tensor, "row _"]]]
) -> None:
    """Draw how each row of a matrix is transformed by itself in up to three stages, side by side.

    `words` name the rows; a stage is its title, the names of its columns and its numbers. Positive
    numbers are shaded, all others stay white. Call `use_book_style` first.

    Raises:
        ValueError: there are more than three stages, or a stage does not have one row for each
            word and one name for each column.
    """
    if len(stages) > len(_STAGES):
        raise ValueError(
            f"position_wise_picture: {len(stages)} stages; expected at most {len(_STAGES)}"
        )
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 0.27 * (len(words) + 3)))
    left = 0.0
    for (title, columns, numbers), colour in zip(stages, _STAGES, strict=False):
        if tuple(numbers.shape) != (len(words), len(columns)):
            raise ValueError(
                f"position_wise_picture: {title!r} has shape {tuple(numbers.shape)} for "
                f"{len(words)} words and {len(columns)} columns"
            )
        shades = LinearSegmentedColormap.from_list("", ["#ffffff", PALETTE[colour]])
        right = left + len(columns)
        positive = numbers.clamp(min=0) / numbers.max().clamp(min=1e-9)
        axes.imshow(
            0.7 * positive.numpy(), cmap=shades, vmin=0, vmax=1, extent=(left, right, len(words), 0)
        )
        middle: dict[str, Any] = {"ha": "center", "va": "center"}
        axes.text((left + right) / 2, -2.2, title, fontsize=9, **middle)
        for column, name in enumerate(columns):
            place = (left + column + 0.5, -0.2)
            axes.text(*place, name, fontsize=8.5, rotation=90, ha="center", va="bottom")
            for row in range(len(words)):
                number = f"{float(numbers[row, column]):g}".replace("-", "−")
                axes.text(left + column + 0.5, row + 0.5, number, fontsize=9, **middle)
        for row in range(len(words) if left else 0):
            axes.annotate(
                "",
                (left - 0.1, row + 0.5),
                (left - _GAP + 0.1, row + 0.5),
                arrowprops={"arrowstyle": "->", "color": PALETTE["neutral"]},
            )
        left = right + _GAP
    for row, word in enumerate(words):
        axes.text(-0.3, row + 0.5, word, ha="right", va="center", fontsize=8.5)
    axes.set(xlim=(-4, left - _GAP + 0.1), ylim=(len(words) + 0.1, -2.6), aspect="auto")
    axes.set_axis_off()
