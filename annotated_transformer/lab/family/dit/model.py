"""DiT: an encoder whose tokens are patches of an image, and which says what in them is noise.

Chapter: *Diffusion*. New: layers that hear of step and class (adaptive.py).
Left out: the autoencoder that makes large images small first.
"""

from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import (
    check_number,
    check_option,
    check_positive,
    check_probability,
)
from annotated_transformer.checks.state import Derived
from annotated_transformer.config import Activation, Positions
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.family.dit import names as dit
from annotated_transformer.lab.family.dit.adaptive import ENCODERS, Pixels
from annotated_transformer.lab.family.dit.condition import (
    Condition,
    grid_positions,
)
from annotated_transformer.lab.family.dit.diffusion import Diffusion, guided
from annotated_transformer.lab.family.images import (
    ImageMember,
    Patches,
    check_images,
    check_side,
)
from annotated_transformer.lab.family.vit.model import ViTConfig


@dataclass(frozen=True, kw_only=True)
class DiTConfig(ViTConfig):
    """Images as ViT reads them, and what DiT sets otherwise."""

    dropout: float = 0.0
    activation: Activation = "gelu_tanh"
    positions: Positions = "sinusoidal"
    image_size: int = 32
    patch_size: int = 2
    n_channels: int = 4
    n_steps: int = 1000
    """Steps from an image to noise."""
    schedule: Literal["linear", "cosine"] = "linear"
    """How much noise each step adds (`noise_schedule`)."""
    conditioning: Literal["adaln_zero", "in_context"] = "adaln_zero"
    """Whether step and class set LayerNorms and gates, or are tokens."""
    drop_class: float = 0.1
    """How often training hides the class, for guidance; its label is then `n_classes`."""
    variance: bool = False
    """Whether channels for the variance come out too, as published; nothing here uses them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_option("norm", self.norm, ["pre"])
        check_option("positions", self.positions, ["sinusoidal"])
        check_option("conditioning", self.conditioning, ENCODERS)
        check_positive("n_steps", self.n_steps)
        check_probability("drop_class", self.drop_class)


class DiT(Derived, ImageMember):
    """The noise in images, given how many steps made it and which class they show.

    Source: Peebles and Xie 2023, section 3.2.
    """

    Config = DiTConfig
    source = "Peebles and Xie 2023"
    reference = dit.REFERENCE
    positions: Tensor

    def __init__(self, config: DiTConfig) -> None:
        super().__init__(config)
        d_model, patch = config.d_model, config.patch_size
        self.patches = Patches(config.n_channels, patch, d_model)
        self.derive()
        self.condition = Condition(config.n_steps, config.n_classes, d_model)
        self.encoder = ENCODERS[config.conditioning](config)
        n_out = config.n_channels * (1 + config.variance)
        self.pixels = Pixels(d_model, patch, n_out)
        self.diffusion = Diffusion(config.schedule, config.n_steps)
        self.initialise(config.branch_gain)

    def derived(self) -> dict[str, Tensor]:
        """Compute where each patch lies."""
        n = self.config.image_size // self.config.patch_size
        return {"positions": grid_positions(n, self.config.d_model)}

    def forward(
        self,
        images: Float[Tensor, "batch channel height width"],
        t: Int[Tensor, " batch"],
        labels: Int[Tensor, " batch"],
    ) -> Float[Tensor, "batch out height width"]:
        """Return the noise in images after step t; then the variances, if there are any.

        Raises:
            ValueError: other images than these, no such step, or no such class.
        """
        check_images(images, self.config.n_channels, self.config.patch_size)
        check_side(images, self.config.image_size)
        x = self.patches(images).flatten(1, 2) + self.positions
        x = self.encoder(x, self.condition(t, labels))
        return self.pixels(x, images.shape[2:])

    def noise(
        self, images: Tensor, t: Tensor, labels: Tensor
    ) -> Float[Tensor, "batch channel height width"]:
        """Return what `forward` says of the noise alone."""
        return self(images, t, labels)[:, : self.config.n_channels]

    def loss(
        self,
        images: Float[Tensor, "batch channel height width"],
        labels: Int[Tensor, " batch"],
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, ""]:
        """Return the mean squared error of the guess at the noise (Ho et al. 2020, equation 14).

        Images have numbers from -1 to 1. Some labels are hidden (`drop_class`).
        """
        seen, t, noise = self.diffusion.question(images, generator)
        c = self.config
        chance = torch.rand(len(labels), generator=generator).to(images.device)
        labels = labels.masked_fill(chance < c.drop_class, c.n_classes)
        return F.mse_loss(self.noise(seen, t, labels), noise)

    def sample(
        self,
        labels: Int[Tensor, " batch"],
        *,
        guidance: float = 1.0,
        n_jumps: int | None = None,
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, "batch channel height width"]:
        """Draw one image a label, in all steps or a few jumps; `guidance` is at least 0."""
        guidance = check_number("guidance", guidance)
        c, nothing = self.config, torch.full_like(labels, self.config.n_classes)
        shape = len(labels), c.n_channels, c.image_size, c.image_size
        start = torch.randn(shape, generator=generator).to(self.positions)

        def guess(images: Tensor, t: int) -> Tensor:
            steps = torch.full_like(labels, t)
            noise = self.noise(images, steps, labels)
            if guidance == 1:
                return noise
            return guided(noise, self.noise(images, steps, nothing), guidance)

        with evaluation_mode(self):
            images = self.diffusion.draw(guess, start, n_jumps, generator)
        return images.clone()  # ones that training may read
