"""Rows of Table 3 in miniature on real sentences: Multi30k, English to German.

    python -m experiments.ablations_multi30k --data-dir DIRECTORY

The models are those of `ablations`. The rows are those in which they differ from the paper, four of
the seven in which they say nothing on the embedded corpus, and three in which they agree; `--rows`
has the others. One seed each, so what a row differs by has no spread of its own. 1,000 updates pass
the 29,000 pairs not quite four times. Chapter: *Table 3 in miniature*.
"""

import argparse

from annotated_transformer import load_recipe
from annotated_transformer.training.data import read_split
from experiments import ablations
from experiments.study import DATA_DIR, use_data_dir
from experiments.variants import Comparison, Contest, Variant

ROWS = (
    "base",
    "A: n_heads=1",
    "A: n_heads=4",
    "A: n_heads=16",
    "A: n_heads=32",
    "C: n_layers=2",
    "C: n_layers=4",
    "C: n_layers=8",
    "C: d_ff=1024",
    "D: dropout=0.0",
    "D: label_smoothing=0.0",
    "E: positions=learned",
)
CORPUS = (
    'corpus.kind="multi30k"',
    'corpus.languages=["en", "de"]',
    'corpus.variant="tok"',
    "corpus.train_pairs=0",
    "tokenizer.vocab_size=5000",
    "training.tokens_per_batch=2048",
    'evaluation.tokenize="none"',
)
"""All pairs, in the form in which the recipe `multi30k_tiny` has them."""


def variant(row: str) -> Variant:
    """The run of a row: the model and the training of `ablations`, on these sentences."""
    small = ablations.variant(row)
    return Variant(small.tags, [*small.overrides, *CORPUS])


def check(given: argparse.Namespace) -> None:
    """Refuse rows that are not there."""
    ablations.chosen(given.rows or ROWS)


def contest(given: argparse.Namespace) -> Contest:
    """The rows that are asked for, judged by the validation split of these sentences."""
    use_data_dir(given)
    corpus = load_recipe("english_korean_small", variant("base").overrides).corpus
    rows = [variant(row) for row in given.rows or ROWS]
    return Contest(rows, ablations.measure_on(read_split(corpus, "valid")))


STUDY = Comparison(
    "experiments.ablations_multi30k",
    __doc__,
    contest,
    DATA_DIR,
    ablations.ROW_OPTION,
    splits=("valid",),
    check=check,
)


if __name__ == "__main__":
    STUDY.main()
