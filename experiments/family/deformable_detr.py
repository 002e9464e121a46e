"""How fast Deformable DETR learns: the same schedule as DETR's, curves side by side.

    python -m experiments.family.deformable_detr

Scenes of up to three handwritten digits, and eight slots, as in experiments/family/detr.py. All
contestants have the same updates on the same batches, and convolutions that begin alike; average
precision at IoU 0.5 on other scenes is taken at ten points of the training. Deformable DETR differs
from DETR in more than its attention, and two contestants are in between. "DETR, focal loss" has the
class answers of Deformable DETR, yes or no for each class by focal loss, in matching and loss.
"Deformable, one map" looks only at the map of 3 x 3 places at which DETR looks, "Deformable DETR"
also at the one of 6 x 6 before it. What else tells the second from the third: attention to a few
places, a reference point for each slot from which its box is counted, maps that are normalised, and
no last LayerNorm.

Each is trained with several learning rates, and the one with the best average precision on other
scenes at the end is scored, without suppression. As many updates are not as much work: what one
takes of this processor's time is measured too, beside whatever else the machine does. Chapter:
*Detection and prompts*.
"""

import argparse
import math
import time
from collections.abc import Callable

import torch
from torch import nn

from annotated_transformer.lab.family import (
    DETR,
    DeformableDETR,
    DeformableDETRConfig,
    DETRConfig,
    fit,
)
from experiments.family.digit_runs import parameters
from experiments.family.programs import Entry, each_seed, score, told
from experiments.family.scene_detection import (
    DIGITS,
    SIZES,
    Batch,
    batches,
    beginning,
    best_rate,
    detections,
    detector_options,
    digit_backbone,
    how,
    precision,
    splits,
)
from experiments.programs import run

TIMED = 20
"""Updates to time, after a first one."""


class FocalDETR(DETR):
    """DETR with the class answers of Deformable DETR."""

    class_costs = DeformableDETR.class_costs
    class_loss = DeformableDETR.class_loss

    def __init__(self, config: DETRConfig) -> None:
        super().__init__(config)
        self.class_head = nn.Linear(config.d_model, config.n_classes)
        nn.init.constant_(self.class_head.bias, -math.log(99))  # as there: 1 % at first


def deformable(n_maps: int) -> DeformableDETR:
    """Deformable DETR that looks at so many maps of the backbone, from the coarsest."""
    return DeformableDETR(DeformableDETRConfig(**SIZES, n_maps=n_maps, n_levels=n_maps))


CONTESTANTS: dict[str, Callable[[], DETR]] = {
    "DETR": lambda: DETR(DETRConfig(**SIZES)),
    "DETR, focal loss": lambda: FocalDETR(DETRConfig(**SIZES)),
    "Deformable, one map": lambda: deformable(1),
    "Deformable DETR": lambda: deformable(2),
}


def milliseconds(make: Callable[[], DETR], batch: Batch) -> float:
    """Of processor time that an update takes."""
    times: list[float] = []
    examples = [batch] * (1 + TIMED)
    fit(make(), examples, rate=1e-3, on_step=lambda *_: times.append(time.thread_time()))
    return 1e3 * (times[-1] - times[0]) / TIMED


def measure(seed: int, given: argparse.Namespace) -> tuple[list[Entry], list[Entry]]:
    """Train all contestants with one seed, look at them on the way, and score them."""
    data = splits(given.scenes, given.tests, seed)
    shown = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    begin = digit_backbone(given.first, seed)
    scores: list[Entry] = []
    curve: list[Entry] = []

    def quality(model: DETR) -> float:
        return precision(detections(model, data.valid.images), data.valid)

    for name, make in CONTESTANTS.items():
        kept = best_rate(beginning(make, begin), shown, quality, seed=seed, rates=given.rates)
        value = precision(detections(kept.model, data.test.images), data.test)
        scores.append(score("test", "AP50", value, how(data.test, kept, given.rates), model=name))
        print(f"seed {seed}: {told(scores[-1])}", flush=True)
        cost, signature = milliseconds(make, shown[0]), f"{TIMED} updates|processor"
        scores.append(score("train", "milliseconds", cost, signature, model=name))
        curve += [{"model": name} | entry for entry in kept.curve]
    return scores, curve


def options() -> argparse.ArgumentParser:
    """The options of the command."""
    return detector_options("deformable_detr", __doc__, steps=1_600)


def main() -> None:
    """Carry out all runs and write their record."""
    torch.set_num_threads(1)
    given = options().parse_args()
    settings = {"sizes": SIZES, "digits": DIGITS, "parameters": parameters(CONTESTANTS)}
    each_seed("deformable_detr", given, lambda seed: measure(seed, given), **settings)


if __name__ == "__main__":
    run(main)
