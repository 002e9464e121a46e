"""Other attention weights: as far away as possible with the same output, or set by hand.

Chapter: *Reading attention*. If very different weights give the same output, the weights alone do
not explain it (`furthest_weights`); if a head's weights are replaced and the translation changes,
they matter all the same (`with_weights`). Left out: training a model to have other weights.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from scipy.optimize import linprog
from torch import Tensor, nn

from annotated_transformer.attention import attention_weights
from annotated_transformer.fast.attention import biased
from annotated_transformer.lab.analysis.heads import attention_named

Change = Callable[[Tensor, Tensor, Tensor | None], Tensor]
"""(weights, values, mask) of all heads to other weights."""


def distance(
    one: Float[Tensor, "*rows key"], other: Float[Tensor, "*rows key"]
) -> Float[Tensor, "*rows"]:
    """Return the weight that stands on other keys, 0 to 1: half the sum of absolute differences."""
    return (one - other).abs().sum(-1) / 2


def free_directions(values: Float[Tensor, "key d_v"]) -> int:
    """Count the directions in which weights may move without a change of output or sum.

    With n keys that is n less the rank of the values and a column of ones, so that it is 0 as a
    rule where n is at most d_v + 1.

    Source: Brunner et al. 2020.
    """
    ones = values.new_ones(len(values), 1)
    together = torch.cat([values, ones], dim=1).double()
    return len(values) - int(torch.linalg.matrix_rank(together))


def furthest_weights(
    weights: Float[Tensor, " key"], values: Float[Tensor, "key d_v"], tolerance: float = 0.0
) -> Float[Tensor, " key"]:
    """Find other weights, not negative and of sum 1, whose output differs by at most `tolerance`.

    The output is the mean of the values by the weights; no component of it may differ by more. For
    each key a linear programme makes its weight as large as possible, another one as small. Of all
    that they find, the furthest from `weights` is returned: a good answer, not always the furthest
    that there is, which no linear programme finds.

    Raises:
        ValueError: the tolerance is negative.

    Source: the question is that of Jain and Wallace 2019.
    """
    if tolerance < 0:
        raise ValueError(f"tolerance={tolerance} must not be negative")
    a, v = weights.double().numpy(), values.double().numpy()
    output, rows, sum_of_1 = v.T @ a, v.T, np.ones((1, len(a)))
    if tolerance:
        limits: dict[str, Any] = {
            "A_ub": np.concatenate([rows, -rows]),
            "b_ub": np.concatenate([output + tolerance, tolerance - output]),
            "A_eq": sum_of_1,
            "b_eq": [1.0],
        }
    else:
        limits = {"A_eq": np.concatenate([rows, sum_of_1])}
        limits["b_eq"] = np.concatenate([output, [1.0]])
    candidates = [a]
    for goal in (*np.eye(len(a)), *-np.eye(len(a))):
        solved = linprog(goal, **limits)
        if solved.success:
            candidates.append(solved.x)
    best = max(candidates, key=lambda b: float(np.abs(b - a).sum()))
    return torch.from_numpy(best).to(weights)


@contextlib.contextmanager
def with_weights(model: nn.Module, name: str, change: Change) -> Iterator[None]:
    """Let one attention of a model use other weights than its own while the block runs.

    Args:
        model: any model with multi-head attentions.
        name: of the attention, for instance "decoder.layers.1.cross_attention".
        change: gives the weights (batch, heads, query, key) that are used, from the attention's
            own, the values and what the mask lets them see, or None: everything.

    Raises:
        ValueError: no attention of that name.
    """

    def replace(_: nn.Module, inputs: tuple[Any, ...], output: Tensor) -> Tensor:
        query, key, value, mask, attn_bias = inputs
        weights = attention_weights(query, key, mask, attn_bias)
        mask = biased(weights, mask, attn_bias)[1]
        return change(weights, value, mask).to(value) @ value

    attend = attention_named(model, name).attend
    handle = attend.register_forward_hook(replace)
    try:
        yield
    finally:
        handle.remove()


def uniform(heads: Sequence[int]) -> Change:
    """Spread the weight of these heads evenly over the keys that the mask allows."""

    def change(weights: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        flat = attention_weights(
            torch.zeros_like(weights[..., :1]), torch.zeros_like(value[..., :1]), mask
        )
        changed = weights.clone()
        changed[:, list(heads)] = flat[:, list(heads)]
        return changed

    return change


def taken_from(heads: dict[int, int]) -> Change:
    """Give these heads the weights of others of the same attention: {head: whose}."""

    def change(weights: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        changed = weights.clone()
        changed[:, list(heads)] = weights[:, list(heads.values())]
        return changed

    return change


def furthest(tolerance: float) -> Change:
    """Give all heads `furthest_weights`, row by row."""

    def change(weights: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        changed = weights.clone()
        for place in np.ndindex(*weights.shape[:-1]):
            allowed = weights[place] > 0  # what the mask hides stays hidden
            row, values = weights[place][allowed], value[place[:2]][allowed]
            changed[place][allowed] = furthest_weights(row, values, tolerance)
        return changed

    return change
