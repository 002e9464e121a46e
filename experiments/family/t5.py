"""One T5 for four tasks, against four T5s for one task each.

    python -m experiments.family.t5

The tasks are English to Korean, Korean to English, naming the construction of an English sentence,
and filling the gaps of a sentence of either language (span corruption). Every source begins with a
token that names the task. Three ways of learning them are compared:

- "single": four networks, one for each task, with `--steps` updates each.
- "joint": one network with `--steps` updates in all. It is updated as often as one single network
  and costs about as much, but reads a quarter of the examples of each task.
- "joint, all updates": one network with four times `--steps` updates. It reads as many examples of
  each task as the single network of that task, the same ones in the same order, and is updated as
  often as the four together.

Equal for all are the size of a network, its first weights, the vocabulary, the examples in a batch
(a joint batch has a quarter of each task), the highest rate and the warm-up. Not equal: the four
single networks have four times the parameters of a joint one, and the rate of the longest run falls
four times slower.

Tested is greedy search on the test split: exact match for the translations and the names, the
share of gaps that are right for the last task. The gaps are the same ones for all networks.

Besides, without a network: the length of the target of span corruption as a share of the length of
the whole text, in tokens, for the sentences of the test split and for the same sentences joined to
texts of the length that T5 was trained on (Raffel et al. 2020, section 3.1.2). Chapter: *Text to
text*.
"""

import argparse
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import torch
from torch import Tensor

from annotated_transformer import Tokenizer
from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.evaluation import scores as compared
from annotated_transformer.lab.corpora.english_korean import CONSTRUCTIONS, english_korean
from annotated_transformer.lab.family import T5, T5Config, fit
from annotated_transformer.lab.family.noise import hide_spans
from annotated_transformer.lab.family.words import padded
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, Option, curve_of

SIZES: dict[str, Any] = {
    **{"n_layers": 2, "d_model": 128, "d_ff": 256, "n_heads": 4, "max_length": 64},
    # As in version 1.1: shared with the output, embeddings of variance 1 learn slowly with Adam.
    "share_embeddings": False,
    "dropout": 0.0,  # In 800 updates no task reads a pair twice: there is little to overfit.
}
VOCABULARY, TEXTS_A_BATCH, RATE, WARMUP = 2_000, 32, 2e-3, 50
SPANS = {"rate": 0.15, "mean": 3.0}
TASKS = ("korean", "english", "construction", "gaps")
PREFIXES = {task: f"<{task}>" for task in TASKS}
JOINED = 512
"""Tokens of a joined text."""
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


def contestants(steps: int) -> list[tuple[str, tuple[str, ...], int]]:
    """Name, tasks and updates of every network."""
    single = [("single", (task,), steps) for task in TASKS]
    return [*single, ("joint", TASKS, steps), ("joint, all updates", TASKS, len(TASKS) * steps)]


def make(seed: int) -> T5:
    """A T5 in these sizes, its weights drawn from the seed."""
    torch.manual_seed(seed)
    return T5(T5Config(vocab_size=tokenizer().vocab_size + len(EXTRA), **SIZES))


def answers(model: T5, sources: Sequence[Sequence[int]]) -> list[list[int]]:
    """The tokens that the network writes for each source, without begin and end."""
    parts = [sources[n : n + TEXTS_A_BATCH] for n in range(0, len(sources), TEXTS_A_BATCH)]
    return [list(each.ids) for part in parts for each in greedy_search(model, padded(part))]


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


def tested(model: T5, name: str, task: str, n: int) -> Entry:
    """The score of a network in a task, on the first n pairs of the test split."""
    draws = torch.Generator().manual_seed(0)
    asked = [example(task, pair, draws) for pair in pairs("test")[:n]]
    written = answers(model, [source for source, _ in asked])
    wanted = [target[1:-1] for _, target in asked]
    tags = {"model": name, "task": task}
    if task == "gaps":
        return score("test", "gaps", gaps_right(written, wanted), f"n:{len(wanted)}", **tags)
    found = compared([text(ids) for ids in written], [text(ids) for ids in wanted])
    exact = next(each for each in found if each.metric == "exact_match")
    return score("test", exact.metric, exact.value, exact.signature, **tags)


def target_shares(given: Sequence[SentencePair]) -> list[Entry]:
    """The length of all targets of span corruption in per cent of that of the texts.

    How long a target is depends on the length of its text alone, not on the draws.
    """
    sides = [side for pair in given for side in (pair.source, pair.target)]
    sentences = [tokenizer().encode(side) for side in sides]
    stream = [number for sentence in sentences for number in sentence]
    joined = [stream[n : n + JOINED] for n in range(0, len(stream) - JOINED + 1, JOINED)]
    kinds = {"sentences": sentences, f"joined, {JOINED} tokens": joined}
    found = []
    for kind, texts in kinds.items():
        targets = [hide_spans(ids, sentinels=extra(*SENTINELS), **SPANS)[1] for ids in texts]
        value = 100 * sum(map(len, targets)) / sum(map(len, texts))
        signature = f"rate:{SPANS['rate']}|mean:{SPANS['mean']}|n:{len(texts)}"
        found.append(score("test", "target_share", value, signature, texts=kind))
    return found


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train and test all networks with one seed; all begin with the same weights."""
    yield from target_shares(pairs("test"))
    for name, tasks, steps in contestants(given.steps):
        model = make(seed)
        given_batches = batches(tasks, steps, seed)
        lost = fit(model, given_batches, rate=RATE, warmup=WARMUP, until=steps)
        yield from curve_of(lost, model=name, tasks=", ".join(tasks))
        yield from (tested(model, name, task, given.tests) for task in tasks)


STUDY = FamilyStudy(
    "t5",
    __doc__,
    measure,
    Option("--tests", 500),
    updates=800,
    settings=lambda _: (
        SIZES
        | {"vocab_size": VOCABULARY, "texts_a_batch": TEXTS_A_BATCH, "rate": RATE}
        | {"warmup": WARMUP, "spans": SPANS}
    ),
)


if __name__ == "__main__":
    STUDY.main()
