"""Diffusion: images become noise in small steps, and a model finds the way back.

Chapter: *Diffusion*. Nothing here knows what the model looks like. Steps are
counted from 0: after step 0 an image has a little noise, after the last it is
noise. The papers count from 1. Left out: learned variances.
"""

import math
from collections.abc import Callable
from itertools import pairwise

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.checks import check_count
from annotated_transformer.lab.checks import has_values
from annotated_transformer.lab.family.dit.noise_schedules import noise_schedule

Guess = Callable[[Tensor, int], Tensor]
"""The noise that a model sees in images after a step."""


def check_steps(t: Int[Tensor, " batch"], n_steps: int) -> None:
    """Refuse a step that does not exist."""
    if not has_values(t):
        return
    wrong = t[(t < 0) | (t >= n_steps)]
    if wrong.numel():
        raise ValueError(
            f"t={wrong[0].item()} is no step: there are n_steps={n_steps}, 0 to {n_steps - 1}"
        )


class Diffusion:
    """The formulas of both directions, for one schedule of noise.

    Raises:
        ValueError: see `noise_schedule`.

    Source: Ho et al. 2020, section 2.
    """

    def __init__(self, schedule: str, n_steps: int) -> None:
        with torch.device("cpu"):  # also where a model is built on "meta"
            self.betas = noise_schedule(schedule, n_steps)
            self.left = torch.cumprod(1 - self.betas, dim=0)
        """alpha bar: the share of the image's variance that is left after each step."""

    def noisy(
        self,
        images: Float[Tensor, "batch channel height width"],
        t: Int[Tensor, " batch"],
        noise: Float[Tensor, "batch channel height width"],
    ) -> Float[Tensor, "batch channel height width"]:
        """Return images after steps 0 to t, which are one step of more noise (equation 4).

        Raises:
            ValueError: a step that there is not.
        """
        check_steps(t, len(self.betas))
        left = self.left.to(images.device)[t][:, None, None, None]
        parts = left.sqrt().to(images.dtype), (1 - left).sqrt().to(images.dtype)
        return parts[0] * images + parts[1] * noise

    def question(
        self,
        images: Float[Tensor, "batch channel height width"],
        generator: torch.Generator | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return images after steps chosen by chance, which steps, and the noise to be found.

        Source: algorithm 1.
        """
        t = torch.randint(len(self.betas), (len(images),), generator=generator)
        noise = torch.randn(images.shape, generator=generator).to(images)
        t = t.to(images.device)
        return self.noisy(images, t, noise), t, noise

    def image(self, noisy: Tensor, t: int, noise: Tensor) -> Tensor:
        """Return the image that this noise would have made noisy: equation 4, solved for it."""
        left = self._left(t)
        return (noisy - math.sqrt(1 - left) * noise) / math.sqrt(left)

    def before(
        self, noisy: Tensor, t: int, image: Tensor
    ) -> tuple[Tensor, float]:
        """Return mean and variance of the image before step t, if the image is known.

        Source: equations 6 and 7.
        """
        beta = float(self.betas[t])
        left, earlier = self._left(t), self._left(t - 1)
        of_image = math.sqrt(earlier) * beta / (1 - left)
        of_noisy = math.sqrt(1 - beta) * (1 - earlier) / (1 - left)
        variance = (1 - earlier) / (1 - left) * beta
        return of_image * image + of_noisy * noisy, variance

    def draw(
        self,
        guess: Guess,
        noise: Float[Tensor, "batch channel height width"],
        n_jumps: int | None = None,
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, "batch channel height width"]:
        """Walk back from noise in all steps, or in a few jumps if a number is given."""
        if n_jumps is None:
            return self.sample(guess, noise, generator)
        return self.jump(guess, noise, n_jumps)

    def sample(
        self,
        guess: Guess,
        noise: Float[Tensor, "batch channel height width"],
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, "batch channel height width"]:
        """Walk back from noise through all steps, with new noise after each but the last.

        An image has numbers from -1 to 1; so has every guess at it on the way.

        Source: algorithm 2.
        """
        for t in reversed(range(len(self.betas))):
            image = self.image(noise, t, guess(noise, t)).clamp(-1, 1)
            mean, variance = self.before(noise, t, image)
            fresh = torch.randn(noise.shape, generator=generator).to(mean)
            noise = mean + math.sqrt(variance) * fresh
        return noise

    def jump(self, guess: Guess, noise: Tensor, n_jumps: int) -> Tensor:
        """Walk back in a few jumps without new noise: the same start, the same image.

        Raises:
            ValueError: no jump, or more than there are steps.

        Source: Song et al. 2021 (DDIM), equation 12 with sigma = 0.
        """
        check_count("n_jumps", n_jumps, least=0)
        if not 0 < n_jumps <= len(self.betas):
            raise ValueError(
                f"n_jumps={n_jumps} must be from 1 to n_steps={len(self.betas)}"
            )
        ends = torch.linspace(len(self.betas) - 1, -1, n_jumps + 1).round()
        for t, target in pairwise(ends.int().tolist()):
            found = guess(noise, t)
            image = self.image(noise, t, found).clamp(-1, 1)
            left = self._left(target)
            noise = math.sqrt(left) * image + math.sqrt(1 - left) * found
        return noise

    def _left(self, t: int) -> float:
        return float(self.left[t]) if t >= 0 else 1.0


def guided(with_class: Tensor, without: Tensor, guidance: float) -> Tensor:
    """Return what the class changes in the guessed noise, times `guidance`.

    0 is the model without classes, 1 the model with them; above 1, images show
    their class more clearly. Ho and Salimans 2022 (equation 6) write 1 + w for it.
    """
    return without + guidance * (with_class - without)
