"""What the programs of this folder share: their options, and the commands that repeat them."""

import argparse
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer import Translator, load_recipe
from annotated_transformer.lab.corpora.english_korean import LexiconName
from annotated_transformer.records import RESULTS
from annotated_transformer.training.recipe import Recipe


def parser_of(name: str, doc: str | None) -> argparse.ArgumentParser:
    """The parser of `python -m experiments.NAME`, with `--out`; `doc` is the module's docstring."""
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.{name}", description=(doc or "").partition("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=RESULTS / f"{name}.json", help="the record")
    return parser


def command_of(name: str, **options: Any) -> str:
    """The command that repeats a record; an option's value may be a list of values."""
    words = [f"python -m experiments.{name}"]
    for option, value in options.items():
        values = [value] if isinstance(value, str) or not isinstance(value, Sequence) else value
        words += [f"--{option.replace('_', '-')}", *(shlex.quote(str(value)) for value in values)]
    return " ".join(words)


def add_model(parser: argparse.ArgumentParser) -> None:
    """Add `--model`."""
    parser.add_argument("--model", default="english_korean", help="a shipped model or a directory")


def load_model(parser: argparse.ArgumentParser, model: str, **settings: Any) -> Translator:
    """The translator that `--model` names; what is wrong with it ends the program in a line."""
    try:
        return Translator.load(model, **settings)
    except (OSError, ValueError) as error:
        parser.error(str(error))


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


def run(main: Callable[[], None]) -> None:
    """Run a program; what a user can mend is one line on standard error."""
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"experiments: error: {error}")
