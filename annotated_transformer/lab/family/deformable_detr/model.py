"""Deformable DETR: each query looks at a few places of its own choice, on maps of several sizes.

Chapter: *Detection and prompts*. New is the attention: no key, no product with
one. A query alone says how far from its reference point it looks and what each
look weighs, so that cost grows with the image and not with its square. Left
out: refined boxes, two stages.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.fast.linear import initialise
from annotated_transformer.lab.family.deformable_detr import names as deformable_detr
from annotated_transformer.lab.family.deformable_detr.attention import (
    DeformableDecoderLayer,
    DeformableEncoderLayer,
)
from annotated_transformer.lab.family.deformable_detr.maps import (
    DeformableDETRConfig,
    FeatureMaps,
    laid_out,
)
from annotated_transformer.lab.family.detr.model import DETR
from annotated_transformer.lab.family.detr.placed import image_positions, real_places
from annotated_transformer.lab.family.losses import focal_loss

CLASS_WEIGHT = 2.0
"""How much the class counts, in matching and loss."""


class DeformableDETR(DETR):
    """Logits of each class (none for "no object") and the box that each slot finds.

    Source: Zhu et al. 2021, section 4.1 and appendix A.3.
    """

    layer_kinds = DeformableEncoderLayer, DeformableDecoderLayer
    maps = 3
    Config = DeformableDETRConfig
    source = "Zhu et al. 2021"
    reference = deformable_detr.REFERENCE

    def __init__(self, config: DeformableDETRConfig) -> None:
        super().__init__(config)
        d_model = config.d_model
        self.project = FeatureMaps(config)
        self.levels = nn.Parameter(torch.randn(config.n_levels, d_model))
        self.queries = nn.Parameter(torch.randn(config.n_queries, 2 * d_model))
        self.point = nn.Linear(d_model, 2)
        initialise(self.point)
        self.final_norm = nn.Identity()
        self.class_head = nn.Linear(d_model, config.n_classes)
        nn.init.constant_(self.class_head.bias, -math.log(99))  # 1 % at first

    def each_layer(self, images: Tensor, real: Tensor | None = None) -> list[tuple[Tensor, Tensor]]:
        """Return logits and boxes after every layer of the decoder."""
        levels = self.project(self.backbone(images))
        reals = [real_places(images, real, level) for level in levels]
        maps = laid_out(reals, images.dtype)
        place = torch.cat(
            [
                image_positions(one, len(level), level.dtype, centred=True) + level
                for one, level in zip(reals, self.levels, strict=True)
            ],
            dim=1,
        )
        x = torch.cat([level.flatten(2).mT for level in levels], 1)
        for layer in self.encoder:
            x = layer(x, place, maps.centres, maps)
        slots = self.queries.expand(len(images), -1, -1)
        queries, y = slots.chunk(2, dim=-1)
        point, outputs = self.point(queries), []
        for layer in self.decoder:
            y = layer(y, x, queries, point.sigmoid(), maps)
            centre, size = self.box_head(y).split(2, dim=-1)
            boxes = torch.cat((centre + point, size), -1).sigmoid()
            outputs.append((self.class_head(y), boxes))
        return outputs

    def class_costs(self, logits: Tensor) -> Tensor:
        """Return how much the loss changes if a slot has to say yes to a class instead of no."""
        yes, no = torch.ones_like(logits), torch.zeros_like(logits)
        return CLASS_WEIGHT * (focal_loss(logits, yes) - focal_loss(logits, no))

    def class_loss(self, logits: Tensor, answers: Tensor) -> Tensor:
        """Return the focal loss of yes or no to each class, over the number of objects."""
        target = F.one_hot(answers, self.config.n_classes + 1)[..., :-1]
        loss = focal_loss(logits, target.to(logits.dtype)).sum()
        return CLASS_WEIGHT * loss / target.sum()
