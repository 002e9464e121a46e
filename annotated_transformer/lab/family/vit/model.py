"""ViT: an image is a text whose words are its patches.

Chapter: *Vision*. No layer is new. What is new is what goes in: each patch of
the image as one vector, and before them a learned one, the class token, whose
output is asked for the class.
"""

from dataclasses import dataclass
from typing import ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import (
    check_positive,
    set_field,
    settle_numbers,
)
from annotated_transformer.config import (
    Activation,
    Bias,
    Norm,
    Positions,
    TransformerConfig,
)
from annotated_transformer.lab.family.images import (
    ImageMember,
    Patches,
    check_images,
    check_labels,
    check_side,
)
from annotated_transformer.lab.family.vit import names as vit
from annotated_transformer.layers import Embedding
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions


@dataclass(frozen=True, kw_only=True)
class ViTConfig(TransformerConfig):
    """The paper's sizes, and what ViT sets otherwise."""

    vocab_size: int = 1
    """There are no tokens to look up."""
    norm: Norm = "pre"
    activation: Activation = "gelu"
    bias: Bias = "all"
    positions: Positions = "learned"
    image_size: int = 224
    """Height and width of an image, in pixels."""
    patch_size: int = 16
    """Height and width of a patch, in pixels."""
    n_channels: int = 3
    """Numbers of a pixel: 3 for colours, 1 for grey."""
    n_classes: int = 1000
    """Classes of images."""
    max_length: int = None  # type: ignore[assignment]
    """First tokens and patches: follows from the sizes, whatever is given."""
    n_first: ClassVar[int] = 1
    """Learned tokens before the patches."""

    def __post_init__(self) -> None:
        settle_numbers(self)
        for name in ("image_size", "patch_size", "n_channels", "n_classes"):
            check_positive(name, getattr(self, name))
        if self.image_size % self.patch_size:
            raise ValueError(
                f"image_size={self.image_size} is no multiple of "
                f"patch_size={self.patch_size}: choose sizes that divide evenly"
            )
        length = self.n_first + (self.image_size // self.patch_size) ** 2
        set_field(self, "max_length", length)
        super().__post_init__()


class ViT(ImageMember):
    """Logits of the class of an image.

    Source: Dosovitskiy et al. 2021, section 3.1 and equations 1 to 4.
    """

    Config: ClassVar[type[ViTConfig]] = ViTConfig
    source = "Dosovitskiy et al. 2021"
    reference = vit.REFERENCE

    def __init__(self, config: ViTConfig) -> None:
        super().__init__(config)
        self.patches = Patches(
            config.n_channels, config.patch_size, config.d_model
        )
        self.class_token = Embedding(1, config.d_model, scaled=False)
        self.positions = added_positions(config)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = Encoder(config)
        self.head = nn.Linear(config.d_model, config.n_classes)
        self.initialise(config.branch_gain)

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch classes"]:
        """Return logits of each class, from the output at the class token.

        Raises:
            ValueError: no batch of images of `image_size` and `n_channels`.
        """
        return self.head(self.encode(images)[:, 0])

    def encode(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Encode the first tokens and, after them, the patches."""
        check_images(images, self.config.n_channels, self.config.patch_size)
        check_side(images, self.config.image_size)
        patches = self.patches(images).flatten(1, 2)
        first = self.first_tokens().expand(len(patches), -1, -1)
        x = self.positions(torch.cat([first, patches], dim=1))
        return self.encoder(self.dropout(x), None)

    def first_tokens(self) -> Float[Tensor, "first d_model"]:
        """Return the learned vectors before the patches: the class token."""
        return self.class_token.weight

    def loss(
        self,
        images: Float[Tensor, "batch channel height width"],
        labels: Int[Tensor, " batch"],
    ) -> Float[Tensor, ""]:
        """Return the cross-entropy of the labels, in nats.

        Raises:
            ValueError: a label that is no class.
        """
        check_labels("label", labels, self.config.n_classes)
        return F.cross_entropy(self(images), labels)
