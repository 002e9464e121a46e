"""SegFormer: a class for every place of an image, from what encoders see at several scales.

Chapter: *Vision*. New are the layers and the head, made of linear maps (mix.py).
No positions are added anywhere: an image may have any size. Left out:
stochastic depth, which acts in training alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_id, check_positive, check_probability
from annotated_transformer.checks.tensors import check_alike
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.checks import check_answers
from annotated_transformer.lab.family.images import (
    ImageMember,
    check_images,
    check_labels,
    check_stages,
)
from annotated_transformer.lab.family.segformer import names as segformer
from annotated_transformer.lab.family.segformer.mix import Head, MixStage, larger

STAGES = ("n_layers", "n_heads", "d_model", "widening", "patch", "stride", "ratio")
"""Settings that each stage has of its own."""


@dataclass(frozen=True, kw_only=True)
class SegFormerConfig:
    """Sizes and options of SegFormer; by default those of B0 in the authors' code."""

    n_layers: Sequence[int] = (2, 2, 2, 2)
    n_heads: Sequence[int] = (1, 2, 5, 8)
    d_model: Sequence[int] = (32, 64, 160, 256)
    widening: Sequence[int] = (4, 4, 4, 4)
    """d_ff / d_model."""
    patch: Sequence[int] = (7, 3, 3, 3)
    """Height and width of a patch."""
    stride: Sequence[int] = (4, 2, 2, 2)
    """From one patch to the next."""
    ratio: Sequence[int] = (8, 4, 2, 1)
    """So many times higher and wider is a stage's image than that of its keys."""
    d_head: int = 256
    """Width inside the head."""
    n_channels: int = 3
    n_classes: int = 150
    dropout: float = 0.1
    """Before the last linear map; nowhere else."""
    ignored: int = 255
    """The label of places that do not count."""

    def __post_init__(self) -> None:
        check_stages(self, *STAGES)
        for name in ("d_head", "n_channels", "n_classes"):
            check_positive(name, getattr(self, name))
        check_probability("dropout", self.dropout)
        check_id("ignored", self.ignored)
        for number in range(len(self.n_layers)):
            self.stage(number)

    def stage(self, number: int) -> TransformerConfig:
        """Describe the layers of a stage in the words of the paper's encoder."""
        return TransformerConfig(
            vocab_size=1,  # there are no tokens to look up
            n_layers=self.n_layers[number],
            d_model=self.d_model[number],
            d_ff=self.widening[number] * self.d_model[number],
            n_heads=self.n_heads[number],
            norm="pre",
            activation="gelu",
            bias="all",
            positions="none",
            dropout=0.0,
            epsilon=1e-5,  # 1e-6 in some places of the authors' code
        )


class SegFormer(ImageMember):
    """Logits of the class at each place, four times coarser than the pixels.

    Source: Xie et al. 2021, section 3.
    """

    Config = SegFormerConfig
    source = "Xie et al. 2021"
    reference = segformer.REFERENCE

    def __init__(self, config: SegFormerConfig) -> None:
        super().__init__(config)
        widths = (config.n_channels, *config.d_model)
        patches = zip(config.patch, config.stride, strict=True)
        self.stages = nn.ModuleList(
            MixStage(config.stage(n), widths[n], patch, config.ratio[n])
            for n, patch in enumerate(patches)
        )
        self.head = Head(config.d_model, config.d_head)
        self.dropout = nn.Dropout(config.dropout)
        self.output = nn.Linear(config.d_head, config.n_classes)
        self.initialise()

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch classes rows columns"]:
        """Return logits at the places of the first stage.

        Raises:
            ValueError: no batch of images, or images that are too small.
        """
        check_images(images, self.config.n_channels, 1)
        check_alike("the images", images, self.output.weight)
        grids = [images.permute(0, 2, 3, 1)]
        for stage in self.stages:
            grids.append(stage(grids[-1]))
        x = self.dropout(self.head(grids[1:]))
        return self.output(x).permute(0, 3, 1, 2)

    def check_batch(self, images: Any, *labels: Any) -> None:
        """Refuse labels that are not one for each pixel."""
        check_images(images, self.config.n_channels, 1)
        for each in labels:
            check_answers("the tensor of labels", each, images[:, 0].shape, images)

    def loss(
        self,
        images: Float[Tensor, "batch channel height width"],
        labels: Int[Tensor, "batch height width"],
    ) -> Float[Tensor, ""]:
        """Return the cross-entropy at the pixels that count, with logits interpolated to them.

        Raises:
            ValueError: a label that is no class and not `ignored`, or no pixel that counts.
        """
        counted = labels[labels != self.config.ignored]
        check_labels("label", counted, self.config.n_classes)
        if not counted.numel():
            raise ValueError(f"all labels are {self.config.ignored}, which do not count")
        logits = larger(self(images), labels.shape[1:])
        return F.cross_entropy(logits, labels, ignore_index=self.config.ignored)
