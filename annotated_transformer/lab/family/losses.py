"""Losses for answers that are nearly always "no": focal loss and dice."""

from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

ALPHA, GAMMA = 0.25, 2.0
"""Weight of "yes" against "no", and how little an answer counts that is nearly right."""


def focal_loss(
    logits: Float[Tensor, "*shape"], target: Float[Tensor, "*shape"]
) -> Float[Tensor, "*shape"]:
    """Return the cross-entropy of yes (1) and no (0), times alpha and (probability of error)^gamma.

    Source: Lin et al. 2017, equation 5.
    """
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    p = logits.sigmoid()
    error = p + target - 2 * p * target
    weight = (1 - ALPHA) + (2 * ALPHA - 1) * target
    return weight * error**GAMMA * loss


def dice_loss(
    logits: Float[Tensor, "*shape height width"], target: Float[Tensor, "*#shape height width"]
) -> Float[Tensor, "*shape"]:
    """Return 1 - 2 |A and B| / (|A| + |B|) of each mask, with 1 added above and below.

    It weighs a small mask as much as a large one.

    Source: Milletari et al. 2016.
    """
    p, target = logits.sigmoid().flatten(-2), target.flatten(-2)
    common = 2 * (p * target).sum(-1)
    return 1 - (common + 1) / (p.sum(-1) + target.sum(-1) + 1)
