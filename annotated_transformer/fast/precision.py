"""Number formats under autocast, and what float16 is too narrow for."""

import functools
from collections.abc import Callable, Iterable
from typing import ParamSpec, TypeVar

import torch
from torch import Tensor
from torch.utils import _pytree

P = ParamSpec("P")
R = TypeVar("R")


def in_autocast_dtype(x: Tensor) -> Tensor:
    """Convert what enters a stack of layers once, and not again at each product.

    Autocast converts what enters a product of matrices; what starts in its
    number format stays in it between the products too.
    """
    device = x.device.type
    return x.to(torch.get_autocast_dtype(device)) if torch.is_autocast_enabled(device) else x


def float16_in_float32(function: Callable[P, R]) -> Callable[P, R]:
    """Let a formula compute in float32 what comes in float16, and round its results.

    float16 ends at 65,504: products and sums of ordinary numbers overflow,
    though what is made of them in the end does not. PyTorch's fused kernels add
    up in float32 too. Other formats have the range, and pass through as they are.
    """

    @functools.wraps(function)
    def widened(*args: P.args, **kwargs: P.kwargs) -> R:
        narrow = _first_narrow((*args, *kwargs.values()))
        if narrow is None:
            return function(*args, **kwargs)

        def wide(x: Tensor) -> Tensor:
            return x.float() if x.dtype == torch.float16 else x

        def rounded(x: Tensor) -> Tensor:
            return x.half() if x.dtype == torch.float32 else x

        wide_args, wide_kwargs = _pytree.tree_map_only(Tensor, wide, (args, kwargs))
        with torch.autocast(narrow.device.type, enabled=False):
            result = function(*wide_args, **wide_kwargs)
        return _pytree.tree_map_only(Tensor, rounded, result)

    return widened


def _first_narrow(arguments: Iterable[object]) -> Tensor | None:
    """Return a tensor whose products are computed in float16, if there is one.

    This is asked in each layer of each step. So what autocast does is looked up once, and not for
    each tensor.
    """
    float32 = None
    for x in arguments:
        if isinstance(x, Tensor):
            if x.dtype == torch.float16:
                return x
            if x.dtype == torch.float32 and float32 is None:
                float32 = x
    if float32 is None or (device := float32.device.type) == "meta":
        return None
    if not torch.is_autocast_enabled(device):
        return None
    return float32 if torch.get_autocast_dtype(device) == torch.float16 else None
