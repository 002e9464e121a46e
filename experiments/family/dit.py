"""How a DiT hears of step and class: adaptive LayerNorms and gates, or two more tokens.

    python -m experiments.family.dit

Both see the same digits in the same order, make equally many updates and have about as many
parameters: the one that reads tokens has three layers for two. Nothing is tuned for either.
Samples are judged by a ViT that was trained on the real digits of the training split: how many
show the class they were asked for, and how far its features of them are from those of the test
split (`frechet_distance`). The real test digits are judged too. Chapter: *Diffusion*.
"""

import argparse
import time
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.corpora.digits import SIDE, digits
from annotated_transformer.family import DiT, DiTConfig, ViT, ViTConfig, fit
from annotated_transformer.family.frechet import frechet_distance
from annotated_transformer.records import RESULTS, Measurement
from experiments.programs import command_of, parser_of, run

NAME = "family.dit"
OUT = RESULTS / "dit.json"
IMAGES: dict[str, Any] = {"image_size": SIDE, "patch_size": 2, "n_channels": 1, "n_classes": 10}
LAYERS = {"adaln_zero": 4, "in_context": 6}
GUIDANCE = (1.0, 2.0)


def batches(n_steps: int, seed: int, size: int = 64) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of training digits, from -1 black to 1 white, chosen by the seed."""
    images, labels = digits("train")
    generator = torch.Generator().manual_seed(seed)
    for _ in range(n_steps):
        rows = torch.randint(len(images), (size,), generator=generator)
        yield 2 * images[rows] - 1, labels[rows]


def judge(n_steps: int, width: int, seed: int) -> ViT:
    """A ViT that names digits."""
    torch.manual_seed(seed)
    sizes = {"n_layers": 2, "d_model": width, "d_ff": 2 * width, "n_heads": 4}
    model = ViT(ViTConfig(**IMAGES, **sizes))  # type: ignore[arg-type]
    fit(model, batches(n_steps, seed), rate=1e-3, warmup=100)
    return model


def built(conditioning: str, width: int, steps_of_noise: int) -> DiT:
    """An untrained model."""
    sizes: dict[str, Any] = {"d_model": width, "d_ff": 4 * width, "n_heads": 4}
    sizes |= {"n_layers": LAYERS[conditioning], "conditioning": conditioning}
    return DiT(DiTConfig(**IMAGES, **sizes, n_steps=steps_of_noise))


@torch.inference_mode()
def scores(model: ViT, images: Tensor, labels: Tensor, real: Tensor) -> dict[str, float]:
    """Share of images in which the judge sees the class, and distance from real features."""
    features, wanted = (model.encode(x)[:, 0] for x in (images, real))
    recognised = model(images).argmax(-1) == labels
    return {
        "recognised": round(recognised.double().mean().item(), 4),
        "frechet_distance": round(frechet_distance(features, wanted), 3),
    }


def one_seed(seed: int, given: argparse.Namespace, critic: ViT) -> dict[str, Any]:
    """Train and judge both models with one seed."""
    real = 2 * digits("test")[0] - 1
    labels = torch.arange(given.samples) % 10
    result: dict[str, Any] = {"models": [], "scores": [], "curve": []}
    for conditioning in LAYERS:
        origin = {"model": conditioning, "seed": seed}
        torch.manual_seed(seed)
        model, before = built(conditioning, given.width, given.noise), time.thread_time()
        losses = fit(model, batches(given.steps, seed), rate=1e-3, warmup=100)
        seconds = (time.thread_time() - before) / given.steps
        size = sum(parameter.numel() for parameter in model.parameters())
        measured = {"parameters": size, "cpu_seconds_per_step": round(seconds, 4)}
        result["models"].append(origin | measured)
        every = max(1, given.steps // 20)
        result["curve"] += [
            origin | {"step": i + every, "loss": round(sum(losses[i : i + every]) / every, 4)}
            for i in range(0, given.steps - every + 1, every)
        ]
        for guidance in GUIDANCE:
            generator = torch.Generator().manual_seed(seed)
            images = model.sample(labels, guidance=guidance, generator=generator)
            found = scores(critic, images, labels, real).items()
            result["scores"] += [
                origin
                | {"split": "samples", "metric": metric, "value": value, "guidance": guidance}
                | {"signature": f"{given.samples} samples|ViT trained on digits|features: class"}
                for metric, value in found
            ]
            print(result["scores"][-2:], flush=True)
    return result


def options() -> argparse.ArgumentParser:
    """The options of the command."""
    found = parser_of(NAME, __doc__)
    found.set_defaults(out=OUT)
    found.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    found.add_argument("--steps", type=int, default=4_000, help="updates")
    found.add_argument("--judge-steps", type=int, default=800, help="updates of the judge")
    found.add_argument("--width", type=int, default=48, help="d_model")
    found.add_argument("--noise", type=int, default=100, help="steps to noise")
    found.add_argument("--samples", type=int, default=500, help="of each model and guidance")
    return found


def main() -> None:
    """Train the judge, then both models with each seed; write the record after each."""
    given = options().parse_args()
    torch.set_num_threads(1)
    measurement = Measurement("dit", threads=1, out=given.out)
    critic = judge(given.judge_steps, given.width, seed=0)
    test, labels = digits("test")
    train = digits("train")[0]
    # What a perfect sampler would get: other real digits than those it is compared with.
    real = [
        {"model": "real digits", "split": "test", "metric": metric, "value": value}
        | {"signature": f"{len(test)} test digits|distance of {len(train)} training digits"}
        for metric, value in scores(critic, 2 * test - 1, labels, 2 * train - 1).items()
    ]
    result: dict[str, Any] = {"models": [], "scores": real, "curve": []}
    sizes = {key: getattr(given, key) for key in ("steps", "width", "noise", "samples")}
    sizes["judge-steps"] = given.judge_steps
    elsewhere = {} if given.out == OUT else {"out": given.out}
    for done, seed in enumerate(given.seeds, start=1):
        for key, entries in one_seed(seed, given, critic).items():
            result[key] += entries
        seeds = given.seeds[:done]
        command = command_of(NAME, seeds=seeds, **sizes, **elsewhere)
        measurement.write(given.out, command=command, seed=seeds, **result)


if __name__ == "__main__":
    run(main)
