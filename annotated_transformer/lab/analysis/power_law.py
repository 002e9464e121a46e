"""A power law fitted to losses, and how well its floor is known.

Chapter: *Language models*. `loss = floor + factor * size ** -exponent`. What no
model can know keeps the loss above a floor. With few sizes, many floors fit
almost equally well, so a single best one says too much: `floors_within` gives
all that fit as well as the runs agree among themselves.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch

STEPS = 400
"""Floors that are tried, evenly spaced from 0 to just below the smallest loss."""


class PowerLaw(NamedTuple):
    """`loss = floor + factor * size ** -exponent`."""

    floor: float
    """The loss that no size gets below."""
    factor: float
    """What size 1 loses above the floor."""
    exponent: float
    """How fast the rest falls with size."""
    error: float
    """Root mean square of fitted minus measured loss."""

    def loss(self, size: float) -> float:
        """Return the loss that it predicts for a size."""
        return self.floor + self.factor * size**-self.exponent


def with_floor(sizes: Sequence[float], losses: Sequence[float], floor: float) -> PowerLaw:
    """Fit the law with this floor: a straight line through logarithms of sizes and losses.

    Raises:
        ValueError: fewer than three different sizes, a size or loss that is
            not positive, or a floor that is not below all losses.
    """
    if len(sizes) != len(losses) or len(set(sizes)) < 3:
        raise ValueError(
            f"{len(set(sizes))} different sizes and {len(losses)} losses: "
            "a power law with a floor needs three sizes or more, each with a loss"
        )
    if min(*sizes, *losses) <= 0:
        raise ValueError("sizes and losses must be positive")
    if not 0 <= floor < min(losses):
        raise ValueError(f"floor={floor} must be from 0 to below the smallest loss, {min(losses)}")
    x = torch.tensor(sizes, dtype=torch.float64).log()
    y = (torch.tensor(losses, dtype=torch.float64) - floor).log()
    slope = ((x - x.mean()) * (y - y.mean())).sum() / (x - x.mean()).square().sum()
    intercept = y.mean() - slope * x.mean()
    law = PowerLaw(floor, math.exp(intercept), -slope.item(), 0.0)
    squares = [(law.loss(n) - loss) ** 2 for n, loss in zip(sizes, losses, strict=True)]
    return law._replace(error=math.sqrt(sum(squares) / len(squares)))


def power_law(sizes: Sequence[float], losses: Sequence[float]) -> PowerLaw:
    """Fit the law with the best of all floors: the one with the smallest error.

    Raises:
        ValueError: as `with_floor`.
    """
    return min(_all(sizes, losses), key=lambda law: law.error)


def weighted(
    sizes: Sequence[float], losses: Sequence[float], spreads: Sequence[float], floor: float
) -> tuple[PowerLaw, float]:
    """Return the law with this floor where each loss counts by its own spread, and its misfit.

    The misfit is chi-square: the sum of squares of fitted minus measured loss,
    each in units of its spread. A law that is right has about as much as there
    are more sizes than numbers that were fitted, three.

    Raises:
        ValueError: as `with_floor`, or a spread that is not positive.
    """
    law = with_floor(sizes, losses, floor)
    if len(spreads) != len(losses) or min(spreads) <= 0:
        raise ValueError(f"{spreads} must be a positive spread for each of {len(losses)} losses")
    x = torch.tensor(sizes, dtype=torch.float64).log()
    above = torch.tensor(losses, dtype=torch.float64) - floor
    spread = torch.tensor(spreads, dtype=torch.float64)
    # A spread s of a loss is a spread s / above of the logarithm of what is above the floor.
    weight = (above / spread).square()
    y, total = above.log(), weight.sum()
    middle_x, middle_y = (weight * x).sum() / total, (weight * y).sum() / total
    slope = (weight * (x - middle_x) * (y - middle_y)).sum()
    slope = slope / (weight * (x - middle_x).square()).sum()
    law = PowerLaw(floor, math.exp(middle_y - slope * middle_x), -slope.item(), 0.0)
    misses = [law.loss(n) - loss for n, loss in zip(sizes, losses, strict=True)]
    error = math.sqrt(sum(miss**2 for miss in misses) / len(misses))
    misfit = sum((miss / own) ** 2 for miss, own in zip(misses, spreads, strict=True))
    return law._replace(error=error), misfit


def best_weighted(
    sizes: Sequence[float], losses: Sequence[float], spreads: Sequence[float]
) -> tuple[PowerLaw, float]:
    """Return the weighted law whose floor has the smallest misfit, and the misfit.

    Raises:
        ValueError: as `weighted`.
    """
    below = min(losses, default=0.0)
    tried = (weighted(sizes, losses, spreads, below * step / STEPS) for step in range(STEPS))
    return min(tried, key=lambda found: found[1])


def floors_within(
    sizes: Sequence[float], losses: Sequence[float], error: float
) -> tuple[PowerLaw, PowerLaw] | None:
    """Return the laws with the lowest and highest floor whose error is at most this, or None.

    Raises:
        ValueError: as `with_floor`.
    """
    close = [law for law in _all(sizes, losses) if law.error <= error]
    return (close[0], close[-1]) if close else None


def _all(sizes: Sequence[float], losses: Sequence[float]) -> list[PowerLaw]:
    below = min(losses, default=0.0)
    return [with_floor(sizes, losses, below * step / STEPS) for step in range(STEPS)]
