"""The directory of a run, and where each of its files lies.

manifest.json     what identifies the run, and what it has come to (manifest.py); written first
recipe.toml       for readers, the recipe of the manifest: every value, paths as seen from here
tokenizer.model   learned from the training split
checkpoints/      step_000500/ and so on, the last few; best/, the model with the least valid_loss
log.jsonl         one JSON object per logged step
tensorboard/      the same for TensorBoard, where that is installed
lock              held by the process that trains here
model/            the trained model, once training is over
record.json       what was run where, and the scores; written last

All of it may be moved and renamed: no path in it counts that starts elsewhere, as long as the
corpus moves too or stays where it was.
"""

import hashlib
import json
import math
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from annotated_transformer.storage.atomic import naming, write_bytes, write_text
from annotated_transformer.storage.machine import commit
from annotated_transformer.storage.reading import entry, parse_json, read_bytes
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.run.manifest import Manifest, read_manifest


class Part:
    """The path of a file or folder of a run; what is in it stands at the head of this module."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, run: "RunDirectory", _kind: type | None = None) -> Path:
        return run.path / self.name


@dataclass(frozen=True)
class RunDirectory:
    """The directory of a run: its parts, its lock and its log."""

    path: Path
    commit: str = field(default_factory=commit)
    """Of the code, when this sitting began."""

    manifest = Part("manifest.json")
    recipe = Part("recipe.toml")
    tokenizer = Part("tokenizer.model")
    checkpoints = Part("checkpoints")
    best = Part("checkpoints/best")
    log = Part("log.jsonl")
    tensorboard = Part("tensorboard")
    lock_file = Part("lock")
    model = Part("model")
    record = Part("record.json")

    @cached_property
    def _lock(self) -> FileLock:
        return FileLock(self.lock_file)

    def lock(self) -> None:
        """Keep other processes out until `unlock`; the system does that when this one dies.

        Raises `FileExistsError` if another process is training in this directory.
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
        """Release a lock that was taken inside the `with` block."""
        self.unlock()

    def append_log(self, entry: dict[str, Any]) -> None:
        """Add a line to the log and wait until it is on the disk."""
        with naming(self.log), self.log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def read_log(self) -> list[dict[str, Any]]:
        """Read the entries of the log, but not a last line that a kill has cut short."""
        if not self.log.exists():
            return []
        *lines, _ = read_bytes(self.log, "tensor_bytes").split(b"\n")
        return [self._entry(number, line) for number, line in enumerate(lines, start=1)]

    def _entry(self, number: int, line: bytes) -> dict[str, Any]:
        origin = f"{self.log}, line {number}"
        content = parse_json(line, origin, finite=False)
        for key in ("step", "tokens"):
            entry(content, key, int, origin)
        for key in ("seconds", *({"valid_loss"} & content.keys())):
            entry(content, key, float, origin)
        return content

    def update_manifest(self, **changes: Any) -> Manifest:
        """Write the manifest with these fields changed, and return it."""
        manifest = replace(read_manifest(self.manifest), **changes)
        manifest.write(self.manifest)
        return manifest

    def keep_tokenizer(self, tokenizer: Tokenizer) -> None:
        """Write the tokenizer, and its fingerprint where the manifest has none yet.

        Raises `ValueError` if the manifest has the fingerprint of another one.
        """
        fingerprint = read_manifest(self.manifest).tokenizer
        if not fingerprint:
            self.update_manifest(tokenizer=tokenizer.fingerprint)
        elif fingerprint != tokenizer.fingerprint:
            raise ValueError(
                f"{self.tokenizer} is gone, and the tokenizer that was learned anew is another "
                f"one: {fingerprint[:12]} there and {tokenizer.fingerprint[:12]} here (sha256)"
            )
        write_bytes(self.tokenizer, tokenizer.to_bytes())

    def cut_log(self, step: int, digest: str) -> list[dict[str, Any]]:
        """Drop the entries after `step`, which the run writes anew, and give those before.

        Raises `ValueError` if they are not those of this `log_digest`.
        """
        entries = [entry for entry in self.read_log() if entry["step"] <= step]
        if step and log_digest(entries) != digest:
            raise ValueError(
                f"{self.log} is not what the run wrote up to update {step}: put the original "
                "back, since the record shows it"
            )
        write_text(self.log, _lines(entries))
        return entries


def log_digest(entries: Iterable[dict[str, Any]]) -> str:
    """Return the sha256 of a part of a log, which its checkpoint stores."""
    return hashlib.sha256(_lines(entries).encode()).hexdigest()


def _lines(entries: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(entry) + "\n" for entry in entries)


def best_entry(log: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the entry with the least validation loss, the first of them if several are equal."""
    validated = [entry for entry in log if "valid_loss" in entry]
    return min(validated, key=lambda entry: entry["valid_loss"], default={"valid_loss": math.inf})
