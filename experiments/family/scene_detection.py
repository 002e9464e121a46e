"""What the comparisons of detectors share: scenes, sizes, training that is watched, scores."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.lab.analysis.average_precision import (
    Detections,
    average_precision,
)
from annotated_transformer.lab.corpora.scenes import BACKGROUND, Scenes, scenes
from annotated_transformer.lab.family import DETR, DETRConfig, fit
from annotated_transformer.lab.family.detr.backbone import backbone
from annotated_transformer.lab.family.member import Member
from experiments.family import digit_runs
from experiments.family.training import Run

BATCH = 32
WARMUP = 100
"""Updates in which the learning rate rises; then it falls in a line to zero."""
SIZES: dict[str, Any] = {
    "n_layers": 2,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "dropout": 0.0,
    "channels": 1,
    "widths": (32, 64, 64),
    "depths": (),
    "n_classes": BACKGROUND,
    "n_queries": 8,
}
"""Of every contestant: three convolutions make 3 x 3 places of a scene of 24 pixels."""
DIGITS: dict[str, Any] = {"scenes": 3_000, "side": 16, "batch": 64, "rate": 3e-3}
"""How the convolutions learn to name single digits, before they are part of a detector."""
Batch = tuple[Tensor, list[Tensor], list[Tensor]]
"""Images, and boxes and classes of each."""


class Splits(NamedTuple):
    """Scenes of one seed. Those of the test are the same for all seeds."""

    train: Scenes
    valid: Scenes
    """Other scenes of digits that the training shows too."""
    test: Scenes


def splits(n_train: int, n_tests: int, seed: int) -> Splits:
    """Scenes of up to three digits on 24 pixels."""
    return Splits(
        scenes("train", n_train, seed=seed),
        scenes("train", n_tests, seed=1_000 + seed),
        scenes("test", n_tests, seed=0),
    )


def batches(
    data: Scenes, updates: int, generator: torch.Generator, size: int = BATCH
) -> Iterator[Batch]:
    """As many batches, in epochs of a new order each; a small set is one batch."""
    numbers = torch.arange(len(data.images))
    for images, chosen in digit_runs.batches((data.images, numbers), updates, generator, size):
        rows = chosen.tolist()
        yield images, [data.boxes[i] for i in rows], [data.classes[i] for i in rows]


class Classifier(Member):
    """The convolutions of a detector, and the most that they see of each class anywhere."""

    def __init__(self) -> None:
        super().__init__(DETRConfig(**SIZES))
        self.backbone = backbone(self.config)
        self.head = nn.Linear(self.config.widths[-1], self.config.n_classes)

    def forward(
        self, images: Float[Tensor, "batch channel height width"]
    ) -> Float[Tensor, "batch class_"]:
        """Logits of the class."""
        return self.head(self.backbone(images)[-1].amax((2, 3)))

    def loss(self, images: Tensor, classes: Tensor) -> Tensor:
        """Cross-entropy."""
        return F.cross_entropy(self(images), classes)


def digit_backbone(updates: int, seed: int) -> dict[str, Tensor]:
    """Weights of convolutions that name single digits of the training split.

    Those of the paper have learned ImageNet. All contestants of a seed begin with the same.
    """
    made = scenes("train", DIGITS["scenes"], seed=seed, side=DIGITS["side"], max_objects=1)
    data = made.images, torch.cat(made.classes)
    torch.manual_seed(seed)
    model, order = Classifier(), torch.Generator().manual_seed(seed)
    shown = digit_runs.batches(data, updates, order, DIGITS["batch"])
    fit(model, shown, rate=DIGITS["rate"], warmup=WARMUP, until=updates)
    return model.backbone.state_dict()


def beginning(make: Callable[[], DETR], weights: Mapping[str, Tensor]) -> Callable[[], DETR]:
    """The same contestant, with these weights in its backbone."""

    def made() -> DETR:
        model = make()
        model.backbone.load_state_dict(weights)
        return model

    return made


@torch.inference_mode()
def detections(model: DETR, images: Tensor) -> list[Detections]:
    """Of each slot its box, and the most likely class, as sure as this class is likely.

    A model with an answer for "no object" chooses by a softmax; one without says yes or no to
    each class. Nothing is left out: a slot that finds nothing is only not sure.
    """
    found = []
    for part in images.split(100):
        logits, boxes = model(part)
        if logits.size(-1) > model.config.n_classes:
            likely = logits.softmax(-1)[..., :-1]
        else:
            likely = logits.sigmoid()
        confidence, classes = likely.max(-1)
        found += [Detections(*each) for each in zip(boxes, classes, confidence, strict=True)]
    return found


def precision(found: Sequence[Detections], data: Scenes) -> float:
    """Average precision at IoU 0.5, of detections for these scenes."""
    return average_precision(found, data.boxes, data.classes)


def how(data: Scenes, run: Run, rates: Sequence[float]) -> str:
    """The signature of a score."""
    return f"{len(data.images)} scenes|rate {run.rate} of {len(rates)}|COCO's 101 recalls"
