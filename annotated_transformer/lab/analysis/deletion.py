"""How good an order of tokens is: how fast a choice's probability falls as they are deleted.

Chapter: *Reading attention*. If a method is right about which tokens matter, a choice falls fast
when the tokens go in its order. Left out: retraining on texts with holes, without which a model is
asked about texts of a kind that it has never seen.
"""

import torch
from jaxtyping import Float, Int
from scipy.stats import spearmanr
from torch import Tensor

from annotated_transformer.lab.analysis.attribution import OfKept


@torch.no_grad()
def deletion_curve(function: OfKept, order: Int[Tensor, " token"]) -> Float[Tensor, " deleted"]:
    """Return the function with 0, 1, 2 ... tokens deleted in this order, down to none left."""
    n = len(order)
    visible = torch.ones(n + 1, n, dtype=torch.bool)
    for deleted, token in enumerate(order.tolist(), start=1):
        visible[deleted:, token] = False
    return function(visible)


def deletion_area(log_probabilities: Float[Tensor, " deleted"]) -> float:
    """Return the area under a curve of probabilities relative to the first: 1 if nothing falls.

    The width is 1, the curve is joined by straight lines. The smaller, the earlier it falls.
    """
    relative = (log_probabilities - log_probabilities[0]).double().exp()
    return float(torch.trapezoid(relative) / (len(relative) - 1))


@torch.no_grad()
def greedy_order(function: OfKept, n_tokens: int) -> Int[Tensor, " token"]:
    """Delete the token without which the function is lowest, then the next: a mark to compare with.

    No method sees as much: it asks for every step anew.
    """
    kept, order = torch.ones(n_tokens, dtype=torch.bool), []
    for _ in range(n_tokens):
        left = kept.nonzero()[:, 0]
        tried = kept.repeat(len(left), 1)
        tried[torch.arange(len(left)), left] = False
        token = left[function(tried).argmin()]
        kept[token] = False
        order.append(token)
    return torch.stack(order)


def rank_correlation(one: Float[Tensor, " token"], other: Float[Tensor, " token"]) -> float:
    """Return Spearman's correlation of two rankings of the same tokens: 1 equal, -1 reversed.

    Raises:
        ValueError: all values of one side are equal, so that they rank nothing.
    """
    for values in (one, other):
        if values.min() == values.max():
            raise ValueError(f"all {len(values)} values are equal: there is no ranking")
    return float(spearmanr(one.numpy(), other.numpy()).statistic)
