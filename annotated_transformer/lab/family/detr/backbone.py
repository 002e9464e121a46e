"""What turns an image into feature maps in front of a detector: a ResNet, or a small stem."""

from collections.abc import Sequence
from dataclasses import dataclass

from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_positive, set_field
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.checks import check_pictures
from annotated_transformer.lab.family.detr.resnet import ResNet


@dataclass(frozen=True, kw_only=True)
class BackboneConfig(TransformerConfig):
    """What stands between the image and the Transformer; by default ResNet-50.

    Raises:
        ValueError: a size is no positive integer, or a ResNet has not one width
            more than it has stages.
    """

    vocab_size: int = 1  # there are no tokens
    channels: int = 3
    """Of an image: 3 for colours."""
    widths: Sequence[int] = (64, 256, 512, 1024, 2048)
    """Channels after the stem, then after each stage."""
    depths: Sequence[int] = (3, 4, 6, 3)
    """Blocks of each stage; () makes a stem of one convolution for each width."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("widths", "depths"):
            sizes = getattr(self, name)  # lists, if they come from a file
            checked = tuple(check_positive(f"a number of {name}", size) for size in sizes)
            set_field(self, name, checked)
        check_positive("channels", self.channels)
        if not self.widths or len(self.depths) not in (0, len(self.widths) - 1):
            raise ValueError(
                f"widths={self.widths} for depths={self.depths}: expected a width for "
                "each stage and that of the stem before them, or no depths"
            )


class Stem(nn.Sequential):
    """A convolution of stride 2 and a ReLU for each width: enough for small images."""

    def __init__(self, channels: int, widths: Sequence[int]) -> None:
        super().__init__()
        for narrow, width in zip((channels, *widths), widths, strict=False):
            self.append(nn.Conv2d(narrow, width, 3, stride=2, padding=1))

    def forward(self, images: Float[Tensor, "batch channels height width"]) -> list[Tensor]:
        """Return (batch, width, height, width) after each convolution, the finest first."""
        check_pictures(images, self[0].in_channels, self[0].weight)
        maps = [images]
        for layer in self:
            maps.append(F.relu(layer(maps[-1])))
        return maps[1:]


def backbone(config: BackboneConfig) -> ResNet | Stem:
    """Make the ResNet of `config.depths`; without any, the stem."""
    if config.depths:
        return ResNet(config.channels, config.widths, config.depths)
    return Stem(config.channels, config.widths)
