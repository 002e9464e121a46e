"""Heads removed for good: how much each matters, and a smaller model without some.

Chapter: *Reading attention*. `without_heads` sets what a head adds to zero and computes it all the
same; `pruned` cuts its rows and columns out of the four matrices, so that it costs nothing. Left
out: training the smaller model again.
"""

import copy
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.lab.analysis.heads import attention_named, attentions_of, check_removed
from annotated_transformer.transformer import Transformer


def gradient_importance(
    model: nn.Module, losses: Iterable[Tensor]
) -> dict[str, Float[Tensor, " heads"]]:
    """Measure how strongly the loss answers if a head is turned down a little, by attention.

    Were head h multiplied by a factor xi_h, the value is the mean over the losses of
    |d loss / d xi_h| at xi_h = 1. `losses` is computed one after another while hooks are on the
    model, as a generator does.

    Raises:
        ValueError: there are no losses.

    Source: Michel et al. 2019, equation 2.
    """
    factors, handles = {}, []
    for name, module in attentions_of(model).items():
        factors[name] = torch.ones(module.n_heads, requires_grad=True)
        hook = _times(factors[name])
        handles.append(module.attend.register_forward_hook(hook))
    try:
        gradients = [torch.autograd.grad(loss, list(factors.values())) for loss in losses]
    finally:
        for handle in handles:
            handle.remove()
    if not gradients:
        raise ValueError("there are no losses to take gradients of")
    slopes = [torch.stack(each).abs().mean(0) for each in zip(*gradients, strict=True)]
    return dict(zip(factors, slopes, strict=True))


def _times(factors: Float[Tensor, " heads"]) -> Any:
    """Make a hook that multiplies each head's output (batch, heads, query, d_v) by its factor."""

    def hook(module: nn.Module, inputs: Any, output: Tensor) -> Tensor:
        return output * factors.to(output)[:, None, None]

    return hook


def least_first(importance: Mapping[str, Float[Tensor, " heads"]]) -> list[tuple[str, int]]:
    """Sort all heads, the least important first, each layer's values divided by their length.

    Source: Michel et al. 2019, section 4.1, after Molchanov et al. 2017.
    """
    scaled = {
        (name, head): value / values.norm().item()
        for name, values in importance.items()
        for head, value in enumerate(values.tolist())
    }
    return sorted(scaled, key=scaled.__getitem__)


def pruned(model: Transformer, removed: Mapping[str, Sequence[int]]) -> Transformer:
    """Copy the model without some heads; its matrices are smaller by as much.

    Its output is that of the model inside `without_heads(model, removed)`. An attention that loses
    all heads keeps one of width 1, which adds nothing. `config` still has the old number of heads,
    which may now differ from one attention to the next.

    Raises:
        ValueError: what `without_heads` refuses; or ALiBi, whose biases follow from the number of
            heads.

    Source: Michel et al. 2019, section 4.3.
    """
    check_removed(model, removed)
    if model.config.positions == "alibi":
        raise ValueError(
            "positions='alibi' gives each head a bias by its number; "
            "expected other positions for a model that loses heads"
        )
    smaller = copy.deepcopy(model)
    for name, gone in removed.items():
        _shrink(attention_named(smaller, name), set(gone))
    return smaller


def _shrink(module: MultiHeadAttention, gone: AbstractSet[int]) -> None:
    """Cut some heads out of the four matrices."""
    left = [head for head in range(module.n_heads) if head not in gone]
    for linear in (module.w_query, module.w_key, module.w_value):
        rows = _places(linear.out_features, module.n_heads, left)
        _replace(linear, linear.weight[rows])
        if linear.bias is not None:
            linear.bias = nn.Parameter(linear.bias.detach()[rows])
    output = module.w_output
    columns = _places(output.in_features, module.n_heads, left)
    _replace(output, output.weight[:, columns] * bool(left))
    module.n_heads = max(len(left), 1)


def _places(width: int, n_heads: int, left: Sequence[int]) -> Tensor:
    """Return the columns of the heads that are left, in a width of all heads; without any, 0."""
    places = torch.arange(width).view(n_heads, -1)[list(left)].flatten()
    return places if left else torch.zeros(1, dtype=torch.long)


def _replace(linear: nn.Linear, weight: Tensor) -> None:
    """Replace a linear map's matrix by one of other sizes."""
    linear.weight = nn.Parameter(weight.detach().clone())
    linear.out_features, linear.in_features = weight.shape
