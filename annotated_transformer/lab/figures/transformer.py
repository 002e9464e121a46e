"""Pictures of the chapter *The whole model*."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from torch import Tensor

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH, line_chart

_SOURCE = {"source_embedding": "embedded", "source_positions": "+ positions", "encoder": "memory"}
_TARGET = {
    "target_embedding": "embedded",
    "target_positions": "+ positions",
    "decoder": "decoded",
    "output": "logits",
}
_SIDES = {"source": "neutral", "encoder": "source", "decoder": "target"}


def ladder_picture(
    trace: Sequence[tuple[str, Tensor]], source: Sequence[str], target: Sequence[str]
) -> Axes:
    """Draw what `record_outputs` heard while one sentence went through the model.

    Sentences are short enough for 7 rows.
    """
    outputs = iter(trace)
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, PHONE_WIDTH))
    sides = ((0, "source", source, _SOURCE), (14, "target", target, _TARGET))
    for x, role, words, parts in sides:
        shades = LinearSegmentedColormap.from_list("", ["#f2f2f2", PALETTE[role]])
        for step, (part, title) in enumerate(parts.items()):
            top = -7 * step
            numbers = next(output[0] for name, output in outputs if name == part)
            rows, width = numbers.shape
            edges = (x, x + width, top - rows, top)
            axes.imshow(numbers.numpy(), cmap=shades, extent=edges)
            axes.text(x, top + 0.4, f"{title} ({rows}, {width})", fontsize=9.5)
            for row, word in enumerate(words):
                place = (x - 0.3, top - row - 0.75)
                axes.text(*place, word, ha="right", fontsize=8.5)
    axes.annotate("", (10.5, -15.5), (8.3, -16), arrowprops={"arrowstyle": "->"})
    axes.set(xlim=(-4, 24.2), ylim=(-24.2, 2))
    axes.set_axis_off()
    return axes


def norm_order_picture() -> None:
    """Draw two sublayers in both orders of normalising and adding."""
    _, (post, pre) = plt.subplots(1, 2, figsize=(PHONE_WIDTH, PHONE_WIDTH))
    side = {"color": PALETTE["neutral"], "zorder": 1}
    for panel, norm in ((post, "post"), (pre, "pre")):
        panel.plot([0, 0], [-0.4, 7.6], color="black", linewidth=3, zorder=0)
        for low in (0, 3.2):
            panel.plot([0, 1.5, 1.5, 0], [low, low, low + 2, low + 2], **side)
            _label(panel, 1.5, low + 1.4, "sublayer")
            _label(panel, 0, low + 2, "+")
            x, y = (0, low + 2.7) if norm == "post" else (1.5, low + 0.5)
            _label(panel, x, y, "LayerNorm")
        panel.set(xlim=(-1.3, 2.5), ylim=(-0.6, 7.8), title=f"{norm}-LN")
        panel.set_axis_off()
    _label(pre, 0, 7, "final LayerNorm")


def _label(panel: Axes, x: float, y: float, text: str) -> None:
    box = {"boxstyle": "round,pad=0.35", "facecolor": "white", "edgecolor": "black"}
    panel.text(x, y, text, ha="center", va="center", fontsize=9, bbox=box)


def parameter_chart(counts: Mapping[str, int]) -> Any:
    """Draw how many parameters each part has, without their "total"."""
    parts = [
        {"part": _part(name), "million": count / 1e6}
        for name, count in counts.items()
        if name != "total"
    ]
    shades = [PALETTE[role] for role in _SIDES.values()]
    sides = alt.Scale(domain=list(_SIDES), range=shades)
    side = "split(datum.part, ' ')[0]"
    bars = alt.Chart(alt.Data(values=parts)).mark_bar()
    return bars.transform_calculate(side=side).encode(
        x=alt.X("million:Q", title="million parameters"),
        y=alt.Y("part:N", sort=None, title=None, axis=alt.Axis(labelLimit=220)),
        color=alt.Color("side:N", legend=None, scale=sides),
    )


def _part(name: str) -> str:
    """Return the name of a part as words: "encoder self-attention"."""
    words = name.replace(".", " ").replace("_attention", "-attention")
    return words.replace("feed_forward", "feed-forward").replace("_", " ")


def vocabulary_chart(
    fits: Mapping[str, tuple[int, int]], *, stated: int, common: Sequence[int]
) -> Any:
    """Draw the range of vocabulary sizes that fits each row of Table 3.

    A dashed line marks the size that the paper states, solid ones `common` sizes.
    """
    rows = [{"row": row, "from": a, "to": b} for row, (a, b) in fits.items()]
    orange, blue = alt.value(PALETTE["key"]), alt.value(PALETTE["query"])
    zoomed = alt.Scale(zero=False)
    span = alt.Chart(alt.Data(values=rows)).mark_bar()
    span = span.encode(
        x=alt.X("from:Q", title="vocabulary size", scale=zoomed),
        x2="to:Q",
        y=alt.Y("row:N", sort=None, title=None),
        color=alt.condition("datum.row == 'big'", orange, blue),
    )
    dashed, solid = alt.value([5, 4]), alt.value([1, 0])
    dashes = alt.condition(f"datum.at == {stated}", dashed, solid)
    lines = alt.Data(values=[{"at": at} for at in (stated, *common)])
    rules = alt.Chart(lines).mark_rule().encode(x="at:Q", strokeDash=dashes)
    return alt.layer(span, rules)


def gradient_chart(norms: Mapping[str, Tensor]) -> Any:
    """Draw gradient norms (stack, layer) by layer, for each norm order."""
    records = [
        {"layer": layer, "gradient norm": value, "stack": f"{norm}-LN {stack}"}
        for norm, both in norms.items()
        for stack, row in zip(("encoder", "decoder"), both.tolist(), strict=True)
        for layer, value in enumerate(row, start=1)
    ]
    chart = line_chart(
        records,
        x="layer",
        y="gradient norm",
        by="stack",
        colours=("source", "target", "neutral", "value"),
        log_y=True,
    )
    return chart.configure_legend(columns=2)
