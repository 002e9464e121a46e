"""The picture of *Why attention*: one vector for a whole sentence, or attention to every token."""

from collections.abc import Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.patches import FancyBboxPatch

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH

_ARROW: dict[str, Any] = {"arrowstyle": "->", "color": PALETTE["neutral"], "lw": 1.2}
_BOX = "round,pad=0,rounding_size=0.08"
_READ, _WRITE = 0.0, 2.4  # heights of the two rows


def context_picture(source: Sequence[str], target: Sequence[str], looking: int) -> None:
    """Draw an encoder-decoder twice: without attention, and with it.

    In the upper panel all information goes through one box; in the lower one, target token number
    `looking` draws on all source tokens. Call `use_book_style` first.

    Raises:
        ValueError: a side has no words, or there is no target token of that number.
    """
    if not source or not 0 <= looking < len(target):
        raise ValueError(f"context_picture: no word {looking} among {len(target)}, or no source")
    _, panels = plt.subplots(2, 1, figsize=(PHONE_WIDTH, 4.8))
    for axes, title in zip(panels, ("without attention", "with attention"), strict=True):
        shift = (len(source) - len(target)) / 2
        _row(axes, source, _READ, 0.0, PALETTE["source"])
        _row(axes, target, _WRITE, shift, PALETTE["target"])
        if axes is panels[0]:
            _through_one_box(axes, len(source), [x + shift for x in range(len(target))])
        else:
            for x in range(len(source)):
                _arrow(axes, (x, _READ + 0.3), (looking + shift, _WRITE - 0.3))
        axes.set(xlim=(-0.45, len(source) - 0.55), ylim=(-0.6, 3.1), title=title)
        axes.set_axis_off()


def _row(axes: Any, words: Sequence[str], height: float, shift: float, colour: str) -> None:
    """Draw boxes side by side, with an arrow from each to the next."""
    for number, word in enumerate(words):
        x = number + shift
        axes.add_patch(
            FancyBboxPatch(
                (x - 0.38, height - 0.2), 0.76, 0.4, boxstyle=_BOX, fc="white", ec=colour, lw=1.6
            )
        )
        axes.text(x, height, word, ha="center", va="center", fontsize=9)
        if number:
            _arrow(axes, (x - 0.62, height), (x - 0.38, height))


def _through_one_box(axes: Any, n_source: int, targets: Sequence[float]) -> None:
    middle, height = (n_source - 1) / 2, 1.2
    box = FancyBboxPatch(
        (middle - 0.5, height - 0.15),
        1.0,
        0.3,
        boxstyle=_BOX,
        fc=PALETTE["key"],
        ec=PALETTE["key"],
        alpha=0.5,
    )
    axes.add_patch(box)
    axes.text(middle, height, "context", ha="center", va="center", fontsize=9)
    _arrow(axes, (n_source - 1, _READ + 0.3), (middle + 0.4, height - 0.25))
    _arrow(axes, (0, _READ + 0.3), (middle - 0.4, height - 0.25))
    for x in targets:
        _arrow(axes, (middle, height + 0.25), (x, _WRITE - 0.3))


def _arrow(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    axes.annotate("", end, start, arrowprops=_ARROW)
