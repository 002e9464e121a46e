"""SAM's image encoder, the paper's encoder over patches, and the sizes of the whole model."""

from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.checks import check_positive
from annotated_transformer.config import Activation, Bias, Norm, Positions, TransformerConfig
from annotated_transformer.lab.family.sam.mask_decoder import MapNorm
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import LearnedPositions


@dataclass(frozen=True, kw_only=True)
class SAMConfig(TransformerConfig):
    """The sizes of the paper's model with ViT-B, and what SAM sets otherwise."""

    vocab_size: int = 1  # there are no tokens
    n_layers: int = 12
    d_model: int = 768
    d_ff: int = 3072
    n_heads: int = 12
    dropout: float = 0.0
    norm: Norm = "pre"
    activation: Activation = "gelu"
    bias: Bias = "all"
    positions: Positions = "none"  # of the image encoder, which adds its own
    side: int = 1024
    """Pixels of a side of an image."""
    patch: int = 16
    """Pixels of a side of a patch."""
    channels: int = 3
    width: int = 256
    """Of the vectors that the decoder works with."""
    decoder_layers: int = 2
    decoder_ff: int = 2048
    decoder_heads: int = 8
    score_ff: int = 256
    """Width inside the network that scores masks."""
    n_masks: int = 3
    """Answers to a single click; more clicks have one answer of their own."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in (
            *("side", "patch", "channels", "width", "score_ff", "n_masks"),
            *("decoder_layers", "decoder_ff", "decoder_heads"),
        ):
            check_positive(name, getattr(self, name))
        if self.side % self.patch:
            raise ValueError(f"side={self.side} must be a multiple of patch={self.patch}")
        if self.decoder.d_k % 2 or self.width % 8:
            raise ValueError(
                f"width={self.width} must be a multiple of 8 and of 2 * {self.decoder_heads} heads"
            )

    @property
    def decoder(self) -> TransformerConfig:
        """The sizes of the mask decoder, which is post-LN and has ReLU, as the paper's."""
        return TransformerConfig(
            vocab_size=1,
            n_layers=self.decoder_layers,
            d_model=self.width,
            d_ff=self.decoder_ff,
            n_heads=self.decoder_heads,
            dropout=self.dropout,
            bias="all",
            positions="none",
            epsilon=1e-5,
        )


class ImageEncoder(nn.Module):
    """Patches to vectors, the paper's encoder, and a neck that narrows what comes out.

    Source: Dosovitskiy et al. 2021; the neck: Li et al. 2022.
    """

    def __init__(self, config: SAMConfig) -> None:
        super().__init__()
        d_model, width, patch = config.d_model, config.width, config.patch
        self.grid = config.side // patch
        self.patches = nn.Conv2d(config.channels, d_model, patch, stride=patch)
        self.positions = LearnedPositions(self.grid**2, d_model)
        self.encoder = Encoder(config)
        self.encoder.final_norm = nn.Identity()  # the neck normalises
        self.neck = nn.Sequential(
            nn.Conv2d(d_model, width, 1, bias=False),
            MapNorm(width),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            MapNorm(width),
        )

    def forward(
        self, images: Float[Tensor, "batch channels side side"]
    ) -> Float[Tensor, "batch width rows rows"]:
        """Return one vector for each patch."""
        x = self.encoder(self.positions(self.patches(images).flatten(2).mT), None)
        return self.neck(x.mT.unflatten(-1, (self.grid, self.grid)))
