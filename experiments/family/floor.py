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
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.lab.corpora.english_trees import LONGEST, english_grammar
from annotated_transformer.lab.family import BERT, GPT, BERTConfig, GPTConfig
from annotated_transformer.lab.family.bert.gaps import make_gaps
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.words import FIRST, MASK, batches, padded
from experiments.family.known_source import (
    ORDER,
    answers,
    by_bayes,
    compared,
    counted,
    drawn,
    ids,
    places,
    source,
    words,
)
from experiments.family.study import FamilyStudy
from experiments.family.training import Run, trained
from experiments.study import Entry, Option

SIZES: dict[str, Any] = {"n_layers": 2, "d_model": 64, "d_ff": 256, "n_heads": 4, "dropout": 0.0}
TEXTS_A_BATCH = 64
POINTS = 20
"""How often the loss on valid sentences is asked for in a run."""
VALID = 1_000
MODELS = {"gpt": (GPT, GPTConfig), "bert": (BERT, BERTConfig)}


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
    Option("--rates", [0.003, 0.006]),
    updates=600,
    settings=settings,
)


if __name__ == "__main__":
    STUDY.main()
