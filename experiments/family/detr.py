"""What DETR's loss and its positions are for: set matching against many to one.

    python -m experiments.family.detr

Scenes of up to three handwritten digits (corpora/scenes.py), of which eight slots say box and
class. As the paper's, the convolutions of all have learned to name single objects before. By set
matching each object has one slot, and the others learn to say "no object". "Many to one" takes the
competition away and nothing else: each slot learns the object that is nearest by the same costs, so
that every slot speaks, and an object that is no slot's nearest is learned by none. "Overlap" is the
rule of detectors with anchors (Ren et al. 2015): a slot learns the object nearest to it if their
IoU is 0.5 or more, each object is learned by the slot nearest to it in any case (of two objects
with one nearest slot, one is), and all other slots learn to say "no object". Slots move while they
learn, as anchors do not.

All are scored as they are, and after non-maximum suppression (IoU above 0.5, per class): average
precision at IoU 0.5, and how many detections of confidence 0.5 or more, on 100 objects, find an
object again that a surer one has found ("duplicates") or none at all ("false alarms").

"Positions at entry" is DETR with its matching, but the places of the image are added once, where
the encoder begins, and the object queries where the decoder begins, so that they are in values too
and no layer adds them again.

Each contestant is trained with several learning rates, and the one with the best average precision
on other scenes is scored; for all it is that after suppression, which two of them are meant to
have. Chapter: *Detection and prompts*.
"""

import argparse
from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.lab.analysis.average_precision import (
    Detections,
    box_iou,
    judged,
)
from annotated_transformer.lab.analysis.suppression import suppressed
from annotated_transformer.lab.corpora.scenes import Scenes
from annotated_transformer.lab.family import DETR, DETRConfig
from annotated_transformer.lab.family.detr.boxes import box_distance
from annotated_transformer.lab.family.detr.placed import image_positions, real_places
from experiments.family.digit_runs import parameters
from experiments.family.programs import Entry, each_seed, score, told
from experiments.family.scene_detection import (
    DIGITS,
    SIZES,
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

SURE = 0.5
"""From this confidence on a detection counts as said."""
NEAR = 0.5
"""IoU from which on a slot of "overlap" learns an object."""
SILENT = -1
"""In place of an object."""


class ManyToOne(DETR):
    """DETR without a matching: each slot learns the object nearest to it, whoever else does."""

    def choice(
        self, cost: Float[Tensor, "batch slot object"], iou: Float[Tensor, "batch slot object"]
    ) -> Int[Tensor, "batch slot"]:
        """The number of the object that each slot learns; those of other images cost infinity."""
        return cost.argmin(-1)

    def set_loss(self, logits: Tensor, found: Tensor, *gold: Sequence[Tensor]) -> Tensor:
        """The same two losses as with a matching."""
        boxes, classes = (torch.cat([*each]) for each in gold)
        image = torch.cat([torch.full_like(own, i) for i, own in enumerate(gold[1])])
        elsewhere = image != torch.arange(len(found))[:, None, None]
        each = found.detach()[:, :, None]
        cost = self.class_costs(logits.detach())[..., classes] + box_distance(each, boxes)
        own = self.choice(cost.masked_fill(elsewhere, torch.inf), box_iou(each, boxes))
        speaks = own != SILENT
        answers = classes[own].where(speaks, self.config.n_classes)
        distance = box_distance(found[speaks], boxes[own[speaks]])
        return self.class_loss(logits, answers) + distance.mean()


class Overlap(ManyToOne):
    """The rule of detectors with anchors: who is far from all objects learns to be silent."""

    def choice(
        self, cost: Float[Tensor, "batch slot object"], iou: Float[Tensor, "batch slot object"]
    ) -> Int[Tensor, "batch slot"]:
        """The object, or `SILENT`."""
        own = cost.argmin(-1)
        own[iou.gather(-1, own[..., None])[..., 0] < NEAR] = SILENT
        nearest = cost.flatten(0, 1).argmin(0)  # of all slots of all images
        own.view(-1)[nearest] = torch.arange(len(nearest))
        return own


class AtEntry(DETR):
    """DETR whose positions and object queries are added once, as the paper of 2017 has it."""

    def each_layer(self, images: Tensor, real: Tensor | None = None) -> list[tuple[Tensor, Tensor]]:
        """As DETR's, with nothing for a layer to add."""
        x = self.project(self.backbone(images)[-1])
        real = real_places(images, real, x)
        mask = real.flatten(1)[:, None, None]
        x = x.flatten(2).mT + image_positions(real, self.config.d_model, x.dtype)
        y, found = self.queries.expand(len(images), -1, -1), []
        no_place, no_query = torch.zeros_like(x), torch.zeros_like(y)
        for layer in self.encoder:
            x = layer(x, mask, no_place)
        for layer in self.decoder:
            y = layer(y, x, no_query, no_place, mask)
            state = self.final_norm(y)
            found.append((self.class_head(state), self.box_head(state).sigmoid()))
        return found


CONTESTANTS: dict[str, Callable[[], DETR]] = {
    "set matching": lambda: DETR(DETRConfig(**SIZES)),
    "many to one": lambda: ManyToOne(DETRConfig(**SIZES)),
    "overlap": lambda: Overlap(DETRConfig(**SIZES)),
    "positions at entry": lambda: AtEntry(DETRConfig(**SIZES)),
}


def errors(found: Sequence[Detections], data: Scenes) -> tuple[float, float]:
    """Duplicates and false alarms among what is said surely, on 100 objects."""
    again = alarms = 0
    for each, boxes, classes in zip(found, data.boxes, data.classes, strict=True):
        said = Detections(*(x[each.confidence >= SURE] for x in each))
        verdict = judged(said, boxes, classes)
        again += int(verdict.again.sum())
        alarms += int((~(verdict.right | verdict.again)).sum())
    n_objects = sum(map(len, data.classes))
    return 100 * again / n_objects, 100 * alarms / n_objects


def quality(model: DETR, data: Scenes) -> float:
    """Average precision after suppression."""
    return precision([suppressed(each) for each in detections(model, data.images)], data)


def measure(seed: int, given: argparse.Namespace) -> tuple[list[Entry], list[Entry]]:
    """Train all contestants with one seed, and score them with and without suppression."""
    data = splits(given.scenes, given.tests, seed)
    shown = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    begin = digit_backbone(given.first, seed)
    scores: list[Entry] = []
    curve: list[Entry] = []

    def watched(model: DETR) -> float:
        return quality(model, data.valid)

    for name, make in CONTESTANTS.items():
        kept = best_rate(
            beginning(make, begin), shown, watched, seed=seed, rates=given.rates, points=5
        )
        signature = how(data.test, kept, given.rates)
        found = detections(kept.model, data.test.images)
        for suppression in (False, True):
            if suppression:
                found = [suppressed(each) for each in found]
            values = precision(found, data.test), *errors(found, data.test)
            for metric, value in zip(("AP50", "duplicates", "false alarms"), values, strict=True):
                tags = {"model": name, "suppression": suppression}
                scores.append(score("test", metric, value, signature, **tags))
                print(f"seed {seed}: {told(scores[-1])}", flush=True)
        curve += [{"model": name} | entry for entry in kept.curve]
    return scores, curve


def options() -> argparse.ArgumentParser:
    """The options of the command."""
    return detector_options("detr", __doc__, steps=2_500)


def main() -> None:
    """Carry out all runs and write their record."""
    torch.set_num_threads(1)
    given = options().parse_args()
    settings = {"sizes": SIZES, "digits": DIGITS, "parameters": parameters(CONTESTANTS)}
    each_seed("detr", given, lambda seed: measure(seed, given), **settings)


if __name__ == "__main__":
    run(main)
