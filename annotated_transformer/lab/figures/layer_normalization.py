"""Pictures of what a normalisation averages over, where it puts a row, and what theory predicts.

Chapter: *LayerNorm and residuals*. Colour is never the only sign: averaged numbers are also framed,
padding is hatched, and theory is dashed.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import torch
from jaxtyping import Float
from matplotlib import pyplot as plt
from matplotlib.patches import Circle, Rectangle
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, line_chart, log_axis
from annotated_transformer.layers import layer_norm


def circle_picture(rows: Float[Tensor, "row 3"], names: Sequence[str]) -> None:
    """Draw rows of three components, and where LayerNorm (gain 1, bias 0) sends them.

    The view is along (1, 1, 1), so rows that differ by a shift are one point, and the rows that
    LayerNorm can return lie on a circle of radius sqrt(3). An empty name is not written.

    Raises ValueError when there is no row, or not one name for each row.
    """
    if not names:
        raise ValueError("circle_picture: there are no rows to draw")
    if len(names) != len(rows):
        raise ValueError(f"circle_picture: {len(rows)} rows, but {len(names)} names")
    directions = torch.tensor([[1.0, -1.0, 0.0], [1.0, 1.0, -2.0]], dtype=rows.dtype)
    plane = directions / directions.norm(dim=1, keepdim=True)
    ends = layer_norm(rows, torch.ones_like(rows[0]), torch.zeros_like(rows[0]))
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, PHONE_WIDTH))
    axes.add_patch(Circle((0, 0), math.sqrt(3), fill=False, color=PALETTE["neutral"]))
    axes.plot(0, 0, "+", color=PALETTE["neutral"])
    points = torch.stack([rows @ plane.mT, ends @ plane.mT], dim=1).tolist()
    for name, (start, end) in zip(names, points, strict=True):
        arrow = {"arrowstyle": "->", "color": PALETTE["neutral"], "mutation_scale": 7}
        axes.annotate("", end, start, arrowprops=arrow | {"shrinkA": 3, "shrinkB": 3})
        axes.plot(*start, "o", color=PALETTE["source"], fillstyle="none", markersize=5)
        axes.plot(*end, "o", color=PALETTE["target"], markersize=5)
        axes.annotate(name, start, (8, -10), textcoords="offset points")
    axes.set_aspect("equal")
    axes.set_axis_off()


def averaged_picture(sentences: Sequence[Sequence[str]], d_model: int) -> None:
    """Draw a padded batch twice, as token rows of `d_model` components each.

    On the left a frame marks the numbers that one LayerNorm averages, those of the second token;
    on the right those of one BatchNorm, the second component of all tokens. Padding is hatched.

    Raises ValueError for no sentence, a sentence without tokens, more than 60 rows, or a number of
    components that is not 2 to 60.
    """
    if not sentences or not all(sentences) or d_model not in range(2, 61):
        raise ValueError("averaged_picture: give sentences with tokens, and d_model from 2 to 60")
    longest = max(map(len, sentences))
    if longest * len(sentences) > 60:
        raise ValueError(f"averaged_picture: {longest * len(sentences)} rows; draw at most 60")
    words = [word for s in sentences for word in [*s, *[""] * (longest - len(s))]]
    size = (PHONE_WIDTH, 0.29 * len(words) + 0.4)
    _, panels = plt.subplots(1, 2, figsize=size, sharey=True)
    frames = {"LayerNorm": (0, 1, d_model, 1), "BatchNorm": (1, 0, 1, len(words))}
    for axes, (title, (x, y, width, height)) in zip(panels, frames.items(), strict=True):
        for row, word in enumerate(words):
            for column in range(d_model):
                inside = x <= column < x + width and y <= row < y + height
                _cell(axes, column, row, padding=not word, inside=inside)
        axes.add_patch(Rectangle((x, y), width, height, fill=False, edgecolor="black", lw=2.5))
        axes.set(xlim=(-0.1, d_model + 0.1), ylim=(len(words) + 0.1, -0.1))
        axes.set_title(title, fontsize=10)
        axes.set_xticks([])
        axes.set_yticks([row + 0.5 for row in range(len(words))], words)
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)


def _cell(axes: Any, column: int, row: int, *, padding: bool, inside: bool) -> None:
    cell = Rectangle((column + 0.05, row + 0.05), 0.9, 0.9, linewidth=0.6)
    cell.set_facecolor(PALETTE["query"] if inside else "white")
    cell.set_edgecolor("white" if inside else PALETTE["neutral"])
    cell.set_hatch("////" if padding else "")
    axes.add_patch(cell)


def theory_chart(
    records: Sequence[Mapping[str, Any]],
    theory: Sequence[Mapping[str, Any]],
    *,
    x: str,
    y: str,
    by: str,
    x_ticks: Sequence[int] = (),
) -> Any:
    """Draw a measured line for each value of the field `by`, and dashed the theory of each.

    `theory` holds records of the same fields. The y axis is logarithmic, and so is that of x where
    it has no `x_ticks`. Raises ValueError as `line_chart` does, and for a number that a logarithmic
    axis cannot show.
    """
    for row in (*records, *theory):
        for field in (y,) if x_ticks else (x, y):
            if not row[field] > 0:
                raise ValueError(f"theory_chart: {field}={row[field]} on a logarithmic axis")
    lines = line_chart(records, x=x, y=y, by=by)
    rows = [{field: row[field] for field in (x, y, by)} for row in theory]
    across: dict[str, Any] = {"scale": alt.Scale(nice=False)}
    across["axis"] = alt.Axis(values=list(x_ticks))
    across = across if x_ticks else log_axis(row[x] for row in (*records, *rows))
    places = alt.X(f"{x}:Q", **across), alt.Y(f"{y}:Q", **log_axis(r[y] for r in (*records, *rows)))
    dashes = alt.Chart(alt.Data(values=rows)).mark_line(strokeDash=[8, 6], color="currentColor")
    dashes = dashes.encode(*places, detail=f"{by}:N")
    return (lines.encode(*places) + dashes).properties(height=280).configure_legend(columns=2)
