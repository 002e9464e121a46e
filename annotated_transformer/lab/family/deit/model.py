"""DeiT: a ViT with a second first token, which learns what a teacher says.

Chapter: *Vision*. New is one learned vector and one head: the class token is
asked for the label, the distillation token for the answer of the teacher, a
network that was trained before. Left out: the softer losses that the paper
compares, and its augmentation.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.lab.family.deit import names as deit
from annotated_transformer.lab.family.images import check_labelled, check_labels
from annotated_transformer.lab.family.vit.model import ViT, ViTConfig
from annotated_transformer.layers import Embedding


@dataclass(frozen=True, kw_only=True)
class DeiTConfig(ViTConfig):
    """Sizes and options of DeiT: those of ViT, and one first token more."""

    n_first: ClassVar[int] = 2


class DeiT(ViT):
    """Logits of the class of an image, the mean of two heads.

    Source: Touvron et al. 2021, section 4 and figure 2.
    """

    Config: ClassVar[type[ViTConfig]] = DeiTConfig
    source = "Touvron et al. 2021"
    reference = deit.REFERENCE

    def __init__(self, config: DeiTConfig) -> None:
        super().__init__(config)
        self.distillation_token = Embedding(1, config.d_model, scaled=False)
        self.distillation_head = nn.Linear(config.d_model, config.n_classes)

    def first_tokens(self) -> Float[Tensor, "first d_model"]:
        """Return the class token, then the distillation token."""
        tokens = self.class_token.weight, self.distillation_token.weight
        return torch.cat(tokens)

    def heads(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> tuple[Float[Tensor, "batch classes"], Float[Tensor, "batch classes"]]:
        """Return logits at the class token, and at the distillation token."""
        x = self.encode(images)
        return self.head(x[:, 0]), self.distillation_head(x[:, 1])

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch classes"]:
        """Return the mean of both heads' logits, as in the authors' code.

        Their paper adds the probabilities instead.
        """
        return torch.stack(self.heads(images)).mean(dim=0)

    def check_batch(self, images: Any, *labels: Any) -> None:
        """Refuse labels and answers that are not one for each image."""
        check_labelled(images, labels, self.config.n_channels)

    def loss(  # type: ignore[override]  # a teacher answers too
        self,
        images: Float[Tensor, "batch channel height width"],
        labels: Int[Tensor, " batch"],
        taught: Int[Tensor, " batch"],
    ) -> Float[Tensor, ""]:
        """Return half the cross-entropy of the labels plus half that of the teacher's answers.

        Args:
            images: what is shown.
            labels: the class of each, for the head at the class token.
            taught: what the teacher takes each for, for the other head.

        Raises:
            ValueError: a label or an answer that is no class.

        Source: equation 3, "hard-label distillation".
        """
        check_labels("label", labels, self.config.n_classes)
        check_labels("the teacher's answer", taught, self.config.n_classes)
        own, distilled = self.heads(images)
        return (
            F.cross_entropy(own, labels) + F.cross_entropy(distilled, taught)
        ) / 2
