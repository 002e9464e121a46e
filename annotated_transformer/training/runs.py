"""The directory of a run: what is where, and whether a run may begin or continue there.

recipe.toml       the recipe with every value it had, defaults included
tokenizer.model   learned from the training split
checkpoints/      step_000500/ and so on, the last few
log.jsonl         one JSON object per logged step
model/            the trained model, once training is over
record.json       what was run where, and the scores; written last
"""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotated_transformer.storage import PARTIAL, write_bytes, write_text
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.recipe import Recipe, difference, load_recipe


@dataclass(frozen=True)
class RunDirectory:
    """Names of the parts of a run's directory, and its log."""

    path: Path

    @property
    def recipe(self) -> Path:
        """The resolved recipe."""
        return self.path / "recipe.toml"

    @property
    def tokenizer(self) -> Path:
        """The tokenizer, from before the first step."""
        return self.path / "tokenizer.model"

    @property
    def checkpoints(self) -> Path:
        """The directory of checkpoints."""
        return self.path / "checkpoints"

    @property
    def model(self) -> Path:
        """The trained model."""
        return self.path / "model"

    @property
    def log(self) -> Path:
        """The curve, one JSON object per line."""
        return self.path / "log.jsonl"

    @property
    def record(self) -> Path:
        """The record of the finished run."""
        return self.path / "record.json"

    def append_log(self, entry: dict[str, Any]) -> None:
        """Add a line to the log and wait until it is on the disk."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def read_log(self) -> list[dict[str, Any]]:
        """The entries of the log; a last line without its end was cut by a kill and left out."""
        if not self.log.exists():
            return []
        *lines, _ = self.log.read_bytes().split(b"\n")
        return [self._entry(number, line) for number, line in enumerate(lines, start=1)]

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{self.log} is corrupt: line {number}: {error}") from error
        if not isinstance(entry, dict) or type(entry.get("step")) is not int:
            raise ValueError(f"{self.log} is corrupt: line {number} has no whole number 'step'")
        return entry

    def cut_log(self, step: int) -> None:
        """Drop the entries after `step`: the run continues from there and writes them anew."""
        kept = [entry for entry in self.read_log() if entry["step"] <= step]
        write_text(self.log, "".join(json.dumps(entry) + "\n" for entry in kept))


def open_run(recipe: Recipe, path: Path | str, *, resume: bool) -> RunDirectory:
    """The directory for a run of this recipe: a new one, or with `resume` one to continue.

    Nothing is written before `begin_run`. With `resume`, a directory in which nothing was saved
    yet will do as well, so that the same command serves before and after a kill at any moment.

    Raises:
        FileExistsError: the directory holds a finished run, an unfinished one while `resume` was
            not asked for, a run of another recipe, or something else.
    """
    run = RunDirectory(Path(path))
    if run.path.exists() and not run.path.is_dir():
        raise FileExistsError(f"{run.path} is a file, a run needs a directory")
    if run.recipe.exists():
        _check_unfinished(run, recipe, resume)
    elif run.path.exists():
        # The recipe is written first, so nothing else can be left of a run without one.
        own = set(run.path.glob(f".{run.recipe.name}.*{PARTIAL}"))
        other = sorted(file.name for file in run.path.iterdir() if file not in own)
        if other:
            raise FileExistsError(f"{run.path} holds no run but other files, such as {other[0]}")
    return run


def begin_run(run: RunDirectory, recipe: Recipe, tokenizer: Tokenizer) -> None:
    """Make the directory if it is new, tidy it if not, and write recipe and tokenizer into it."""
    run.path.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(run)
    write_text(run.recipe, recipe.to_toml())
    write_bytes(run.tokenizer, tokenizer.to_bytes())


def _check_unfinished(run: RunDirectory, recipe: Recipe, resume: bool) -> None:
    changed = difference(load_recipe(run.recipe), recipe)
    if changed:
        raise FileExistsError(f"{run.path} holds a run of another recipe: {changed}")
    if run.record.exists():
        raise FileExistsError(f"{run.path} holds a finished run of this recipe")
    if not resume:
        raise FileExistsError(
            f"{run.path} holds an unfinished run of this recipe; add --resume to continue it"
        )


def _remove_leftovers(run: RunDirectory) -> None:
    """Delete what a killed program had only half written."""
    for directory in (run.path, run.checkpoints):
        for leftover in directory.glob(f".*{PARTIAL}"):
            if leftover.is_dir():
                shutil.rmtree(leftover)
            else:
                leftover.unlink()
