"""How much of a batch is padding, against the number of tokens in it.

    python -m experiments.padding --data-dir DIRECTORY

Of each recipe's training split, tokenised as the recipe says: the share of padding among all
positions of an epoch, source and target together, in batches as training makes them, and beside it
in batches of the same mean number of sentences in random order, as a plain tutorial makes them.
The directory is that of downloads and caches, as for `annotated-transformer train`.
"""

import argparse
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annotated_transformer import load_recipe
from annotated_transformer.lab.run_data import padding_share, prepare_data
from annotated_transformer.lab.tables import Table
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.encoded import TokenPairs
from experiments.study import DATA_DIR, Entry, Fields, Option, Study, use_data_dir

UNSCORED = ("evaluation.splits=[]", "evaluation.length_penalties=[]")
"""Nothing is translated here, so no test split need be there."""


def rows_of(
    recipe: str, pairs: TokenPairs, tokens: Sequence[int], *, epochs: int, seed: int
) -> list[dict[str, Any]]:
    """A row for each number of tokens: the mean over some epochs, and the least and the most."""
    rows = []
    for limit in tokens:
        plans = [token_batches(pairs, limit, seed=seed, epoch=epoch) for epoch in range(epochs)]
        shares = [padding_share(pairs, plan) for plan in plans]
        sentences = max(1, round(len(pairs) / np.mean([len(plan) for plan in plans])))
        rows.append(
            {
                "recipe": recipe,
                "tokens_per_batch": limit,
                "batches": len(plans[0]),
                "sentences_per_batch": sentences,
                "padding": round(float(np.mean(shares)), 5),
                "lowest": round(min(shares), 5),
                "highest": round(max(shares), 5),
                "padding_in_random_order": round(random_share(pairs, sentences, seed), 5),
            }
        )
    return rows


def random_share(pairs: TokenPairs, sentences: int, seed: int) -> float:
    """The share of padding in batches of so many sentences each, in random order."""
    order = np.random.default_rng(seed).permutation(len(pairs))
    starts = range(0, len(order), sentences)
    return padding_share(pairs, [order[start : start + sentences] for start in starts])


def measure(given: argparse.Namespace) -> Fields:
    """Cut the training split of each recipe into batches of each size."""
    use_data_dir(given)
    rows: list[Entry] = []
    data = {}
    for name in given.recipes:
        recipe = load_recipe(name, UNSCORED)
        with tempfile.TemporaryDirectory() as directory:
            pairs = prepare_data(recipe, Path(directory) / "tokenizer.model").train
        rows += rows_of(recipe.name, pairs, given.tokens, epochs=given.epochs, seed=given.seed)
        corpus = {key: recipe.to_dict()["corpus"][key] for key in ("kind", "variant", "languages")}
        vocab_size = recipe.tokenizer.vocab_size
        data[recipe.name] = {**corpus, "pairs": len(pairs), "vocab_size": vocab_size}
    columns = {"recipe": "", "tokens_per_batch": ",", "sentences_per_batch": ",", "padding": ".2%"}
    print(Table(rows, {**columns, "highest": ".2%", "padding_in_random_order": ".1%"}))
    return {"seed": given.seed, "data": data, "rows": rows}


STUDY = Study(
    "experiments.padding",
    __doc__,
    measure,
    DATA_DIR,
    Option("--recipes", ["english_korean", "multi30k_tiny"]),
    Option("--tokens", [512, 1024, 2048, 4096, 8192, 25_000], "of a batch"),
    Option("--epochs", 3, "shuffles to look at (default 3)"),
    Option("--seed", 1),
)


if __name__ == "__main__":
    STUDY.main()
