"""The picture of *Table 3 in miniature*: what each row changes, in the paper and here."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt

from annotated_transformer.lab.analysis.table3 import Difference
from annotated_transformer.lab.figures import PALETTE

_MARKS = {"same sign": "o", "other sign": "X", "cannot be told": "|"}


def signs_picture(
    differences: Sequence[Difference], unit: str, here: Mapping[str, str] | None = None
) -> None:
    """Draw each row's difference from base, the paper's on the left and ours on the right.

    Ours has a mark for each seed, whose shape is the verdict, and a bar that reaches as far as the
    noise on both sides of 0. Both have one scale. `here` says what a row changes in our model, such
    as "n_layers=1"; a size that is not the paper's stands behind it in parentheses. Call
    `use_book_style` first.

    Raises:
        ValueError: there is no row.
    """
    if not differences:
        raise ValueError("signs_picture: no rows; expected one at least")
    n = len(differences)
    _, (paper, ours) = plt.subplots(1, 2, figsize=(5.2, 0.6 + 0.27 * n), sharex=True, sharey=True)
    for place, difference in enumerate(differences):
        ours.barh(
            place,
            2 * difference.noise,
            0.8,
            -difference.noise,
            color=PALETTE["neutral"],
            alpha=0.25,
        )
        paper.plot(difference.paper, place, "D", color=PALETTE["source"], ms=5)
        colour = PALETTE["key" if difference.verdict == "other sign" else "query"]
        if difference.verdict == "cannot be told":
            colour = PALETTE["neutral"]
        places = [place] * len(difference.ours)
        ours.plot(difference.ours, places, _MARKS[difference.verdict], color=colour, ms=6, ls="")
    names = [
        _name(difference.row, (here or {}).get(difference.row, "")) for difference in differences
    ]
    paper.set_yticks(range(n), names)
    for axes, title in ((paper, "the paper, one run"), (ours, "ours, three seeds")):
        _finish(axes, title, unit, n)


def _name(row: str, here: str) -> str:
    """Return the row, and our size where it is another."""
    field, _, value = row.partition(": ")[2].partition("=")
    ours = dict(change.split("=") for change in here.split(", ") if "=" in change)
    other = ours.get(field, value)
    return row if other == value else f"{row} ({other})"


def _finish(axes: Any, title: str, unit: str, n: int) -> None:
    axes.use_sticky_edges = False  # bars get a margin, as marks do
    axes.autoscale_view()
    axes.axvline(0, color="black", lw=0.8)
    axes.set_title(title, fontsize=10)
    axes.set(xlabel=unit, ylim=(n - 0.4, -0.6))
    axes.tick_params(length=0)
