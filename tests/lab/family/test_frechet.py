"""The distance of two clouds, against the formula with SciPy's root of a matrix."""

import numpy as np
import pytest
import torch
from scipy.linalg import sqrtm

from annotated_transformer.lab.family.dit.frechet import frechet_distance


def clouds(width, m=40, n=30):
    mix = torch.randn(width, width, dtype=torch.float64)
    first = torch.randn(m, width, dtype=torch.float64)
    return first, torch.randn(n, width, dtype=torch.float64) @ mix + 0.5


@pytest.mark.parametrize("width", [1, 2, 7])
def test_it_is_the_formula(width):
    first, second = clouds(width)
    a, b = (np.atleast_2d(np.cov(x.numpy().T)) for x in (first, second))
    apart = ((first.mean(0) - second.mean(0)) ** 2).sum().item()
    expected = apart + np.trace(a + b - 2 * sqrtm(a @ b).real)
    assert frechet_distance(first, second) == pytest.approx(expected, rel=1e-9)
    assert frechet_distance(second, first) == pytest.approx(expected, rel=1e-9)


def test_of_a_cloud_that_was_moved_it_is_the_square_of_the_way():
    first, _ = clouds(5)
    assert frechet_distance(first, first) == pytest.approx(0.0, abs=1e-9)
    moved = first + torch.tensor([3.0, 0.0, 0.0, 4.0, 0.0])
    assert frechet_distance(first, moved) == pytest.approx(25.0, rel=1e-9)


def test_of_a_line_it_is_that_of_means_and_standard_deviations():
    """Of two normals on a line: (mu - nu)^2 + (s - t)^2."""
    first = torch.tensor([[0.0], [2.0], [4.0]])
    assert frechet_distance(first, 3 * first) == pytest.approx(4.0**2 + (2.0 - 6.0) ** 2)


def test_fewer_points_than_components_are_no_obstacle():
    first, second = clouds(9, m=4, n=5)
    assert frechet_distance(first, first) == pytest.approx(0.0, abs=1e-6)
    assert frechet_distance(first, second) > 0


def test_one_point_has_no_covariance():
    with pytest.raises(ValueError, match="1 vectors have no covariance"):
        frechet_distance(torch.zeros(3, 2), torch.zeros(1, 2))
