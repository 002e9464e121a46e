"""What DETR's loss and its positions are for: set matching against many to one.

    python -m experiments.family.detr
    python -m experiments.family.deformable_detr

Scenes of up to three handwritten digits (corpora/scenes.py), of which eight slots say box and
class. As the paper's, the convolutions of all have learned to name single objects before. Two
comparisons have this in common; each trains its contestants (`detectors`) with several learning
rates, on the same batches, and scores the one with the best average precision on other scenes.

The first says what the loss is for. "Many to one" takes the competition for objects away and
nothing else: each slot learns the object that is nearest by the same costs, so that every slot
speaks, and an object that is no slot's nearest is learned by none. "Overlap": a slot learns the
object nearest to it if their IoU is 0.5 or more, each object is learned by the slot nearest to it
in any case (of two objects with one nearest slot, one is), and all other slots learn to say "no
object". Slots move while they learn, as anchors do not. "Positions at entry" adds the places of the
image once, where the encoder begins, and the object queries where the decoder begins, so that they
are in values too and no layer adds them again. All are scored as they are, and after non-maximum
suppression (IoU above 0.5, per class): average precision at IoU 0.5, and how many detections of
confidence 0.5 or more, on 100 objects, find an object again that a surer one has found
("duplicates") or none at all ("false alarms"). What chooses the rate is the precision after
suppression, which two of them are meant to have.

The second (`deformable_detr`) says how fast Deformable DETR learns: all have the same updates, and
average precision is taken at ten points of the training, and scored without suppression. As many
updates are not as much work: what one takes of this processor's time is measured too, beside
whatever else the machine does. Chapter: *Detection and prompts*.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from annotated_transformer.lab.analysis.average_precision import Detections, judged
from annotated_transformer.lab.analysis.suppression import suppressed
from annotated_transformer.lab.corpora.scenes import Scenes
from annotated_transformer.lab.family import DETR, fit
from experiments.family.detectors import DEFORMABLE, RULES
from experiments.family.scene_detection import (
    DIGITS,
    SIZES,
    WARMUP,
    Batch,
    batches,
    beginning,
    detections,
    digit_backbone,
    how,
    precision,
    splits,
)
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters
from experiments.study import Entry, Option

SURE = 0.5
"""From this confidence on a detection counts as said."""
TIMED = 20
"""Updates to time, after a first one."""
OPTIONS = (
    Option("--first", 1_000, "updates of the convolutions alone"),
    Option("--scenes", 5_000, "for training"),
    Option("--tests", 500, "scenes to score, and to choose"),
    Option("--rates", [5e-4, 1e-3]),
)


def quality(model: DETR, data: Scenes) -> float:
    """Average precision of all that a model says."""
    return precision(detections(model, data.images), data)


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


def quality_after_suppression(model: DETR, data: Scenes) -> float:
    """The same, of what suppression leaves."""
    return precision([suppressed(each) for each in detections(model, data.images)], data)


def milliseconds(make: Callable[[], DETR], batch: Batch) -> float:
    """Of processor time that an update takes."""
    times: list[float] = []
    examples = [batch] * (1 + TIMED)
    fit(make(), examples, rate=1e-3, on_step=lambda *_: times.append(time.thread_time()))
    return 1e3 * (times[-1] - times[0]) / TIMED


def with_errors(name: str, model: DETR, data: Scenes, signature: str) -> Iterator[Entry]:
    """Precision and errors, as a model says it and after suppression."""
    found = detections(model, data.images)
    for suppression in (False, True):
        if suppression:
            found = [suppressed(each) for each in found]
        values = precision(found, data), *errors(found, data)
        for metric, value in zip(("AP50", "duplicates", "false alarms"), values, strict=True):
            tags = {"model": name, "suppression": suppression}
            yield score("test", metric, value, signature, **tags)


def as_it_is(name: str, model: DETR, data: Scenes, signature: str) -> Iterator[Entry]:
    """Precision alone."""
    yield score("test", "AP50", quality(model, data), signature, model=name)


def measure(
    seed: int,
    given: argparse.Namespace,
    *,
    contestants: Mapping[str, Callable[[], DETR]],
    quality: Callable[[DETR, Scenes], float],
    scores_of: Callable[..., Iterator[Entry]],
    points: int,
    timed: bool,
) -> Iterator[Entry]:
    """Train all contestants with one seed, look at them `points` times on the way, score them."""
    data = splits(given.scenes, given.tests, seed)
    shown = list(batches(data.train, given.steps, torch.Generator().manual_seed(seed)))
    begin = digit_backbone(given.first, seed)
    made = {name: beginning(make, begin) for name, make in contestants.items()}
    for name, run in best_runs(
        made,
        shown,
        lambda model: quality(model, data.valid),
        seed,
        given,
        warmup=WARMUP,
        points=points,
    ):
        yield from scores_of(name, run.model, data.test, how(data.test, run, given.rates))
        if timed:
            cost, signature = (
                milliseconds(contestants[name], shown[0]),
                f"{TIMED} updates|processor",
            )
            yield score("train", "milliseconds", cost, signature, model=name)
        for point, value in zip(run.curve(points), run.watched, strict=True):
            yield {"model": name} | point | {"AP50": round(value, 2)}


def settings(contestants: Mapping[str, Callable[[], DETR]]) -> dict[str, Any]:
    """What a record says of all runs."""
    return {"sizes": SIZES, "digits": DIGITS, "parameters": parameters(contestants)}


STUDY = FamilyStudy(
    "detr",
    __doc__,
    partial(
        measure,
        contestants=RULES,
        quality=quality_after_suppression,
        scores_of=with_errors,
        points=5,
        timed=False,
    ),
    *OPTIONS,
    updates=2_500,
    settings=lambda _: settings(RULES),
)
DEFORMABLE_STUDY = FamilyStudy(
    "deformable_detr",
    "How fast Deformable DETR learns: the same schedule as DETR's, curves side by side.",
    partial(
        measure,
        contestants=DEFORMABLE,
        quality=quality,
        scores_of=as_it_is,
        points=10,
        timed=True,
    ),
    *OPTIONS,
    updates=1_600,
    settings=lambda _: settings(DEFORMABLE),
)


if __name__ == "__main__":
    STUDY.main()
