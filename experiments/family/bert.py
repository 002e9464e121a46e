"""What both sides are worth: BERT, the same network from the left, and GPT, at equal updates.

    python -m experiments.family.bert

Three networks of one size read the same texts in the same order. BERT fills gaps from both sides,
"left" is BERT with a causal mask, GPT writes from left to right. Then each fills every gap of
`--gap-texts` test sentences, one at a time, and answers with few labels whether "it" is the subject
or the object (analysis/few_labels.py), from its vector of the last word; beside them, from BERT's
and GPT's embeddings of that word, which know nothing of the sentence. GPT also fills gaps by Bayes'
rule, which costs one reading for each word of the vocabulary: one gap of `--bayes-texts` sentences.
Chapter: *Language models*.
"""

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

from torch import Tensor

from annotated_transformer.lab.analysis.few_labels import (
    Task,
    bag_of_words,
    few_labels,
    probe,
    twins,
    vector_of_last_word,
)
from annotated_transformer.lab.analysis.gap_filling import (
    each_gap,
    fill_by_bayes,
    fill_from_both_sides,
    fill_from_the_left,
    share_right,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family import GPT
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.words import PAD, batches
from experiments.family import language
from experiments.family.study import FamilyStudy, score
from experiments.study import Entry, Option, curve_of

LABELS = (10, 20, 50, 100)
TASKS = 10
"""Draws of the labelled sentences for each number and seed; the score is their mean."""
TESTS = 400
"""Sentences that are asked about in each draw."""


def answers(name: str, read: Callable[[Sequence[str]], Tensor], seed: int) -> list[Entry]:
    """For each number of labels, the mean share of right answers in per cent."""
    found = []
    for n in LABELS:
        tasks = [few_labels(all_twins(), n, 100 * seed + k, TESTS) for k in range(TASKS)]
        value = sum(right(read, task) for task in tasks) / TASKS
        signature = f"{TASKS} draws|{TESTS} tests"
        found.append(score("train", "it", value, signature, model=name, labels=n))
    return found


@cache
def all_twins() -> list[tuple[str, str]]:
    """The twins of the training split."""
    return twins(english_korean("train"))


def right(read: Callable[[Sequence[str]], Tensor], task: Task) -> float:
    """Per cent of the test sentences that the probe answers as the grammar does."""
    found = probe(read(task.texts), task.answers, read(task.test_texts))
    return 100 * (found == task.test_answers).double().mean().item()


def vector_of(model: Member) -> Callable[[Sequence[str]], Tensor]:
    """Sentences to the vectors of their last words."""
    return lambda texts: vector_of_last_word(*language.vectors(model, texts))


def embedding_of(model: Any) -> Callable[[Sequence[str]], Tensor]:
    """Sentences to the embeddings of their last words, which no layer has seen."""

    def read(texts: Sequence[str]) -> Tensor:
        ids = language.words().batch(texts)
        embedding = model.embedding if isinstance(model, GPT) else model.reader.embedding
        return vector_of_last_word(embedding(ids).detach(), ids != PAD)

    return read


def bags(texts: Sequence[str]) -> Tensor:
    """Sentences to counts of their words."""
    return bag_of_words(language.words().batch(texts), len(language.words()))


def gap_scores(name: str, model: Any, seed: int, given: argparse.Namespace) -> list[Entry]:
    """What a trained network makes of the gaps of the test split."""
    rows = language.rows("test")[: given.gap_texts]
    gaps = each_gap(rows)
    ways = {"both sides": fill_from_both_sides} if name != "gpt" else {"left": fill_from_the_left}
    found = [
        score("test", "gaps", share_right(rows, gaps, fill(model, rows, gaps)), way, model=name)
        for way, fill in ways.items()
    ]
    if name == "gpt":
        draw = Random(seed)
        some = [draw.choice(each_gap([row])) for row in rows[: given.bayes_texts]]
        gaps = [(number, position) for number, (_, position) in enumerate(some)]
        value = share_right(rows, gaps, fill_by_bayes(model, rows, gaps))
        found.append(score("test", "gaps", value, "Bayes", model=name))
    return found


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train and measure the three networks with one seed."""
    rows = language.rows("train")
    models = {
        "bert": language.make_bert(seed),
        "left": language.make_left_bert(seed),
        "gpt": language.make_gpt(seed),
    }
    readers = {"bag of words": bags, "untrained": vector_of(language.make_bert(seed).eval())}
    for name, model in models.items():
        kind = batches if name == "gpt" else language.gap_batches
        lost = language.pretrain(model, kind(rows, given.steps, seed), given.steps)
        yield from curve_of(lost, model=name)
        yield from gap_scores(name, model, seed, given)
        readers[name] = vector_of(model)
        if name != "left":
            readers[f"{name}'s embedding"] = embedding_of(model)
    for name, read in readers.items():
        yield from answers(name, read, seed)


STUDY = FamilyStudy(
    "bert",
    __doc__,
    measure,
    Option("--gap-texts", 500),
    Option("--bayes-texts", 200),
    updates=1_000,
    settings=lambda _: language.SETTINGS,
)


if __name__ == "__main__":
    STUDY.main()
