"""Number formats under autocast."""

import torch
from torch import Tensor


def in_autocast_dtype(x: Tensor) -> Tensor:
    """Convert what enters a stack of layers once, and not again at each product.

    Autocast converts what enters a product of matrices; what starts in its
    number format stays in it between the products too.
    """
    device = x.device.type
    if not torch.is_autocast_enabled(device):
        return x
    return x.to(torch.get_autocast_dtype(device))
