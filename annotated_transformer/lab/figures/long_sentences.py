"""Pictures of *The cost of n squared*: what each way computes and keeps, and curves in panels."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Patch, Rectangle

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, set_log_axis

SIDE = 8
"""Tokens of the text in `ways_picture`."""
_KEPT, _FORGOTTEN, _NEVER = PALETTE["query"], "#B9D6E8", "white"
_MARKS = {"query": "o", "key": "s", "value": "^", "source": "D", "target": "v", "neutral": "X"}


def ways_picture() -> None:
    """Draw which scores of eight tokens five ways to attend compute, and which stand at a moment.

    Call `use_book_style` first.
    """
    _, panels = plt.subplots(3, 2, figsize=(PHONE_WIDTH, 5.4))
    explicit, tiles, window, linear, shared, legend = panels.flat
    _squares(explicit, "explicit", lambda _i, _j: _KEPT)
    _squares(tiles, "in tiles", lambda i, j: _KEPT if i // 2 == 2 and j // 2 == 1 else _FORGOTTEN)
    _squares(window, "window", lambda i, j: _KEPT if abs(i - j) <= 1 else _NEVER)
    _squares(linear, "linear", lambda _i, _j: _NEVER)
    middle = SIDE / 2 - 1
    state = Rectangle((middle, middle), 2, 2, fc=PALETTE["value"], ec="white")
    linear.add_patch(state)
    shared.set_title("shared keys", fontsize=10)
    for head in range(4):
        high = 2 * head + 0.25
        shared.add_patch(Rectangle((0.5, high), 1.2, 1.5, fc=PALETTE["query"], ec="white"))
        group = 4 * (head // 2) + 1.25
        shared.plot([1.7, 6.3], [high + 0.75, group + 0.75], color=PALETTE["neutral"])
    for group in range(2):
        shared.add_patch(
            Rectangle((6.3, 4 * group + 1.25), 1.2, 1.5, fc=PALETTE["key"], ec="white")
        )
    _bare(shared)
    _bare(legend)
    legend.set_frame_on(False)
    legend.legend(
        handles=[
            Patch(fc=_KEPT, ec="#999999", label="held at a moment"),
            Patch(fc=_FORGOTTEN, ec="#999999", label="once, then gone"),
            Patch(fc=_NEVER, ec="#999999", label="never computed"),
            Patch(fc=PALETTE["value"], label="fixed state"),
        ],
        loc="center",
        fontsize=9,
    )


class Line(NamedTuple):
    """One run, or what a formula says."""

    name: str
    """Lines of one name have one entry in the legend."""
    x: Sequence[float]
    """Where its points are."""
    y: Sequence[float]
    """How high each point is."""
    colour: str
    """A key of `PALETTE`; the points have its shape."""
    dashed: bool = False
    """Whether it is drawn in dashes."""


def lines_picture(
    panels: Mapping[str, Sequence[Line]],
    *,
    x: str,
    y: Sequence[str],
    log: Sequence[str] = ("x",),
    until: float | None = None,
) -> None:
    """Draw panels below each other on one axis of x, with one legend.

    `y` has a title for each panel; `log` names the axes that are logarithmic. `until` is marked by
    an upright line.
    Call `use_book_style` first.

    Raises:
        ValueError: no panel, a panel without lines, not a title for each, or a
            line whose x and y differ in number.
    """
    if not panels or not all(panels.values()):
        raise ValueError("lines_picture: a panel has nothing to draw")
    if len(y) != len(panels):
        raise ValueError(f"lines_picture: {len(y)} titles for {len(panels)} panels")
    size = (PHONE_WIDTH, 2.2 * len(panels) + 0.7)
    figure, drawn = plt.subplots(len(panels), 1, figsize=size, sharex=True, squeeze=False)
    named = {}
    for axes, (title, lines), label in zip(drawn[:, 0], panels.items(), y, strict=True):
        for line in lines:
            if len(line.x) != len(line.y):
                raise ValueError(
                    f"lines_picture: {line.name!r} has {len(line.x)} x and {len(line.y)} y"
                )
            (named[line.name],) = axes.plot(
                line.x,
                line.y,
                color=PALETTE[line.colour],
                marker="" if line.dashed else _MARKS[line.colour],
                ls="--" if line.dashed else "-",
                ms=4,
                lw=1.1,
            )
        if until is not None:
            axes.axvline(until, color="#333333", lw=0.9, ls=":")
        axes.set_title(title, fontsize=10)
        axes.set_ylabel(label)
        if "y" in log:
            set_log_axis(axes, "y", [n for line in lines for n in line.y], most=5)
    ticks = sorted({n for lines in panels.values() for q in lines for n in q.x})
    if "x" in log:
        set_log_axis(drawn[-1, 0], "x", ticks)
    else:
        drawn[-1, 0].set_xticks(ticks)
    if len(drawn[-1, 0].get_xticks()) > 6:
        drawn[-1, 0].tick_params(axis="x", labelsize=8.5)
    drawn[-1, 0].set_xlabel(x)
    figure.legend(named.values(), named, loc="outside upper center", ncols=2, fontsize=9)


def _squares(axes: Axes, title: str, colour_of: Callable[[int, int], str]) -> None:
    """Draw a square for each score; row i is a query, column j a key."""
    for i in range(SIDE):
        for j in range(SIDE):
            axes.add_patch(Rectangle((j, i), 1, 1, fc=colour_of(i, j), ec="#bbbbbb", lw=0.5))
    axes.set_title(title, fontsize=10)
    _bare(axes)


def _bare(axes: Axes) -> None:
    """Make a panel without axes, as high as it is wide."""
    axes.set(xlim=(-0.1, SIDE + 0.1), ylim=(SIDE + 0.1, -0.1), aspect="equal")
    axes.set(xticks=[], yticks=[])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
