"""Products in 8-bit whole numbers, for translation on a CPU.

A row of a matrix is kept as whole numbers from -127 to 127 and one scale, and
each row of what is multiplied with it is rounded likewise, at the moment when
it comes ("dynamic"). A processor with VNNI instructions multiplies four such
pairs in the time of one pair of float32, and a matrix takes a quarter of the
memory. Softmax, LayerNorm, residuals and embeddings stay as they are.
"""

import copy
from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeVar

import torch
from jaxtyping import Float, Int8
from torch import Tensor, nn

from annotated_transformer.checks import check_choice
from annotated_transformer.fast.linear import has_hooks, is_plain

Model = TypeVar("Model", bound=nn.Module)
PRECISIONS = ("float32", "int8")
"""The numbers in which matrices are multiplied: as the model has them, or rounded."""


@cache
def largest() -> int:
    """Return the largest whole number to round to: 127, or 63 without VNNI.

    Without these instructions two products are added in 16 bits before they go
    into a sum of 32, and what does not fit is cut off.
    """
    factor = torch.full((4, 64), 127, dtype=torch.int8)
    exact = (torch._int_mm(factor, factor.t()) == 64 * 127**2).all()
    return 127 if exact else 63


def rounded(
    x: Float[Tensor, "*rows width"],
) -> tuple[Int8[Tensor, "*rows width"], Float[Tensor, "*rows 1"]]:
    """Round each row to whole numbers and a scale: x = whole * scale, give or take scale / 2.

    scale = max |x| / `largest()` over the row. A row of zeros stays one; NaN and infinity
    make a scale that is not finite, and so do not go unseen.

    Source: Jacob et al. 2018, equation 1, with a zero-point of 0; a scale for
    each row on both sides of the product: Dettmers et al. 2022, "vector-wise".
    """
    scale = x.abs().amax(dim=-1, keepdim=True) / largest()
    scale = scale.clamp_(min=torch.finfo(x.dtype).tiny)
    return (x / scale).round_().to(torch.int8), scale


def in_rows(matrix: Tensor) -> Tensor:
    """Give the matrix a stride of its width from row to row, even if it has one row.

    The stride of a single row means nothing, and may be anything; but where it
    is below the width, `torch._int_mm` gives numbers that have no meaning, and
    no error (PyTorch's issue 195066). `contiguous` does not look at it.
    """
    return matrix.clone(memory_format=torch.contiguous_format)


class Int8Linear(nn.Module):
    """x W^T + b for inference, with W and each row of x rounded to whole numbers.

    The sum over the width is exact, in 32 bits. What a row becomes depends on
    that row alone, and not on the rest of the batch.

    Args:
        whole: the whole numbers of W^T, (in_features, out_features).
        scale: one for each row of W, (1, out_features).
        bias: (out_features,) or None.
    """

    whole: Tensor
    scale: Tensor
    bias: Tensor | None

    def __init__(
        self, whole: Tensor, scale: Tensor, bias: Tensor | None
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = whole.shape
        self.register_buffer("whole", whole)
        self.register_buffer("scale", scale)
        self.register_buffer("bias", bias)

    @staticmethod
    def of(linear: nn.Linear) -> "Int8Linear":
        """Make the same product, rounded. Raises ValueError for what `check_on_cpu` refuses."""
        check_on_cpu(linear.weight)
        whole, scale = rounded(linear.weight.detach())
        bias = None if linear.bias is None else linear.bias.detach()
        return Int8Linear(in_rows(whole.t()), scale.t(), bias)

    @staticmethod
    def joined(linears: Sequence[nn.Module]) -> Callable[[Tensor], Tensor]:
        """Return one product that gives the outputs of all, side by side."""
        plain = [
            each
            for each in linears
            if isinstance(each, Int8Linear) and not has_hooks(each)
        ]
        if len(plain) < len(linears):
            return lambda x: torch.cat([linear(x) for linear in linears], -1)
        biases = [each.bias for each in plain if each.bias is not None]
        return Int8Linear(
            torch.cat([each.whole for each in plain], dim=1),
            torch.cat([each.scale for each in plain], dim=1),
            torch.cat(biases) if biases else None,
        )

    def forward(
        self, x: Float[Tensor, "*batch in_features"]
    ) -> Float[Tensor, "*batch out_features"]:
        """Multiply (..., in_features) to (..., out_features).

        Raises:
            ValueError: x asks for a gradient, is not on the CPU or is float16.
        """
        if x.requires_grad:
            raise ValueError(
                "rounded weights have no gradient and cannot be trained; "
                "for inference, use torch.inference_mode()"
            )
        check_on_cpu(x)
        whole, scale = rounded(x.reshape(-1, x.size(-1)))
        if len(whole) == 1:
            whole = in_rows(whole)
        y = torch._int_mm(whole, self.whole) * scale
        if self.bias is None:
            y *= self.scale
        else:
            y = torch.addcmul(self.bias, y, self.scale)
        return y.view(*x.shape[:-1], y.size(-1))


def quantised(model: Model) -> Model:
    """Copy a model for inference, with all matrices rounded but embeddings.

    The output projection is, although it shares its weights with the embedding.

    Raises:
        ValueError: the model is not on the CPU or is float16, or this PyTorch
            has no fast product of whole numbers.
    """
    if not torch.backends.mkldnn.is_available():
        raise ValueError("int8 needs a PyTorch with oneDNN; this one has none")
    copied = copy.deepcopy(model)
    for parent in [*copied.modules()]:
        for name, child in parent.named_children():
            # A hook, or what else a class of its own does, would be lost.
            if is_plain(child):
                setattr(parent, name, Int8Linear.of(child))
    return copied


def in_precision(model: Model, precision: str) -> Model:
    """Return the model itself for "float32", `quantised(model)` for "int8".

    Raises:
        ValueError: there is no such precision, or as `quantised` does.
    """
    check_choice("precision", precision, PRECISIONS)
    return quantised(model) if precision == "int8" else model


def check_on_cpu(x: Tensor) -> None:
    """Raise a `ValueError` for another device, which it names, and for float16."""
    if x.device.type != "cpu":
        raise ValueError(
            f"int8 is for the device cpu; this model is on {x.device}"
        )
    if x.dtype == torch.float16:
        raise ValueError(
            "int8 is for models of float32; this one's numbers are float16, in "
            "which its sums overflow: take model.float()"
        )
