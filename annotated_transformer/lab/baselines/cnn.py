"""A plain convolutional network for small images: what ViT is measured against.

Chapter: *Vision*. It looks at neighbours alone, with the same weights
everywhere. Nothing else is in it: no normalisation, no residual connection.
"""

from dataclasses import dataclass
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_positive, settle_numbers
from annotated_transformer.checks.tensors import check_alike
from annotated_transformer.lab.family.images import (
    check_images,
    check_labelled,
    check_labels,
)
from annotated_transformer.lab.family.member import Member


@dataclass(frozen=True, kw_only=True)
class CNNConfig:
    """Channels of the first half of its convolutions; the others have twice as many."""

    width: int = 32
    n_channels: int = 1
    n_classes: int = 10

    def __post_init__(self) -> None:
        settle_numbers(self)
        for name in ("width", "n_channels", "n_classes"):
            check_positive(name, getattr(self, name))


class CNN(Member):
    """Twice two convolutions and a maximum over 2 x 2; the mean over all places; a linear map."""

    Config = CNNConfig
    source = "after LeCun et al. 1998"

    def __init__(self, config: CNNConfig) -> None:
        super().__init__(config)
        width, parts = config.width, list[nn.Module]()
        widths = config.n_channels, width, width, 2 * width, 2 * width
        for n in range(4):
            parts += (nn.Conv2d(widths[n], widths[n + 1], 3, padding=1), nn.ReLU())
            parts += (nn.MaxPool2d(2),) if n % 2 else ()
        self.convolutions = nn.Sequential(*parts)
        self.head = nn.Linear(2 * width, config.n_classes)

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch classes"]:
        """Return logits of each class; the sides of an image are multiples of 4."""
        check_images(images, self.config.n_channels, 4)
        check_alike("the images", images, self.head.weight)
        return self.head(self.convolutions(images).mean(dim=(2, 3)))

    def check_batch(self, images: Any, *labels: Any) -> None:
        """Refuse labels that are not one for each image."""
        check_labelled(images, labels, self.config.n_channels)

    def loss(self, images: Tensor, labels: Int[Tensor, " batch"]) -> Tensor:
        """Return the cross-entropy of the labels, in nats."""
        check_labels("label", labels, self.config.n_classes)
        return F.cross_entropy(self(images), labels)
