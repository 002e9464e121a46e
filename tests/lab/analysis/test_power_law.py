"""A law is found again from its own losses, and its floor is no better known than the losses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.analysis.power_law import (
    PowerLaw,
    best_weighted,
    floors_within,
    power_law,
    weighted,
    with_floor,
)

SIZES = [100.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 30_000.0]


@given(floor=st.floats(0, 2), factor=st.floats(0.5, 20), exponent=st.floats(0.1, 1))
def test_with_its_own_floor_a_law_is_found_exactly(floor, factor, exponent):
    law = PowerLaw(floor, factor, exponent, 0.0)
    found = with_floor(SIZES, [law.loss(size) for size in SIZES], floor)
    assert math.isclose(found.factor, factor, rel_tol=1e-6)
    assert math.isclose(found.exponent, exponent, rel_tol=1e-6)
    assert found.error < 1e-6


def test_the_best_floor_is_the_right_one_up_to_the_grid():
    law = PowerLaw(1.2, 30.0, 0.5, 0.0)
    found = power_law(SIZES, [law.loss(size) for size in SIZES])
    assert abs(found.floor - 1.2) < 0.01
    assert abs(found.exponent - 0.5) < 0.01


def test_several_runs_of_a_size_count_each():
    sizes, losses = [1.0, 1.0, 4.0, 16.0], [2.0, 8.0, 1.0, 0.25]
    found = with_floor(sizes, losses, 0.0)
    assert math.isclose(found.exponent, 1.0)
    assert math.isclose(found.factor, 4.0)


def test_a_coarser_measure_leaves_more_floors():
    law = PowerLaw(1.0, 5.0, 0.3, 0.0)
    losses = [law.loss(size) for size in SIZES]
    narrow, wide = (floors_within(SIZES, losses, error) for error in (0.005, 0.05))
    assert wide[0].floor <= narrow[0].floor <= 1.0 <= narrow[1].floor <= wide[1].floor
    assert wide[1].floor - wide[0].floor > 2 * (narrow[1].floor - narrow[0].floor)
    assert floors_within(SIZES, losses, -1.0) is None


def test_a_weighted_law_is_found_again_and_misses_nothing():
    law = PowerLaw(1.0, 5.0, 0.3, 0.0)
    losses, spreads = [law.loss(size) for size in SIZES], [0.3, 0.1, 0.02, 0.02, 0.01, 0.1]
    found, misfit = weighted(SIZES, losses, spreads, 1.0)
    assert math.isclose(found.exponent, 0.3)
    assert misfit < 1e-12
    assert weighted(SIZES, losses, spreads, 0.0)[1] > 1
    assert abs(best_weighted(SIZES, losses, spreads)[0].floor - 1.0) < 0.01


def test_a_loss_counts_by_its_own_spread():
    sizes, losses = [1.0, 10.0, 100.0], [9.0, 1.0, 0.1]  # the first one lies below its law
    sure, unsure = (weighted(sizes, losses, [spread, 0.01, 0.001], 0.0) for spread in (0.1, 5.0))
    assert abs(unsure[0].exponent - 1) < abs(sure[0].exponent - 1)
    assert unsure[1] < 1 < sure[1]
    with pytest.raises(ValueError, match="must be a positive spread for each of 3 losses"):
        weighted(sizes, losses, [0.1, 0.0, 0.1], 0.0)


@pytest.mark.parametrize(
    ("sizes", "losses", "floor", "message"),
    [
        ([1, 2], [3, 2], 0, "2 different sizes and 2 losses"),
        ([1, 2, 3], [3, 2], 0, "3 different sizes and 2 losses"),
        ([0, 1, 2], [3, 2, 1], 0, "must be positive"),
        ([1, 2, 3], [3, 2, 1], 1, "floor=1 must be from 0 to below the smallest loss, 1"),
    ],
)
def test_what_no_law_can_be_fitted_to_is_refused(sizes, losses, floor, message):
    with pytest.raises(ValueError, match=message):
        with_floor(sizes, losses, floor)
