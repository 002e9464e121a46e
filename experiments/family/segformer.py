"""How SegFormer does without positions: trained on scenes of one size, tested on larger ones.

    python -m experiments.family.segformer

Scenes of handwritten digits (corpora/scenes.py) of 24 pixels, and a class for each pixel. The test
scenes have 24, 36 and 48 pixels and as many digits for their area. "no convolution" lacks the one
of the feed-forward networks, through which places know where they are; it has fewer parameters by
these. "learned positions" lacks it too, and learns a vector for each place of the first stage
instead, which is stretched over a larger image. The overlapping patches are convolutions as well,
with zeros beyond the border, and all three have them: no contestant is quite without positions.

Each is trained with several learning rates, and the one with the best mean IoU on other scenes of
24 pixels, of the digits that it was trained on, is scored. Chapter: *Vision*.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.lab.corpora.scenes import BACKGROUND, scenes
from annotated_transformer.lab.family import SegFormer, SegFormerConfig
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.segformer.mix import larger
from experiments.family.digit_runs import Images, batches, how
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters
from experiments.study import Entry, Option

SIDE = 24
"""Pixels of the scenes for training."""
OBJECTS = {24: 3, 36: 8, 48: 15}
"""Most digits in a scene of so many pixels; their mean, half of one more, follows the area."""
BATCH = 16
N_CLASSES = BACKGROUND + 1
SIZES: dict[str, Any] = {
    "n_layers": (1, 1),
    "n_heads": (2, 4),
    "d_model": (32, 64),
    "widening": (2, 2),
    "patch": (3, 3),
    "stride": (2, 2),
    "ratio": (2, 1),
    "d_head": 64,
    "n_channels": 1,
    "n_classes": N_CLASSES,
    "dropout": 0.0,
}


class Places(nn.Module):
    """Adds a learned vector for each place, stretched to the size of what comes in."""

    def __init__(self, d_model: int, side: int) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.empty(1, d_model, side, side))
        nn.init.normal_(self.table, std=0.02)

    def forward(
        self, grid: Float[Tensor, "batch height width d_model"]
    ) -> Float[Tensor, "batch height width d_model"]:
        """The grid with its places."""
        return grid + larger(self.table, grid.shape[1:3]).permute(0, 2, 3, 1)


def segformer() -> SegFormer:
    """SegFormer of two stages."""
    return SegFormer(SegFormerConfig(**SIZES))


def without_convolution() -> SegFormer:
    """The same with the paper's feed-forward networks, which look at no neighbours."""
    model = segformer()
    for stage in model.stages:
        for layer in stage.layers:
            layer.feed_forward.mix = nn.Identity()
    return model


def with_positions() -> SegFormer:
    """The same, with learned positions where the first stage begins."""
    model = without_convolution()
    first, places = model.stages[0], Places(SIZES["d_model"][0], SIDE // SIZES["stride"][0])
    first.patch_norm = nn.Sequential(first.patch_norm, places)
    return model


CONTESTANTS: dict[str, Callable[[], Member]] = {
    "SegFormer": segformer,
    "no convolution": without_convolution,
    "learned positions": with_positions,
}


def examples(split: str, n: int, *, seed: int, side: int = SIDE) -> Images:
    """Scenes, and the class of each of their pixels."""
    found = scenes(split, n, seed=seed, side=side, max_objects=OBJECTS[side])
    return found.images, found.class_map


def mean_iou(found: Int[Tensor, "*place"], wanted: Int[Tensor, "*place"], n_classes: int) -> float:
    """Per cent: for each class, pixels of it in both over pixels of it in either; then the mean.

    Counted are the pixels of all images together. A class that occurs in neither is left out.
    """
    pairs = torch.bincount((n_classes * wanted + found).flatten(), minlength=n_classes**2)
    confusion = pairs.view(n_classes, n_classes).double()
    both = confusion.diagonal()
    either = confusion.sum(0) + confusion.sum(1) - both
    return 100 * (both / either)[either > 0].mean().item()


@torch.inference_mode()
def quality(model: Member, data: Images) -> float:
    """Mean IoU of the classes that a model finds most likely, logits interpolated to the pixels."""
    images, wanted = data
    parts = [larger(model(x), x.shape[2:]).argmax(1) for x in images.split(50)]
    return mean_iou(torch.cat(parts), wanted, N_CLASSES)


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train all contestants with one seed, and score them at each size."""
    train = examples("train", given.scenes, seed=seed)
    valid = examples("train", given.tests, seed=1_000 + seed)
    tests = {side: examples("test", given.tests, seed=0, side=side) for side in OBJECTS}
    shown = list(batches(train, given.steps, torch.Generator().manual_seed(seed), BATCH))
    for name, run in best_runs(CONTESTANTS, shown, lambda m: quality(m, valid), seed, given):
        for side, data in tests.items():
            value, signature = quality(run.model, data), how(data, run, given.rates)
            yield score("test", "mean IoU", value, signature, model=name, side=side)
        yield from run.curve(model=name)


STUDY = FamilyStudy(
    "segformer",
    __doc__,
    measure,
    Option("--scenes", 2_000, "for training"),
    Option("--tests", 300, "scenes of each size, and to choose"),
    Option("--rates", [1e-3, 3e-3]),
    updates=2_500,
    settings=lambda _: {"sizes": SIZES, "objects": OBJECTS, "parameters": parameters(CONTESTANTS)},
)


if __name__ == "__main__":
    STUDY.main()
