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
from collections.abc import Callable
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
    best_rate,
    chosen,
    how,
    parameters,
    trained,
    vit_config,
)
from experiments.family.study import FamilyStudy, score, told
from experiments.study import Entry, Option, losses

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


def measure(seed: int, given: argparse.Namespace) -> tuple[list[Entry], list[Entry]]:
    """Train all contestants with one seed, draw from them, and have the samples judged."""
    data = Digits(*map(scaled, chosen(ALL, seed)))
    critic, labels = judge(given.judge_steps), data.valid[1]
    order = torch.Generator().manual_seed(seed)
    shown = list(batches(data.train, given.steps, order))
    real = judged(critic, data.valid, data)
    signature = f"{len(labels)} real images"
    scores = [score("valid", key, real[key], signature, model="real digits") for key in real]
    curve: list[Entry] = []
    for name, make in contestants(given).items():
        found = best_rate(
            make,
            shown,
            lambda model: -missed(model, data.valid),
            seed=seed,
            rates=given.rates,
        )
        model, signature = found.model, how(data.valid, found, given.rates)
        assert isinstance(model, DiT)
        scores.append(score("valid", "loss", missed(model, data.valid), signature, model=name))
        print(f"seed {seed}: {told(scores[-1])}", flush=True)
        curve += losses(found.losses, max(1, given.steps // 20), model=name)
        for guidance in given.guidance:
            generator = torch.Generator().manual_seed(seed)
            drawn = model.sample(labels, guidance=guidance, generator=generator)
            for metric, value in judged(critic, (drawn, labels), data).items():
                tags = {"model": name, "guidance": guidance}
                scores.append(score("samples", metric, value, signature, **tags))
                print(f"seed {seed}: {told(scores[-1])}", flush=True)
    return scores, curve


STUDY = FamilyStudy(
    "dit",
    __doc__,
    measure,
    Option("--width", type=int, default=48, help="d_model"),
    Option("--noise", type=int, default=100, help="steps from an image to noise"),
    Option("--rates", type=float, nargs="+", default=[1e-3, 3e-3]),
    Option("--guidance", type=float, nargs="+", default=[1.0, 2.0, 4.0]),
    Option("--judge-steps", type=int, default=1_000, help="updates of the judge"),
    updates=2_500,
    settings=lambda given: {"parameters": parameters(contestants(given))},
)


if __name__ == "__main__":
    STUDY.main()
