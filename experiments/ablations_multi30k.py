"""Rows of Table 3 in miniature on real sentences: Multi30k, English to German.

    python -m experiments.ablations_multi30k --data-dir DIRECTORY

The models are those of `ablations`. The rows are those in which they differ from the paper, four of
the seven in which they say nothing on the embedded corpus, and three in which they agree; `--rows`
has the others. One seed each, so what a row differs by has no spread of its own. 1,000 updates pass
the 29,000 pairs not quite four times. Chapter: *Table 3 in miniature*.
"""

import os
from pathlib import Path
from typing import Any

from annotated_transformer import load_recipe
from annotated_transformer.storage.machine import DATA_VARIABLE
from annotated_transformer.training.data import read_split
from experiments import ablations
from experiments.programs import run
from experiments.variants import Variant, compare, parser

NAME = "ablations_multi30k"
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


def main() -> None:
    """Carry out all runs and write their record."""
    options = parser(NAME, __doc__, steps=1_000)
    options.add_argument("--data-dir", type=Path, help="directory of downloads and caches")
    options.add_argument("--rows", nargs="+", default=ROWS, help="of `ablations`")
    given = options.parse_args()
    try:
        ablations.chosen(given.rows)
    except ValueError as error:
        options.error(str(error))
    if given.data_dir is not None:
        os.environ[DATA_VARIABLE] = str(given.data_dir.absolute())
    valid = read_split(
        load_recipe("english_korean_small", variant("base").overrides).corpus, "valid"
    )
    shown: dict[str, Any] = {"data-dir": given.data_dir.name} if given.data_dir else {}
    if given.rows != ROWS:
        shown["rows"] = given.rows
    del given.data_dir  # where the files lie says nothing about a run
    compare(
        NAME,
        [variant(row) for row in given.rows],
        given,
        splits=("valid",),
        measure=ablations.measure_on(valid),
        options=shown,
    )


if __name__ == "__main__":
    run(main)
