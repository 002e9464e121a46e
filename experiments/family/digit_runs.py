"""What the comparisons on digits share: contestants, images for each seed, training, scores."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from annotated_transformer.lab.baselines.cnn import CNN, CNNConfig
from annotated_transformer.lab.corpora.digits import SIDE, digits
from annotated_transformer.lab.family import ViTConfig
from experiments.family.training import Run
from experiments.study import Entry

ALL = 1_000
"""Images for training; the other 297 of the training split choose between settings."""
BATCH = 50
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


def each_number(
    compare: Callable[[int, int, argparse.Namespace], Iterator[Entry]],
) -> Callable[[int, argparse.Namespace], Iterator[Entry]]:
    """A measure by one seed: `compare` contestants with each number of labels."""

    def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
        for n_labels in given.labels:
            yield from compare(n_labels, seed, given)

    return measure


@torch.inference_mode()
def accuracy(model: Callable[[Tensor], Tensor], data: Images) -> float:
    """Per cent of the images that a model recognises."""
    images, labels = data
    right = model(images).argmax(dim=-1) == labels
    return 100 * right.double().mean().item()


def how(data: Images, run: Run, rates: Sequence[float]) -> str:
    """The signature of a score."""
    return f"{len(data[0])} images|rate {run.rate} of {len(rates)}"
