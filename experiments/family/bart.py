"""What texts without translations teach a translator: BART's exercise, then a few pairs.

    python -m experiments.family.bart

A BART learns to mend unpaired texts: English sentences and Korean ones, of which none is the
translation of another. Then it learns from `--pairs` pairs. Two exercises are compared, infilling
and the masking of single tokens, and two networks without any: "none" learns from the pairs as
long as the others do, "none, all updates" as long as the others learn in all. Tested is greedy
search on sentences that are in neither. Chapter: *Text to text*.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import torch
from torch import Tensor

from annotated_transformer import Tokenizer
from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.evaluation import scores as compared
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family import BART, BARTConfig, fit
from annotated_transformer.lab.family.noise import infill, mask_tokens
from annotated_transformer.lab.family.words import padded
from annotated_transformer.tokenizer import UNK_ID
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, Option, curve_of

SIZES: dict[str, Any] = {"n_layers": 2, "d_model": 128, "d_ff": 256, "n_heads": 4, "max_length": 96}
VOCABULARY, TEXTS_A_BATCH, RATE, WARMUP = 1_000, 32, 2e-3, 50
EXERCISES: dict[str, Callable[..., list[int]]] = {"infilling": infill, "masking": mask_tokens}
MASK = UNK_ID  # The tokenizer keeps all text: this id occurs in none.
Pair = tuple[list[int], list[int]]


@cache
def texts(split: str) -> tuple[SentencePair, ...]:
    """The pairs of a split."""
    return tuple(english_korean(split))


def unpaired(given: Sequence[SentencePair]) -> list[str]:
    """The English side of every second pair, and the Korean side of the others."""
    return [pair.target if n % 2 else pair.source for n, pair in enumerate(given)]


def shuffled(n: int, steps: int, draws: torch.Generator) -> Iterator[list[int]]:
    """`steps` batches of numbers below n; all come once before one comes again."""
    waiting: list[int] = []
    for _ in range(steps):
        while len(waiting) < TEXTS_A_BATCH:
            waiting += torch.randperm(n, generator=draws).tolist()
        yield waiting[:TEXTS_A_BATCH]
        waiting = waiting[TEXTS_A_BATCH:]


def batches(
    n: int, example: Callable[[int], Pair], steps: int, draws: torch.Generator
) -> Iterator[tuple[Tensor, Tensor]]:
    """Batches of examples, by their numbers."""
    for numbers in shuffled(n, steps, draws):
        sources, targets = zip(*map(example, numbers), strict=True)
        yield padded(sources), padded(targets)


def spoilt(
    texts: Sequence[str], tokenizer: Tokenizer, exercise: str, draws: torch.Generator, number: int
) -> Pair:
    """A text with gaps, and as it was."""
    begin, *ids, end = tokenizer.target_ids(texts[number])
    return [*EXERCISES[exercise](ids, mask_id=MASK, generator=draws), end], [begin, *ids, end]


def translated(pairs: Sequence[SentencePair], tokenizer: Tokenizer, number: int) -> Pair:
    """A sentence and its translation."""
    pair = pairs[number]
    return tokenizer.source_ids(pair.source), tokenizer.target_ids(pair.target)


def tested(model: BART, tokenizer: Tokenizer, n: int, name: str) -> list[Entry]:
    """Scores of the greedy translations of the first n test sentences."""
    some = texts("test")[:n]
    written: list[str] = []
    for start in range(0, len(some), TEXTS_A_BATCH):
        part = some[start : start + TEXTS_A_BATCH]
        source = padded([tokenizer.source_ids(pair.source) for pair in part])
        written += [tokenizer.decode(each.ids) for each in greedy_search(model, source)]
    found = compared(written, [pair.target for pair in some])
    return [score("test", each.metric, each.value, each.signature, model=name) for each in found]


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train and test the four networks with one seed; all begin with the same weights."""
    pairs, others = texts("train")[: given.pairs], unpaired(texts("train")[given.pairs :])
    known = [*others, *(side for pair in pairs for side in (pair.source, pair.target))]
    tokenizer = Tokenizer.train(known, vocab_size=VOCABULARY)
    runs = {
        "infilling": (given.pretraining, given.steps),
        "masking": (given.pretraining, given.steps),
        "none": (0, given.steps),
        "none, all updates": (0, given.pretraining + given.steps),
    }
    for name, (before, after) in runs.items():
        torch.manual_seed(seed)
        model = BART(BARTConfig(vocab_size=tokenizer.vocab_size, **SIZES))
        draws = torch.Generator().manual_seed(seed)
        exercise = partial(spoilt, others, tokenizer, name, draws)
        lesson = partial(translated, pairs, tokenizer)
        stages = [("pretraining", len(others), exercise, before)]
        stages.append(("pairs", len(pairs), lesson, after))
        for stage, n, example, steps in stages:
            if steps:
                given_batches = batches(n, example, steps, draws)
                lost = fit(model, given_batches, rate=RATE, warmup=WARMUP, until=steps)
                yield from curve_of(lost, model=name, stage=stage)
        yield from tested(model, tokenizer, given.tests, name)


STUDY = FamilyStudy(
    "bart",
    __doc__,
    measure,
    Option("--pretraining", 1_200, "updates without pairs"),
    Option("--pairs", 2_000),
    Option("--tests", 500),
    updates=600,
    settings=lambda _: (
        SIZES
        | {"vocab_size": VOCABULARY, "texts_a_batch": TEXTS_A_BATCH, "rate": RATE, "warmup": WARMUP}
    ),
)


if __name__ == "__main__":
    STUDY.main()
