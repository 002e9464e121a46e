"""The picture of *Table 3 in miniature*: what each row changes, in the paper and here."""

from collections.abc import Mapping, Sequence

from matplotlib import pyplot as plt
from matplotlib.colors import to_rgba
from matplotlib.lines import Line2D

from annotated_transformer.lab.analysis.table3 import Difference
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH

_MARKS = {"same sign": "o", "other sign": "X", "cannot be told": "|"}
_COLOURS = {"same sign": "query", "other sign": "key", "cannot be told": "neutral"}
_SIZES = {"same sign": 5.5, "other sign": 5.5, "cannot be told": 9}
"""In points: a stroke is longer than the end of a bar."""
_NAMES = {
    "n_heads": "{} heads",
    "d_k": "keys of {}",
    "n_layers": "{} layers",
    "d_model": "vectors of {}",
    "d_ff": "networks of {}",
    "dropout": "dropout {}",
    "label_smoothing": "label smoothing {}",
    "positions": "{} positions",
}
"""What a row's field is called in the text."""


def signs_picture(
    differences: Sequence[Difference], unit: str, here: Mapping[str, str] | None = None
) -> None:
    """Draw each row's difference from base: the paper's, and below it ours.

    Ours has a mark for each seed, whose shape is the verdict, and a bar that reaches as far as the
    noise on both sides of 0. A row such as "C: n_layers=2" is named in words. `here` says what it
    changes in our model, such as "n_layers=1"; a size that is not the paper's stands behind it in
    parentheses. Call `use_book_style` first.

    Raises:
        ValueError: there is no row.
    """
    if not differences:
        raise ValueError("signs_picture: no rows; expected one at least")
    figure, axes = plt.subplots(figsize=(PHONE_WIDTH, 0.95 + 0.3 * len(differences)))
    for place, difference in enumerate(differences):
        above, below = place - 0.18, place + 0.18
        axes.barh(
            below,
            2 * difference.noise,
            0.28,
            -difference.noise,
            color=to_rgba(PALETTE["neutral"], 0.25),
            edgecolor=PALETTE["neutral"],  # the paler bar alone is lost on a dark page
            lw=0.6,
        )
        axes.plot(difference.paper, above, "D", color=PALETTE["source"], ms=4.5)
        colour = PALETTE[_COLOURS[difference.verdict]]
        places = [below] * len(difference.ours)
        mark, size = _MARKS[difference.verdict], _SIZES[difference.verdict]
        axes.plot(difference.ours, places, mark, color=colour, ms=size, ls="")
    names = [
        _name(difference.row, (here or {}).get(difference.row, "")) for difference in differences
    ]
    axes.set_yticks(range(len(names)), names)
    axes.use_sticky_edges = False  # bars get a margin, as marks do
    axes.autoscale_view()
    axes.axvline(0, color="black", lw=0.8)
    axes.set(xlabel=unit, ylim=(len(names) - 0.4, -0.6))
    axes.tick_params(length=0)
    figure.legend(handles=_legend(), loc="outside upper center", ncols=2, fontsize=9)


def _legend() -> list[Line2D]:
    """Return a mark of each kind with its name."""
    kinds = [("the paper, one run", "D", "source", 5.5)]
    kinds += [(f"ours: {v}", _MARKS[v], _COLOURS[v], _SIZES[v]) for v in _MARKS]
    return [
        Line2D([], [], marker=mark, color=PALETTE[colour], ms=size, ls="", label=name)
        for name, mark, colour, size in kinds
    ]


def _name(row: str, here: str) -> str:
    """Return the row in words, and our size where it is another."""
    group, _, change = row.partition(": ")
    field, _, value = change.partition("=")
    if field not in _NAMES:
        return row
    name = "1 head" if change == "n_heads=1" else _NAMES[field].format(value)
    ours = dict(change.split("=") for change in here.split(", ") if "=" in change)
    other = ours.get(field, value)
    return f"{group}: {name}" + (f" ({other})" if other != value else "")
