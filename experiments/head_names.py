"""Which names the heads of a trained model earn: shares of weight beside three baselines.

    python -m experiments.head_names

Where each head looks on the test split of the lexicon "small", fed the reference translations, and
the alignment error of each head of the cross-attention against the gold links. Baselines: an even
spread, models of the same shape that nothing has trained, and the same distances elsewhere. The
rule that gives names is that of `analysis/head_names.py`; it is applied to the whole split and to
each third of it. Chapter: *Reading attention*.
"""

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.alignment_by_head import (
    alignment_by_head,
    even_alignment_error,
)
from annotated_transformer.lab.analysis.head_names import (
    MARGIN,
    MOST,
    head_names,
    head_scores,
    untrained,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.given_model import MODEL, SPLIT, load_model
from experiments.study import Fields, Option, Study, printed, seeds

THIRDS = 3


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    """A row with its numbers to two decimals."""
    return {k: round(v, 2) if isinstance(v, float) else v for k, v in row.items()}


def named(
    translator: Translator, pairs: Sequence[SentencePair], seeds: Sequence[int]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """All shares, and the names of each head with how many thirds of the pairs give each."""
    shares = head_scores(translator, pairs, seeds)
    thirds = [head_names(head_scores(translator, pairs[n::THIRDS], seeds)) for n in range(THIRDS)]
    names = [
        {
            "attention": attention,
            "head": head,
            "names": found,
            "thirds": [sum(name in third[attention, head] for third in thirds) for name in found],
        }
        for (attention, head), found in head_names(shares).items()
    ]
    return [rounded(row) for row in shares], names


def alignment_errors(
    translator: Translator, pairs: Sequence[SentencePair], seeds: Sequence[int]
) -> Iterator[dict[str, Any]]:
    """Alignment error by head, beside the lowest of the heads of each untrained model."""
    signature = f"decoding:forced|links:argmax|n:{len(pairs)}"
    tags = {"split": "test", "metric": "AER", "signature": signature}
    for row in alignment_by_head(translator, pairs):
        yield tags | {"model": "trained", "value": round(row.pop("AER"), 2)} | row
    for seed in seeds:
        rows = alignment_by_head(untrained(translator, seed), pairs)
        lowest = min(row["AER"] for row in rows)
        yield tags | {"model": "untrained", "seed": seed, "value": round(lowest, 2)}
    yield tags | {"model": "even", "value": round(even_alignment_error(pairs), 2)}


def measure(given: argparse.Namespace) -> Fields:
    """All shares of weight, the names that follow, and the errors of the alignments."""
    translator = load_model(given.model)
    pairs = english_korean("test")[: given.sentences]
    rows, names = named(translator, pairs, given.seeds)
    return {
        "model": given.model,
        "seed": given.seeds,
        "rule": {"most": MOST, "margin": MARGIN},
        "rows": rows,
        "names": printed(names),
        "scores": list(alignment_errors(translator, pairs, given.seeds)),
    }


def check(given: argparse.Namespace) -> None:
    """Refuse numbers of sentences that have no thirds, or that the split does not have."""
    if not THIRDS <= given.sentences <= SPLIT:
        raise ValueError(f"--sentences {given.sentences}: expected {THIRDS} to {SPLIT:,}")


STUDY = Study(
    "experiments.head_names",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 1_000, "of the test split"),
    seeds(1, 2, 3, about="untrained models"),
    check=check,
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
