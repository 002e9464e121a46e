"""What ViT needs in labels: equal runs of ViT, ViT without positions, and a convolutional network.

    python -m experiments.family.vit

Handwritten digits, 50, 200 or all of 1,000 with their labels; which 50 or 200 is drawn anew for
each seed. Every contestant takes as many updates, on the same batches, without augmentation. Each
is trained with several learning rates, and the one that does best on 297 other images is scored on
the test split. Chapter: *Vision*.
"""

import argparse
from collections.abc import Callable, Iterator

import torch

from annotated_transformer.lab.family import ViT
from annotated_transformer.lab.family.member import Member
from experiments.family.digit_runs import (
    ALL,
    SIZES,
    accuracy,
    batches,
    chosen,
    cnn,
    each_number,
    how,
    vit_config,
)
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters
from experiments.study import Entry, Option

CONTESTANTS: dict[str, Callable[[], Member]] = {
    "ViT": lambda: ViT(vit_config()),
    "ViT without positions": lambda: ViT(vit_config(positions="none")),
    "CNN": cnn,
}


def compare(n_labels: int, seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Scores and curves of all contestants, each with the rate that served it best."""
    data = chosen(n_labels, seed)
    examples = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    for name, run in best_runs(
        CONTESTANTS, examples, lambda m: accuracy(m, data.valid), seed, given
    ):
        tags = {"model": name, "labels": n_labels}
        for split, images in data._asdict().items():
            value, signature = accuracy(run.model, images), how(images, run, given.rates)
            yield score(split, "accuracy", value, signature, **tags)
        yield from run.curve(**tags)


STUDY = FamilyStudy(
    "vit",
    __doc__,
    each_number(compare),
    Option("--labels", [50, 200, ALL]),
    Option("--rates", [3e-4, 1e-3, 3e-3]),
    updates=1_000,
    settings=lambda _: {"sizes": SIZES, "parameters": parameters(CONTESTANTS)},
)


if __name__ == "__main__":
    STUDY.main()
