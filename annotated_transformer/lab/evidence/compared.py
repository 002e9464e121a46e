"""What is computed from the sides of a claim, for each round or seed by itself."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from annotated_transformer.lab.evidence.sides import Side, check_same

Numbers = dict[Any, float | None]
Statistic = Callable[[Sequence[Side], str, str], Numbers]


def value(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return the number of the one side."""
    return dict(sides[0].numbers(each, name))


def difference(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return the first side less the second."""
    one, other = _pair(sides, each, name)
    return {key: one[key] - other[key] for key in one}


def ratio(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return the first side over the second."""
    one, other = _pair(sides, each, name)
    return {key: one[key] / other[key] for key in one}


def order(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return by how much each side exceeds the one before it, the smallest step of all."""
    found = [side.numbers(each, name) for side in sides]
    for other in found[1:]:
        check_same(found[0], other, each, name)
    return {key: min(b[key] - a[key] for a, b in pairwise(found)) for key in found[0]}


def crossing(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return where the first curve overtakes the second for good, by lines through the logarithms.

    None where at its end it has not, or at its beginning it has already.
    """
    one, other = (side.lines(each, name) for side in sides)
    check_same(one, other, each, name)
    return {key: _crossing(one[key], dict(other[key])) for key in one}


def exponent(sides: Sequence[Side], each: str, name: str) -> Numbers:
    """Return the slope of a straight line through the logarithms of a curve."""
    return {key: _slope(line) for key, line in sides[0].lines(each, name).items()}


SIDES = {"value": 1, "difference": 2, "ratio": 2, "crossing": 2, "exponent": 1, "order": None}
"""How many sides each statistic wants; an order wants two or more."""
STATISTICS: dict[str, Statistic] = {
    function.__name__: function
    for function in (value, difference, ratio, crossing, exponent, order)
}


def _pair(
    sides: Sequence[Side], each: str, name: str
) -> tuple[Mapping[Any, float], Mapping[Any, float]]:
    one, other = (side.numbers(each, name) for side in sides)
    if sides[1].fixed:
        other = dict.fromkeys(one, next(iter(other.values())))
    check_same(one, other, each, name)
    return one, other


def _crossing(one: Sequence[tuple[float, float]], other: Mapping[float, float]) -> float | None:
    points = [(math.log(x), math.log(y / other[x])) for x, y in one if x in other]
    if not points or points[0][1] >= 0 or points[-1][1] < 0:
        return None
    last = max(i for i, (_, height) in enumerate(points) if height < 0)
    (left, below), (right, above) = points[last : last + 2]
    return math.exp(left - below / (above - below) * (right - left))


def _slope(line: Sequence[tuple[float, float]]) -> float:
    logs = [(math.log(x), math.log(y)) for x, y in line]
    middle_x = math.fsum(x for x, _ in logs) / len(logs)
    middle_y = math.fsum(y for _, y in logs) / len(logs)
    joint = math.fsum((x - middle_x) * (y - middle_y) for x, y in logs)
    return joint / math.fsum((x - middle_x) ** 2 for x, _ in logs)
