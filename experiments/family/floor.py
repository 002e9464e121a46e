"""Language models on a source whose truth is known: how far above the floor they end.

    python -m experiments.family.floor

The sentences are drawn from the grammar of lab/corpora/english_trees.py, each by itself, and drawn
again while they are longer than LONGEST; no network reads a sentence twice but by chance. GPT
learns the next word, BERT the word in a gap. BERT's chosen words are all hidden, because a word
that is swapped would make another source of the texts around it. Each reads `--steps` batches, and
from new weights `--longer` times as many, with each of the rates.

At every word of `--tests` new sentences a network's answer is compared with the exact one
(lab/baselines/inside_outside.py), before the word or with the word as the only gap. `divergence` is
the mean of sum p log p/q, by which its loss is above the `floor` of any model in expectation;
`right` is the mean of p(the word that it holds for the most probable), in per cent. The run with
the lower loss on valid sentences is also scored by what stands before the place; the longer one of
GPT also fills the gaps of `--few` sentences by Bayes' rule. Beside GPT are 4-grams, counted in all
sentences of its longer run. Chapter: *Language models*.
"""

import argparse
import math
import statistics
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
from annotated_transformer.lab.family import BERT, GPT, BERTConfig, GPTConfig
from annotated_transformer.lab.family.bert.gaps import make_gaps
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.words import FIRST, MASK, Words, batches, padded
from experiments.family.study import FamilyStudy, score
from experiments.family.training import Run, trained
from experiments.study import Entry, Option

SIZES: dict[str, Any] = {"n_layers": 2, "d_model": 64, "d_ff": 256, "n_heads": 4, "dropout": 0.0}
TEXTS_A_BATCH = 64
POINTS = 20
"""How often the loss on valid sentences is asked for in a run."""
VALID = 1_000
ORDER = 4
MODELS = {"gpt": (GPT, GPTConfig), "bert": (BERT, BERTConfig)}
AFTER = {
    **dict.fromkeys(("DT", "PRP$", "JJ"), "an article or adjective"),
    **dict.fromkeys(("NN", "NNS", "NNP", "PRP"), "a noun or pronoun"),
    **dict.fromkeys(("WP", "WDT"), "who, which, that"),
    **{"IN": "a preposition", "VBD": "a verb", "RB": "an adverb", "CC": "and, or"},
}
"""The kind of a place, by the tag of the word before it."""


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
    chances, kinds = [], []
    for tree in trees:
        sentence = tree.words
        if name == "gpt":
            # A word is asked for here, never whether the sentence ends: a full stop says that.
            chances += [known.next_word(sentence[:k])[:-1] for k in range(len(sentence))]
        else:
            chances += list(known.gaps(sentence))
        tags = [leaf.label.partition("^")[0] for leaf in tree.leaves]
        kinds += ["the beginning", *(AFTER.get(tag, "other words") for tag in tags[:-1])]
    exact = torch.stack([torch.from_numpy(p) for p in chances])
    return Places(rows, each_gap(rows), exact, kinds)


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


def learned(name: str, rows: Sequence[Sequence[int]], steps: int, seed: int) -> list[Any]:
    """What the loss of a network takes, of `steps` batches."""
    texts = batches(rows, steps, seed, TEXTS_A_BATCH)
    return [(text,) if name == "gpt" else hidden(text, seed + k) for k, text in enumerate(texts)]


def hidden(texts: Tensor, seed: int) -> tuple[Tensor, Tensor, Tensor]:
    """Texts with gaps, the texts, and where the gaps are; every chosen word is hidden."""
    gaps, chosen = make_gaps(
        texts,
        mask_id=MASK,
        vocab_size=len(words()),
        first_id=FIRST,
        hidden=1.0,
        random=0.0,
        generator=torch.Generator().manual_seed(seed),
    )
    return gaps, texts, chosen


def runs(name: str, examples: list[Any], seed: int, rates: Sequence[float]) -> list[Run]:
    """Train a network with each rate; what is watched is its loss on valid sentences."""
    valid = padded(ids(drawn(VALID, "valid")))
    question = (valid,) if name == "gpt" else hidden(valid, 0)
    kind, config = MODELS[name]

    def make() -> Member:
        return kind(config(vocab_size=len(words()), max_length=LONGEST + 2, **SIZES))

    @torch.inference_mode()
    def valid_loss(model: Any) -> float:
        return float(model.loss(*question))

    return [
        trained(make, examples, seed=seed, rate=rate, watch=valid_loss, points=POINTS)
        for rate in rates
    ]


def few_gaps(network: Any, given: argparse.Namespace, **tags: Any) -> Iterator[Entry]:
    """What either network makes of the gaps of a few sentences, GPT by Bayes' rule."""
    asked = places("bert", given.tests).first(given.few)
    of_gaps = by_bayes if isinstance(network, GPT) else answers
    yield from compared(of_gaps(network, asked), asked, kinds=False, **tags, gaps=given.few)


def measure(seed: int, given: argparse.Namespace) -> Iterator[Entry]:
    """Train both networks in both lengths with one seed, and compare them with the source."""
    steps = given.steps * given.longer
    rows = ids(drawn(steps * TEXTS_A_BATCH, f"train {seed}"))
    for name in MODELS:
        examples, asked = learned(name, rows, steps, seed), places(name, given.tests)
        for n in (given.steps, steps):
            tags: dict[str, Any] = {"model": name, "sentences": n * TEXTS_A_BATCH}
            made = runs(name, examples[:n], seed, given.rates)
            best = min(made, key=lambda run: run.watched[-1])
            for run in made:
                curve = run.curve(POINTS, **tags, rate=run.rate)
                for entry, loss in zip(curve, run.watched, strict=True):
                    yield entry | {"valid_loss": round(loss, 4)}
                logs = answers(run.model, asked)
                yield from compared(logs, asked, kinds=False, **tags, rate=run.rate)
                if run is best:
                    yield from compared(logs, asked, **tags, rate="best")
                if run is best and n == steps:
                    yield from few_gaps(run.model, given, **tags, rate="best")
    asked, tags = places("gpt", given.tests), {"model": f"{ORDER}-grams", "sentences": len(rows)}
    yield from compared(counted(rows, asked), asked, **tags)


def settings(given: argparse.Namespace) -> dict[str, Any]:
    """What the record says of all runs, and of the source."""
    known, trees = source(), drawn(given.tests, "test")
    # How much likelier sentences are than their trees varies far less than either, and the entropy
    # of trees is known.
    of_trees = [english_grammar().log_probability(tree) - math.log(known.share) for tree in trees]
    apart = [known.log_probability(tree.words) - p for tree, p in zip(trees, of_trees, strict=True)]
    return {
        **SIZES,
        "texts_a_batch": TEXTS_A_BATCH,
        "words": len(known.words),
        "longest": LONGEST,
        "mean_words": round(known.mean_length, 4),
        "tree_entropy": round(known.tree_entropy(), 4),
        "sentence_entropy": round(known.tree_entropy() - statistics.fmean(apart), 4),
        "standard_error": round(statistics.stdev(apart) / len(apart) ** 0.5, 4),
    }


STUDY = FamilyStudy(
    "floor",
    __doc__,
    measure,
    Option("--longer", 4, "times as many updates in the longer run"),
    Option("--tests", 300, "new sentences"),
    Option("--few", 40, "of them, whose gaps GPT fills by Bayes' rule"),
    Option("--rates", [1e-3, 3e-3]),
    updates=800,
    settings=settings,
)


if __name__ == "__main__":
    STUDY.main()
