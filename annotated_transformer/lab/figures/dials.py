"""A pair of components as a hand on a dial: sliders, the circle, and rotary encoding.

Chapter: *Positional encoding*. The dial computes its numbers itself, from the sliders.
"""

import math
from typing import Any

import altair as alt

from annotated_transformer.lab.figures import PALETTE

_DIAL = alt.Scale(domain=[-1.45, 1.45], nice=False)


def rotary_dial(query: tuple[float, float], key: tuple[float, float], frequency: float) -> Any:
    """Draw one pair of components of a query and a key, turned by their places.

    Two sliders choose the places; what was there before the turn is faint. The inner product of
    the turned pairs is written above. Raises ValueError for a pair whose length is 0 or over 1.2.
    """
    for name, (x, y) in {"query": query, "key": key}.items():
        if not 0 < math.hypot(x, y) <= 1.2:
            raise ValueError(
                f"rotary_dial: {name}=({x}, {y}) has the length {math.hypot(x, y):.2f}; expected "
                "one over 0, and at most 1.2 to fit the dial"
            )
    choices = [
        slider("m", 5, (0, 24, 1), "place of the query "),
        slider("n", 2, (0, 24, 1), "place of the key "),
    ]
    pairs = [
        {"name": name, "first": pair[0], "second": pair[1], "zero": 0}
        for name, pair in (("query", query), ("key", key))
    ]
    angle = f"{frequency} * (datum.name == 'query' ? m : n)"
    still = alt.Chart(alt.Data(values=pairs)).encode(
        **_on_dial("first", "second"),
        x2="zero:Q",
        y2="zero:Q",
        color=alt.Color(
            "name:N",
            title=None,
            legend=alt.Legend(symbolOpacity=1),
            scale=alt.Scale(domain=["query", "key"], range=[PALETTE["query"], PALETTE["key"]]),
        ),
    )
    turned = (
        still.transform_calculate(angle=angle)
        .transform_calculate(
            x="datum.first * cos(datum.angle) - datum.second * sin(datum.angle)",
            y="datum.first * sin(datum.angle) + datum.second * cos(datum.angle)",
        )
        .encode(**_on_dial("x", "y"))
    )
    along = query[0] * key[0] + query[1] * key[1]
    across = query[0] * key[1] - query[1] * key[0]
    offset = f"{frequency} * (m - n)"
    product = f"{along} * cos({offset}) + {across} * sin({offset})"
    label = (
        alt.Chart(alt.Data(values=[{"x": 0, "y": 1.35}]))
        .transform_calculate(text=f"'inner product ' + format({product}, '.3f')")
        .mark_text(fontSize=13)
        .encode(text="text:N", **_on_dial("x", "y"))
    )
    return (
        alt.layer(
            circle().encode(**_on_dial("x", "y")),
            still.mark_rule(strokeWidth=3, opacity=0.45),
            turned.mark_rule(strokeWidth=4),
            turned.mark_circle(size=110, opacity=1),
            label,
        )
        .add_params(*choices)
        .properties(height=276)
    )


def _on_dial(x: str, y: str) -> dict[str, Any]:
    """Return the channels of two fields on the dial, which has no axes."""
    return {
        "x": alt.X(f"{x}:Q", scale=_DIAL, axis=None),
        "y": alt.Y(f"{y}:Q", scale=_DIAL, axis=None),
    }


def slider(name: str, value: float, limits: tuple[float, float, float], label: str) -> Any:
    """Make a slider for a parameter of a chart; `limits` are lowest, highest and step."""
    low, high, step = limits
    bound = alt.binding_range(min=low, max=high, step=step, name=label)
    return alt.param(name, value=value, bind=bound)


def circle() -> Any:
    """Draw the circle of radius 1; x and y have to be encoded with the fields of that name."""
    face = alt.Chart(alt.sequence(0, 64.1, as_="n")).transform_calculate(
        x="sin(datum.n * PI / 32)", y="cos(datum.n * PI / 32)"
    )
    line = face.mark_line(color="currentColor", opacity=0.3, strokeWidth=1)
    return line.encode(order="n:Q")
