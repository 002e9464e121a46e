"""A trained model that the command names: what measurements of one model share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotated_transformer import Translator, load_recipe
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.lab.corpora.english_korean import LexiconName
from annotated_transformer.lab.measured import store_coverage, store_threshold
from annotated_transformer.shipped import MODELS
from annotated_transformer.training.recipe import Recipe
from experiments.study import Option, UsageError

MODEL = Option("--model", "english_korean", "a shipped model or a directory")
STORE = Option(
    "--store",
    False,
    "write the threshold into the model",
    action="store_true",
    repeated="never",
)
SPLIT = 1_000
"""Sentences in the test split of a lexicon, and in its validation split."""


def load_model(model: str, **settings: Any) -> Translator:
    """The translator that `--model` names, ready for use.

    Raises:
        UsageError: there is no such model, or it cannot be read.
    """
    try:
        translator = Translator.load(model, **settings)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    translator.model.eval()
    return translator


def keep_threshold(model: str, threshold: float) -> None:
    """Write a threshold of doubt into the directory of the model that `--model` names."""
    store_threshold(_directory(model), threshold)


def keep_coverage(model: str, coverage: Coverage) -> None:
    """Write what translations of words have into the directory of that model."""
    store_coverage(_directory(model), coverage)


def _directory(model: str) -> Path:
    shipped = MODELS / model
    return shipped if shipped.is_dir() else Path(model)


def recipe_of(model: str, overrides: Sequence[str] = ()) -> Recipe:
    """The recipe of a model, with what the overrides change, as for `--set`.

    A directory has the recipe of its run; a model of the package has the name of its recipe.

    Raises:
        FileNotFoundError: there is no such recipe.
    """
    own = Path(model) / "recipe.toml"
    return load_recipe(own if own.is_file() else model, overrides)


def lexicon_of(model: str) -> LexiconName:
    """The lexicon whose corpus a model was trained on, which its recipe says.

    Raises:
        FileNotFoundError: there is no such recipe.
        ValueError: the model was trained on another corpus than the embedded one.
    """
    corpus = recipe_of(model).corpus
    if corpus.kind != "english_korean":
        raise ValueError(f"{model} was trained on {corpus.kind}; expected english_korean")
    return corpus.lexicon


def check_sentences(**wanted: int) -> None:
    """Refuse a number of sentences that a split does not have, by the name of its option.

    Raises:
        ValueError: the number is not from 1 to `SPLIT`.
    """
    for option, number in wanted.items():
        if not 1 <= number <= SPLIT:
            raise ValueError(f"--{option} {number}: the split has {SPLIT:,} sentences, from 1 on")
