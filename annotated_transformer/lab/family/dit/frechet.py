"""How far samples are from real images, when both are clouds of features."""

import torch
from jaxtyping import Float
from torch import Tensor


def frechet_distance(first: Float[Tensor, "m width"], second: Float[Tensor, "n width"]) -> float:
    """Return |mu - nu|^2 + tr(A + B - 2 (A B)^(1/2)) for means and covariances A, B; float64.

    The square of the distance of two normal distributions; 0 if means and
    covariances agree. The trace of the root is the sum of the roots of the
    eigenvalues of A^(1/2) B A^(1/2), which are those of A B.

    Raises:
        ValueError: a cloud of less than two, which has no covariance.

    Source: Dowson and Landau 1982; of features: Heusel et al. 2017, section 2.
    """
    for points in (first, second):
        if len(points) < 2:
            raise ValueError(f"{len(points)} vectors have no covariance; give two or more")
    first, second = first.double(), second.double()
    a, b = (torch.atleast_2d(torch.cov(x.T)) for x in (first, second))
    values, vectors = torch.linalg.eigh(a)
    root = vectors * values.clamp(min=0).sqrt() @ vectors.T
    both = torch.linalg.eigvalsh(root @ b @ root).clamp(min=0).sqrt().sum()
    apart = (first.mean(0) - second.mean(0)).square().sum()
    return float(apart + a.trace() + b.trace() - 2 * both)
