"""Line charts: one line per series, and the losses of a training record."""

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from annotated_transformer.lab.figures.log_axes import log_axis
from annotated_transformer.lab.figures.palette import COLOUR_OF, PALETTE

_SHAPES = ["circle", "square", "triangle-up", "diamond", "cross", "triangle-down"]


def line_chart(
    records: Sequence[Mapping[str, Any]],
    *,
    x: str,
    y: str,
    by: str | None = None,
    runs: str | None = None,
    colours: Sequence[str] | None = None,
    log_x: bool = False,
    log_y: bool = False,
) -> Any:
    """Draw one line per value of the field `by`, told apart by colour and by the points' shape.

    `records` are flat mappings that all hold the fields `x`, `y` and `by`; field names serve as
    titles. Where a series was measured in several runs, `runs` is the field that tells them apart,
    such as the seed: each run is a thin line of its own in the colour of its series. `colours`
    names PALETTE entries in the order in which the series first appear; without it, a series has
    its colour in COLOUR_OF, or else the first of PALETTE that no other has.
    Raises ValueError for no records, a missing field, more series than colours, or a number that a
    logarithmic axis cannot show.
    """
    fields = [field for field in (x, y, by, runs) if field is not None]
    for position, record in enumerate(records):
        if missing := [field for field in fields if field not in record]:
            raise ValueError(f"line_chart: record {position} has no field {missing[0]!r}")
    if not records:
        raise ValueError("line_chart: there are no records to draw")
    rows = [{field: _plain(record[field]) for field in fields} for record in records]
    series = list(dict.fromkeys(row[by] for row in rows)) if by else [""]
    colours = colours_of(series) if colours is None else colours
    if len(series) > len(colours):
        raise ValueError(f"line_chart: {len(series)} series but only {len(colours)} colours")
    across = _axis([row[x] for row in rows], log_x)
    # Numbers of five digits run into each other at the ticks that Vega would choose.
    if not log_x and max(abs(row[x]) for row in rows) >= 10_000:
        across["axis"] = alt.Axis(tickCount=6)
    channels: dict[str, Any] = {
        "x": alt.X(f"{x}:Q", **across),
        "y": alt.Y(f"{y}:Q", **_axis([row[y] for row in rows], log_y)),
        "tooltip": [f"{name}:N" for name in (by, runs) if name] + [f"{x}:Q", f"{y}:Q"],
    }
    if runs:
        channels["detail"] = f"{runs}:N"
    shades = [PALETTE[name] for name in colours[: len(series)]]
    if by:
        channels["color"] = alt.Color(
            f"{by}:N", title=None, scale=alt.Scale(domain=series, range=shades)
        )
        shapes = alt.Scale(domain=series, range=_SHAPES[: len(series)])
        channels["shape"] = alt.Shape(f"{by}:N", title=None, scale=shapes)
    # Points take the colour of their series; of one line without a name they would take Vega's own.
    own: dict[str, Any] = {} if by else {"color": shades[0]}
    point = alt.OverlayMarkDef(filled=True, size=20 if runs else 45, **own)
    thin: dict[str, Any] = {"strokeWidth": 1} if runs else {}
    mark = alt.Chart(alt.Data(values=rows)).mark_line(color=shades[0], point=point, **thin)
    return mark.encode(**channels).properties(height=280)


def colours_of(names: Sequence[Any]) -> list[str]:
    """Return a key of PALETTE for each name, that of COLOUR_OF if it has one, while there are.

    Of two names with the same colour there the first one has it.
    """
    known: dict[Any, str] = {}
    for name in names:
        if (colour := COLOUR_OF.get(name)) and colour not in known.values():
            known[name] = colour
    free = iter([colour for colour in PALETTE if colour not in known.values()])
    found = [known.get(name) or next(free, "") for name in names]
    return [colour for colour in found if colour]


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value


def _axis(values: Sequence[float], log: bool) -> dict[str, Any]:
    return log_axis(values) if log else {"scale": alt.Scale(zero=False)}


def loss_chart(curve: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the losses of a training record's curve against the updates.

    Every field whose name contains "loss" becomes one line; an entry need not hold all of them,
    because validation is rarer than training. Raises ValueError when no entry holds a loss.
    """
    names = dict.fromkeys(name for entry in curve for name in entry if "loss" in name)
    if not names:
        raise ValueError(f"loss_chart: none of the {len(curve)} entries of the curve has a loss")
    records = [
        {"updates": entry["step"], "loss": entry[name], "curve": _curve(name)}
        for name in names
        for entry in curve
        if entry.get(name) is not None
    ]
    return line_chart(records, x="updates", y="loss", by="curve")


def _curve(name: str) -> str:
    return name.replace("valid_", "validation ").replace("_", " ")
