"""The exponent of growth."""

import pytest

from benchmarks.growth import exponent


def test_the_exponent_of_a_power_law_is_found():
    x = [64, 128, 256, 2048]
    assert exponent(x, [3 * n**1.7 for n in x]) == pytest.approx(1.7)
