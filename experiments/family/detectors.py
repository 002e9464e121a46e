"""The contestants of both comparisons of detectors: DETR and its relatives in small.

*DETR with other rules.* By set matching each object has one slot, and the others learn to say "no
object". "Many to one" takes the competition away and nothing else. "Overlap" is the rule of
detectors with anchors (Ren et al. 2015). "Positions at entry" has DETR's matching and adds
positions and object queries once, as the paper of 2017 does. All have the same weights.

*From DETR to Deformable DETR.* The two differ in more than their attention, and two contestants are
in between: "DETR, focal loss" has the class answers of Deformable DETR, "Deformable, one map" looks
only at the map of 3 x 3 places at which DETR looks. What else tells the second from the third:
attention to a few places, a reference point for each slot from which its box is counted, maps that
are normalised, and no last LayerNorm.
"""

import math
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.lab.analysis.average_precision import box_iou
from annotated_transformer.lab.family import (
    DETR,
    DeformableDETR,
    DeformableDETRConfig,
    DETRConfig,
)
from annotated_transformer.lab.family.detr.boxes import box_distance
from annotated_transformer.lab.family.detr.placed import image_positions, real_places
from experiments.family.scene_detection import SIZES

NEAR = 0.5
"""IoU from which on a slot of "overlap" learns an object."""
SILENT = -1
"""In place of an object."""


class ManyToOne(DETR):
    """DETR without a matching: each slot learns the object nearest to it, whoever else does."""

    def choice(
        self, cost: Float[Tensor, "batch slot object"], iou: Float[Tensor, "batch slot object"]
    ) -> Int[Tensor, "batch slot"]:
        """The number of the object that each slot learns; those of other images cost infinity."""
        return cost.argmin(-1)

    def set_loss(self, logits: Tensor, found: Tensor, *gold: Sequence[Tensor]) -> Tensor:
        """The same two losses as with a matching."""
        boxes, classes = (torch.cat([*each]) for each in gold)
        image = torch.cat([torch.full_like(own, i) for i, own in enumerate(gold[1])])
        elsewhere = image != torch.arange(len(found))[:, None, None]
        each = found.detach()[:, :, None]
        cost = self.class_costs(logits.detach())[..., classes] + box_distance(each, boxes)
        own = self.choice(cost.masked_fill(elsewhere, torch.inf), box_iou(each, boxes))
        speaks = own != SILENT
        answers = classes[own].where(speaks, self.config.n_classes)
        distance = box_distance(found[speaks], boxes[own[speaks]])
        return self.class_loss(logits, answers) + distance.mean()


class Overlap(ManyToOne):
    """The rule of detectors with anchors: who is far from all objects learns to be silent."""

    def choice(
        self, cost: Float[Tensor, "batch slot object"], iou: Float[Tensor, "batch slot object"]
    ) -> Int[Tensor, "batch slot"]:
        """The object, or `SILENT`."""
        own = cost.argmin(-1)
        own[iou.gather(-1, own[..., None])[..., 0] < NEAR] = SILENT
        nearest = cost.flatten(0, 1).argmin(0)  # of all slots of all images
        own.view(-1)[nearest] = torch.arange(len(nearest))
        return own


class AtEntry(DETR):
    """DETR whose positions and object queries are added once, as the paper of 2017 has it."""

    def each_layer(self, images: Tensor, real: Tensor | None = None) -> list[tuple[Tensor, Tensor]]:
        """As DETR's, with nothing for a layer to add."""
        x = self.project(self.backbone(images)[-1])
        real = real_places(images, real, x)
        mask = real.flatten(1)[:, None, None]
        x = x.flatten(2).mT + image_positions(real, self.config.d_model, x.dtype)
        y, found = self.queries.expand(len(images), -1, -1), []
        no_place, no_query = torch.zeros_like(x), torch.zeros_like(y)
        for layer in self.encoder:
            x = layer(x, mask, no_place)
        for layer in self.decoder:
            y = layer(y, x, no_query, no_place, mask)
            state = self.final_norm(y)
            found.append((self.class_head(state), self.box_head(state).sigmoid()))
        return found


class FocalDETR(DETR):
    """DETR with the class answers of Deformable DETR."""

    class_costs = DeformableDETR.class_costs
    class_loss = DeformableDETR.class_loss

    def __init__(self, config: DETRConfig) -> None:
        super().__init__(config)
        self.class_head = nn.Linear(config.d_model, config.n_classes)
        nn.init.constant_(self.class_head.bias, -math.log(99))  # as there: 1 % at first


def deformable(n_maps: int) -> DeformableDETR:
    """Deformable DETR that looks at so many maps of the backbone, from the coarsest."""
    return DeformableDETR(DeformableDETRConfig(**SIZES, n_maps=n_maps, n_levels=n_maps))


RULES: dict[str, Callable[[], DETR]] = {
    "set matching": lambda: DETR(DETRConfig(**SIZES)),
    "many to one": lambda: ManyToOne(DETRConfig(**SIZES)),
    "overlap": lambda: Overlap(DETRConfig(**SIZES)),
    "positions at entry": lambda: AtEntry(DETRConfig(**SIZES)),
}
DEFORMABLE: dict[str, Callable[[], DETR]] = {
    "DETR": lambda: DETR(DETRConfig(**SIZES)),
    "DETR, focal loss": lambda: FocalDETR(DETRConfig(**SIZES)),
    "Deformable, one map": lambda: deformable(1),
    "Deformable DETR": lambda: deformable(2),
}
