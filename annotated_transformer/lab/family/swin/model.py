"""Swin: attention inside windows, which move by half their width in every second layer.

Chapter: *Vision*. To the paper's encoder layer, a window is a sequence, and all
windows of all images are a batch (windows.py). New are also a bias for each
head and distance, and stages: between two of them, four neighbours become one.
Left out: stochastic depth, which acts in training alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_factor, check_flag, check_positive
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.family.images import (
    ImageMember,
    Patches,
    check_images,
    check_labels,
    check_stages,
)
from annotated_transformer.lab.family.swin import names as swin
from annotated_transformer.lab.family.swin.windows import Merging, window_layers
from annotated_transformer.layers import LayerNorm


@dataclass(frozen=True, kw_only=True)
class SwinConfig:
    """Sizes and options of Swin; by default those of the paper's Swin-T."""

    n_layers: Sequence[int] = (2, 2, 6, 2)
    """Layers of each stage."""
    n_heads: Sequence[int] = (3, 6, 12, 24)
    """Attention heads of each stage."""
    d_model: int = 96
    """Width in the first stage; it doubles with each."""
    widening: float = 4.0
    """d_ff / d_model, in all stages."""
    window: int = 7
    """Height and width of a window, in patches."""
    shifted: bool = True
    """Whether every second layer moves its windows, by half of their width."""
    patch_size: int = 4
    n_channels: int = 3
    n_classes: int = 1000
    dropout: float = 0.0

    def __post_init__(self) -> None:
        check_stages(self, "n_layers", "n_heads")
        for name in ("d_model", "window", "patch_size", "n_channels", "n_classes"):
            check_positive(name, getattr(self, name))
        check_factor("widening", self.widening)
        check_flag("shifted", self.shifted)
        for number in range(len(self.n_layers)):
            self.stage(number)

    def stage(self, number: int) -> TransformerConfig:
        """Describe the layers of a stage in the words of the paper's encoder."""
        d_model = self.d_model * 2**number
        return TransformerConfig(
            vocab_size=1,  # there are no tokens to look up
            n_layers=self.n_layers[number],
            d_model=d_model,
            d_ff=int(self.widening * d_model),
            n_heads=self.n_heads[number],
            norm="pre",
            activation="gelu",
            bias="all",
            dropout=self.dropout,
            epsilon=1e-5,  # as in the authors' code, in all its LayerNorms
        )


class Swin(ImageMember):
    """Logits of the class of an image.

    Source: Liu et al. 2021, section 3.
    """

    Config = SwinConfig
    source = "Liu et al. 2021"
    reference = swin.REFERENCE

    def __init__(self, config: SwinConfig) -> None:
        super().__init__(config)
        d_model, shifted = config.d_model, config.shifted
        stages = [config.stage(n) for n in range(len(config.n_layers))]
        first, last = stages[0], stages[-1]
        self.patches = Patches(config.n_channels, config.patch_size, d_model)
        self.patch_norm = LayerNorm(d_model, first.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        self.stages = nn.ModuleList(
            window_layers(stage, config.window, shifted=shifted) for stage in stages
        )
        self.merge = nn.ModuleList(Merging(stage.d_model, stage.epsilon) for stage in stages[:-1])
        self.norm = LayerNorm(last.d_model, last.epsilon)
        self.head = nn.Linear(last.d_model, config.n_classes)
        self.initialise()

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch classes"]:
        """Return logits of each class, from the mean over all places.

        Raises:
            ValueError: no batch of images, or sides that do not fall into
                windows at every stage.
        """
        config, last = self.config, len(self.merge)
        multiple = config.patch_size * config.window * 2**last
        check_images(images, config.n_channels, multiple)
        grid = self.dropout(self.patch_norm(self.patches(images)))
        for number, layers in enumerate(self.stages):
            grid = layers(grid)
            if number < last:
                grid = self.merge[number](grid)
        return self.head(self.norm(grid).mean(dim=(1, 2)))

    def loss(
        self, images: Float[Tensor, "batch channel height width"], labels: Int[Tensor, " batch"]
    ) -> Float[Tensor, ""]:
        """Return the cross-entropy of the labels, in nats."""
        check_labels("label", labels, self.config.n_classes)
        return F.cross_entropy(self(images), labels)
