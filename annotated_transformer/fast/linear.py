"""Products of matrices, computed in the order and number that is fastest.

What they compute is `nn.Linear`; the tests hold them to it.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeGuard

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.modules.module import _has_any_global_hook

from annotated_transformer.checks import check_sizes
from annotated_transformer.checks.tensors import check_width

FEW_ROWS = 64
"""With at most this many rows W x^T is faster on a CPU than x W^T."""


class Linear(nn.Linear):
    """`nn.Linear`; a search, which has a few rows at a time, computes (W x^T + b)^T.

    On our CPU, 32 rows of width 512 took half the time so, and 128 rows as long.
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        **options: Any,
    ) -> None:
        in_features, out_features = check_sizes(
            in_features=in_features, out_features=out_features
        )
        super().__init__(in_features, out_features, bias, **options)

    def forward(self, x: Tensor) -> Tensor:
        """Multiply (..., in_features) to (..., out_features).

        Raises:
            ValueError: x has another width, type or device.
        """
        check_width("the input", x, self.weight)
        if torch.is_grad_enabled() or x.device.type != "cpu":
            return super().forward(x)
        return few_rows_product(self.weight, x, self.bias)

    @staticmethod
    def joined(linears: Sequence["Linear"]) -> Callable[[Tensor], Tensor]:
        """Return one product that gives the outputs of all, side by side: for a search."""
        if not all(map(is_plain, linears)):
            return lambda x: torch.cat([linear(x) for linear in linears], -1)
        weight, bias = stacked(linears)
        return partial(few_rows_product, weight, bias=bias)


def initialise(linear: nn.Linear, gain: float = 1.0) -> None:
    """Draw Glorot-uniform weights times `gain`; a bias starts at zero."""
    nn.init.xavier_uniform_(linear.weight, gain)
    if linear.bias is not None:
        nn.init.zeros_(linear.bias)


def stacked(linears: Sequence[nn.Linear]) -> tuple[Tensor, Tensor | None]:
    """Stack matrices, and their biases, so that one product serves all."""
    weight = torch.cat([linear.weight for linear in linears])
    biases: list[Tensor] = [
        linear.bias for linear in linears if linear.bias is not None
    ]
    return weight, torch.cat(biases) if biases else None


def few_rows_product(
    weight: Tensor, x: Tensor, bias: Tensor | None = None
) -> Tensor:
    """Compute x W^T + b, from the other side if x has only a few rows."""
    if x.dim() == 1 or x.numel() > FEW_ROWS * x.size(-1):
        return F.linear(x, weight, bias)
    rows = x.flatten(0, -2).t()
    columns = (
        weight @ rows
        if bias is None
        else torch.addmm(bias[:, None], weight, rows)
    )
    return columns.t().unflatten(0, x.shape[:-1])


def products(
    inputs: Sequence[Any], linears: Sequence[nn.Module]
) -> Sequence[Tensor]:
    """Multiply each input by its matrix; one and the same input by all in one product.

    Under autocast the input is then converted to bfloat16 once instead of three
    times. Rounded matrices (int8.py) stay apart: to stack them would cost what
    it saves.
    """
    plain = [each for each in linears if is_plain(each)]
    if len(plain) < len(linears) or any(x is not inputs[0] for x in inputs):
        return [linear(x) for linear, x in zip(linears, inputs, strict=True)]
    check_width("the input", inputs[0], plain[0].weight)
    together = F.linear(inputs[0], *stacked(plain))
    return together.split([linear.out_features for linear in plain], dim=-1)


PLAIN: set[type[nn.Module]] = {nn.Linear, Linear}
"""Classes whose `forward` is the product and nothing more."""


def is_plain(linear: nn.Module) -> TypeGuard[nn.Linear]:
    """Return whether a product with its weight can stand for the call of a module.

    Not if a hook would then not be called, nor if the class is another, such as
    one that adds a low-rank matrix, or whose weight is parametrised.
    """
    return type(linear) in PLAIN and not has_hooks(linear)


def has_hooks(module: nn.Module) -> bool:
    """Return whether somebody wants to know of a module's calls."""
    hooks = (
        module._forward_pre_hooks,
        module._forward_hooks,
        module._backward_pre_hooks,
        module._backward_hooks,
    )
    return any(hooks) or bool(_has_any_global_hook())
