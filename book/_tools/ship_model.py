"""Put the model of a finished run into the package, with its card: `make model`.

Usage: ship_model.py RUN. The model gets the name of the run's recipe.
ship_model.py --parser FOLDER puts the parser that `experiments.parsing_constrained` has left there
into the laboratory.
ship_model.py --text NAME describes the training text of a model in the package anew (text.json):
of its own corpus alone. A run that starts from another model of its language knows the words of
both.
"""

import json
import shutil
import sys
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from annotated_transformer.lab.analysis.parsing import PARSER
from annotated_transformer.lab.model_card import model_card
from annotated_transformer.lab.provenance import objection
from annotated_transformer.saving import COVERAGE, MODEL_FILES, TEXT, WORDS, load_model, text_json
from annotated_transformer.storage.atomic import write_text
from annotated_transformer.storage.records import write_record
from annotated_transformer.text import TrainingText, copied_words
from annotated_transformer.training.data import read_split
from annotated_transformer.training.recipe import load_recipe

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 8_000_000
"""Bytes that a model may add to the package."""
LARGEST_PARSER = 3_000_000
"""Bytes that the laboratory's parser may add."""


def ship(run: Path, models: Path, results: Path) -> Path:
    """Copy a run's model and card into the package and its record into the book.

    Raises:
        ValueError: nobody could make the run's record again, or the model is too large for the
            package.
    """
    record = json.loads((run / "record.json").read_text("utf-8"))
    if why := objection(record["recipe"], record):
        raise ValueError(f"the record of {run} is refused: {why}")
    target = models / record["recipe"]
    copy_model(f"the model in {run}", run / "model", target, {*MODEL_FILES, TEXT}, LARGEST)
    (target / WORDS).unlink(missing_ok=True)  # of a model from before there was text.json
    (target / COVERAGE).unlink(missing_ok=True)  # it was measured on the corpus of the last run
    (target / "README.md").write_text(model_card(record), "utf-8")
    write_record(results / f"{record['recipe']}.json", record)
    return target


def copy_model(what: str, folder: Path, target: Path, names: Collection[str], most: int) -> None:
    """Copy the files of a model. Raises ValueError if it is damaged or too large."""
    load_model(folder)
    files = sorted(path for path in folder.iterdir() if path.name in names)
    size = sum(path.stat().st_size for path in files)
    if size > most:
        raise ValueError(f"{what} has {size:,} bytes, the package takes {most:,}")
    target.mkdir(parents=True, exist_ok=True)
    for path in files:
        shutil.copyfile(path, target / path.name)


def ship_parser(folder: Path, target: Path, results: Path) -> Path:
    """Copy the parser that a measurement has left in a folder into the laboratory, with its card.

    Raises:
        ValueError: nobody could make the record of the measurement again, the parser is not of
            that measurement, or it is too large for the package.
    """
    made = json.loads((folder / "config.json").read_text("utf-8"))["training"]
    record = json.loads((results / f"{made['record']}.json").read_text("utf-8"))
    if why := objection(made["record"], record):
        raise ValueError(f"the record of {folder} is refused: {why}")
    if made["commit"] != record["commit"]:
        raise ValueError(
            f"the parser in {folder} was trained on commit {made['commit'][:7]} and the record "
            f"{made['record']} made on {record['commit'][:7]}; take the parser of that record"
        )
    copy_model(f"the parser in {folder}", folder, target, MODEL_FILES, LARGEST_PARSER)
    (target / "README.md").write_text(parser_card(made, record), "utf-8")
    return target


def parser_card(made: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """Write what the parser is and how good, as a page of Markdown."""
    training = record["settings"]["training"]
    most = max(score["train_pairs"] for score in record["scores"] if "train_pairs" in score)
    rate = training["learning_rate_scale"]
    own = {"seed": made["seed"], "train_pairs": most, "rate": rate}
    rows = [
        f"| {score['search']} | {score['allowed']} | {score['metric']} | {score['value']:.2f} |"
        for score in record["scores"]
        if own.items() <= score.items()
    ]
    machine = record["machine"]
    lines = [
        "# parser",
        "",
        "Writes the tree of an English sentence as one line of symbols: the parser of *Parsing*.",
        "",
        f"- Corpus: the first {most:,} trees of the training split of `english_trees`",
        f"- Parameters: {record['parameters']:,}, in 16 bits",
        f"- Made by: `{record['command']}`",
        f"- Commit: {made['commit']}, seed {made['seed']}",
        f"- Machine: {machine['processor']}; PyTorch {machine['torch']}, "
        f"threads: {machine['threads']}",
        f"- Training: {made['steps']:,} updates; "
        f"mean of the last {training['average_checkpoints']} checkpoints",
        "",
        "| search | allowed | metric | value |",
        "|---|---|---|---|",
        *rows,
    ]
    return "\n".join(lines) + "\n"


def describe_text(name: str, models: Path) -> Path:
    """Write what the training text of a model in the package had, from its recipe's corpus."""
    _, tokenizer = load_model(models / name)
    pairs = [(p.source, p.target) for p in read_split(load_recipe(name).corpus, "train")]
    lines = [source for source, _ in pairs]
    longest = max(len(tokenizer.source_ids(line)) for line in lines)
    text = TrainingText.of(lines, longest_tokens=longest, copied=copied_words(pairs))
    write_text(models / name / TEXT, text_json(text))
    (models / name / WORDS).unlink(missing_ok=True)
    return models / name / TEXT


def main(arguments: list[str]) -> Path:
    """Do what the usage says."""
    models = ROOT / "annotated_transformer/models"
    if arguments[0] == "--text":
        return describe_text(arguments[1], models)
    if arguments[0] == "--parser":
        return ship_parser(Path(arguments[1]), PARSER, ROOT / "book/results")
    return ship(Path(arguments[0]), models, ROOT / "book/results")


if __name__ == "__main__":
    try:
        print(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        sys.exit(f"ship_model.py: {error}")
