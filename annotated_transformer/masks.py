"""Which positions may look at which: padding and causal masks, and a test of what really flows.

Paper: section 3.2.3. Chapter: *Masks*. Every mask in this package is boolean, True means "may
attend", and it broadcasts to (batch, heads, query, key). Here is the only place that builds one.
"""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def padding_mask(
    ids: Int[Tensor, "batch key"], padding_id: int = 0
) -> Bool[Tensor, "batch 1 1 key"]:
    """True where a key is a real token, False where it only fills up the batch.

    Raises:
        ValueError: the ids are not those of a batch of sentences.
    """
    if ids.dim() != 2:
        raise ValueError(
            f"ids have shape {tuple(ids.shape)}; expected (batch, key), "
            "and a single sentence is a batch of one: ids[None]"
        )
    return (ids != padding_id)[:, None, None, :]


def causal_mask(
    length: int, device: torch.device | None = None
) -> Bool[Tensor, "query key"]:
    """True where the key is not later than the query: the lower triangle, diagonal included.

    Raises:
        ValueError: the length is not a whole number, or negative.

    Source: section 3.2.3, "preserve the auto-regressive property".
    """
    if type(length) is not int or length < 0:
        raise ValueError(
            f"length={length!r}: a mask needs a whole number of tokens, 0 or more"
        )
    return torch.ones(length, length, dtype=torch.bool, device=device).tril()


def check_mask(mask: Tensor, scores_shape: tuple[int, ...]) -> None:
    """Refuse a mask that is not boolean or does not broadcast to the scores.

    Raises:
        ValueError: naming the dtype or the two shapes.
    """
    if mask.dtype != torch.bool:
        raise ValueError(
            f"the mask has dtype {mask.dtype}; it must be torch.bool, True where a query may attend"
        )
    # Right-aligned, as broadcasting is: every axis of the mask is 1 or that of the scores.
    axes = zip(reversed(mask.shape), reversed(scores_shape), strict=False)
    if mask.dim() > len(scores_shape) or any(m not in (1, s) for m, s in axes):
        raise ValueError(
            f"a mask of shape {tuple(mask.shape)} does not fit scores of shape "
            f"{tuple(scores_shape)}, (..., query, key)"
        )


def influence(
    function: Callable[[Tensor], Tensor],
    x: Float[Tensor, "input d_model"],
    *,
    probes: int = 8,
    seed: int = 0,
) -> Float[Tensor, "output input"]:
    """How strongly row i of function(x) depends on row j of x, measured by gradients.

    Entry (i, j) estimates the Frobenius norm of that block of the Jacobian: the root mean square
    length of the gradient of random mixtures of row i with respect to row j. Where row j cannot
    reach row i it is exactly 0; where the block is not zero, neither is the entry (with
    probability 1).

    Args:
        function: vectors of a sentence in, one vector or several out, such as an encoder.
        x: the sentence at which the Jacobian is taken.
        probes: random mixtures for each row.
        seed: of the mixtures.

    Raises:
        ValueError: `probes` is not a positive integer; x or the output is not a sentence of
            vectors; the output has no gradient, where zeros would look like a mask that holds;
            or gradients are NaN, where nothing can be said.
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


def _vectors(name: str, found: object) -> Tensor:
    """Refuse what is not one row of numbers for each position."""
    if not isinstance(found, Tensor):
        raise ValueError(
            f"{name} is a {type(found).__name__}; expected a tensor"
        )
    if found.dim() != 2 or not found.is_floating_point():
        raise ValueError(
            f"{name} has shape {tuple(found.shape)} and dtype {found.dtype}; "
            "expected (position, d_model), without a batch, and floating point"
        )
    return found
