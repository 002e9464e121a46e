"""What a teacher adds: a ViT with and without one, all on the same few digits.

    python -m experiments.family.deit

As in the paper, the teacher has the labels that the student has and no others, and it answers about
each image as the student is shown it. Without augmentation it would answer with the labels, and
nothing could be learned from it; so every image is moved by up to one pixel and mixed with another,
and its label is that of the one which weighs more. All contestants are shown the same images, for
as many updates. A student "of the labels" has two tokens and no teacher: what it gains, no teacher
gave. The teacher "ViT" is at the same time the student without any. `agreement` is the share of
shown images on which a teacher's answer is the label.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.family import DeiT, DeiTConfig, ViT
from annotated_transformer.family.member import Member
from annotated_transformer.records import RESULTS, Measurement
from experiments.family.digit_runs import (
    SIZES,
    Images,
    Run,
    accuracy,
    batches,
    chosen,
    cnn,
    signature,
    trained,
    vit_config,
)
from experiments.programs import command_of, parser_of, run


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


def taught(
    examples: Iterator[Images], teacher: Member | None, agreed: list[float]
) -> Iterator[tuple[Tensor, Tensor, Tensor]]:
    """The same with the answers of a teacher, the labels if there is none; how often it agrees."""
    for images, labels in examples:
        with torch.no_grad():
            answers = labels if teacher is None else teacher(images).argmax(dim=-1)
        agreed.append((answers == labels).double().mean().item())
        yield images, labels, answers


def answer_of(student: DeiT, head: int, images: Tensor) -> Tensor:
    """Logits of one of the two heads."""
    return student.heads(images)[head]


def compare(
    n_labels: int, seed: int, updates: int, rate: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Scores and curves of teachers and students."""
    data = chosen(n_labels, seed)
    runs: dict[str, Run] = {}
    agreement: dict[str, float] = {}
    for name, make in TEACHERS.items():
        examples = shown(data.train, updates, seed)
        runs[name] = trained(make, examples, seed=seed, rate=rate)
    for name, (make, who) in STUDENTS.items():
        agreed: list[float] = []
        teacher = None if who == "labels" else runs[who].model
        lessons = taught(shown(data.train, updates, seed), teacher, agreed)
        runs[name] = trained(make, lessons, seed=seed, rate=rate)
        agreement[name] = round(100 * sum(agreed) / len(agreed), 2)
    scores, curves = [], []
    for name, found in runs.items():
        tags = {"contestant": name, "labels": n_labels, "seed": seed}
        parts: dict[str, Callable[[Tensor], Tensor]] = {"model": found.model}
        if isinstance(found.model, DeiT):
            for head, part in enumerate(("class token", "distillation token")):
                parts[part] = partial(answer_of, found.model, head)
        how = signature([f"{len(data.test[0])} digits", f"rate {rate}"])
        entry = {"split": "test", "metric": "accuracy", "signature": how}
        scores += [
            tags | {"part": part} | entry | {"value": accuracy(answer, data.test)}
            for part, answer in parts.items()
        ]
        if name in agreement:
            how = signature([f"{updates} updates", "answer is label"])
            entry = {"split": "train", "metric": "agreement", "signature": how}
            scores.append(tags | entry | {"value": agreement[name]})
        curves += [tags | entry for entry in found.curve]
        print(f"{tags}: {accuracy(found.model, data.test)} %", flush=True)
    return scores, curves


def main(arguments: Sequence[str] | None = None) -> None:
    """Carry out all runs and write their record."""
    options = parser_of("family.deit", __doc__)
    options.set_defaults(out=RESULTS / "deit.json")
    options.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options.add_argument("--labels", type=int, nargs="+", default=[100, 200])
    options.add_argument("--updates", type=int, default=2_000, help="default 2,000")
    options.add_argument("--rate", type=float, default=1e-3, help="default 0.001")
    given = options.parse_args(arguments)
    measurement = Measurement("deit", out=given.out)
    scores: list[dict[str, Any]] = []
    curve: list[dict[str, Any]] = []
    for n_labels, seed in product(given.labels, given.seeds):
        found, losses = compare(n_labels, seed, given.updates, given.rate)
        scores, curve = scores + found, curve + losses
    elsewhere = {} if given.out == RESULTS / "deit.json" else {"out": given.out}
    measurement.write(
        given.out,
        command=command_of(
            "family.deit",
            seeds=given.seeds,
            labels=given.labels,
            updates=given.updates,
            rate=given.rate,
            **elsewhere,
        ),
        seed=given.seeds,
        scores=scores,
        curve=curve,
    )


if __name__ == "__main__":
    run(main)
