"""The ticks of logarithmic axes, the same in charts and in pictures.

Widths, beams and lengths double: their ticks are powers of two. Other numbers have ticks at 1, 2
and 5 times the powers of ten, and where these are many, at powers of ten alone. The steps are equal
and each tick has its number.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import altair as alt
from matplotlib.axes import Axes

MOST = 7
"""Ticks of an axis; if there are more, every second or third power is left."""


def log_ticks(values: Iterable[float], most: int = MOST) -> tuple[list[float], list[float]]:
    """Return the two ends of a logarithmic axis for these values, and its ticks, at most `most`.

    Raises:
        ValueError: there are no values, or a logarithmic axis cannot show one.
    """
    found = sorted({float(value) for value in values})
    if not found or not all(0 < value < math.inf for value in found):
        raise ValueError(f"log_ticks: expected positive numbers, got {found[:3]}")
    if len(found) > 1 and all(math.log2(value).is_integer() for value in found):
        ends = [found[0], found[-1]]
        return ends, _powers(2, range(int(math.log2(ends[0])), int(math.log2(ends[1])) + 1), most)
    low, high = _one_digit(found[0], math.floor), _one_digit(found[-1], math.ceil)
    if low == high:
        low, high = low / 2, high * 2
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    fine, coarse = (
        [tick for power in powers for n in digits if low <= (tick := _times(n, power)) <= high]
        for digits in (range(1, 10), (1, 2, 5))
    )
    if len(coarse) < 3:
        return [low, high], fine[:: math.ceil(len(fine) / most)]
    if len(coarse) <= most:
        return [low, high], coarse
    inside = [power for power in powers if low <= _times(1, power) <= high]
    return [low, high], _powers(10, inside, most)


def _powers(base: int, exponents: Sequence[int], most: int) -> list[float]:
    """Return the powers of a base, or every second, every third ... of them."""
    step = math.ceil(len(exponents) / most)
    if base == 10:  # 1 is one of them
        exponents = [exponent for exponent in exponents if exponent % step == 0]
        return [_times(1, exponent) for exponent in exponents]
    return [float(base) ** exponent for exponent in exponents[::step]]


def _one_digit(value: float, whole: Any) -> float:
    """Return the next number below or above a value that has one digit and then zeros."""
    power = math.floor(math.log10(value))
    return _times(whole(float(f"{value / 10.0**power:.12g}")), power)


def _times(n: int, power: int) -> float:
    """Return n times a power of ten, as it is written: 0.3, not 0.30000000000000004."""
    return float(f"{n}e{power}")


def log_axis(values: Iterable[float]) -> dict[str, Any]:
    """Return the scale and the axis of a chart's channel: `alt.X("width:Q", **log_axis(widths))`.

    Raises ValueError as `log_ticks` does.
    """
    ends, ticks = log_ticks(values)
    return {
        "scale": alt.Scale(type="log", domain=ends, nice=False),
        "axis": alt.Axis(values=ticks, format=",~r"),
    }


def set_log_axis(axes: Axes, which: str, values: Iterable[float], most: int = MOST) -> None:
    """Make the axis `which` of a picture, x or y, logarithmic, with the ticks of these values.

    Raises ValueError as `log_ticks` does.
    """
    _, ticks = log_ticks(values, most)
    axis = axes.xaxis if which == "x" else axes.yaxis
    axes.set(**{f"{which}scale": "log"})
    axis.set_ticks(ticks, [tick_name(tick) for tick in ticks])
    axis.set_ticks([], minor=True)


def tick_name(tick: float) -> str:
    """Write the number of a tick, as a chart writes it: 1,000 or 0.05."""
    name = f"{tick:,.12f}"
    return name.rstrip("0").rstrip(".")
