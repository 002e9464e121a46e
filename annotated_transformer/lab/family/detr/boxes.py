"""Boxes, and how far two of them are apart.

A box is (centre x, centre y, width, height) in parts of the image's sides, so
all numbers lie in [0, 1]. Shared by the members that detect.
"""

import torch
from jaxtyping import Float
from torch import Tensor

L1_WEIGHT, IOU_WEIGHT = 5.0, 2.0
"""How much the two distances of boxes count (Carion et al. 2020, appendix A.4)."""


def corners(
    boxes: Float[Tensor, "*shape 4"],
) -> tuple[Float[Tensor, "*shape 2"], Float[Tensor, "*shape 2"]]:
    """Return (left, top) and (right, bottom) of each box."""
    centre, size = boxes.split(2, dim=-1)
    return centre - size / 2, centre + size / 2


def intersection_and_union(
    first: Float[Tensor, "*#shape 4"], second: Float[Tensor, "*#shape 4"]
) -> tuple[Float[Tensor, "*#shape"], Float[Tensor, "*#shape"]]:
    """Return the area that two boxes share, and the area that either covers."""
    (start_1, end_1), (start_2, end_2) = corners(first), corners(second)
    common = torch.minimum(end_1, end_2) - torch.maximum(start_1, start_2)
    intersection = common.clamp(min=0).prod(-1)
    areas = (end_1 - start_1).prod(-1) + (end_2 - start_2).prod(-1)
    return intersection, areas - intersection


def generalized_iou(
    first: Float[Tensor, "*#shape 4"], second: Float[Tensor, "*#shape 4"]
) -> Float[Tensor, "*#shape"]:
    """Return IoU, less the part of the smallest box around both that neither covers.

    1 for equal boxes, 0 for boxes that fill a common box without overlap, and
    nearer to -1 the further they are apart: where nothing overlaps, it still
    says in which direction to move.

    Source: Rezatofighi et al. 2019, algorithm 1.
    """
    (start_1, end_1), (start_2, end_2) = corners(first), corners(second)
    intersection, union = intersection_and_union(first, second)
    around = torch.maximum(end_1, end_2) - torch.minimum(start_1, start_2)
    hull = around.prod(-1)
    return intersection / union - (hull - union) / hull


def box_distance(
    first: Float[Tensor, "*#shape 4"], second: Float[Tensor, "*#shape 4"]
) -> Float[Tensor, "*#shape"]:
    """Return 5 times the L1 distance plus 2 times (1 - generalized IoU), for matching and loss.

    The L1 distance alone would forgive small boxes more than large ones.

    Source: Carion et al. 2020, section 3.1, "Bounding box loss".
    """
    distance = (first - second).abs().sum(-1)
    return L1_WEIGHT * distance + IOU_WEIGHT * (1 - generalized_iou(first, second))
