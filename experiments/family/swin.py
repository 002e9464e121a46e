"""What Swin's shift is for: two windows have to be compared, with windows that move or stay.

    python -m experiments.family.swin

Two handwritten digits lie in two of the four windows of an image; is it the same digit twice? The
scenes come in fours: two images x, x' of one digit and two images y, y' of another give (x, x') and
(y, y'), which are "same", and (x, y') and (y, x'), which are "different", all at the same places.
While the windows stay and there is one stage, a window never meets another before the mean at the
end, so the logits are sums of what each window gives by itself. The sums of the two "same" scenes
are together just those of the two "different" ones, so of the four at most three can be right, and
no window alone says anything: each occurs once in either. The shift moves no parameter, only
windows. Merging joins windows too, which is why there is a single stage here: in an image that
becomes one window after a merging, the shift is not needed for such a task.

Beside them stands ViT, where every patch sees every other from the first layer on. Each is trained
with several learning rates, and the one that does best on scenes of 297 other digits is scored.

`reach` needs no training: on how many of 64 patches, four windows of 16, a place depends, on the
mean over all places, by gradients through layers of random weights. Chapter: *Vision*.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.checks import check_positive
from annotated_transformer.lab.analysis.influence import influence
from annotated_transformer.lab.corpora.digits import SIDE
from annotated_transformer.lab.family import Swin, SwinConfig, ViT, ViTConfig
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.swin.windows import window_layers
from experiments.family.digit_runs import ALL, Images, accuracy, chosen, how
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters
from experiments.study import Entry, Option

PAPER = -1.0
"""Where no digit lies; ink is up to 1. From zeros, no weight of the patches would be reached."""
FOURS = 16
"""Fours of scenes in a batch."""
DIGIT_CLASSES = 10
SIZES: dict[str, Any] = {"d_model": 48, "patch_size": 4, "n_channels": 1, "n_classes": 2}
"""Of every contestant: a digit is a window of 2 x 2 patches; there are four heads."""
SWIN: dict[str, Any] = {"n_layers": (2,), "n_heads": (4,), "widening": 2.0, "window": 2}
VIT: dict[str, Any] = {"n_layers": 2, "n_heads": 4, "d_ff": 96, "image_size": 2 * SIDE}


def swin(*, shifted: bool) -> Swin:
    """A Swin of two layers in one stage."""
    return Swin(SwinConfig(**SIZES, **SWIN, shifted=shifted))


CONTESTANTS: dict[str, Callable[[], Member]] = {
    "Swin, windows stay": lambda: swin(shifted=False),
    "Swin": lambda: swin(shifted=True),
    "ViT": lambda: ViT(ViTConfig(**SIZES, **VIT, dropout=0.0)),
}
REACHES = {"W, W": (2, False), "W, SW": (2, True), "W, SW, W, SW": (4, True)}
"""Layers, and whether every second one shifts its windows."""


def fours(data: Images, n: int, generator: torch.Generator) -> Images:
    """`n` fours of scenes: same, same, different, different; 1 means same.

    Raises:
        ValueError: `n` is no positive integer.
    """
    check_positive("n", n)
    images, labels = data
    ink = 2 * images[:, 0] - 1
    of_digit = [(labels == digit).nonzero().flatten() for digit in range(DIGIT_CLASSES)]
    windows = torch.full((n, 4, 4, SIDE, SIDE), PAPER)  # four, scene, window
    for four in windows:
        two = torch.randperm(DIGIT_CLASSES, generator=generator)[:2].tolist()
        (x, x2), (y, y2) = (
            ink[rows[torch.randperm(len(rows), generator=generator)[:2]]]
            for rows in (of_digit[digit] for digit in two)
        )
        first, second = torch.randperm(4, generator=generator)[:2].tolist()
        four[:, first] = torch.stack((x, y, x, y))
        four[:, second] = torch.stack((x2, y2, y2, x2))
    squares = windows.view(4 * n, 2, 2, SIDE, SIDE).transpose(2, 3)
    scenes = squares.reshape(4 * n, 1, 2 * SIDE, 2 * SIDE)
    return scenes, torch.tensor([1, 1, 0, 0]).repeat(n)


def batches(data: Images, steps: int, generator: torch.Generator) -> Iterator[Images]:
    """New scenes for each update."""
    for _ in range(steps):
        yield fours(data, FOURS, generator)


def reach(n_layers: int, *, shifted: bool, seed: int) -> float:
    """On how many patches of 8 x 8 a place depends, in windows of 4 x 4: the mean over places."""
    torch.manual_seed(seed)
    config = SwinConfig(n_layers=(n_layers,), n_heads=(2,), d_model=8, widening=2.0)
    layers = window_layers(config.stage(0), 4, shifted=shifted).double()

    def places(x: Tensor) -> Tensor:
        return layers(x.view(1, 8, 8, 8)).view(64, 8)

    found = influence(places, torch.randn(64, 8, dtype=torch.float64), probes=1)
    return (found > 0).sum(1).double().mean().item()


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Reach, and all contestants trained and scored with one seed."""
    for name, (n, shifted) in REACHES.items():
        value = reach(n, shifted=shifted, seed=seed)
        yield score("untrained", "reach", value, "of 64", layers=name)
    data = chosen(ALL, seed)
    examples = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    tests = {
        split: fours(images, given.fours, torch.Generator().manual_seed(0))
        for split, images in data._asdict().items()
    }
    for name, run in best_runs(
        CONTESTANTS, examples, lambda m: accuracy(m, tests["valid"]), seed, given
    ):
        for split, images in tests.items():
            value, signature = accuracy(run.model, images), how(images, run, given.rates)
            yield score(split, "accuracy", value, signature, model=name)
        yield from run.curve(model=name)


STUDY = FamilyStudy(
    "swin",
    __doc__,
    measure,
    Option("--fours", 500, "of scenes in each split"),
    Option("--rates", [1e-3, 3e-3]),
    updates=2_000,
    settings=lambda _: {
        "sizes": SIZES,
        "swin": SWIN,
        "vit": VIT,
        "parameters": parameters(CONTESTANTS),
    },
)


if __name__ == "__main__":
    STUDY.main()
