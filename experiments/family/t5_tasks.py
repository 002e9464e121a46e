"""The four tasks of `t5`: what is read, what is written, and which gaps are right.

The tasks are English to Korean, Korean to English, naming the construction of an English sentence,
and filling the gaps of a sentence of either language.
"""

from collections.abc import Iterator, Sequence
from functools import cache

import torch
from torch import Tensor

from annotated_transformer import Tokenizer
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import CONSTRUCTIONS, english_korean
from annotated_transformer.lab.family.noise import hide_spans
from annotated_transformer.lab.family.words import padded
from annotated_transformer.tokenizer import BOS_ID, EOS_ID

VOCABULARY, TEXTS_A_BATCH = 2_000, 32
SPANS = {"rate": 0.15, "mean": 3.0}
TASKS = ("korean", "english", "construction", "gaps")
PREFIXES = {task: f"<{task}>" for task in TASKS}
SENTINELS = tuple(f"<{number}>" for number in range(32))
"""As many as a joined text needs, and a few more."""
EXTRA = (*PREFIXES.values(), *SENTINELS, *CONSTRUCTIONS)
"""Tokens besides those of the tokenizer; the name of a construction is one token."""
Example = tuple[list[int], list[int]]


@cache
def pairs(split: str) -> tuple[SentencePair, ...]:
    """The pairs of a split."""
    return tuple(english_korean(split))


@cache
def tokenizer() -> Tokenizer:
    """The tokens of both languages."""
    sides = (side for pair in pairs("train") for side in (pair.source, pair.target))
    return Tokenizer.train(sides, vocab_size=VOCABULARY)


def extra(*names: str) -> list[int]:
    """The ids of tokens that the tokenizer does not know."""
    return [tokenizer().vocab_size + EXTRA.index(name) for name in names]


def content(task: str, pair: SentencePair, draws: torch.Generator) -> Example:
    """What is read and what is written, without prefix, begin and end."""
    english, korean = (tokenizer().encode(side) for side in (pair.source, pair.target))
    if task == "korean":
        return english, korean
    if task == "english":
        return korean, english
    if task == "construction":
        return english, extra(str(pair.construction))
    if task == "gaps":
        side = (english, korean)[int(torch.randint(2, (), generator=draws))]
        return hide_spans(side, sentinels=extra(*SENTINELS), generator=draws, **SPANS)
    raise ValueError(f"unknown task {task!r}; expected one of {', '.join(TASKS)}")


def example(task: str, pair: SentencePair, draws: torch.Generator) -> Example:
    """Source and target of a task."""
    source, target = content(task, pair, draws)
    return [*extra(PREFIXES[task]), *source, EOS_ID], [BOS_ID, *target, EOS_ID]


def examples(task: str, seed: int) -> Iterator[Example]:
    """The examples of a task without end; all pairs come once before one comes again."""
    draws = torch.Generator().manual_seed(len(TASKS) * seed + TASKS.index(task))
    given = pairs("train")
    while True:
        for number in torch.randperm(len(given), generator=draws).tolist():
            yield example(task, given[number], draws)


def batches(tasks: Sequence[str], steps: int, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """`steps` batches of as many examples of each task."""
    streams = [examples(task, seed) for task in tasks]
    for _ in range(steps):
        rows = [next(each) for each in streams for _ in range(TEXTS_A_BATCH // len(tasks))]
        sources, targets = zip(*rows, strict=True)
        yield padded(sources), padded(targets)


def text(ids: Sequence[int]) -> str:
    """Tokens in words: those of the tokenizer decoded, the others by their names."""
    known = tokenizer().vocab_size
    names = [EXTRA[number - known] for number in ids if number >= known]
    decoded = tokenizer().decode([number for number in ids if number < known])
    return " ".join([*names, decoded]).strip()


def spans(ids: Sequence[int]) -> dict[int, list[int]]:
    """The tokens that follow each sentinel."""
    sentinels = extra(*SENTINELS)
    found: dict[int, list[int]] = {}
    for number in ids:
        if number in sentinels:
            span = found.setdefault(number, [])
        elif found:
            span.append(number)
    return found


def gaps_right(written: Sequence[Sequence[int]], wanted: Sequence[Sequence[int]]) -> float:
    """Per cent of the gaps whose tokens are all right; the last sentinel of a target ends it."""
    right = []
    for given, target in zip(written, wanted, strict=True):
        found = spans(given)
        gaps = {sentinel: span for sentinel, span in spans(target).items() if span}
        right += [found.get(sentinel) == span for sentinel, span in gaps.items()]
    return 100 * sum(right) / len(right)
