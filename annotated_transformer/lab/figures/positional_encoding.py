"""The charts of the chapter *Positional encoding*.

The clocks and the explorer compute their numbers themselves, from the values of the sliders and by
the formula of section 3.5.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.charts import CONTAINER_WIDTH
from annotated_transformer.lab.figures.dials import circle, slider
from annotated_transformer.positions import sinusoidal_encoding

_LAST = 60  # the largest position and offset in the explorer
_WIDTH = 270  # fits a phone, with the axis
_PAPER = "var(--pst-color-background, white)"  # the page, dark or light
_P, _Q = PALETTE["query"], PALETTE["key"]


def clocks_chart(d_model: int, base: float, n_positions: int) -> Any:
    """Draw each pair of `d_model` components as the hand of a clock, for each position.

    A hand points up at position 0 and turns clockwise; its tip is the sine to the right and the
    cosine to the top. Raises ValueError for a width that is odd or not from 2 to 64, for no or more
    than 60 positions, and for a base that is not positive.
    """
    drawn = d_model in range(2, 65, 2) and n_positions in range(1, _LAST + 1)
    if not drawn or not 0 < base < math.inf:
        raise ValueError(
            f"clocks_chart: d_model={d_model}, base={base} and n_positions={n_positions}; expected "
            f"an even width up to 64, a positive base and 1 to {_LAST} positions"
        )
    pairs = d_model // 2
    hands = (
        alt.Chart(alt.sequence(0, pairs * n_positions, as_="n"))
        .transform_calculate(pair=f"floor(datum.n / {n_positions})", t=f"datum.n % {n_positions}")
        .transform_calculate(turn=f"datum.t * pow({base}, -datum.pair / {pairs}) * 180 / PI")
    )
    wide = alt.Scale(domain=[-0.5, n_positions - 0.5], nice=False)
    high = alt.Scale(domain=[pairs - 0.5, -0.5], nice=False)
    bare: dict[str, Any] = {"grid": False, "domain": False, "ticks": False, "format": "d"}
    x = alt.X(
        "t:Q", title="position", scale=wide, axis=alt.Axis(values=[*range(n_positions)], **bare)
    )
    y = alt.Y("pair:Q", title="pair i", scale=high, axis=alt.Axis(values=[*range(pairs)], **bare))
    face = hands.mark_circle(size=900, filled=False, color="currentColor", opacity=0.3)
    hand = hands.mark_point(shape="M0 0L0 -1", size=900, strokeWidth=3, color=_P, opacity=1)
    turned = hand.encode(x=x, y=y, angle=alt.Angle("turn:Q", scale=None))
    return alt.layer(face.encode(x=x, y=y), turned).properties(height=56 * pairs)


def encoding_picture(length: int, d_model: int) -> None:
    """Draw the encoding as a heat map: a row for each position, a column for each component.

    Raises ValueError as `sinusoidal_encoding` does.
    """
    encoding = sinusoidal_encoding(length, d_model)
    _, axes = plt.subplots(figsize=(PHONE_WIDTH, 3.4))
    # Purple and orange stay apart for readers who do not see red from green.
    drawn = axes.imshow(encoding.numpy(), cmap="PuOr", vmin=-1, vmax=1, aspect="auto")
    axes.set(xlabel="component", ylabel="position")
    axes.grid(visible=False)
    axes.figure.colorbar(drawn, ax=axes, ticks=[-1, 0, 1])


def explorer_chart() -> Any:
    """Draw waves, rotation and inner product for d_model, base, pair and positions to choose."""
    choices = [
        slider("d_model", 64, (2, 128, 2), "d_model "),
        slider("log_base", 4, (0, 5, 0.5), "log₁₀ base "),
        slider("pair", 4, (0, 63, 1), "pair i "),
        slider("p", 12, (0, _LAST, 1), "position p "),
        slider("q", 20, (0, _LAST, 1), "position q "),
    ]
    rows = alt.vconcat(_waves(), _rotation(), _similarity(), spacing=24)
    return rows.add_params(*choices).resolve_scale(color="independent")


# A narrow model has few pairs: a larger number on the slider shows the last one.
_SHOWN = "min(pair, d_model / 2 - 1)"
_FREQUENCY = f"pow(10, -log_base * 2 * {_SHOWN} / d_model)"
_PLANE = alt.Scale(domain=[-1.1, 1.1], nice=False)


def _waves() -> Any:
    """Draw sine and cosine of the chosen pair, with a line at each of the two positions."""
    time = alt.Chart(alt.sequence(0, _LAST + 0.01, 0.25, as_="t"))
    drawn = time.transform_calculate(
        sine=f"sin(datum.t * {_FREQUENCY})", cosine=f"cos(datum.t * {_FREQUENCY})"
    ).transform_fold(["sine", "cosine"], as_=["wave", "value"])
    names = alt.Scale(domain=["sine", "cosine"], range=[PALETTE["value"], PALETTE["target"]])
    dashes = alt.Scale(domain=["sine", "cosine"], range=[[1, 0], [6, 3]])
    lines = drawn.mark_line().encode(
        x=alt.X("t:Q", title="position", scale=alt.Scale(domain=[0, _LAST], nice=False)),
        y=alt.Y("value:Q", title=None, scale=_PLANE, axis=alt.Axis(values=[-1, 0, 1])),
        color=alt.Color("wave:N", title=None, scale=names),
        strokeDash=alt.StrokeDash("wave:N", legend=None, scale=dashes),
    )
    marks = [
        alt.Chart(alt.Data(values=[{"name": name}]))
        .transform_calculate(at=name)
        .mark_rule(color=colour, strokeWidth=2)
        .encode(x="at:Q")
        for name, colour in (("p", _P), ("q", _Q))
    ]
    return alt.layer(lines, *marks).properties(width=_WIDTH, height=120)


def _rotation() -> Any:
    """Draw the chosen pair of components at both positions, as hands in the plane."""
    hands = (
        alt.Chart(alt.Data(values=[{"name": "p"}, {"name": "q"}]))
        .transform_calculate(angle=f"(datum.name == 'p' ? p : q) * {_FREQUENCY}", zero="0")
        .transform_calculate(x="sin(datum.angle)", y="cos(datum.angle)")
        .encode(
            x=alt.X("x:Q", title="component 2i (sine)", scale=_PLANE, axis=_unit_axis()),
            y=alt.Y("y:Q", title="component 2i + 1 (cosine)", scale=_PLANE, axis=_unit_axis()),
        )
    )
    colour = alt.Color("name:N", legend=None, scale=alt.Scale(domain=["p", "q"], range=[_P, _Q]))
    label = hands.transform_calculate(lx="0.78 * datum.x + 0.1", ly="0.78 * datum.y - 0.1")
    return alt.layer(
        circle().encode(x="x:Q", y="y:Q"),
        hands.mark_rule(strokeWidth=3).encode(x2="zero:Q", y2="zero:Q", color=colour),
        hands.mark_circle(size=90, opacity=1).encode(color=colour),
        label.mark_text(fontSize=14).encode(x="lx:Q", y="ly:Q", text="name:N"),
    ).properties(width=180, height=180)


def _unit_axis() -> alt.Axis:
    return alt.Axis(values=[-1, 0, 1], grid=False)


def _similarity() -> Any:
    """Draw the inner product over d_model / 2 by offset, and mark that of the two positions."""
    cells = alt.Chart(alt.sequence(0, 64 * (_LAST + 1), as_="n"))
    terms = (
        cells.transform_calculate(offset="floor(datum.n / 64)", i="datum.n % 64")
        .transform_filter("datum.i < d_model / 2")
        .transform_calculate(term="cos(datum.offset * pow(10, -log_base * 2 * datum.i / d_model))")
        .transform_aggregate(product="mean(term)", groupby=["offset"])
    )
    y = alt.Y(
        "product:Q", title="inner product (1 at offset 0)", scale=_PLANE, axis=alt.Axis(tickCount=5)
    )
    x = alt.X("offset:Q", title="offset", scale=alt.Scale(domain=[0, _LAST], nice=False))
    own = terms.transform_filter("datum.offset == abs(p - q)").transform_calculate(
        label="'p and q: ' + format(datum.product, '.3f')"
    )
    return alt.layer(
        terms.mark_line(color=PALETTE["source"]).encode(x=x, y=y),
        own.mark_circle(size=110, opacity=1, color=PALETTE["source"]).encode(x=x, y=y),
        own.mark_text(align="right", fontSize=13).encode(
            x=alt.value(_WIDTH - 4), y=alt.value(10), text="label:N"
        ),
    ).properties(width=_WIDTH, height=150)


def shares_chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw stacked bars: the `share` of each `term` in the scores of each `head`.

    The terms keep the order in which they first appear. Raises ValueError for more than four.
    """
    terms = list(dict.fromkeys(row["term"] for row in rows))
    if not 1 <= len(terms) <= 4:
        raise ValueError(f"shares_chart: {len(terms)} terms; expected one to four")
    shades = [PALETTE[name] for name in ("value", "query", "key", "source")][: len(terms)]
    order = f"indexof({terms}, datum.term)"
    columns = f"{CONTAINER_WIDTH} < 480 ? 1 : 2"  # two long names are wider than the bars
    return (
        alt.Chart(alt.Data(values=list(rows)))
        .transform_calculate(place=order)
        .mark_bar(stroke=_PAPER, strokeWidth=1)
        .encode(
            y=alt.Y("head:N", title=None, sort=None),
            x=alt.X(
                "share:Q",
                title="share of the differences in score",
                axis=alt.Axis(format="%"),
                scale=alt.Scale(nice=False),
            ),
            color=alt.Color(
                "term:N",
                title=None,
                scale=alt.Scale(domain=terms, range=shades),
                legend=alt.Legend(columns=alt.ExprRef(columns), symbolType="square"),
            ),
            order="place:Q",
            tooltip=["head:N", "term:N", alt.Tooltip("share:Q", format=".0%")],
        )
        .properties(height=230)
    )
