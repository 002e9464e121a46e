"""Pictures of the chapter *Tokens and embeddings*."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from jaxtyping import Float
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle
from torch import Tensor

from annotated_transformer.lab.analysis.subwords import Merge, apply_merges, split_words
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, log_axis

_SHOWN = 12  # components of a row
_WIDEST = 8  # pieces side by side


def lookup_picture(
    text: str, pieces: Sequence[str], ids: Sequence[int], rows: Float[Tensor, "token d_model"]
) -> Axes:
    """Draw a line of text, its pieces, their ids, and the first components of their rows.

    Raises ValueError unless there are as many pieces as ids and rows, and at most eight.
    """
    if not (len(pieces) == len(ids) == len(rows) and 1 <= len(pieces) <= _WIDEST):
        raise ValueError(
            f"lookup_picture: {len(pieces)} pieces, {len(ids)} ids and {len(rows)} rows; "
            f"expected as many of each, 1 to {_WIDEST}"
        )
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 3.2))
    shades = LinearSegmentedColormap.from_list("", [PALETTE["key"], "white", PALETTE["query"]])
    box = {"boxstyle": "round,pad=0.3", "facecolor": "white", "edgecolor": PALETTE["source"]}
    largest = float(rows[:, :_SHOWN].abs().max())
    for step, (piece, i, row) in enumerate(zip(pieces, ids, rows, strict=True)):
        axes.text(step, 2.4, piece, ha="center", va="center", fontsize=12, bbox=box)
        axes.text(step, 1.4, str(i), ha="center", va="center", fontsize=12)
        edges = (step - 0.28, step + 0.28, -2.6, 0.6)
        column = row[:_SHOWN, None].numpy()
        axes.imshow(column, cmap=shades, vmin=-largest, vmax=largest, extent=edges, aspect="auto")
        for top, bottom in ((3.1, 2.75), (2.0, 1.65), (1.15, 0.65)):
            axes.annotate("", (step, bottom), (step, top), arrowprops={"arrowstyle": "->"})
    middle = (len(pieces) - 1) / 2
    axes.text(middle, 3.35, text, ha="center", va="center", fontsize=13)
    for y, name in ((2.4, "pieces"), (1.4, "ids"), (-1.0, "rows")):
        axes.text(-0.6, y, name, ha="right", va="center", color=PALETTE["neutral"], fontsize=11)
    axes.set(xlim=(-1.3, len(pieces) - 0.5), ylim=(-2.7, 3.6))
    axes.set_axis_off()
    return axes


def merges_picture(words: Sequence[str], merges: Sequence[Merge]) -> Axes:
    """Draw words in pieces after each merge: a row of boxes for each, from characters on.

    The piece that a merge has just made is filled. Raises ValueError for no words, a text of
    several words, and more than 30 characters or 20 merges in all.
    """
    cut = [split_words(word) for word in words]
    length = sum(len(word) for parts in cut for word in parts)
    if not words or any(len(parts) != 1 for parts in cut):
        raise ValueError(f"merges_picture: expected single words, got {words}")
    if length > 30 or len(merges) > 20:
        raise ValueError(
            f"merges_picture: {length} characters and {len(merges)} merges; draw at most 30 and 20"
        )
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 0.3 * len(merges) + 0.5))
    for step in range(len(merges) + 1):
        new = merges[step - 1].piece if step else None
        left = 0.0
        for [word] in cut:
            *_, pieces = apply_merges(word, merges[:step])
            for piece in pieces:
                _piece_box(axes, left, step, piece, filled=piece == new)
                left += len(piece)
            left += 0.6  # between two words
    names = [f"{merge.left} + {merge.right}" for merge in merges]
    axes.set_yticks(range(len(merges) + 1), ["characters", *names], fontsize=8.5)
    axes.set(xlim=(-0.1, left), ylim=(len(merges) + 0.6, -0.6), xticks=[])
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
    return axes


def _piece_box(axes: Axes, left: float, row: int, piece: str, *, filled: bool) -> None:
    box = Rectangle((left + 0.06, row - 0.36), len(piece) - 0.12, 0.72, linewidth=0.7)
    box.set_facecolor(PALETTE["source"] if filled else "white")
    box.set_edgecolor(PALETTE["neutral"])
    axes.add_patch(box)
    axes.text(left + len(piece) / 2, row, piece, ha="center", va="center", fontsize=8.5)


def next_token_chart(records: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the likeliest next tokens after each prefix, on a logarithmic axis.

    `records` hold `after` (the prefix), `token` and `probability`, likeliest first. Raises
    ValueError when there are none.
    """
    if not records:
        raise ValueError("next_token_chart: there are no records to draw")
    labels: list[str] = []
    headings: list[int] = []
    points: list[dict[str, Any]] = []
    prefix = None
    for record in records:
        rank = "other"
        if record["after"] != prefix:
            rank, prefix = "likeliest", record["after"]
            headings.append(len(labels))
            labels.append(f"after {prefix}")
        points.append({**record, "line": len(labels), "place": rank})
        labels.append(record["token"])
    ink = alt.Scale(domain=["likeliest", "other"], range=[PALETTE["target"], PALETTE["neutral"]])
    axis = alt.Axis(
        labelExpr=f"{json.dumps(labels, ensure_ascii=False)}[datum.value]",
        labelFontSize=13,
        labelFontWeight=alt.expr(f"indexof({headings}, datum.value) < 0 ? 'normal' : 'bold'"),
        labelLimit=160,
        labelOverlap=False,
        ticks=False,
    )
    return (
        alt.Chart(alt.Data(values=points))
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=alt.X("probability:Q", **log_axis(record["probability"] for record in records)),
            y=alt.Y("line:O", title=None, axis=axis, scale=alt.Scale(domain=[*range(len(labels))])),
            color=alt.Color("place:N", legend=None, scale=ink),
            shape=alt.Shape("place:N", legend=None),
            tooltip=["after:N", "token:N", alt.Tooltip("probability:Q", format=".4f")],
        )
        .properties(height=alt.Step(18))
    )
