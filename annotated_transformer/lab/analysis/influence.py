"""What really flows through a stack of layers, measured by gradients.

Chapter: *Masks*. A mask says who may look at whom; the Jacobian says who does.
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor


def influence(
    function: Callable[[Tensor], Tensor],
    x: Float[Tensor, "input d_model"],
    *,
    probes: int = 8,
    seed: int = 0,
) -> Float[Tensor, "output input"]:
    """Measure how strongly row i of function(x) depends on row j of x, by gradients.

    Entry (i, j) estimates the Frobenius norm of that block of the Jacobian: the
    root mean square length of the gradient of `probes` random mixtures (by
    `seed`) of row i with respect to row j. Where row j cannot reach row i it is
    exactly 0; elsewhere it is not (with probability 1). `function` makes of the
    vectors of a sentence one vector or several, as an encoder does.

    Raises:
        ValueError: `probes` is not a positive integer; x or the output is not a
            sentence of vectors; the output has no gradient, where zeros would
            look like a mask that holds; or gradients are NaN.
    """
    if type(probes) is not int or probes < 1:
        raise ValueError(f"probes={probes!r} must be a positive integer")
    x = _vectors("x", x).detach().requires_grad_()
    output = _vectors("the output", function(x))
    if not output.requires_grad:
        raise ValueError(
            "the output has no gradient: was it computed under torch.no_grad()?"
        )
    generator = torch.Generator().manual_seed(seed)
    draws = torch.randn(
        probes, output.size(-1), generator=generator, dtype=torch.float64
    )
    squares = x.new_zeros(len(output), len(x))
    for i, row in enumerate(output):
        for mixture in draws.to(row):
            (gradient,) = torch.autograd.grad(
                row @ mixture, x, retain_graph=True, materialize_grads=True
            )
            squares[i] += gradient.square().sum(-1)
    if squares.isnan().any():
        raise ValueError("some gradients are NaN, so what flows cannot be told")
    return (squares / probes).sqrt()


def _vectors(name: str, value: object) -> Tensor:
    """Refuse anything but one row of numbers for each position."""
    if not isinstance(value, Tensor):
        raise ValueError(
            f"{name} is a {type(value).__name__}; expected a tensor"
        )
    if value.dim() != 2 or not value.is_floating_point():
        raise ValueError(
            f"{name} has shape {tuple(value.shape)} and dtype {value.dtype}; "
            "expected (position, d_model), without a batch, and floating point"
        )
    return value
