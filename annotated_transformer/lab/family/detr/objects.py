"""Which prediction answers for which object: slots and gold objects, matched one to one.

Shared by the members that detect. The matching needs SciPy, of the extra
`[family]`.
"""

from collections.abc import Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.checks.tensors import (
    check_dense,
    check_device,
    described,
)
from annotated_transformer.lab.family.detr.boxes import box_distance


def assign(
    costs: Float[Tensor, "batch slot class_"],
    found: Float[Tensor, "batch slot 4"],
    boxes: Sequence[Tensor],
    classes: Sequence[Tensor],
    *,
    nothing: int,
) -> tuple[Int[Tensor, "batch slot"], Float[Tensor, ""]]:
    """Return the class that each slot has to say, and the mean distance of matched boxes.

    `costs` says what it costs to give a slot an object of each class; the
    distance of the boxes is added. A slot without an object says `nothing`. The
    order of the objects makes no difference.

    Source: Carion et al. 2020, section 3.1, equations 1 and 2.
    """
    box, label = torch.cat([*boxes]), torch.cat([*classes])
    apart = box_distance(found.detach()[:, :, None], box)
    cost = costs.detach()[..., label] + apart  # of all images' objects
    parts = cost.split([len(own) for own in classes], dim=-1)
    slots = [match(part[i]) for i, part in enumerate(parts)]
    image = torch.cat([torch.full_like(own, i) for i, own in enumerate(slots)])
    at = image, torch.cat(slots)
    answers = torch.full_like(costs[..., 0], nothing, dtype=torch.long)
    answers[at] = label
    return answers, box_distance(found[at], box).mean()


def match(cost: Float[Tensor, "slot object"]) -> Int[Tensor, " object"]:
    """Match each object with a slot, no slot with two, at the least total cost.

    Raises:
        ValueError: SciPy is not installed, or a cost is no number.

    Source: Kuhn 1955; Carion et al. 2020, equation 1.
    """
    try:
        from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  (an optional extra)
    except ImportError as error:
        raise ValueError(
            "the matching needs the package scipy: "
            "pip install 'annotated-transformer[family]' (or pip install scipy)"
        ) from error
    _, slots = linear_sum_assignment(cost.detach().T.cpu().double().numpy())
    return torch.as_tensor(slots, device=cost.device)


def check_objects(
    boxes: Sequence[Tensor],
    classes: Sequence[Tensor],
    like: Tensor,
    n_slots: int,
    n_classes: int,
) -> None:
    """Refuse gold objects that no set of predictions can match; `like` has a row for each image.

    Raises:
        ValueError: not as many lists as images, an image without an object or
            with more than there are queries, boxes that are not one for each
            class or leave the image, a class that there is not.
    """
    if not len(like) or {len(boxes), len(classes)} != {len(like)}:
        raise ValueError(
            f"{len(like)} images with boxes for {len(boxes)} and classes for {len(classes)}; "
            "expected as many of each, and one at least"
        )
    for i, (box, label) in enumerate(zip(boxes, classes, strict=True)):
        sound = (
            isinstance(box, Tensor)
            and box.is_floating_point()
            and isinstance(label, Tensor)
        )
        if not sound or label.dim() != 1 or label.dtype != torch.int64:
            raise ValueError(
                f"image {i} has boxes {described(box)} and classes {described(label)}; expected "
                "floating point, (objects, 4), and torch.int64, (objects,)"
            )
        for name, x in (("boxes", box), ("classes", label)):
            check_dense(f"the tensor of {name} of image {i}", x)
            check_device(
                f"the tensor of {name} of image {i}", x, "the images", like
            )
        if box.shape != (len(label), 4):
            raise ValueError(
                f"image {i} has boxes of shape {tuple(box.shape)} for {len(label)} classes; "
                f"expected ({len(label)}, 4)"
            )
        if not 0 < len(label) <= n_slots:
            raise ValueError(
                f"image {i} has {len(label)} objects; expected 1 to {n_slots}, "
                "at most one for each object query"
            )
        if label.min() < 0 or label.max() >= n_classes:
            raise ValueError(
                f"image {i} has the classes {label.tolist()}; expected 0 to {n_classes - 1}"
            )
        if box.min() < 0 or box.max() > 1 or not box[:, 2:].all():
            raise ValueError(
                f"image {i} has the boxes {box.tolist()}; expected centre and size in "
                "parts of the image, from 0 to 1, and no size of 0"
            )
