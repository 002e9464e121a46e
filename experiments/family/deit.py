"""What a teacher adds: a ViT with and without one, all on the same few digits.

    python -m experiments.family.deit

As in the paper, the teacher has the labels that the student has and no others, and it answers about
each image as the student is shown it. Without augmentation it would answer with the labels, and
nothing could be learned from it; so every image is moved by up to one pixel and mixed with another,
and its label is that of the one which weighs more. All contestants are shown the same images, for
as many updates. A student "of the labels" has two tokens and no teacher: what it gains, no teacher
gave. The teacher "ViT" is at the same time the student without any, and "DeiT of the ViT" learns
from a network of its own kind. Each contestant is trained with several learning rates, and the one
that does best on 297 other images is scored, and teaches. `agreement` is the share of shown images
on which a teacher's answer is the label. Chapter: *Vision*.
"""

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import torch
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.lab.family import DeiT, DeiTConfig, ViT
from annotated_transformer.lab.family.member import Member
from experiments.family.digit_runs import (
    SIZES,
    Digits,
    Images,
    accuracy,
    batches,
    chosen,
    cnn,
    each_number,
    how,
    vit_config,
)
from experiments.family.study import FamilyStudy, score
from experiments.family.training import Run, best_rate, parameters
from experiments.study import Entry, Option

Lesson = tuple[Tensor, Tensor, Tensor]
"""Images, their labels, and what a teacher takes them for."""


class OneToken(ViT):
    """The usual distillation: the class token learns from labels and teacher at once."""

    def loss(  # type: ignore[override]  # a teacher answers too
        self, images: Tensor, labels: Tensor, taught: Tensor
    ) -> Tensor:
        """Half the cross-entropy of the labels, half that of the teacher's answers."""
        logits = self(images)
        return (F.cross_entropy(logits, labels) + F.cross_entropy(logits, taught)) / 2


def deit() -> DeiT:
    """A student with two tokens."""
    return DeiT(DeiTConfig(**SIZES))


TEACHERS: dict[str, Callable[[], Member]] = {"CNN": cnn, "ViT": lambda: ViT(vit_config())}
STUDENTS: dict[str, tuple[Callable[[], Member], str]] = {
    "DeiT of the CNN": (deit, "CNN"),
    "DeiT of the ViT": (deit, "ViT"),
    "DeiT of the labels": (deit, "labels"),
    "one token, of the CNN": (lambda: OneToken(vit_config()), "CNN"),
}
"""How each student is made, and who teaches it."""
CONTESTANTS = TEACHERS | {name: make for name, (make, _) in STUDENTS.items()}


def shown(data: Images, updates: int, seed: int) -> Iterator[Images]:
    """Batches of images that are moved and mixed; the same for the same seed."""
    generator = torch.Generator().manual_seed(seed)
    for images, labels in batches(data, updates, generator):
        moved = F.pad(images, (1, 1, 1, 1))
        down, right = torch.randint(0, 3, (2, len(images)), generator=generator).tolist()
        side = images.size(-1)
        places = zip(moved, down, right, strict=True)
        cut = torch.stack([x[:, r : r + side, c : c + side] for x, r, c in places])
        other = cut[torch.randperm(len(cut), generator=generator)]
        weight = 0.5 + 0.5 * torch.rand(len(cut), 1, 1, 1, generator=generator)
        yield weight * cut + (1 - weight) * other, labels


@torch.no_grad()
def lessons(data: Images, teacher: Member | None, steps: int, seed: int) -> list[Lesson]:
    """What is shown, with the answers of a teacher; the labels if there is none."""
    return [
        (images, labels, labels if teacher is None else teacher(images).argmax(dim=-1))
        for images, labels in shown(data, steps, seed)
    ]


def agreement(given_lessons: list[Lesson]) -> float:
    """Per cent of the shown images whose label the teacher answers."""
    right = torch.cat([taught == labels for _, labels, taught in given_lessons])
    return 100 * right.double().mean().item()


def answer_of(student: DeiT, head: int, images: Tensor) -> Tensor:
    """Logits of one of the two heads."""
    return student.heads(images)[head]


def accuracies(found: Run, data: Digits, given: argparse.Namespace, **tags: object) -> list[Entry]:
    """Scores on the test split: of the model, and of each head if it has two."""
    parts: dict[str, Callable[[Tensor], Tensor]] = {"whole": found.model}
    if isinstance(found.model, DeiT):
        for head, part in enumerate(("class token", "distillation token")):
            parts[part] = partial(answer_of, found.model, head)
    signature = how(data.test, found, given.rates)
    return [
        score("test", "accuracy", accuracy(answer, data.test), signature, part=part, **tags)
        for part, answer in parts.items()
    ]


def compare(n_labels: int, seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Scores and curves of teachers and students."""
    data = chosen(n_labels, seed)
    best = partial(
        best_rate,
        quality=lambda m: accuracy(m, data.valid),
        seed=seed,
        rates=given.rates,
    )
    alone = list(shown(data.train, given.steps, seed))
    runs = {name: best(make, alone) for name, make in TEACHERS.items()}
    for who in ("labels", *TEACHERS):
        teacher = runs[who].model if who in TEACHERS else None
        taught = lessons(data.train, teacher, given.steps, seed)
        value, signature = agreement(taught), f"{given.steps} batches|answer is label"
        yield score("train", "agreement", value, signature, teacher=who, labels=n_labels)
        for name, (make, wanted) in STUDENTS.items():
            if wanted == who:
                runs[name] = best(make, taught)
    for name, run in runs.items():
        tags = {"model": name, "labels": n_labels}
        yield from accuracies(run, data, given, **tags)
        yield from run.curve(**tags)


STUDY = FamilyStudy(
    "deit",
    __doc__,
    each_number(compare),
    Option("--labels", [100, 200]),
    Option("--rates", [1e-3, 3e-3]),
    updates=1_200,
    settings=lambda _: {"sizes": SIZES, "parameters": parameters(CONTESTANTS)},
)


if __name__ == "__main__":
    STUDY.main()
