"""Every record of the book, made again in order: `make records`.

    python -m experiments.records [--list] [--only NAME ...] [--data-dir DIRECTORY]

The commands stand in records.toml. A record that this commit has made already is left alone, so
that the same command goes on where it was stopped: a training run from its last checkpoint, a
comparison after its last run. What a record cost when it was made last is said first.
"""

import json
import multiprocessing
import os
import re
import runpy
import shlex
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.cli.arguments import Parser
from annotated_transformer.lab.provenance import check_clean, objection
from annotated_transformer.lab.records import RESULTS, record
from annotated_transformer.storage.machine import (
    DATA_VARIABLE,
    commit,
    data_directory,
    end_with_parent,
)
from experiments.study import mending

COMMANDS = Path(__file__).with_name("records.toml")


def commands() -> dict[str, str]:
    """The command of each record, in order."""
    return tomllib.loads(COMMANDS.read_text("utf-8"))


def existing(name: str) -> Mapping[str, Any] | None:
    """The record as it is now, if there is one that can be read."""
    try:
        return record(name)
    except (FileNotFoundError, ValueError):
        return None


def is_made(name: str, command: str, version: str) -> bool:
    """Whether this commit has made the record with this command."""
    made = existing(name)
    if made is None or "seal" not in made:
        return False
    said = re.sub(r"(--data-dir) \S+", r"\1 {data}", made["command"])
    return made["commit"] == version and said == command


def line(name: str, version: str, command: str) -> str:
    """A record's name, whether it is made, its cost, its command."""
    made = existing(name)
    cost = f"{made['wall_seconds'] / 60:5.0f} min" if made else "  unknown"
    state = "made" if is_made(name, command, version) else "    "
    return f"{state}  {cost}  {name}: {command}"


def make(name: str, command: str) -> None:
    """Carry out a command; a training run's record is copied from its directory.

    Raises:
        ValueError: the command failed, or its record is refused.
    """
    for part in command.format(data=data_directory()).split(" && "):
        words = shlex.split(part)
        trains = words[0] == "annotated-transformer"
        if trains:
            out = Path(words[words.index("--out") + 1])
            if not (out / "record.json").exists():
                _carry_out(name, ["annotated_transformer", *words[1:], "--resume"])
        else:
            _carry_out(name, words[2:])  # without "python -m"
    if trains:
        take(name, out / "record.json")


def take(name: str, source: Path) -> None:
    """Copy the record of a finished run into the book."""
    made, version = json.loads(source.read_text("utf-8")), commit()
    if why := objection(name, made):
        raise ValueError(f"{source} is refused: {why}")
    if made["commit"] != version:
        raise ValueError(
            f"{source} is of commit {made['commit'][:7]}, the checkout is at {version[:7]}: "
            f"move {source.parent} away to train again"
        )
    (RESULTS / f"{name}.json").write_bytes(source.read_bytes())


def _carry_out(name: str, words: list[str]) -> None:
    """Run a module with arguments in a process of its own, and wait for its end."""
    process = multiprocessing.get_context("spawn").Process(target=_run, args=(words,))
    process.start()
    process.join()
    if process.exitcode:
        raise ValueError(
            f"{name}: the command ended with status {process.exitcode}: {shlex.join(words)}"
        )


def _run(words: list[str]) -> None:
    """Be `python -m WORDS`, for as long as the process lives that wants it."""
    end_with_parent()
    sys.argv = words  # the first of which becomes the path of the module
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def main(argv: Sequence[str] | None = None) -> None:
    """Make the records that were asked for, one after another."""
    parser = Parser(
        prog="python -m experiments.records", description=(__doc__ or "").partition("\n")[0]
    )
    known = commands()
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=known, default=list(known))
    parser.add_argument("--list", action="store_true", help="only say what there is to do")
    parser.add_argument("--data-dir", type=Path, help="directory of downloads and caches")
    given = parser.parse_args(argv)
    if given.data_dir:
        os.environ[DATA_VARIABLE] = str(given.data_dir.resolve())
    version = commit()
    for name in given.only:
        print(line(name, version, known[name]), flush=True)
    if given.list:
        return
    check_clean(version)
    for name in given.only:
        if not is_made(name, known[name], version):
            print(f"\n{name}", flush=True)
            make(name, known[name])


if __name__ == "__main__":
    with mending("experiments", OSError, ValueError):
        main()
