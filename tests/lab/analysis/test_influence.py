import math

import pytest
import torch
from typechecking import unchecked

from annotated_transformer.lab.analysis.influence import influence


def linear(relation):
    """One layer whose row i is made of the rows that the relation names."""
    torch.manual_seed(0)
    weights = torch.randn(*relation.shape, 5, 5, dtype=torch.float64) * relation[..., None, None]
    return lambda x: torch.einsum("ijab,jb->ia", weights, x), weights


def test_influence_is_the_norm_of_the_blocks_of_the_jacobian():
    relation = torch.rand(6, 4, generator=torch.Generator().manual_seed(1)) < 0.5
    function, weights = linear(relation)
    found = influence(function, torch.randn(4, 5, dtype=torch.float64), probes=4_000)
    torch.testing.assert_close(found, weights.norm(dim=(-1, -2)), rtol=0.05, atol=0)
    assert torch.equal(found > 0, relation)


def test_influence_asks_for_a_gradient_and_for_a_probe():
    x = torch.randn(3, 4)
    with torch.no_grad(), pytest.raises(ValueError, match=r"no gradient.*no_grad"):
        influence(lambda x: 2 * x, x)
    for probes in (0, 1.5):
        with unchecked(), pytest.raises(ValueError, match=f"probes={probes} must be a positive"):
            influence(lambda x: 2 * x, x, probes=probes)


@pytest.mark.parametrize(
    ("function", "x", "message"),
    [
        (lambda x: x, torch.ones(1, 3, 4), r"x has shape \(1, 3, 4\).*without a batch"),
        (lambda x: x, torch.ones(3, 4, dtype=torch.long), r"x has .*int64.*floating point"),
        (lambda x: x[None], torch.ones(3, 4), r"output has shape \(1, 3, 4\)"),
        (lambda x: x.sum(), torch.ones(3, 4), r"output has shape \(\)"),
        (lambda x: (x, x), torch.ones(3, 4), "output is a tuple; expected a tensor"),
        (lambda x: (x - math.inf).softmax(0), torch.ones(3, 4), "gradients are NaN"),
    ],
)
def test_influence_refuses_what_it_cannot_judge(function, x, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        influence(function, x)
