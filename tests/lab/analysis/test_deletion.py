"""Deletion on an additive function, where the best order and every area can be written down."""

import itertools
import math

import pytest
import torch

from annotated_transformer.lab.analysis.deletion import (
    deletion_area,
    deletion_curve,
    greedy_order,
    rank_correlation,
)

PARTS = torch.tensor([0.5, 2.0, -1.0, 1.0], dtype=torch.float64)


def additive(kept):
    return (kept.double() * PARTS).sum(1)


def test_the_curve_takes_the_tokens_away_in_order():
    curve = deletion_curve(additive, torch.tensor([1, 3, 0, 2]))
    assert curve.tolist() == [2.5, 0.5, -0.5, -1.0, 0.0]


def test_the_greedy_order_has_the_smallest_area_of_all_if_tokens_only_add_up():
    areas = {
        order: deletion_area(deletion_curve(additive, torch.tensor(order)))
        for order in itertools.permutations(range(4))
    }
    best = tuple(greedy_order(additive, 4).tolist())
    assert best == tuple(PARTS.argsort(descending=True).tolist())
    assert areas[best] == min(areas.values())


def test_the_area_is_that_under_straight_lines():
    assert deletion_area(torch.zeros(4)) == 1
    halves = torch.tensor([1.0, 0.5, 0.25]).log() - 7  # relative to the first
    assert deletion_area(halves) == pytest.approx((0.75 + 0.375) / 2)
    assert deletion_area(torch.tensor([0.0, -math.inf])) == 0.5


def test_greedy_sees_that_two_tokens_stand_in_for_each_other():
    """Either of the first two is enough: by itself neither is missed, so the third goes first."""

    def either(kept):
        return (kept[:, 0] | kept[:, 1]).double() + 0.1 * kept[:, 2].double()

    order = greedy_order(either, 3).tolist()
    assert order[0] == 2
    curve = deletion_curve(either, torch.tensor(order))
    assert curve.tolist() == pytest.approx([1.1, 1.0, 1.0, 0.0])


def test_rank_correlation_is_one_minus_six_sums_of_squares():
    one, other = torch.tensor([0.1, 0.4, 0.2, 0.9]), torch.tensor([3.0, 1.0, 2.0, 7.0])
    ranks = [values.argsort().argsort() for values in (one, other)]
    squares = (ranks[0] - ranks[1]).square().sum().item()
    assert rank_correlation(one, other) == pytest.approx(1 - 6 * squares / (4 * 15))
    assert rank_correlation(one, -one) == pytest.approx(-1)
    with pytest.raises(ValueError, match="all 3 values are equal"):
        rank_correlation(torch.ones(3), torch.arange(3.0))
