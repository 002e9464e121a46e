"""Matrices in the order in which the products of a search read them.

A product of float32 on a CPU first copies ("packs") the weights into blocks that fit its innermost
loop. With thousands of rows, as in training, that is soon paid for; a step of a search has a row
for each prefix, and packs the same weights again for the next token. Here they are packed once, by
oneDNN, when a search first uses them. Keys and values of the source are computed once in a search
and gain nothing, nor does the encoder: both keep the plain product.
"""

import copy
from collections.abc import Callable, Sequence
from typing import TypeVar, cast

import torch
from torch import Tensor, nn
from torch.nn.utils.parametrize import is_parametrized

from annotated_transformer.fast.linear import PLAIN, Linear, few_rows_product, is_plain, stacked
from annotated_transformer.transformer import Transformer

Module = TypeVar("Module", bound=nn.Module)
ROWS_WORTH_PACKING = 8
"""With fewer rows, a step spends its time on reading the weights, in any order."""


class Packed:
    """x W^T + b without a gradient; weights are packed when enough rows first come.

    They must not change afterwards: the packed ones would not.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        self.weight, self.bias = weight, bias
        self.blocks: Tensor | None = None

    def __call__(self, x: Tensor) -> Tensor:
        """Multiply (..., in_features) to (..., out_features)."""
        if x.numel() < ROWS_WORTH_PACKING * x.size(-1):
            return few_rows_product(self.weight, x, self.bias)
        if self.blocks is None:
            self.blocks = in_blocks(self.weight)
        return torch.ops.mkldnn._linear_pointwise(x, self.blocks, self.bias, "none", [], "")


def in_blocks(weight: Tensor) -> Tensor:
    """Reorder the weights into oneDNN's blocks, which are opaque and as large as before."""
    return torch.ops.mkldnn._reorder_linear_weight(weight)


class PackedLinear(Linear):
    """A `Linear` during a search."""

    product: Packed
    joint_product: Packed | None = None

    @staticmethod
    def of(linear: Linear) -> "PackedLinear":
        """Make a twin of a `Linear` that shares its parameters and hooks."""
        twin = copy.copy(linear)
        twin.__class__ = PackedLinear
        assert isinstance(twin, PackedLinear)
        twin.product = Packed(linear.weight, linear.bias)
        return twin

    def forward(self, x: Tensor) -> Tensor:
        """Multiply (..., in_features) to (..., out_features)."""
        # A packed product has no backward pass.
        if torch.is_grad_enabled():
            return super().forward(x)
        return self.product(x)

    @staticmethod
    def joined(linears: Sequence["Linear"]) -> Callable[[Tensor], Tensor]:
        """Return one product that gives the outputs of all, side by side.

        The first of them holds it, so that it is made once.
        """
        if not all(map(is_plain, linears)):
            return Linear.joined(linears)
        first = linears[0]
        assert isinstance(first, PackedLinear)
        if first.joint_product is None:
            first.joint_product = Packed(*stacked(linears))
        return first.joint_product


PLAIN.add(PackedLinear)


def packed(model: Transformer) -> Transformer:
    """Return the model with packed matrices in decoder and output, where that is possible.

    It shares parameters and hooks with the model, and is for searches during
    which the parameters do not change. The packed matrices take as much memory
    as the decoder and the output projection. A packed model stays as it is.
    """
    if isinstance(model.output, PackedLinear) or not can_pack(model):
        return model
    twin = _shallow_copy(model)
    twin.decoder = _with_packed_linears(model.decoder)
    twin.output = _with_packed_linears(model.output)
    return twin


def can_pack(model: nn.Module) -> bool:
    """Return whether parameters are float32 on a CPU for which oneDNN has fast products."""
    return (
        torch.backends.mkldnn.is_available()
        and torch.backends.cpu.get_cpu_capability().startswith("AVX")
        and not torch.is_autocast_enabled("cpu")
        and all(p.device.type == "cpu" and p.dtype == torch.float32 for p in model.parameters())
    )


def _with_packed_linears(module: Module) -> Module:
    # The weights of a parametrised module are computed anew in each call, and its class is its own.
    if is_parametrized(module):
        return module
    if type(module) is Linear:
        return cast("Module", PackedLinear.of(cast("Linear", module)))
    twin = _shallow_copy(module)
    for name, child in module.named_children():
        setattr(twin, name, _with_packed_linears(child))
    return twin


def _shallow_copy(module: Module) -> Module:
    """Copy a module so that all but the list of its children is shared."""
    twin = copy.copy(module)
    twin._modules = dict(module._modules)
    return twin
