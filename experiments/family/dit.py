"""How a DiT hears of step and class: adaLN-Zero, adaLN without gates, or two more tokens.

    python -m experiments.family.dit

Handwritten digits, 1,000 of them. Every contestant takes as many updates, on the same batches.
"adaLN-Zero" has four layers; "tokens" has six plain ones, which makes about as many parameters.
"adaLN" has four layers that lack the gates and whose matrix begins at random; it has fewer
parameters by those of the gates. Each is trained with several learning rates, and the one with
the least loss on 297 other images of the training split is sampled from: an image for the label
of each of these 297, with every guidance.

A ViT that learned to name the same 1,000 digits judges: how many samples show their class, and how
far its features of them are from those of the test split (`frechet_distance`). How far a sample is
from the nearest of the 1,000 says whether it is a copy. The 297 real digits are judged as well: no
model has learned from them, but the learning rates were chosen by them. Chapter: *Diffusion*.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.family import DiT, DiTConfig, ViT
from annotated_transformer.lab.family.dit.adaptive import AdaptiveLayer, adapted
from annotated_transformer.lab.family.dit.frechet import frechet_distance
from annotated_transformer.lab.family.member import Member
from experiments.family.digit_runs import (
    ALL,
    SIZES,
    Digits,
    Images,
    batches,
    chosen,
    how,
    vit_config,
)
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters, trained
from experiments.study import Entry, Option

DRAWS = 10
"""Of steps and noise for each image that a learning rate is chosen by."""


class WithoutGates(AdaptiveLayer):
    """adaLN: step and class set gain and bias of the LayerNorms, from a random start."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.choose = nn.Linear(config.d_model, 4 * config.d_model)

    def forward(
        self,
        x: Float[Tensor, "batch place d_model"],
        condition: Float[Tensor, "batch 1 d_model"],
    ) -> Float[Tensor, "batch place d_model"]:
        """Pre-LN: x + sublayer(LayerNorm(x))."""
        chosen = self.choose(F.silu(condition)).chunk(4, dim=-1)
        shift, scale = chosen[:2]
        y = adapted(x, shift, scale, self.epsilon)
        x = x + self.dropout(self.self_attention(y, y, y))
        shift, scale = chosen[2:]
        y = adapted(x, shift, scale, self.epsilon)
        return x + self.dropout(self.feed_forward(y))


def dit(width: int, n_steps: int, **options: Any) -> DiT:
    """A DiT, from -1 black to 1 white, whose noise comes in so many steps."""
    sizes = SIZES | {"n_layers": 4, "d_model": width, "d_ff": 4 * width, "n_steps": n_steps}
    return DiT(DiTConfig(**sizes | options))


def without_gates(width: int, n_steps: int) -> DiT:
    """The same with layers that have no gates."""
    model = dit(width, n_steps)
    layers = (WithoutGates(model.config) for _ in range(model.config.n_layers))
    model.encoder.layers = nn.ModuleList(layers)
    model.initialise()
    return model


CONTESTANTS: dict[str, Callable[[int, int], DiT]] = {
    "adaLN-Zero": dit,
    "adaLN": without_gates,
    "tokens": lambda width, n: dit(width, n, conditioning="in_context", n_layers=6),
}


def contestants(given: argparse.Namespace) -> dict[str, Callable[[], Member]]:
    """How each is made, with the sizes that the command names."""
    return {name: partial(make, given.width, given.noise) for name, make in CONTESTANTS.items()}


def scaled(data: Images) -> Images:
    """Images from -1 to 1, as a DiT sees them."""
    return 2 * data[0] - 1, data[1]


@cache
def judge(n_steps: int) -> ViT:
    """The ViT of *Vision*, which names digits; it sees images as a DiT does."""
    data = scaled(chosen(ALL, 0).train)
    examples = list(batches(data, n_steps, torch.Generator().manual_seed(0)))
    found = trained(lambda: ViT(vit_config()), examples, seed=0, rate=1e-3)
    assert isinstance(found.model, ViT)
    return found.model


@torch.inference_mode()
def missed(model: Member, data: Images) -> float:
    """The loss on these images: of every model for the same steps, noise and hidden labels."""
    generator = torch.Generator().manual_seed(0)
    draws = [model.loss(*data, generator).item() for _ in range(DRAWS)]
    return sum(draws) / DRAWS


def nearest(images: Tensor, others: Tensor) -> float:
    """How far images are from the nearest of others: root of the mean square, of 0 to 1 a pixel."""
    mode = "donot_use_mm_for_euclid_dist"  # exact for copies too
    distances = torch.cdist(images.flatten(1), others.flatten(1), compute_mode=mode).amin(dim=1)
    return (distances / 2).square().mean().item() ** 0.5 / images[0].numel() ** 0.5


@torch.inference_mode()
def judged(critic: ViT, images: Images, data: Digits) -> dict[str, float]:
    """What the judge says of images that are to show the classes of their labels."""
    features, real = (critic.encode(x)[:, 0] for x in (images[0], data.test[0]))
    right = critic(images[0]).argmax(dim=-1) == images[1]
    return {
        "recognised": 100 * right.double().mean().item(),
        "Frechet distance": frechet_distance(features, real),
        "nearest": nearest(images[0], data.train[0]),
    }


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train all contestants with one seed, draw from them, and have the samples judged."""
    data = Digits(*map(scaled, chosen(ALL, seed)))
    critic, labels = judge(given.judge_steps), data.valid[1]
    shown = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    signature = f"{len(labels)} real images"
    for metric, value in judged(critic, data.valid, data).items():
        yield score("valid", metric, value, signature, model="real digits")
    for name, run in best_runs(
        contestants(given), shown, lambda model: -missed(model, data.valid), seed, given
    ):
        signature = how(data.valid, run, given.rates)
        yield score("valid", "loss", missed(run.model, data.valid), signature, model=name)
        yield from run.curve(model=name)
        for guidance in given.guidance:
            generator = torch.Generator().manual_seed(seed)
            drawn = run.model.sample(labels, guidance=guidance, generator=generator)
            for metric, value in judged(critic, (drawn, labels), data).items():
                yield score("samples", metric, value, signature, model=name, guidance=guidance)


STUDY = FamilyStudy(
    "dit",
    __doc__,
    measure,
    Option("--width", 48, "d_model"),
    Option("--noise", 100, "steps from an image to noise"),
    Option("--rates", [1e-3, 3e-3]),
    Option("--guidance", [1.0, 2.0, 4.0]),
    Option("--judge-steps", 1_000, "updates of the judge"),
    updates=2_500,
    settings=lambda given: {"parameters": parameters(contestants(given))},
)


if __name__ == "__main__":
    STUDY.main()
