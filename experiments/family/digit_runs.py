"""What the comparisons on digits share: contestants, images for each seed, training, scores."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from annotated_transformer.lab.baselines.cnn import CNN, CNNConfig
from annotated_transformer.lab.corpora.digits import SIDE, digits
from annotated_transformer.lab.family import ViTConfig, fit
from annotated_transformer.lab.family.member import Member
from experiments.family.study import Results
from experiments.study import Entry

ALL = 1_000
"""Images for training; the other 297 of the training split choose between settings."""
BATCH = 50
WARMUP = 50
"""Updates in which the learning rate rises; then it falls in a line to zero."""
SIZES: dict[str, Any] = {
    "n_layers": 2,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "image_size": SIDE,
    "patch_size": 2,
    "n_channels": 1,
    "n_classes": 10,
}
"""Of every ViT: 16 patches of four pixels, 69,194 parameters."""
WIDTH = 32
"""Of the convolutional network: 65,642 parameters, 5 % fewer."""
Images = tuple[Tensor, Tensor]


class Digits(NamedTuple):
    """Images and labels of one run."""

    train: Images
    valid: Images
    test: Images


def chosen(n_labels: int, seed: int) -> Digits:
    """Images to train on, drawn anew for each seed, and always the same for validation and test.

    Raises:
        ValueError: there are not as many images.
    """
    if not 0 < n_labels <= ALL:
        raise ValueError(f"--labels {n_labels}: there are {ALL} images for training, from 1 on")
    images, labels = digits("train")
    order = torch.randperm(ALL, generator=torch.Generator().manual_seed(seed))[:n_labels]
    return Digits((images[order], labels[order]), (images[ALL:], labels[ALL:]), digits("test"))


def batches(
    data: Images, updates: int, generator: torch.Generator, size: int = BATCH
) -> Iterator[Images]:
    """As many batches, in epochs of a new order each; a small set is one batch."""
    images, labels = data
    size, order = min(size, len(images)), torch.empty(0, dtype=torch.long)
    for _ in range(updates):
        if len(order) < size:
            order = torch.randperm(len(images), generator=generator)
        now, order = order[:size], order[size:]
        yield images[now], labels[now]


def vit_config(**options: Any) -> ViTConfig:
    """The sizes of every ViT here."""
    return ViTConfig(**SIZES | options)


def cnn() -> CNN:
    """The convolutional network."""
    return CNN(CNNConfig(width=WIDTH))


class Run(NamedTuple):
    """A model after its training."""

    model: Member
    rate: float
    losses: list[float]
    """Of each update."""


def trained(
    make: Callable[[], Member], examples: Sequence[tuple[Tensor, ...]], *, seed: int, rate: float
) -> Run:
    """Make a model by a seed and train it, one update for each batch."""
    torch.manual_seed(seed)
    model = make()
    return Run(model, rate, fit(model, examples, rate=rate, warmup=WARMUP, until=len(examples)))


def best_rate(
    make: Callable[[], Member],
    examples: Sequence[tuple[Tensor, ...]],
    quality: Callable[[Any], float],
    *,
    seed: int,
    rates: Sequence[float],
) -> Run:
    """Train with each rate, from the same weights and on the same batches, and keep the best run.

    `quality` of a model is to be high, on other images than those of the test; of equals, the
    first is kept.
    """
    runs = [trained(make, examples, seed=seed, rate=rate) for rate in rates]
    return max(runs, key=lambda found: quality(found.model))


def each_number(
    compare: Callable[[int, int, argparse.Namespace], Results],
) -> Callable[[int, argparse.Namespace], Results]:
    """A measure by one seed: `compare` contestants with each number of labels."""

    def measure(seed: int, given: argparse.Namespace) -> Results:
        scores: list[Entry] = []
        curve: list[Entry] = []
        for n_labels in given.labels:
            more = compare(n_labels, seed, given)
            scores, curve = [*scores, *more[0]], [*curve, *more[1]]
        return scores, curve

    return measure


def parameters(contestants: Mapping[str, Callable[[], Member]]) -> dict[str, int]:
    """How many parameters each contestant has."""
    return {name: sum(p.numel() for p in make().parameters()) for name, make in contestants.items()}


@torch.inference_mode()
def accuracy(model: Callable[[Tensor], Tensor], data: Images) -> float:
    """Per cent of the images that a model recognises."""
    images, labels = data
    right = model(images).argmax(dim=-1) == labels
    return 100 * right.double().mean().item()


def how(data: Images, found: Run, rates: Sequence[float]) -> str:
    """The signature of a score."""
    return f"{len(data[0])} images|rate {found.rate} of {len(rates)}"
