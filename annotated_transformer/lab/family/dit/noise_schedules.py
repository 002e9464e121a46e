"""How much noise each step of a diffusion adds."""

import math

import torch
from jaxtyping import Float
from torch import Tensor

from annotated_transformer.checks import check_option, check_positive

SCHEDULES = ("linear", "cosine")


def noise_schedule(schedule: str, n_steps: int) -> Float[Tensor, " step"]:
    """Return beta: the share of the variance that each step replaces by noise; float64.

    linear: from 0.0001 to 0.02 for 1,000 steps (Ho et al. 2020, section 4); for
    fewer, both are larger in proportion, so that the end is noise all the same.
    cosine: what is left of the image falls as a squared cosine, and no beta is
    above 0.999 (Nichol and Dhariwal 2021, equation 17).

    Raises:
        ValueError: an unknown schedule, or a linear one of 20 steps or fewer,
            whose last beta would not be below 1.
    """
    check_option("schedule", schedule, SCHEDULES)
    n_steps = check_positive("n_steps", n_steps)
    if schedule == "linear":
        if n_steps <= 20:
            raise ValueError(
                f"n_steps={n_steps} are too few for a linear schedule; take 21 or more, or 'cosine'"
            )
        ends = 0.1 / n_steps, 20 / n_steps
        return torch.linspace(*ends, n_steps, dtype=torch.float64)
    time = torch.linspace(0, 1, n_steps + 1, dtype=torch.float64)
    left = torch.cos((time + 0.008) / 1.008 * math.pi / 2) ** 2
    return (1 - left[1:] / left[:-1]).clamp(max=0.999)
