"""Which positions may look at which: padding and causal masks.

Paper: section 3.2.3. Chapters: *Attention*, *The whole model*. Every mask in this package is
boolean, True means "may attend", and it broadcasts to (batch, heads, query, key). Here is the only
place that builds one.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor


def padding_mask(
    ids: Int[Tensor, "batch key"], padding_id: int = 0
) -> Bool[Tensor, "batch 1 1 key"]:
    """True where a key is a real token, False where it only fills up the batch."""
    return (ids != padding_id)[:, None, None, :]


def causal_mask(length: int, device: torch.device | None = None) -> Bool[Tensor, "query key"]:
    """True where the key is not later than the query: the lower triangle, diagonal included.

    Source: section 3.2.3, "preserve the auto-regressive property".
    """
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
