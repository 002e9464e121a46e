"""Attention weights as a heat map that answers to the pointer."""

import json
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
import numpy as np
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.lab.checks import check_list
from annotated_transformer.lab.figures.charts import CONTAINER_WIDTH
from annotated_transformer.lab.figures.ink import number_ink
from annotated_transformer.lab.figures.palette import PALETTE

_MOST_NUMBERED_CELLS = 64
_LETTER_WIDTH = 7  # pixels, at the size of the axis labels; a syllable of Hangul has twice that
_BESIDE = 40  # pixels left of the names of the rows, for their title


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
    row = alt.selection_point("row", fields=["query"], on="pointerover", clear="pointerout")
    base = alt.Chart().encode(
        x=_word_axis(alt.X, "key", key_words, key_title, **_tilt(query_words, key_words)),
        y=_word_axis(alt.Y, "query", query_words, query_title),
        opacity=alt.condition(row, alt.value(1), alt.value(0.3)),
        tooltip=["query word:N", "key word:N", alt.Tooltip("weight:Q", format=".3f")],
    )
    cells = base.mark_rect(fill=PALETTE["query"], stroke="currentColor", strokeOpacity=0.2)
    shade = alt.FillOpacity("weight:Q", legend=None, scale=alt.Scale(domain=[0, 1], range=[0, 1]))
    layers: list[Any] = [cells.encode(shade).add_params(row).properties(name="cells")]
    if len(query_words) * len(key_words) <= _MOST_NUMBERED_CELLS:
        layers.append(base.mark_text(fontSize=11).encode(**_number_channels()))
    if len(heads) > 1:
        layers = _one_head_at_a_time(layers, len(heads))
    if outlines:
        layers.append(_outline_layer(outlines))
    return alt.layer(*layers, data=alt.Data(values=rows)).properties(height=alt.Step(34))


def _one_head_at_a_time(layers: list[Any], heads: int) -> list[Any]:
    slider = alt.binding_range(min=1, max=heads, step=1, name="head ")
    chosen = alt.param("chosen_head", value=1, bind=slider)
    shown = [layer.transform_filter("datum.head == chosen_head") for layer in layers]
    return [shown[0].add_params(chosen), *shown[1:]]


def _check_words(
    heads: Tensor,
    query_words: Sequence[str],
    key_words: Sequence[str],
    outlines: Sequence[tuple[int, int]],
) -> None:
    check_list("query_words", query_words)
    check_list("key_words", key_words)
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


def _letters(words: Sequence[str]) -> int:
    """Measure the widest word in letters; a wide one, of Korean say, counts twice."""
    wide = ([2 if unicodedata.east_asian_width(c) == "W" else 1 for c in word] for word in words)
    return max(map(sum, wide), default=0)


def _tilt(query_words: Sequence[str], key_words: Sequence[str]) -> dict[str, Any]:
    """Turn the words above the columns aslant where they would touch on this reader's screen.

    What the page gives the chart decides, not the width that is left for the columns: Vega makes
    room for the words before it knows that one.
    """
    columns = _LETTER_WIDTH * len(key_words) * (1 + _letters(key_words))
    needed = columns + _LETTER_WIDTH * _letters(query_words) + _BESIDE
    narrow = f"{CONTAINER_WIDTH} < {needed}"
    return {
        "labelAngle": alt.expr(f"{narrow} ? -45 : 0"),
        "labelAlign": alt.expr(f"{narrow} ? 'left' : 'center'"),
    }


def _word_axis(channel: Any, field: str, words: Sequence[str], title: str, **tilt: Any) -> Any:
    # Words repeat within a sentence, so the axis runs over positions and is labelled with words.
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
    return channel(f"{field}:O", title=title, axis=axis, scale=alt.Scale(padding=0))


def _number_channels() -> dict[str, Any]:
    return {"text": alt.Text("weight:Q", format=".2f"), "color": number_ink("weight")}


def _outline_layer(outlines: Sequence[tuple[int, int]]) -> Any:
    data = alt.Data(values=[{"key": k, "query": q} for k, q in outlines])
    mark = alt.Chart(data).mark_rect(filled=False, stroke="currentColor", strokeWidth=3)
    return mark.encode(x="key:O", y="query:O")


def _text_colour(name: str) -> str:
    """Name a colour of the page's style sheet, with the mark colour where there is none."""
    return f"var(--at-{name}-text, {PALETTE[name]})"
