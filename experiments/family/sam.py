"""Several masks against one, on a click that may mean a digit or the number it belongs to.

    python -m experiments.family.sam

Scenes of a number of two digits and one digit that stands alone (corpora/numbers.py), a click on
each digit. A click on a digit of the number means the digit or the whole number, drawn at random
for each click in training; the model sees only where it is. A click on the digit alone means this
digit. SAM's loss asks the best answer to a click alone. Whichever of three masks is a little better
at first may be the best of nearly all clicks from then on, and the others never learn; "three
masks, relaxed" gives a tenth of the loss to the mean of all three, a known remedy (Rupprecht et al.
2017). "One mask" is SAM with a single answer.

There is no truth to draw for an ambiguous click in a test, so each is scored against both meanings,
and they are reported apart: IoU with the "digit", with the "number", and with the "nearer" of the
two, which is high for whoever gives a whole answer to one of the meanings. "Drawn" is the mean of
the first two, what is to be expected if chance has meant one of them. No single mask can have more
of it than "one mask at most": for digit d inside number n, a mask m between them has the mean of
|d| / |m| and |m| / |n|, which is convex in |m| and so largest at one of the ends, where it is
(1 + |d| / |n|) / 2; pixels beyond n only take away, and so do pixels of d that are left out.

Each of these is asked of the mask that the model's own head prefers ("preferred") and of the one
with the highest IoU ("best"). "Best" chooses after the gold mask is seen, anew for each meaning:
three masks have more tries than one, which flatters them even where nothing is ambiguous.

Each is trained with several learning rates, and the one with the best mean of "alone" and, twice,
"drawn" of the preferred mask, the mean over clicks, on other scenes is scored. Chapter: *Detection
and prompts*.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.lab.corpora.numbers import Numbers, clicks, numbers
from annotated_transformer.lab.family import SAM, SAMConfig
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.sam.model import mask_iou
from annotated_transformer.lab.family.segformer.mix import larger
from experiments.family.study import FamilyStudy, score
from experiments.family.training import best_runs, parameters
from experiments.study import Entry, Option

SIDE = 24
BATCH = 16
N_CLICKS = 3
"""On an image: on both digits of the number, then on the digit alone."""
SIZES: dict[str, Any] = {
    "n_layers": 2,
    "d_model": 64,
    "d_ff": 128,
    "n_heads": 4,
    "side": SIDE,
    "patch": 4,  # so that masks, four times as fine as patches, have a value for each pixel
    "channels": 1,
    "width": 32,
    "decoder_layers": 2,
    "decoder_ff": 64,
    "decoder_heads": 4,
    "score_ff": 32,
}
RELAXED = 0.1
"""Part of the loss that all answers share, where it is relaxed."""


class Relaxed(SAM):
    """SAM in which every answer learns a little from every click."""

    def of_answers(
        self, losses: Float[Tensor, "batch prompt mask"]
    ) -> Float[Tensor, "batch prompt"]:
        """Mostly the loss of the best answer."""
        return (1 - RELAXED) * super().of_answers(losses) + RELAXED * losses.mean(-1)


CONTESTANTS: dict[str, Callable[[], SAM]] = {
    "one mask": lambda: SAM(SAMConfig(**SIZES, n_masks=1)),
    "three masks": lambda: SAM(SAMConfig(**SIZES, n_masks=3)),
    "three masks, relaxed": lambda: Relaxed(SAMConfig(**SIZES, n_masks=3)),
}
Batch = tuple[Tensor, Tensor, Tensor, Tensor]
"""Images, clicks, labels, and the mask that each click means."""


def asked(data: Numbers, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """A click (image, 3, 1, 2) on each digit, and its label: it is on what it means."""
    found = clicks(data.digits, generator)[:, :, None]
    return found, torch.ones(found.shape[:-1], dtype=torch.long)


def meant(data: Numbers, generator: torch.Generator) -> Bool[Tensor, "image 3 side side"]:
    """Of each click the digit or, of those on a number, as often the number."""
    whole = torch.rand(data.digits.shape[:2], generator=generator) < 0.5
    whole[:, -1] = False
    return torch.where(whole[..., None, None], data.number[:, None], data.digits)


def batches(
    data: Numbers, updates: int, generator: torch.Generator, size: int = BATCH
) -> Iterator[Batch]:
    """As many batches of scenes drawn at random, with new clicks and meanings each time."""
    for _ in range(updates):
        rows = torch.randint(len(data.images), (size,), generator=generator)
        part = Numbers(*(x[rows] for x in data))
        yield part.images, *asked(part, generator), meant(part, generator)


@torch.inference_mode()
def overlaps(
    model: Member, data: Numbers, seed: int = 0
) -> dict[str, tuple[Float[Tensor, "image click mask"], Tensor]]:
    """IoU of every mask by meaning, for the clicks that may have it, and the masks' own scores."""
    logits, said = model(data.images, *asked(data, torch.Generator().manual_seed(seed)))
    logits = larger(logits.flatten(0, 1), (SIDE, SIDE)).unflatten(0, said.shape[:2])
    digit = mask_iou(logits, data.digits)
    number = mask_iou(logits, data.number[:, None].expand_as(data.digits))
    ambiguous, alone = slice(0, 2), slice(2, 3)
    found = {
        "alone": (digit, alone),
        "digit": (digit, ambiguous),
        "number": (number, ambiguous),
        "nearer": (torch.maximum(digit, number), ambiguous),
    }
    return {name: (iou[:, which], said[:, which]) for name, (iou, which) in found.items()}


def results(model: Member, data: Numbers) -> dict[tuple[str, str], float]:
    """Mean IoU in per cent, by meaning and by who chooses the mask."""
    found = {}
    for meaning, (iou, said) in overlaps(model, data).items():
        preferred = iou.gather(-1, said.argmax(-1, keepdim=True))
        found[meaning, "preferred"] = 100 * preferred.mean().item()
        found[meaning, "best"] = 100 * iou.amax(-1).mean().item()
    for who in ("preferred", "best"):
        found["drawn", who] = (found["digit", who] + found["number", who]) / 2
    return found


def quality(model: Member, data: Numbers) -> float:
    """What the preferred mask has on the mean over all clicks: two of three may mean two things."""
    found = results(model, data)
    return (found["alone", "preferred"] + 2 * found["drawn", "preferred"]) / N_CLICKS


def most_of_one_mask(data: Numbers) -> float:
    """The mean of (1 + |digit| / |number|) / 2, in per cent."""
    parts = data.digits[:, :2].sum((2, 3)) / data.number.sum((1, 2))[:, None]
    return 50 * (1 + parts).mean().item()


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train all contestants with one seed, and score them."""
    train = numbers("train", given.scenes, seed=seed, side=SIDE)
    valid = numbers("train", given.tests, seed=1_000 + seed, side=SIDE)
    test = numbers("test", given.tests, seed=0, side=SIDE)
    shown = list(batches(train, given.steps, torch.Generator().manual_seed(seed)))
    scenes = f"{given.tests} scenes"
    most = score("test", "IoU", most_of_one_mask(test), scenes, meaning="drawn")
    yield {"model": "one mask at most"} | most
    for name, run in best_runs(CONTESTANTS, shown, lambda m: quality(m, valid), seed, given):
        signature = f"{scenes}|rate {run.rate} of {len(given.rates)}"
        for (meaning, who), value in results(run.model, test).items():
            tags = {"model": name, "meaning": meaning, "mask": who}
            yield score("test", "IoU", value, signature, **tags)
        yield from run.curve(model=name)


STUDY = FamilyStudy(
    "sam",
    __doc__,
    measure,
    Option("--scenes", 5_000, "for training"),
    Option("--tests", 500, "scenes to score, and to choose"),
    Option("--rates", [1e-3, 2e-3]),
    updates=2_500,
    settings=lambda _: {"sizes": SIZES, "parameters": parameters(CONTESTANTS)},
)


if __name__ == "__main__":
    STUDY.main()
