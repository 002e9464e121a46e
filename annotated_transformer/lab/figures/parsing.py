"""The pictures of *Parsing*: trees, the table of CKY, the learning curve, and shares by parser."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from annotated_transformer.lab.corpora.treebank import Tree
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, set_log_axis
from annotated_transformer.lab.figures.lines import colours_of

_SHAPES = "osD^"
_MARKS = frozenset({".", ","})


def trees_picture(trees: Mapping[str, Tree], *, marked: str = "PP", width: float = 0.51) -> None:
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
    _, panels = plt.subplots(len(trees), 1, figsize=size, squeeze=False, height_ratios=heights)
    for axes, (title, tree) in zip(panels[:, 0], trees.items(), strict=True):
        _draw(axes, tree, 0, marked)
        axes.set(xlim=(-0.6, longest - 0.4), ylim=(-0.4, _height(tree) + 0.3))
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_axis_off()


def mirrored_picture(
    pairs: Mapping[str, tuple[Tree, Tree]],
    *,
    sides: tuple[str, str],
    marked: str = "PP",
    width: float = 0.51,
) -> None:
    """Draw two trees over the same words, the first upwards and the second downwards.

    So they differ where the picture is not its own mirror image. Tags are left
    out, and so are the marks of a sentence. `sides` names the two, `width` is
    that of a word, in inches. Call `use_book_style` first.

    Raises:
        ValueError: there is no pair, or the trees of one have other words.
    """
    for title, (one, other) in pairs.items():
        if one.words != other.words:
            raise ValueError(f"mirrored_picture: the trees of {title!r} have different words")
    if not pairs:
        raise ValueError("mirrored_picture: there is no pair of trees")
    longest = max(sum(leaf.label not in _MARKS for leaf in one.leaves) for one, _ in pairs.values())
    tops = [max(_height(tree) - 1 for tree in both) for both in pairs.values()]
    size = (width * longest, sum(0.6 * top + 1 for top in tops))
    _, panels = plt.subplots(len(pairs), 1, figsize=size, squeeze=False, height_ratios=tops)
    for axes, top, (title, both) in zip(panels[:, 0], tops, pairs.items(), strict=True):
        for place, leaf in enumerate(both[0].leaves):
            if leaf.label not in _MARKS:
                _write(axes, place, 0, str(leaf.word))
        for tree, way, side in zip(both, (1, -1), sides, strict=True):
            _draw_phrases(axes, tree, 0, marked, way)
            axes.text(
                longest - 0.5,
                way * top,
                side,
                fontsize=9.5,
                ha="right",
                va="center",
                color=PALETTE["neutral"],
            )
        axes.set(xlim=(-0.6, longest - 0.4), ylim=(-top - 0.5, top + 0.5))
        axes.set_title(title, fontsize=11, loc="left")
        axes.set_axis_off()


def _draw_phrases(axes: Any, tree: Tree, first: int, marked: str, way: int) -> tuple[float, int]:
    """Draw the labels of phrases above the words, or below where `way` is -1.

    Returns the place of the topmost label and its height, which is 0 for a word.
    """
    if tree.word is not None:
        return float(first), 0
    below = []
    for child in tree.children:
        if child.label not in _MARKS:
            below.append((*_draw_phrases(axes, child, first, marked, way), child.label == marked))
        first += len(child.words)
    x, top = (below[0][0] + below[-1][0]) / 2, 1 + max(height for _, height, _ in below)
    for place, height, hot in below:
        axes.plot(
            [x, place],
            [way * (top - 0.24), way * (height + 0.28)],
            color=PALETTE["key" if hot else "neutral"],
            lw=2.2 if hot else 1,
        )
    _write(
        axes, x, way * top, tree.label, color=PALETTE["key"] if tree.label == marked else "black"
    )
    return x, top


def _height(tree: Tree) -> int:
    """Return the height of a label above the words: 1 for a tag."""
    return 1 + max((_height(child) for child in tree.children), default=0)


def _draw(axes: Any, tree: Tree, first: int, marked: str) -> float:
    """Draw a tree whose first word has the place `first`; the place of its label."""
    top = _height(tree)
    if tree.word is not None:
        places = [float(first)]
        _write(axes, first, 0, tree.word)
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
    axes.text(x, y, text, ha="center", va="center", **{"fontsize": 10} | how)


def table_picture(words: Sequence[str], cells: Mapping[tuple[int, int], Sequence[str]]) -> None:
    """Draw the table of CKY: the cell of words i to j stands above them, the widest on top.

    Lines of a cell that begin with "*" are marked. Call `use_book_style` first.

    Raises:
        ValueError: a cell lies outside of the sentence.
    """
    n = len(words)
    if wrong := [span for span in cells if not 0 <= span[0] < span[1] <= n]:
        raise ValueError(f"table_picture: there are no words {wrong[0]} in a sentence of {n}")
    _, axes = plt.subplots(figsize=(0.72 * n, 0.62 * n + 0.3))
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
                at = y + 0.3 * ((len(lines) - 1) / 2 - number)
                colour = PALETTE["key"] if line[0] == "*" else "black"
                _write(axes, x, at, line.lstrip("*"), color=colour, fontsize=9)
    for x, word in enumerate(words):
        _write(axes, x, 0.3, word)
    axes.set(xlim=(-0.55, n - 0.45), ylim=(0.05, n + 0.5))
    axes.set_axis_off()


def curve_picture(
    series: Mapping[str, Mapping[int, Sequence[float]]], levels: Mapping[str, float], *, unit: str
) -> None:
    """Draw scores over the number of trees: a mark for each run, a line through their means.

    `levels` are parsers that learn nothing. Call `use_book_style` first.

    Raises:
        ValueError: there are no scores, or more series than colours.
    """
    if not 0 < len(series) <= len(_SHAPES):
        raise ValueError(f"curve_picture: {len(series)} series; expected 1 to {len(_SHAPES)}")
    figure, axes = plt.subplots(figsize=(PHONE_WIDTH, 3.2))
    sizes = sorted({n for runs in series.values() for n in runs})
    colours = colours_of([*series])
    for (name, runs), colour, shape in zip(series.items(), colours, _SHAPES, strict=False):
        shade = PALETTE[colour]
        means = [sum(values) / len(values) for values in runs.values()]
        axes.plot(list(runs), means, color=shade, lw=1.2)
        places = [n for n, values in runs.items() for _ in values]
        every = [value for values in runs.values() for value in values]
        axes.plot(places, every, shape, color=shade, ms=6, ls="", label=name, alpha=0.8)
    for name, level in levels.items():
        axes.axhline(level, color=PALETTE["neutral"], lw=1.2, ls="--")
        low = level < 50  # written where the curves are not
        x, side = (sizes[-1], "right") if low else (sizes[0], "left")
        axes.text(x, level + 1, name, fontsize=9.5, va="bottom", ha=side)
    axes.set(ylim=(0, 104), xlabel="trees", ylabel=unit)
    set_log_axis(axes, "x", sizes)
    axes.tick_params(axis="x", labelsize=8.5)
    _name_marks(figure, len(series))


def _name_marks(figure: Any, n: int) -> None:
    """Write the names of n kinds of marks above a picture, close enough for a phone."""
    figure.legend(
        loc="outside upper center", ncols=n, fontsize=9.5, columnspacing=1.2, handletextpad=0.2
    )


def shares_picture(
    kinds: Mapping[str, Mapping[str, Sequence[float]]], *, unit: str, log_x: bool = False
) -> None:
    """Draw a row for each parser, with a mark for each run; each kind of share has its own shape.

    With `log_x` equal steps are equal ratios. Call `use_book_style` first.

    Raises:
        ValueError: there are no rows, a kind has other rows than the first, or
            there are more kinds than shapes.
    """
    rows = list(next(iter(kinds.values()), {}))
    if not rows or any(list(shares) != rows for shares in kinds.values()):
        raise ValueError("shares_picture: expected kinds that all have the same rows")
    if len(kinds) > len(_SHAPES):
        raise ValueError(f"shares_picture: {len(kinds)} kinds; expected at most {len(_SHAPES)}")
    figure, axes = plt.subplots(figsize=(PHONE_WIDTH, 1.1 + 0.42 * len(rows)))
    colours = colours_of([*kinds])
    for n, (name, shares) in enumerate(kinds.items()):
        lower = 0.17 * (n - (len(kinds) - 1) / 2)
        places = [y + lower for y, row in enumerate(rows) for _ in shares[row]]
        values = [value for row in rows for value in shares[row]]
        shape, shade = _SHAPES[n], PALETTE[colours[n]]
        axes.plot(values, places, shape, color=shade, ms=6, label=name, alpha=0.8)
    axes.set(xlabel=unit, ylim=(len(rows) - 0.5, -0.5))
    if log_x:
        every = [n for shares in kinds.values() for values in shares.values() for n in values]
        set_log_axis(axes, "x", every)
    axes.set_yticks(range(len(rows)), rows)
    axes.tick_params(axis="y", length=0)
    if len(kinds) > 1:
        _name_marks(figure, len(kinds))
