"""Drawings of one attention lookup, and of its output as a blend of values.

Chapter: *Attention*. Built with Altair and displayed by `show`, so that they follow the page's
theme and width.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt

from annotated_transformer.lab.figures import PALETTE

_PAGE = "var(--pst-color-background, #ffffff)"
_COLUMNS = {"query": 0.0, "keys": 2.5, "shares": 4.4, "values": 7.0, "output": 9.4}
_SHARES_START, _SHARES_WIDTH = 3.8, 2.4
_THICKEST = 14
_BOX = 46
"""Pixels: how high a box is, and at least how wide."""
_WIDTHS = {"가-힣": 11.1, " .,": 3.2}
"""Pixels of letters at 12, and 7.2 for each other; tests measure the font."""
_WIDTH = " + ".join(
    ["7.2 * length(datum.text)"]
    + [
        f"{width - 7.2:.1f} * length(replace(datum.text, regexp('[^{letters}]', 'g'), ''))"
        for letters, width in _WIDTHS.items()
    ]
)


def lookup_diagram(
    query: str, keys: Sequence[str], shares: Sequence[float], values: Sequence[str], output: str
) -> Any:
    """Draw one attention lookup: a query, its keys, their shares, the values and the output.

    `shares` are drawn as bars and as the thickness of the lines from the values to the output; the
    other arguments are the texts in the boxes. Raises ValueError unless there is one share and one
    value for each key.
    """
    if not len(keys) == len(shares) == len(values):
        raise ValueError(
            f"lookup_diagram: {len(keys)} keys, {len(shares)} shares and {len(values)} values; "
            "expected as many of each"
        )
    heights = [float(len(keys) - row) for row in range(len(keys))]
    middle = (len(keys) + 1) / 2
    rows = list(zip(heights, keys, shares, values, strict=True))
    x = _COLUMNS
    links = []
    boxes = [(x["query"], middle, query, "query"), (x["output"], middle, output, "value")]
    words = [(column, len(keys) + 1.0, name) for name, column in x.items()]
    for y, key, share, value in rows:
        end = _SHARES_START + _SHARES_WIDTH * share
        boxes += [(x["keys"], y, key, "key"), (x["values"], y, value, "value")]
        words += [(x["shares"], y + 0.3, f"{share:.2f}")]
        links += [
            (x["query"], middle, x["keys"], y, "neutral", 1.0),
            (_SHARES_START, y - 0.1, end, y - 0.1, "query", 12.0),
            (x["values"], y, x["output"], middle, "value", _THICKEST * share),
        ]
    return _drawing(links, boxes, words, height=52 * (len(keys) + 1))


def _drawing(
    links: Iterable[tuple[float, float, float, float, str, float]],
    boxes: Iterable[tuple[float, float, str, str]],
    words: Iterable[tuple[float, float, str]],
    height: int,
) -> Any:
    """Draw layer lines, boxes over their ends, and words; the rows hold their coordinates."""
    line = _layer("x y x2 y2 role width", links).mark_rule()
    text = _layer("x y text role", boxes)
    half = f"max({_BOX}, {_WIDTH} + 12) / 2"
    box = text.mark_rect(
        xOffset=alt.expr(f"-{half}"),
        x2Offset=alt.expr(half),
        yOffset=-_BOX / 2,
        y2Offset=_BOX / 2,
        opacity=1,
        color=_PAGE,
        strokeWidth=2,
    )
    width = alt.StrokeWidth("width:Q", scale=None)
    drawing = alt.layer(
        line.encode(x2="x2:Q", y2="y2:Q", color=_role(alt.Color), strokeWidth=width),
        box.encode(x2="x:Q", y2="y:Q", stroke=_role(alt.Stroke)),
        text.mark_text().encode(text="text:N"),
        _layer("x y text", words).mark_text().encode(text="text:N"),
    )
    return drawing.configure_axis(disable=True).properties(height=height)


def _layer(fields: str, rows: Iterable[tuple[float | str, ...]]) -> Any:
    values = [dict(zip(fields.split(), row, strict=True)) for row in rows]
    chart = alt.Chart(alt.Data(values=values))
    return chart.encode(x="x:Q", y="y:Q")


def _role(channel: Any) -> Any:
    scale = alt.Scale(domain=list(PALETTE), range=list(PALETTE.values()))
    return channel("role:N", scale=scale, legend=None)


def blend_chart(rows: Sequence[Mapping[str, Any]], asked: str) -> Any:
    """Draw the output of attention as a blend of values in the plane; readers choose the query.

    One row per sharpness, query and key: `sharpness` is a factor of the scores, in even steps;
    `query` and `key` are texts; `x` and `y` are the key's value, `x2` and `y2` the query's output,
    and `weight` is what the query gives to the key. The first view is `asked` at sharpness 1.
    Raises ValueError when no row has both, or when there is only one sharpness.
    """
    if not any(row["query"] == asked and row["sharpness"] == 1 for row in rows):
        raise ValueError(f"blend_chart: no row has query {asked!r} and sharpness 1")
    parameters = _choices(rows, asked)
    numbers = [float(row[axis]) for row in rows for axis in ("x", "y")]
    middle = sum(numbers) / len(numbers)
    margin = 0.15 * (max(numbers) - min(numbers))
    plane = alt.Scale(domain=[min(numbers) - margin, max(numbers) + margin], nice=False)
    axis = alt.Axis(title=None, tickCount=5)
    base = (
        alt.Chart(alt.Data(values=list(rows)))
        .transform_filter("datum.query == asked && datum.sharpness == sharpness")
        .transform_calculate(label="datum.key + ' ' + format(datum.weight, '.2f')")
        .encode(x=alt.X("x:Q", scale=plane, axis=axis), y=alt.Y("y:Q", scale=plane, axis=axis))
    )
    thickness = alt.Scale(domain=[0, 1], range=[0, _THICKEST])
    width = alt.StrokeWidth("weight:Q", scale=thickness, legend=None)
    green = PALETTE["value"]
    # Labels keep off the lines: above the upper values, below the lower ones.
    offset = alt.ExprRef(f"datum.y > {middle} ? -16 : 18")
    drawing = alt.layer(
        base.mark_rule(color=green).encode(x2="x2:Q", y2="y2:Q", strokeWidth=width),
        base.mark_square(size=140, opacity=1, color=green),
        base.mark_text(dy=offset, fontSize=13).encode(text="label:N"),
        base.mark_circle(size=260, opacity=1, color=green, stroke="currentColor").encode(
            x="x2:Q", y="y2:Q"
        ),
    )
    return drawing.add_params(*parameters).properties(height=300)


def _choices(rows: Sequence[Mapping[str, Any]], asked: str) -> list[Any]:
    """Make the buttons for the query and the slider for the sharpness."""
    steps = sorted({float(row["sharpness"]) for row in rows})
    if len(steps) < 2:
        raise ValueError("blend_chart: there is one sharpness only; a slider needs two or more")
    slider = alt.binding_range(min=steps[0], max=steps[-1], step=steps[1] - steps[0])
    slider.name = "sharpness"
    queries = list(dict.fromkeys(row["query"] for row in rows))
    spaced = [f"{query}\N{EN SPACE}" for query in queries]
    buttons = alt.binding_radio(options=queries, labels=spaced, name="query")
    return [
        alt.param("asked", value=asked, bind=buttons),
        alt.param("sharpness", value=1, bind=slider),
    ]
