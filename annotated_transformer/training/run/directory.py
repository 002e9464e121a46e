"""The directory of a run: what is where, and whether a run may begin or continue there.

recipe.toml       the recipe with every value it had, defaults included
tokenizer.model   learned from the training split
checkpoints/      step_000500/ and so on, the last few; best/, the model with the least valid_loss
log.jsonl         one JSON object per logged step
tensorboard/      the same for TensorBoard, where that is installed
lock              held by the process that trains here
model/            the trained model, once training is over
record.json       what was run where, and the scores; written last
"""

import json
import math
import os
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from torch import nn
from torch.optim import Optimizer

from annotated_transformer.serving.atomic import (
    PARTIAL,
    restore_set_aside,
    write_bytes,
    write_text,
)
from annotated_transformer.serving.machine import commit
from annotated_transformer.serving.reading import (
    entry,
    parse_json,
    read_bytes,
)
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import (
    Recipe,
    difference,
    load_recipe,
)
from annotated_transformer.training.run.checkpoints import (
    checkpoints,
    load_checkpoint,
    set_corrupt_aside,
)
from annotated_transformer.training.run.progress import Progress


@dataclass(frozen=True)
class RunDirectory:
    """The directory of a run: its parts, its lock and its log."""

    path: Path
    commit: str = field(default_factory=commit)
    """Of the code, when this sitting began."""

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
    def best(self) -> Path:
        """The model with the least validation loss so far, as `save_model` writes it."""
        return self.checkpoints / "best"

    @property
    def model(self) -> Path:
        """The trained model."""
        return self.path / "model"

    @property
    def log(self) -> Path:
        """The curve, one JSON object per line."""
        return self.path / "log.jsonl"

    @property
    def tensorboard(self) -> Path:
        """The curve for TensorBoard."""
        return self.path / "tensorboard"

    @property
    def lock_file(self) -> Path:
        """The file that the process locks which trains here."""
        return self.path / "lock"

    @property
    def record(self) -> Path:
        """The record of the finished run."""
        return self.path / "record.json"

    @cached_property
    def _lock(self) -> FileLock:
        return FileLock(self.lock_file)

    def lock(self) -> None:
        """Keep other processes out until `unlock`; the system does that when this one dies.

        Raises:
            FileExistsError: another process is training in this directory.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        try:
            self._lock.acquire(blocking=False)
        except Timeout as error:
            raise FileExistsError(
                f"{self.path} is in use: another process is training there"
            ) from error

    def unlock(self) -> None:
        """Let other processes in."""
        self._lock.release()

    def __enter__(self) -> "RunDirectory":
        return self

    def __exit__(self, *error: object) -> None:
        """A lock that was taken inside a `with` block ends with it."""
        self.unlock()

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
        *lines, _ = read_bytes(self.log, "tensor_bytes").split(b"\n")
        return [
            self._entry(number, line)
            for number, line in enumerate(lines, start=1)
        ]

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        origin = f"{self.log}, line {number}"
        content = parse_json(line, origin, finite=False)
        for key in {"step", *content} & {"step", "valid_loss"}:
            entry(content, key, int if key == "step" else float, origin)
        return content

    def cut_log(self, step: int) -> list[dict[str, Any]]:
        """Drop the entries after `step`, which the run writes anew, and give those before."""
        kept = [entry for entry in self.read_log() if entry["step"] <= step]
        write_text(
            self.log, "".join(json.dumps(entry) + "\n" for entry in kept)
        )
        return kept


def best_entry(log: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The entry with the least validation loss, the first of them if several are equal."""
    validated = [entry for entry in log if "valid_loss" in entry]
    return min(
        validated,
        key=lambda entry: entry["valid_loss"],
        default={"valid_loss": math.inf},
    )


def check_run(
    run: RunDirectory, recipe: Recipe, resume: bool, rank: int = 0
) -> None:
    """See that a run of this recipe may begin in the directory or, with `resume`, continue.

    Nothing is written before `begin_run`. With `resume`, a directory in which
    nothing was saved yet will do as well, so that the same command serves before
    and after a kill at any moment. Rank 0 decides; the others must see its recipe.

    Raises:
        FileExistsError: another process is training in the directory, or it holds
            a finished run, an unfinished one while `resume` was not asked for, a
            run of another recipe, or something else.
        FileNotFoundError: another machine than that of rank 0 has other files.
    """
    if rank:
        if not run.recipe.exists():
            raise FileNotFoundError(
                f"rank {rank} does not see {run.recipe}, which rank 0 has written: "
                f"{run.path} must lie on a file system that all machines share"
            )
        return
    if run.path.exists() and not run.path.is_dir():
        raise FileExistsError(f"{run.path} is a file, a run needs a directory")
    if run.lock_file.exists():
        run.lock()
        run.unlock()
    _check_content(run, recipe, resume)


def begin_run(
    run: RunDirectory,
    recipe: Recipe,
    tokenizer: Tokenizer,
    resume: bool,
    rank: int = 0,
) -> None:
    """Lock the directory, tidy it, and write recipe and tokenizer; all this on rank 0 alone.

    Raises:
        FileExistsError: another process has trained here since `check_run` looked.
        ValueError: there are checkpoints, but none is intact.
    """
    if rank:
        return
    run.lock()
    _check_content(run, recipe, resume)
    _remove_leftovers(run)
    restore_set_aside(run.best)
    write_text(run.recipe, recipe.to_toml())
    write_bytes(run.tokenizer, tokenizer.to_bytes())
    for fault in set_corrupt_aside(run.checkpoints):
        print(fault, file=sys.stderr)


def _check_content(run: RunDirectory, recipe: Recipe, resume: bool) -> None:
    """Refuse a directory in which this run may neither begin nor continue."""
    if run.recipe.exists():
        _check_unfinished(run, recipe, resume)
    elif run.path.exists():
        # The recipe is written right after the lock: nothing else can be left without one.
        own = {run.lock_file, *run.path.glob(f".{run.recipe.name}.*{PARTIAL}")}
        other = sorted(
            file.name for file in run.path.iterdir() if file not in own
        )
        if other:
            raise FileExistsError(
                f"{run.path} holds no run but other files, such as {other[0]}"
            )


def _check_unfinished(run: RunDirectory, recipe: Recipe, resume: bool) -> None:
    changed = difference(load_recipe(run.recipe), recipe)
    if changed:
        raise FileExistsError(
            f"{run.path} holds a run of another recipe: {changed}"
        )
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


def restore_last(
    run: RunDirectory,
    model: nn.Module,
    optimizer: Optimizer,
    corpus: str,
    ranks: Ranks,
) -> Progress:
    """Load the last checkpoint, or say that the run stands at its beginning if there is none."""
    # Asked of rank 0: other machines may see a list of files that is some seconds old.
    [last, *_] = ranks.gather(checkpoints(run.checkpoints)[-1:])
    if not last:
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Progress(started=now, commits=(run.commit,))
    state = load_checkpoint(
        last[0],
        model,
        optimizer,
        corpus,
        rank=ranks.rank,
        world_size=ranks.size,
    )
    if state.commits[-1:] == (run.commit,):
        return state
    return replace(state, commits=(*state.commits, run.commit))
