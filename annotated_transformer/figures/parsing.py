"""The pictures of *Parsing*: trees, the table of CKY, the learning curve, and shares by parser."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from annotated_transformer.corpora.treebank import Tree
from annotated_transformer.figures import PALETTE

_COLOURS = ("target", "value", "source", "query")
_SHAPES = "osD^"


def trees_picture(
    trees: Mapping[str, Tree], *, marked: str = "PP", width: float = 0.72
) -> None:
    """Draw trees with their titles, one below the other; phrases of one label are marked.

    `width` is that of a word, in inches. Call `use_book_style` first.

    Raises:
        ValueError: there is no tree.
    """
    if not trees:
        raise ValueError("trees_picture: there is no tree")
    longest = max(len(tree.words) for tree in trees.values())
    heights = [_height(tree) for tree in trees.values()]
    size = (width * longest, 0.45 * sum(heights) + 0.55 * len(trees))
    _, panels = plt.subplots(
        len(trees), 1, figsize=size, squeeze=False, height_ratios=heights
    )
    for axes, (title, tree) in zip(panels[:, 0], trees.items(), strict=True):
        _draw(axes, tree, 0, marked)
        axes.set(xlim=(-0.6, longest - 0.4), ylim=(-0.4, _height(tree) + 0.3))
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_axis_off()


def _height(tree: Tree) -> int:
    """Of the label above the words: 1 for a tag."""
    return 1 + max((_height(child) for child in tree.children), default=0)


def _draw(axes: Any, tree: Tree, first: int, marked: str) -> float:
    """Draw a tree whose first word has the place `first`; the place of its label."""
    top = _height(tree)
    if tree.word is not None:
        places = [float(first)]
        _write(axes, first, 0, tree.word, weight="bold")
    else:
        places = []
        for child in tree.children:
            places.append(_draw(axes, child, first, marked))
            first += len(child.words)
    x = (places[0] + places[-1]) / 2
    colour = PALETTE["key"] if tree.label == marked else "black"
    below = [0] if tree.word is not None else map(_height, tree.children)
    labels = [child.label for child in tree.children] or [""]
    for place, y, label in zip(places, below, labels, strict=True):
        hot = label == marked
        axes.plot(
            [x, place],
            [top - 0.22, y + 0.24],
            color=PALETTE["key" if hot else "neutral"],
            lw=2.2 if hot else 1,
        )
    _write(axes, x, top, tree.label, color=colour)
    return x


def _write(axes: Any, x: float, y: float, text: str, **how: Any) -> None:
    axes.text(x, y, text, ha="center", va="center", fontsize=10.5, **how)


def table_picture(
    words: Sequence[str], cells: Mapping[tuple[int, int], Sequence[str]]
) -> None:
    """Draw the table of CKY: the cell of words i to j stands above them, the widest on top.

    Lines of a cell that begin with "*" are marked. Call `use_book_style` first.

    Raises:
        ValueError: a cell lies outside of the sentence.
    """
    n = len(words)
    if wrong := [span for span in cells if not 0 <= span[0] < span[1] <= n]:
        raise ValueError(
            f"table_picture: there are no words {wrong[0]} in a sentence of {n}"
        )
    _, axes = plt.subplots(figsize=(1.24 * n, 0.82 * n + 0.3))
    for i in range(n):
        for j in range(i + 1, n + 1):
            x, y = (i + j - 1) / 2, j - i
            axes.add_patch(
                Rectangle(
                    (x - 0.48, y - 0.44),
                    0.96,
                    0.88,
                    facecolor="none",
                    edgecolor=PALETTE["neutral"],
                    lw=0.8,
                )
            )
            lines = cells.get((i, j), ())
            for number, line in enumerate(lines):
                at = y + 0.24 * ((len(lines) - 1) / 2 - number)
                colour = PALETTE["key"] if line[0] == "*" else "black"
                _write(axes, x, at, line.lstrip("*"), color=colour)
    for x, word in enumerate(words):
        _write(axes, x, 0.3, word, weight="bold")
    axes.set(xlim=(-0.55, n - 0.45), ylim=(0.05, n + 0.5))
    axes.set_axis_off()


def curve_picture(
    series: Mapping[str, Mapping[int, Sequence[float]]],
    levels: Mapping[str, float],
    *,
    unit: str,
) -> None:
    """Draw scores over the number of trees: a mark for each run, a line through their means.

    `levels` are parsers that learn nothing. Call `use_book_style` first.

    Raises:
        ValueError: there are no scores, or more series than colours.
    """
    if not 0 < len(series) <= len(_COLOURS):
        raise ValueError(
            f"curve_picture: {len(series)} series; expected 1 to {len(_COLOURS)}"
        )
    _, axes = plt.subplots(figsize=(6, 4))
    sizes = sorted({n for runs in series.values() for n in runs})
    for (name, runs), colour, shape in zip(
        series.items(), _COLOURS, _SHAPES, strict=False
    ):
        shade = PALETTE[colour]
        means = [sum(values) / len(values) for values in runs.values()]
        axes.plot(list(runs), means, color=shade, lw=1.2)
        places = [n for n, values in runs.items() for _ in values]
        every = [value for values in runs.values() for value in values]
        axes.plot(
            places,
            every,
            shape,
            color=shade,
            ms=6,
            ls="",
            label=name,
            alpha=0.8,
        )
    for name, level in levels.items():
        axes.axhline(level, color=PALETTE["neutral"], lw=1.2, ls="--")
        axes.text(sizes[0], level + 1, name, fontsize=9.5, va="bottom")
    axes.set(xscale="log", ylim=(0, 104), xlabel="trees", ylabel=unit)
    axes.set_xticks(sizes, [f"{n:,}" for n in sizes])
    axes.minorticks_off()
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.12), ncols=2)


def shares_picture(
    panels: Mapping[str, Mapping[str, Sequence[float]]], *, unit: str
) -> None:
    """Draw a row for each parser and a mark for each of its runs, in panels side by side.

    Call `use_book_style` first.

    Raises:
        ValueError: there are no panels, or they have other rows than the first.
    """
    rows = list(next(iter(panels.values()), {}))
    if not rows or any(list(panel) != rows for panel in panels.values()):
        raise ValueError(
            "shares_picture: expected panels that all have the same rows"
        )
    size = (2.4 + 1.9 * len(panels), 0.7 + 0.36 * len(rows))
    _, axes = plt.subplots(
        1, len(panels), figsize=size, sharey=True, squeeze=False
    )
    for axis, (title, panel) in zip(axes[0], panels.items(), strict=True):
        for y, values in enumerate(panel.values()):
            axis.plot(
                values,
                [y] * len(values),
                "o",
                color=PALETTE["target"],
                ms=6,
                alpha=0.8,
            )
        axis.set_title(title, fontsize=10)
        axis.set(xlabel=unit, ylim=(len(rows) - 0.5, -0.5))
        axis.tick_params(axis="y", length=0)
    axes[0, 0].set_yticks(range(len(rows)), rows)
