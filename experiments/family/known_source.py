"""What the experiments on a known source share: its sentences, its exact answers, the comparison.

The sentences are those of the grammar of lab/corpora/english_trees.py, each drawn by itself and
drawn again while it is longer than LONGEST. At a place, a word of a sentence, the exact answer is
p(word) given the words before it, or given all other words of the sentence
(lab/baselines/inside_outside.py).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any, NamedTuple

import torch
from torch import Tensor

from annotated_transformer.lab.analysis.gap_filling import each_gap, text_log_probability
from annotated_transformer.lab.baselines.inside_outside import Source
from annotated_transformer.lab.baselines.ngrams import NGrams
from annotated_transformer.lab.corpora.english_trees import LONGEST, english_grammar
from annotated_transformer.lab.corpora.treebank import Tree
from annotated_transformer.lab.family import GPT
from annotated_transformer.lab.family.words import FIRST, MASK, Words, padded
from experiments.family.study import score
from experiments.study import Entry

ORDER = 4
"""Of the n-grams that are compared."""
AFTER = {
    **dict.fromkeys(("DT", "PRP$", "JJ"), "an article or adjective"),
    **dict.fromkeys(("NN", "NNS", "NNP", "PRP"), "a noun or pronoun"),
    **dict.fromkeys(("WP", "WDT"), "who, which, that"),
    **{"IN": "a preposition", "VBD": "a verb", "RB": "an adverb", "CC": "and, or"},
    "IN^that": "who, which, that",
}
"""The kind of a place, by the symbol or the tag of the word before it."""


class Places(NamedTuple):
    """Every word of some sentences, and what a source has there."""

    rows: list[list[int]]
    at: list[tuple[int, int]]
    """Of each place its row and its position there."""
    chances: Tensor
    """The exact p(word) of each place: (place, word)."""
    kinds: list[str]

    def first(self, n: int) -> "Places":
        """Those of the first `n` sentences alone."""
        few = sum(row < n for row, _ in self.at)
        return Places(self.rows[:n], self.at[:few], self.chances[:few], self.kinds[:few])


@cache
def source() -> Source:
    """The grammar's sentences of at most LONGEST words."""
    return Source(english_grammar(), LONGEST)


@cache
def words() -> Words:
    """The vocabulary: every word of the grammar, in the order of the source."""
    return Words(source().words)


def drawn(n: int, name: str) -> list[Tree]:
    """Draw `n` trees of the source, each by itself; the name is the seed."""
    random, found = Random(name), list[Tree]()
    while len(found) < n:
        tree = english_grammar().draw(random)
        if len(tree.words) <= LONGEST:
            found.append(tree)
    return found


def ids(trees: Sequence[Tree]) -> list[list[int]]:
    """The sentences of trees as ids."""
    return [words().ids(" ".join(tree.words)) for tree in trees]


@cache
def places(name: str, n: int) -> Places:
    """The exact answers at every word of `n` new sentences: before it for "gpt", or around it."""
    trees = drawn(n, "test")
    rows, known = ids(trees), source()
    after = cache(known.next_word)
    chances = []
    for tree in trees:
        if name == "gpt":
            # A word is asked for here, never whether the sentence ends: a full stop says that.
            chances += [after(tree.words[:k])[:-1] for k in range(len(tree.words))]
        else:
            chances += list(known.gaps(tree.words))
    kinds = [kind(tree, k) for tree in trees for k in range(len(tree.words))]
    exact = torch.stack([torch.from_numpy(p) for p in chances])
    return Places(rows, each_gap(rows), exact, kinds)


def kind(tree: Tree, k: int) -> str:
    """What stands before word `k`; after "with the" the verb says which nouns are likely."""
    if k == 0:
        return "the beginning"
    before = tree.leaves[k - 1].label
    found = AFTER.get(before, AFTER.get(before.partition("^")[0], "other words"))
    article = k > 1 and found == "an article or adjective"
    return "with and an article" if article and tree.words[k - 2] == "with" else found


@torch.inference_mode()
def answers(model: Any, asked: Places) -> Tensor:
    """Log probabilities of the words at each place, of all tokens, from GPT or BERT."""
    found = []
    for start in range(0, len(asked.at), 256):
        part = asked.at[start : start + 256]
        texts, at = padded([asked.rows[row] for row, _ in part]), [k for _, k in part]
        number = torch.arange(len(part))
        if isinstance(model, GPT):
            logits = model(texts)[number, torch.tensor(at) - 1]
        else:
            texts[number, at] = MASK
            logits = model(texts)[number, at]
        found.append(logits.double().log_softmax(-1)[:, FIRST:])
    return torch.cat(found)


@torch.inference_mode()
def by_bayes(model: GPT, asked: Places) -> Tensor:
    """The same of gaps, from GPT: p(text with the word) / p(text with any word)."""
    found = []
    for row, k in asked.at:
        texts = torch.tensor(asked.rows[row]).repeat(len(words()) - FIRST, 1)
        texts[:, k] = torch.arange(FIRST, len(words()))
        found.append(text_log_probability(model, texts).double().log_softmax(0))
    return torch.stack(found)


def counted(rows: Sequence[Sequence[int]], asked: Places) -> Tensor:
    """The same from n-grams of the training sentences."""
    model, every = NGrams(rows, ORDER, len(words())), range(FIRST, len(words()))
    found = {}
    for row, k in asked.at:
        before = tuple(asked.rows[row][max(0, k - ORDER + 1) : k])
        if before not in found:
            found[before] = [model.probability(word, before) for word in every]
    rows_found = [found[tuple(asked.rows[r][max(0, k - ORDER + 1) : k])] for r, k in asked.at]
    return torch.tensor(rows_found, dtype=torch.float64).log()


def compared(logs: Tensor, asked: Places, *, kinds: bool = True, **tags: Any) -> Iterator[Entry]:
    """What answers are worth, at all places and, if asked for, at each kind of them."""
    p, every = asked.chances, torch.arange(len(asked.at))
    actual = torch.tensor([asked.rows[row][k] - FIRST for row, k in asked.at])
    values = {
        "loss": -logs[every, actual],
        "floor": -p[every, actual].log(),
        "divergence": (p.xlogy(p) - p * logs).sum(-1),
        "right": 100 * p[every, logs.argmax(-1)],
        "best right": 100 * p.amax(-1),
    }
    for kind in [None, *dict.fromkeys(asked.kinds)][: None if kinds else 1]:
        here = torch.tensor([kind in (None, each) for each in asked.kinds])
        where = tags if kind is None else tags | {"after": kind}
        for metric, value in values.items():
            yield score("test", metric, value[here].mean().item(), f"{here.sum()} places", **where)
