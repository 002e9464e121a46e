"""DETR: a decoder whose inputs are not words but slots, each of which may find one object.

Chapter: *Detection and prompts*. Encoder and decoder are the paper's, without a
causal mask. New are the positions, which join queries and keys (never values)
in every layer, and a loss that knows no order. Left out: dropout inside a sublayer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_positive
from annotated_transformer.config import Bias, Positions
from annotated_transformer.lab.checks import check_pictures
from annotated_transformer.lab.family.detr.backbone import (
    BackboneConfig,
    backbone,
)
from annotated_transformer.lab.family.detr.names import REFERENCE, more_fields
from annotated_transformer.lab.family.detr.objects import assign, check_objects
from annotated_transformer.lab.family.detr.placed import (
    PlacedDecoderLayer,
    PlacedEncoderLayer,
    image_positions,
    real_places,
)
from annotated_transformer.lab.family.heads import three_layers
from annotated_transformer.lab.family.member import Member
from annotated_transformer.layers import LayerNorm


@dataclass(frozen=True, kw_only=True)
class DETRConfig(BackboneConfig):
    """The sizes of the paper's model with ResNet-50, and what DETR sets otherwise."""

    d_model: int = 256
    bias: Bias = "all"
    epsilon: float = 1e-5
    positions: Positions = "none"  # the layers add them
    n_classes: int = 91
    n_queries: int = 100
    """The number of slots: no more objects can be found in an image."""
    auxiliary: bool = True
    """Whether each layer of the decoder has to find the objects, or the last alone."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("n_classes", "n_queries"):
            check_positive(name, getattr(self, name))


class DETR(Member):
    """Logits of the class (the last: no object) and the box that each slot finds.

    Source: Carion et al. 2020, section 3.2 and appendix A.3.
    """

    layer_kinds: tuple[Any, Any] = PlacedEncoderLayer, PlacedDecoderLayer
    maps: ClassVar[int | None] = None
    """Maps that a published backbone hands over; None: any number."""
    Config = DETRConfig
    source = "Carion et al. 2020"
    reference = REFERENCE

    def __init__(self, config: DETRConfig) -> None:
        super().__init__(config)
        d_model = config.d_model
        self.backbone = backbone(config)
        self.project: nn.Module = nn.Conv2d(config.widths[-1], d_model, 1)
        self.queries = nn.Parameter(torch.randn(config.n_queries, d_model))
        self.encoder, self.decoder = (
            nn.ModuleList(kind(config) for _ in range(config.n_layers))
            for kind in self.layer_kinds
        )
        self.final_norm: nn.Module = LayerNorm(d_model, config.epsilon)
        self.class_head = nn.Linear(d_model, config.n_classes + 1)
        self.box_head = three_layers(d_model, 4)
        self.initialise(config.branch_gain)

    def forward(
        self,
        images: Float[Tensor, "batch channels height width"],
        real: Bool[Tensor, "batch height width"] | None = None,
    ) -> tuple[Float[Tensor, "batch slot _"], Float[Tensor, "batch slot 4"]]:
        """Return class logits and boxes; `real` is False where an image was filled up."""
        return self.each_layer(images, real)[-1]

    def each_layer(
        self, images: Tensor, real: Tensor | None = None
    ) -> list[tuple[Tensor, Tensor]]:
        """Return the same after every layer of the decoder."""
        x = self.project(self.backbone(images)[-1])
        real = real_places(images, real, x)
        place = image_positions(real, self.config.d_model, x.dtype)
        mask = real.flatten(1)[:, None, None]
        x = x.flatten(2).mT
        for layer in self.encoder:
            x = layer(x, mask, place)
        queries = self.queries.expand(len(images), -1, -1)
        y, found = torch.zeros_like(queries), []
        for layer in self.decoder:
            y = layer(y, x, queries, place, mask)
            state = self.final_norm(y)
            boxes = self.box_head(state).sigmoid()
            found.append((self.class_head(state), boxes))
        return found

    def loss(
        self,
        images: Float[Tensor, "batch channels height width"],
        boxes: Sequence[Tensor],
        classes: Sequence[Tensor],
        real: Bool[Tensor, "batch height width"] | None = None,
    ) -> Float[Tensor, ""]:
        """Return `set_loss` of the last layer, or of all; `check_objects` says what is refused."""
        sizes = self.config.n_queries, self.config.n_classes
        check_pictures(images, self.config.channels)
        check_objects(boxes, classes, images, *sizes)
        outputs = self.each_layer(images, real)
        judged_outputs = outputs if self.config.auxiliary else outputs[-1:]
        losses = [
            self.set_loss(*each, boxes, classes) for each in judged_outputs
        ]
        return torch.stack(losses).sum()

    def set_loss(
        self, logits: Tensor, found: Tensor, *gold: Sequence[Tensor]
    ) -> Tensor:
        """Match slots and objects, then ask each slot for its object or for none."""
        costs, nothing = self.class_costs(logits), self.config.n_classes
        answers, distance = assign(costs, found, *gold, nothing=nothing)
        return self.class_loss(logits, answers) + distance

    def class_costs(self, logits: Tensor) -> Tensor:
        """Return what it costs to give a slot an object of each class."""
        return -logits.softmax(-1)

    def class_loss(self, logits: Tensor, answers: Tensor) -> Tensor:
        """Return the cross-entropy; "no object", the most frequent answer, counts a tenth."""
        weight = torch.ones_like(logits[0, 0])
        weight[-1] = 0.1
        return F.cross_entropy(logits.mT, answers, weight)

    @classmethod
    def config_from(
        cls, settings: Mapping[str, Any], origin: Path | str
    ) -> DETRConfig:
        """Read our configuration, with the number of classes and the sizes of the ResNet."""
        fields = cls.reference.fields(settings, origin)
        more = more_fields(settings, origin, cls.maps)
        return cls.built(fields | more, origin)
