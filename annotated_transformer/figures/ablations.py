"""The picture of *Table 3 in miniature*: what each row changes, in the paper and here."""

from collections.abc import Sequence
from typing import Any

from matplotlib import pyplot as plt

from annotated_transformer.analysis.table3 import Difference
from annotated_transformer.figures import PALETTE

_MARKS = {"same sign": "o", "other sign": "X", "cannot be told": "|"}


def signs_picture(differences: Sequence[Difference], unit: str) -> None:
    """Draw each row's difference from base, the paper's on the left and ours on the right.

    Ours has a mark for each seed, whose shape is the verdict, and a bar that reaches as far as the
    noise on both sides of 0. Both have one scale. Call `use_book_style` first.

    Raises:
        ValueError: there is no row.
    """
    if not differences:
        raise ValueError("signs_picture: no rows; expected one at least")
    n = len(differences)
    _, (paper, ours) = plt.subplots(
        1, 2, figsize=(6.6, 0.6 + 0.27 * n), sharex=True, sharey=True
    )
    for place, found in enumerate(differences):
        ours.barh(
            place,
            2 * found.noise,
            0.8,
            -found.noise,
            color=PALETTE["neutral"],
            alpha=0.25,
        )
        paper.plot(found.paper, place, "D", color=PALETTE["source"], ms=5)
        colour = PALETTE["key" if found.verdict == "other sign" else "query"]
        if found.verdict == "cannot be told":
            colour = PALETTE["neutral"]
        places = [place] * len(found.ours)
        ours.plot(
            found.ours, places, _MARKS[found.verdict], color=colour, ms=6, ls=""
        )
    paper.set_yticks(range(n), [found.row for found in differences])
    for axes, title in (
        (paper, "the paper, one run"),
        (ours, "ours, three seeds"),
    ):
        _finish(axes, title, unit, n)


def _finish(axes: Any, title: str, unit: str, n: int) -> None:
    axes.axvline(0, color="black", lw=0.8)
    axes.set_title(title, fontsize=10)
    axes.set(xlabel=unit, ylim=(n - 0.4, -0.6))
    axes.tick_params(length=0)
