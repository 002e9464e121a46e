"""The palette and the charts that the chapters share.

Query, key and value have one colour each in every diagram, chart and formula, and so have source
and target. The colours are stated twice, here and in `book/_static/palette.css`, and a test keeps
them equal. Charts are built with Altair and displayed by `show` (see `charts.py`); plain pictures
use matplotlib after `use_book_style()`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np
from cycler import cycler
from jaxtyping import Float
from matplotlib import font_manager, pyplot
from torch import Tensor

from annotated_transformer.figures.charts import (
    FONT_DIRECTORY,
    FONT_FAMILY,
    enable_charts,
    show,
)

__all__ = [
    "PALETTE",
    "TEXT_ON_DARK",
    "TEXT_ON_LIGHT",
    "attention_chart",
    "enable_charts",
    "line_chart",
    "loss_chart",
    "show",
    "use_book_style",
]

PALETTE = {
    "query": "#0072B2",
    "key": "#D55E00",
    "value": "#009E73",
    "source": "#CC79A7",
    "target": "#903CFC",
    "neutral": "#7A7A7A",
}
"""Colours of lines and areas: at least 3:1 on white and on the dark page.

Blue, vermillion, bluish green and reddish purple are Okabe and Ito's (2008). Their other colours
are too light for white paper, so the violet of the target is ours; the tests measure that the
five stay apart under simulated protanopia, deuteranopia and tritanopia.
"""

TEXT_ON_LIGHT = {
    "query": "#0065A0",
    "key": "#B04600",
    "value": "#00724F",
    "source": "#A03C77",
    "target": "#7A22E6",
    "neutral": "#5F6368",
}
"""The same hues for words and formulas on a light page: at least 4.5:1."""

TEXT_ON_DARK = {
    "query": "#56B4E9",
    "key": "#FF9A52",
    "value": "#3CC79A",
    "source": "#E7A3CB",
    "target": "#C39BFF",
    "neutral": "#A9AFB7",
}
"""The same hues for words and formulas on a dark page: at least 4.5:1."""

_SHAPES = [
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
]
_MOST_NUMBERED_CELLS = 64
_LETTER_WIDTH = 7  # pixels, at the size of the axis labels


def attention_chart(
    weights: Float[Tensor, "query key"] | Float[Tensor, "heads query key"],
    query_words: Sequence[str],
    key_words: Sequence[str],
    *,
    gold: Iterable[tuple[int, int]] = (),
    query_title: str = "query",
    key_title: str = "key",
) -> Any:
    """Draw attention weights as a heat map: one row per query, one column per key.

    Pointing at a row fades the others and shows the weight. With a heads axis a slider chooses
    the head (the PNG shows the first). `gold` outlines cells; its pairs are (key, query)
    positions, which for cross-attention is the (source word, target word) order of
    `SentencePair.alignment` and `aligned_words`. Numbers are written in the cells of small maps.

    Raises ValueError when words and weights do not match or a gold pair lies outside the map.
    """
    heads = weights.detach()[None] if weights.ndim == 2 else weights.detach()
    outlines = sorted(set(gold))
    _check_words(heads, query_words, key_words, outlines)
    rows = [
        {
            "head": head + 1,
            "query": q,
            "key": k,
            "weight": round(float(heads[head, q, k]), 3),
            "query word": query_words[q],
            "key word": key_words[k],
        }
        for head, q, k in np.ndindex(*heads.shape)
    ]
    row = alt.selection_point(
        "row", fields=["query"], on="pointerover", clear="pointerout"
    )
    base = alt.Chart().encode(
        x=_word_axis(alt.X, "key", key_words, key_title),
        y=_word_axis(alt.Y, "query", query_words, query_title),
        opacity=alt.condition(row, alt.value(1), alt.value(0.3)),
        tooltip=[
            "query word:N",
            "key word:N",
            alt.Tooltip("weight:Q", format=".3f"),
        ],
    )
    cells = base.mark_rect(
        fill=PALETTE["query"], stroke="currentColor", strokeOpacity=0.2
    )
    shade = alt.FillOpacity(
        "weight:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0, 1])
    )
    layers: list[Any] = [
        cells.encode(shade).add_params(row).properties(name="cells")
    ]
    if len(query_words) * len(key_words) <= _MOST_NUMBERED_CELLS:
        layers.append(base.mark_text(fontSize=11).encode(**_number_channels()))
    if len(heads) > 1:
        layers = _one_head_at_a_time(layers, len(heads))
    if outlines:
        layers.append(_outline_layer(outlines))
    return alt.layer(*layers, data=_data(rows)).properties(height=alt.Step(34))


def _one_head_at_a_time(layers: list[Any], heads: int) -> list[Any]:
    slider = alt.binding_range(min=1, max=heads, step=1, name="head ")
    chosen = alt.param("chosen_head", value=1, bind=slider)
    shown = [
        layer.transform_filter("datum.head == chosen_head") for layer in layers
    ]
    return [shown[0].add_params(chosen), *shown[1:]]


def _check_words(
    heads: Tensor,
    query_words: Sequence[str],
    key_words: Sequence[str],
    outlines: Sequence[tuple[int, int]],
) -> None:
    expected = (len(query_words), len(key_words))
    if tuple(heads.shape[1:]) != expected:
        raise ValueError(
            f"attention_chart: weights have shape {tuple(heads.shape[1:])}, but there are "
            f"{expected[0]} query words and {expected[1]} key words"
        )
    for key, query in outlines:
        if not (0 <= query < expected[0] and 0 <= key < expected[1]):
            raise ValueError(
                f"attention_chart: gold pair (key {key}, query {query}) lies outside the "
                f"{expected[1]} key words and {expected[0]} query words"
            )


def _word_axis(
    channel: Any, field: str, words: Sequence[str], title: str
) -> Any:
    # Words repeat within a sentence, so the axis runs over positions and is labelled with words.
    tilt: dict[str, Any] = {}
    if (
        field == "key"
    ):  # words that would touch on this reader's screen are tilted
        needed = (
            _LETTER_WIDTH * len(words) * (1 + max(map(len, words), default=0))
        )
        tilt["labelAngle"] = alt.expr(f"width < {needed} ? -45 : 0")
        tilt["labelAlign"] = alt.expr(f"width < {needed} ? 'left' : 'center'")
    axis = alt.Axis(
        labelExpr=f"{json.dumps(list(words), ensure_ascii=False)}[datum.value]",
        labelLimit=140,
        labelOverlap=False,
        labelFontSize=13,
        orient="top" if field == "key" else "left",
        titleColor=_text_colour(field),
        titleFontWeight="bold",
        ticks=False,
        domain=False,
        **tilt,
    )
    return channel(
        f"{field}:O", title=title, axis=axis, scale=alt.Scale(padding=0)
    )


def _number_channels() -> dict[str, Any]:
    ink = alt.value("currentColor")
    return {
        "text": alt.Text("weight:Q", format=".2f"),
        # White on the full blue, the page's ink below: never under 3.8:1 on either page.
        "color": alt.condition("datum.weight > 0.85", alt.value("white"), ink),
    }


def _outline_layer(outlines: Sequence[tuple[int, int]]) -> Any:
    data = _data([{"key": k, "query": q} for k, q in outlines])
    mark = alt.Chart(data).mark_rect(
        filled=False, stroke="currentColor", strokeWidth=3
    )
    return mark.encode(x="key:O", y="query:O")


def _text_colour(name: str) -> str:
    """Name a colour of the page's style sheet, with the mark colour where there is none."""
    return f"var(--at-{name}-text, {PALETTE[name]})"


def line_chart(
    records: Sequence[Mapping[str, Any]],
    *,
    x: str,
    y: str,
    by: str | None = None,
    colours: Sequence[str] = (
        "query",
        "key",
        "value",
        "source",
        "target",
        "neutral",
    ),
    log_x: bool = False,
    log_y: bool = False,
) -> Any:
    """Draw one line per value of the field `by`, told apart by colour and by the points' shape.

    `records` are flat mappings that all hold the fields `x`, `y` and `by`; field names serve as
    titles. `colours` names PALETTE entries in the order in which the series first appear.
    Raises ValueError for no records, a missing field, or more series than colours.
    """
    fields = [field for field in (x, y, by) if field is not None]
    for position, record in enumerate(records):
        if missing := [field for field in fields if field not in record]:
            raise ValueError(
                f"line_chart: record {position} has no field {missing[0]!r}"
            )
    if not records:
        raise ValueError("line_chart: there are no records to draw")
    rows = [
        {field: _plain(record[field]) for field in fields} for record in records
    ]
    series = list(dict.fromkeys(row[by] for row in rows)) if by else [""]
    if len(series) > len(colours):
        raise ValueError(
            f"line_chart: {len(series)} series but only {len(colours)} colours"
        )
    channels: dict[str, Any] = {
        "x": alt.X(f"{x}:Q", scale=_scale(log_x)),
        "y": alt.Y(f"{y}:Q", scale=_scale(log_y)),
        "tooltip": [f"{by}:N"] * bool(by) + [f"{x}:Q", f"{y}:Q"],
    }
    shades = [PALETTE[name] for name in colours[: len(series)]]
    if by:
        channels["color"] = alt.Color(
            f"{by}:N", title=None, scale=alt.Scale(domain=series, range=shades)
        )
        shapes = alt.Scale(domain=series, range=_SHAPES[: len(series)])
        channels["shape"] = alt.Shape(f"{by}:N", title=None, scale=shapes)
    point = alt.OverlayMarkDef(filled=True, size=45)
    mark = alt.Chart(_data(rows)).mark_line(color=shades[0], point=point)
    return mark.encode(**channels).properties(height=280)


def _data(rows: list[dict[str, Any]]) -> Any:
    return alt.Data(values=rows)


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _scale(log: bool) -> alt.Scale:
    return alt.Scale(type="log") if log else alt.Scale(zero=False)


def loss_chart(curve: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the losses of a training record's curve against the step.

    Every field whose name contains "loss" becomes one line; an entry need not hold all of them,
    because validation is rarer than training. Raises ValueError when no entry holds a loss.
    """
    names = dict.fromkeys(
        name for entry in curve for name in entry if "loss" in name
    )
    if not names:
        raise ValueError(
            f"loss_chart: none of the {len(curve)} entries of the curve has a loss"
        )
    records = [
        {
            "step": entry["step"],
            "loss": entry[name],
            "curve": name.replace("_", " "),
        }
        for name in names
        for entry in curve
        if entry.get(name) is not None
    ]
    return line_chart(records, x="step", y="loss", by="curve")


def use_book_style() -> None:
    """Set matplotlib to the book's font, which holds Korean, and to the palette's colours.

    Pictures keep a white background, which is readable on the dark page too.
    """
    for path in FONT_DIRECTORY.glob("*.otf"):
        font_manager.fontManager.addfont(path)
    pyplot.rcParams.update(
        {
            "font.family": [FONT_FAMILY, "DejaVu Sans"],
            "axes.prop_cycle": cycler(color=list(PALETTE.values())),
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.unicode_minus": False,
            "axes.grid": True,
            "grid.alpha": 0.25,
            "legend.frameon": False,
            "figure.facecolor": "white",
            "savefig.facecolor": "white",
            "figure.constrained_layout.use": True,
            "figure.dpi": 110,
        }
    )
