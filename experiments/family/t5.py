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
from typing import Any

import torch

from annotated_transformer.corpora import SentencePair
from annotated_transformer.decoding.search import greedy_search
from annotated_transformer.evaluation import scores as compared
from annotated_transformer.lab.family import T5, T5Config, fit
from annotated_transformer.lab.family.noise import hide_spans
from annotated_transformer.lab.family.words import padded
from experiments.family import t5_tasks
from experiments.family.study import FamilyStudy, score
from experiments.family.t5_tasks import (
    EXTRA,
    SENTINELS,
    SPANS,
    TASKS,
    batches,
    example,
    extra,
    gaps_right,
    text,
)
from experiments.study import Entry, Option, curve_of

SIZES: dict[str, Any] = {
    **{"n_layers": 2, "d_model": 128, "d_ff": 256, "n_heads": 4, "max_length": 64},
    # As in version 1.1: shared with the output, embeddings of variance 1 learn slowly with Adam.
    "share_embeddings": False,
    "dropout": 0.0,  # In 800 updates no task reads a pair twice: there is little to overfit.
}
RATE, WARMUP = 2e-3, 50
JOINED = 512
"""Tokens of a joined text."""


def contestants(steps: int) -> list[tuple[str, tuple[str, ...], int]]:
    """Name, tasks and updates of every network."""
    single = [("single", (task,), steps) for task in TASKS]
    return [*single, ("joint", TASKS, steps), ("joint, all updates", TASKS, len(TASKS) * steps)]


def make(seed: int) -> T5:
    """A T5 in these sizes, its weights drawn from the seed."""
    torch.manual_seed(seed)
    return T5(T5Config(vocab_size=t5_tasks.tokenizer().vocab_size + len(EXTRA), **SIZES))


def answers(model: T5, sources: Sequence[Sequence[int]]) -> list[list[int]]:
    """The tokens that the network writes for each source, without begin and end."""
    size = t5_tasks.TEXTS_A_BATCH
    parts = [sources[n : n + size] for n in range(0, len(sources), size)]
    return [list(each.ids) for part in parts for each in greedy_search(model, padded(part))]


def tested(model: T5, name: str, task: str, n: int) -> Entry:
    """The score of a network in a task, on the first n pairs of the test split."""
    draws = torch.Generator().manual_seed(0)
    asked = [example(task, pair, draws) for pair in t5_tasks.pairs("test")[:n]]
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
    sentences = [t5_tasks.tokenizer().encode(side) for side in sides]
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
    yield from target_shares(t5_tasks.pairs("test"))
    for name, tasks, steps in contestants(given.steps):
        model = make(seed)
        lost = fit(model, batches(tasks, steps, seed), rate=RATE, warmup=WARMUP, until=steps)
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
        | {"vocab_size": t5_tasks.VOCABULARY, "texts_a_batch": t5_tasks.TEXTS_A_BATCH, "rate": RATE}
        | {"warmup": WARMUP, "spans": SPANS}
    ),
)


if __name__ == "__main__":
    STUDY.main()
