"""Table 3 in miniature: every row of (A) to (E), on a model and a text scaled down alike.

    python -m experiments.ablations

The widths of the paper are divided by four and its numbers of layers by two; heads, dropout, label
smoothing and positions are the paper's own, and so is the number of passes over the text, about
twenty, which the number of training pairs sets. The learning rate is 0.3 of equation 3's: with 0.5,
four layers stayed at a perplexity of 12 in a trial, where the three of base had 1.8. All runs have
as many updates and learn from the same sentences, from which each makes the same tokenizer: the
signature of a perplexity names it. Translations are greedy. `big` is left out, it is trained three
times as long.

Rows and seeds may be shared out among processes, with an `--out` each. Runs of one commit are kept,
so the command that asks for all of them then puts the record together. Chapter: *Table 3 in
miniature*.
"""

import argparse
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from annotated_transformer import TransformerConfig, Translator
from annotated_transformer.config import TABLE3
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.table3 import PUBLISHED
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs
from annotated_transformer.training.step import validate
from experiments.study import Option
from experiments.variants import Comparison, Contest, Variant

ROWS = [row for row in PUBLISHED if row != "big"]
DIVISORS = {"n_layers": 2, "d_model": 4, "d_ff": 4, "n_heads": 1, "d_k": 4, "d_v": 4}
"""What each size of the paper is divided by."""
UNCHANGED = ("dropout", "positions")
PAIRS = 3_000
"""1,400 updates pass them about twenty times, as the paper's 100,000 of 25,000 tokens pass its 4.5
million pairs where a sentence has 28 tokens."""
TRAINING = {"training.tokens_per_batch": 512, "training.learning_rate_scale": 0.3}
ROW_OPTION = Option(
    "--rows",
    nargs="+",
    repeated="changed",
    selects=True,
    about="names or letters of groups; default all",
)


def model_of(row: str) -> dict[str, Any]:
    """The fields of a row's model; a row that changes the training has those of base."""
    paper = TransformerConfig.table3(row if row in TABLE3 else "base")
    sizes = {name: getattr(paper, name) // divisor for name, divisor in DIVISORS.items()}
    return sizes | {name: getattr(paper, name) for name in UNCHANGED}


def variant(row: str) -> Variant:
    """The run of a row; its entries also say what it changes here, such as "n_layers=1"."""
    model, base = model_of(row), model_of("base")
    changes = {name: value for name, value in model.items() if value != base[name]}
    settings = {f"model.{name}": value for name, value in model.items()}
    if row.startswith("D: label_smoothing="):
        changes = {"label_smoothing": float(row.partition("=")[2])}
        settings["training.label_smoothing"] = changes["label_smoothing"]
    settings |= {"corpus.train_pairs": PAIRS, **TRAINING}
    here = ", ".join(f"{name}={value}" for name, value in changes.items())
    overrides = [f"{key}={json.dumps(value)}" for key, value in settings.items()]
    return Variant({"row": row, "here": here or "base"}, overrides)


def chosen(wanted: Sequence[str]) -> list[str]:
    """The rows that are named, and those of a group that is named by its letter.

    Raises:
        ValueError: there is no such row or group.
    """
    groups = {row: row.partition(":")[0] for row in ROWS}
    for name in wanted:
        if name not in groups and name not in groups.values():
            raise ValueError(
                f"there is no row {name!r} here; there are {', '.join(map(repr, ROWS))}, and the "
                "groups A to E"
            )
    return [row for row, group in groups.items() if row in wanted or group in wanted]


def measure_on(
    pairs: Sequence[SentencePair],
) -> Callable[[Translator], Iterator[dict[str, Any]]]:
    """A measure: the perplexity of these validation pairs, and the number of parameters."""

    def measure(translator: Translator) -> Iterator[dict[str, Any]]:
        tokenizer = translator.tokenizer
        valid = TokenPairs.of(encode(pairs, tokenizer, origin="valid"))
        plan = token_batches(valid, 1_024, origin="valid")
        loss = validate(translator.model, valid, plan)["valid_loss"]
        signature = "per subword, end included|true tokens, no label smoothing|teacher forced"
        signature += f"|tokenizer:{tokenizer.fingerprint[:12]}|sentences:{len(valid)}"
        value = round(math.exp(loss), 4)
        yield {"split": "valid", "metric": "perplexity", "value": value, "signature": signature}
        total = translator.model.count_parameters()["total"]
        yield {
            "split": None,
            "metric": "parameters",
            "value": total,
            "signature": "shared ones once",
        }

    return measure


def check(given: argparse.Namespace) -> None:
    """Refuse rows that are not there."""
    chosen(given.rows or ROWS)


def contest(given: argparse.Namespace) -> Contest:
    """The rows that are asked for; the command names them unless they are all."""
    rows = chosen(given.rows or ROWS)
    if rows == ROWS:
        given.rows = None
    measure = measure_on(english_korean("valid"))
    return Contest([variant(row) for row in rows], measure)


STUDY = Comparison(
    "experiments.ablations",
    __doc__,
    contest,
    ROW_OPTION,
    updates=1_400,
    splits=("valid",),
    check=check,
)


if __name__ == "__main__":
    STUDY.main()
