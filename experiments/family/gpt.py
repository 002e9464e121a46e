"""A network against counts, and what it writes: GPT beside n-grams on the same texts.

    python -m experiments.family.gpt

Perplexity on the test split of GPT and of Kneser-Ney n-grams, whose discount is chosen on the valid
split. Then GPT writes `--samples` sentences at different temperatures, with the k most probable
words and from nuclei. They are judged by counts: their perplexity under n-grams of the training
texts, how many of them stand in the training texts, and how many are different. The same is said of
real sentences, those of the test split. Chapter: *Language models*.
"""

import argparse
import math
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from annotated_transformer.lab.analysis.gap_filling import perplexity
from annotated_transformer.lab.baselines.ngrams import NGrams
from annotated_transformer.lab.family import GPT
from annotated_transformer.lab.family.gpt.sampling import sampler
from annotated_transformer.lab.family.words import BEGIN, END, MASK, PAD, batches
from experiments.family import language
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, Option, curve_of

ORDERS = (1, 2, 3, 4, 5)
DISCOUNTS = (0.5, 0.6, 0.7, 0.8, 0.9)
WAYS: dict[str, dict[str, float]] = {
    "as it is": {},
    "temperature 0.5": {"temperature": 0.5},
    "temperature 0.8": {"temperature": 0.8},
    "temperature 1.5": {"temperature": 1.5},
    "top 10": {"top_k": 10},
    "nucleus 0.9": {"nucleus": 0.9},
}
JUDGE_ORDER = 4


def best_ngrams(order: int) -> tuple[float, NGrams]:
    """The discount with the lowest perplexity on the valid split, and the counts with it."""
    valid, train = language.rows("valid"), language.rows("train")
    model = NGrams(train, order, len(language.words()))
    tried = []
    for model.discount in DISCOUNTS:
        tried.append((model.perplexity(valid), model.discount))
    model.discount = min(tried)[1]
    return model.discount, model


def written(model: GPT, n: int, **options: float) -> list[list[int]]:
    """`n` texts drawn from the model, each up to its end."""
    draw = sampler(**options)  # type: ignore[arg-type]

    def choose(logits: torch.Tensor) -> torch.Tensor:
        # Padding, gaps and begins never follow anything.
        return draw(logits.index_fill(-1, torch.tensor([PAD, MASK, BEGIN]), -math.inf))

    prompt = torch.full((n, 1), BEGIN)
    ids = model.generate(prompt, model.config.max_length - 1, choose).tolist()
    return [row[: row.index(END) + 1] if END in row else row for row in ids]


def judged(texts: Sequence[Sequence[int]], judge: NGrams, known: set[tuple[int, ...]]) -> Entry:
    """What can be said of texts without asking their writer."""
    return {
        "judged perplexity": judge.perplexity([text for text in texts if len(text) > 1]),
        "in training, %": 100 * sum(tuple(text) in known for text in texts) / len(texts),
        "different, %": 100 * len({tuple(text) for text in texts}) / len(texts),
        "words": sum(len(text) - 2 for text in texts) / len(texts),
    }


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train GPT with one seed, score it, let it write."""
    rows, test = language.rows("train"), language.rows("test")
    model = language.make_gpt(seed)
    lost = language.pretrain(model, batches(rows, given.steps, seed), given.steps)
    yield from curve_of(lost, model="gpt")
    yield score("test", "perplexity", perplexity(model, test), "words and ends", model="gpt")
    judge = NGrams(rows, JUDGE_ORDER, len(language.words()))
    known = {tuple(row) for row in rows}
    for way, options in WAYS.items():
        texts = written(model, given.samples, seed=seed, **options)
        for metric, value in judged(texts, judge, known).items():
            yield score("written", metric, value, f"{given.samples} texts", model=way)
    for metric, value in judged(test[: given.samples], judge, known).items():
        yield score("written", metric, value, "real texts", model="test split")
    if seed == given.seeds[0]:  # counts have no seed
        for order in ORDERS:
            discount, ngrams = best_ngrams(order)
            tags = {"model": f"{order}-grams", "discount": discount}
            yield score("test", "perplexity", ngrams.perplexity(test), "words and ends", **tags)


class WithCounts(FamilyStudy):
    """The counts stand beside the first seed, so a run that is kept may be one with them or not."""

    def label(self, seed: int, given: argparse.Namespace) -> dict[str, Any]:
        """Seed, and whether it is the first."""
        return super().label(seed, given) | {"first": seed == given.seeds[0]}


STUDY = WithCounts(
    "gpt",
    __doc__,
    measure,
    Option("--samples", 500),
    updates=1_500,
    settings=lambda _: language.SETTINGS,
)


if __name__ == "__main__":
    STUDY.main()
