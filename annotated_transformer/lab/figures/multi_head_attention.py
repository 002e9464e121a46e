"""Pictures of heads: how a module splits its width, where heads look, what each contributes.

Chapter: *Multi-head attention*. The charts take rows as `head_profile` and the program
`experiments/head_ablation.py` make them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import torch
from jaxtyping import Float
from matplotlib import pyplot as plt
from matplotlib.colors import LinearSegmentedColormap
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.inspection import record_attention
from annotated_transformer.lab.analysis.heads import head_matrices
from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.ink import number_ink

_GAP = 0.8  # between two heads, in squares

_KINDS = ("previous", "same", "next", "begin", "end", "writing", "reading")
_CASES = {"without": "all but it", "alone": "it alone", "none left": "no head"}


def head_name(attention: str, head: int) -> str:
    """Name a head as the charts do, counted from 1: "cross 2.3" is head 3 of decoder layer 2."""
    side, _, layer, kind = attention.split(".")
    return f"{'cross' if kind == 'cross_attention' else side} {int(layer) + 1}.{head + 1}"


def split_diagram(module: MultiHeadAttention, x: Float[Tensor, "length d_model"]) -> None:
    """Draw self-attention of `x` from its tensors: split, attend, concatenate, project.

    Each token has a row of squares; the darker a square, the larger its number. A gap separates
    two heads. The figure is pyplot's current one.
    """
    width = max(x.size(1), module.w_query.out_features) + 3.5 + _GAP * module.n_heads
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 3.2))
    for (row, column), title, role, blocks in _steps(module, x):
        shades = LinearSegmentedColormap.from_list("", ["#f2f2f2", PALETTE[role]])
        values = torch.stack(list(blocks))
        low, high = values.min().item(), values.max().item()
        left, top = column * width, -row * (len(x) + 2.2)
        axes.text(left, top + 0.4, title, fontsize=8.5)
        for block in blocks:
            extent = (left, left + block.size(1), top - len(x), top)
            axes.imshow(block.numpy(), cmap=shades, vmin=low, vmax=high, extent=extent)
            left += block.size(1) + _GAP
    for row, text in ((2, "times values"), (3, "times $W^O$")):
        y = -row * (len(x) + 2.2) - len(x) / 2
        axes.annotate("", (2 * width - 1, y), (width, y), arrowprops={"arrowstyle": "->"})
        axes.text(1.5 * width - 0.5, y + 0.5, text, ha="center", fontsize=8.5)
    axes.set(xlim=(-0.5, 3 * width - 2), ylim=(-4 * (len(x) + 2.2) + 1.5, 2))
    axes.set_axis_off()


_Step = tuple[tuple[int, int], str, str, Sequence[Tensor]]


def residual_stream_picture() -> Any:
    """Draw the row of a token as a bus: two heads and a network read it and add to it.

    Returns the axes.
    """
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 2.2))
    grey, arrow = PALETTE["neutral"], {"arrowstyle": "->", "lw": 1.4}
    axes.annotate("", (10.4, 0), (0, 0), arrowprops=arrow | {"lw": 4, "color": grey})
    axes.text(0, -0.3, "residual stream", va="top", fontsize=9)
    axes.text(10.4, -0.3, "to the logits", ha="right", va="top", fontsize=9)
    # Where each is read from, where its box stands, and where its output is added.
    parts = {
        "head 1": ((0.7, 2.5, 4.3), 0.9),
        "head 2": ((0.7, 2.5, 4.3), 1.9),
        "feed-forward": ((5.2, 7.2, 9.2), 1.4),
    }
    for name, ((read, box, added), height) in parts.items():
        edge = 0.09 * len(name) + 0.15  # half the width of the box
        outline = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
        for head, tail in (
            ((box - edge, height), (read, 0)),
            ((added, 0.15), (box + edge, height)),
        ):
            axes.annotate("", head, tail, arrowprops=arrow)
        axes.text(box, height, name, ha="center", va="center", fontsize=9, bbox=outline)
    for added in sorted({added for (_, _, added), _ in parts.values()}):
        axes.plot(added, 0, "o", color="white", markeredgecolor="black", markersize=11)
        axes.text(added, 0, "+", ha="center", va="center")
    axes.set(xlim=(-0.2, 10.6), ylim=(-0.8, 2.4))
    axes.set_axis_off()
    return axes


def _steps(module: MultiHeadAttention, x: Float[Tensor, "length d_model"]) -> list[_Step]:
    """Return position (row, column), title, colour and blocks of everything that is drawn."""
    matrices = head_matrices(module)
    q, k, v = ((x @ w).detach() for w in matrices[:3])
    with record_attention(module) as record:
        output = module(x[None], x[None], x[None])[0].detach()
    [weights] = record[""]
    heads = weights @ v
    concatenated = heads.transpose(0, 1).flatten(1)

    def title(name: str, blocks: Tensor) -> str:
        times = f"{len(blocks)} × " if blocks.ndim == 3 else ""
        return f"{name} {times}({blocks.size(-2)}, {blocks.size(-1)})"

    return [
        ((0, 0), title("x", x), "neutral", [x]),
        ((1, 0), title("queries", q), "query", list(q)),
        ((1, 1), title("keys", k), "key", list(k)),
        ((1, 2), title("values", v), "value", list(v)),
        ((2, 0), title("weights", weights), "neutral", list(weights)),
        ((2, 2), title("heads", heads), "value", list(heads)),
        ((3, 0), title("concatenated", concatenated), "value", [concatenated]),
        ((3, 2), title("output", output), "neutral", [output]),
    ]


def profile_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the rows of `head_profile` as a map: one row per head, one column per kind of key."""
    values = [
        {
            "head": head_name(row["attention"], row["head"]),
            "kind": row["kind"],
            "share": round(row["share"]),
            "if spread evenly": round(row["even"]),
        }
        for row in rows
    ]
    drawn = {value["kind"] for value in values}
    return share_map(
        values,
        column="kind",
        columns=[kind for kind in _KINDS if kind in drawn],
        heads=list(dict.fromkeys(value["head"] for value in values)),
        label_angle=-40,
        tooltip=["if spread evenly:Q"],
    )


def share_map(
    values: Sequence[Mapping[str, Any]],
    *,
    column: str,
    columns: Sequence[str],
    heads: Sequence[str],
    label_angle: int,
    label_limit: int | None = None,
    tooltip: Sequence[str] = (),
) -> Any:
    """Draw the `share` (in percent) of each head and column as a shaded square with its number.

    `columns` and `heads` give the order; `label_limit` is the width of the names of heads in
    pixels; `tooltip` lists fields to show besides.
    """
    labels: Any = alt.Undefined
    if label_limit is not None:
        labels = alt.Axis(labelLimit=label_limit)
    base = alt.Chart(alt.Data(values=list(values))).encode(
        x=alt.X(
            f"{column}:N",
            sort=list(columns),
            title=None,
            axis=alt.Axis(orient="top", labelAngle=label_angle),
        ),
        y=alt.Y("head:N", sort=list(heads), title=None, axis=labels),
        tooltip=["head:N", f"{column}:N", "share:Q", *tooltip],
    )
    shade = alt.FillOpacity("share:Q", legend=None, scale=alt.Scale(domain=[0, 100], range=[0, 1]))
    cells = base.mark_rect(fill=PALETTE["query"], stroke="currentColor", strokeOpacity=0.2)
    ink = number_ink("share", full=100)
    numbers = base.mark_text(fontSize=11).encode(text="share:Q", color=ink)
    return alt.layer(cells.encode(shade), numbers).properties(height=alt.Step(19))


def ablation_chart(scores: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the exact match of a model without each head, with it alone, and without its attention.

    `scores` are those of a record of `experiments/head_ablation.py`.
    """
    exact = [score for score in scores if score["metric"] == "exact_match"]
    heads = [score for score in exact if score["case"] == "without"]
    values = [
        {
            "head": head_name(head["attention"], head["head"]),
            "left in the attention": label,
            "exact match (%)": score["value"],
        }
        for head in heads
        for case, label in _CASES.items()
        for score in exact
        if score["case"] == case
        and score["attention"] == head["attention"]
        and score.get("head", head["head"]) == head["head"]
    ]
    names = list(dict.fromkeys(value["head"] for value in values))
    labels = list(_CASES.values())
    shades = [PALETTE[name] for name in ("query", "key", "neutral")]
    chart = alt.Chart(alt.Data(values=values)).mark_point(size=60, strokeWidth=2, opacity=1)
    return chart.encode(
        x=alt.X("exact match (%):Q", scale=alt.Scale(domain=[0, 100])),
        y=alt.Y("head:N", sort=names, title=None, axis=alt.Axis(grid=True)),
        color=alt.Color(
            "left in the attention:N", title=None, scale=alt.Scale(domain=labels, range=shades)
        ),
        shape=alt.Shape(
            "left in the attention:N",
            title=None,
            scale=alt.Scale(domain=labels, range=["circle", "square", "cross"]),
        ),
        tooltip=["head:N", "left in the attention:N", "exact match (%):Q"],
    ).properties(height=alt.Step(17))
