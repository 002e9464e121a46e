"""What an experiment is, written once: its options, its seeds, its record, and how it goes on.

A program says what is its own and declares a study of it, which is its command::

    STUDY = SeedStudy("experiments.recall", __doc__, measure, Option("--pairs", 64))

    if __name__ == "__main__":
        STUDY.main()

`measure` gives the fields of the record. Everything else is here: the parser; the commit, which has
to be clean where the record is one of the book's; the record with the command that makes it again;
and the runs that are done, which a command that was stopped does not do again.
"""

import argparse
import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

import torch

from annotated_transformer.cli.arguments import Parser
from annotated_transformer.lab.measurement import Measurement
from annotated_transformer.lab.provenance import is_clean
from annotated_transformer.lab.records import RESULTS
from annotated_transformer.storage.atomic import write_text
from annotated_transformer.storage.machine import DATA_VARIABLE, commit

Entry = dict[str, Any]
"""A row, a score or a point of a curve."""
Fields = Mapping[str, Any]
"""Fields of a record, in its order."""
RUNS = Path("runs")
"""Where finished runs are kept, by study and commit."""


class UsageError(ValueError):
    """An option has a value that it cannot have: the program ends with its usage."""


class Option:
    """An option of a command.

    Args:
        flag: its name, such as "--beam-size".
        default: its value if it is left out. Numbers and lists also say what it takes: another
            number, or one or more.
        about: what `--help` says of it.
        repeated: when the command of a record repeats it. "changed" is where it is not the default;
            "by name" is for a path, whose folders are those of one machine: only its last part.
        selects: it says which runs are made, or where, but nothing about any single run; so a run
            that is kept is good for every value of it.
        settings: others of `ArgumentParser.add_argument`.
    """

    def __init__(
        self,
        flag: str,
        default: Any = None,
        about: str | None = None,
        *,
        repeated: Literal["always", "changed", "by name", "never"] = "always",
        selects: bool = False,
        **settings: Any,
    ) -> None:
        self.flag, self.name = flag, flag.removeprefix("--").replace("-", "_")
        self.default, self.repeated, self.selects = default, repeated, selects
        taken: dict[str, Any] = {}
        if isinstance(default, list | tuple):
            taken["nargs"], default = "+", default[0]
        if isinstance(default, int | float) and not isinstance(default, bool):
            taken["type"] = type(default)
        self.settings = taken | {"default": self.default, "help": about} | settings

    def words(self, value: Any) -> list[str]:
        """The words of a command that give the option this value; none where it goes unsaid."""
        unsaid = self.repeated != "always" and value in (None, self.default)
        if unsaid or self.repeated == "never":
            return []
        if self.repeated == "by name":
            value = value.name
        values = [value] if isinstance(value, str) or not isinstance(value, Sequence) else value
        return [self.flag, *(shlex.quote(str(each)) for each in values)]


def seeds(*default: int, about: str | None = None) -> Option:
    """`--seeds`."""
    return Option("--seeds", [*default], about, selects=True)


def steps(default: int) -> Option:
    """`--steps`, the number of updates."""
    return Option("--steps", default, f"of each run; default {default}")


RATES = {"usual": 1.0, "half": 0.5, "twice": 2.0}
"""What `--rate` multiplies every learning rate of a comparison with."""
RATE = Option(
    "--rate",
    "usual",
    "at which all are trained: usual (as the recipe or the variant says), half of it or twice",
    choices=RATES,
    repeated="changed",
)
DATA_DIR = Option(
    "--data-dir",
    about="directory of downloads and caches",
    type=Path,
    repeated="by name",
    selects=True,
)


@contextmanager
def mending(folder: str, *errors: type[Exception]) -> Iterator[None]:
    """End the program in a line on standard error where a user can mend what is wrong."""
    try:
        yield
    except errors as error:
        sys.exit(f"{folder}: error: {error}")


class Study:
    """One experiment, from its command to its record.

    Args:
        module: the dotted name of its program. The record is named like it, without the first part.
        doc: the docstring of the program, whose first line `--help` shows.
        measure: takes the options; gives the fields of the record, or gives them several times, and
            the record is written anew each time.
        options: in the order in which the command of the record repeats them.
        check: takes the options; raises ValueError if one has a value that it cannot have.
        threads: of PyTorch; without it, as many as it takes by itself.
        names_out: whether the command says where the record is, unless that is its own place.
    """

    mendable: tuple[type[Exception], ...] = (OSError, ValueError)
    """Errors that end the program in a line, because a user can mend them."""

    def __init__(
        self,
        module: str,
        doc: str | None,
        measure: Callable[..., Any],
        *options: Option,
        check: Callable[[argparse.Namespace], Any] = lambda _: None,
        threads: int | None = None,
        names_out: bool = False,
    ) -> None:
        self.module, self.measure, self.options = module, measure, options
        self.description = (doc or "").partition("\n")[0]
        self.folder, _, rest = module.partition(".")
        self.name = rest.replace(".", "_")
        self.check, self.threads, self.names_out = check, threads, names_out
        self.measurement: Measurement | None = None

    def parser(self) -> argparse.ArgumentParser:
        """The parser of the command."""
        parser = Parser(prog=f"python -m {self.module}", description=self.description)
        parser.add_argument("--out", type=Path, help="the record; by default in book/results/")
        for option in self.options:
            parser.add_argument(option.flag, **option.settings)
        return parser

    def record_name(self, given: argparse.Namespace) -> str:
        """The name of the record: `heads`, and with `--rate half` another, `heads_half_rate`.

        So a reader can ask whether what one of them says hangs on the learning rate.
        """
        rate = getattr(given, RATE.name, RATE.default)
        return self.name if rate == RATE.default else f"{self.name}_{rate}_rate"

    def place(self, given: argparse.Namespace) -> Path:
        """Where the record with these options has its place in the book."""
        return RESULTS / f"{self.record_name(given)}.json"

    def command(self, given: argparse.Namespace, **changed: Any) -> str:
        """The command that makes a record again; it may have only some of the seeds yet."""
        values = vars(given) | changed
        words = [word for each in self.options for word in each.words(values[each.name])]
        if self.names_out and given.out != self.place(given):
            words += ["--out", shlex.quote(str(given.out))]
        return " ".join([f"python -m {self.module}", *words])

    def begin(self, given: argparse.Namespace) -> Measurement:
        """Begin the measurement: refused if the record is the book's and the commit not clean."""
        return Measurement(self.record_name(given), out=given.out)

    def records(self, given: argparse.Namespace) -> Iterator[Fields]:
        """The fields of the record, each time that it is written."""
        found = self.measure(given)
        yield from [found] if isinstance(found, Mapping) else found

    def carry_out(self, given: argparse.Namespace) -> None:
        """Measure, and write the record."""
        if self.threads is not None:
            torch.set_num_threads(self.threads)
        given.out = given.out or self.place(given)
        self.measurement = self.begin(given)
        for fields in self.records(given):
            done = {"seeds": fields["seed"]} if hasattr(given, "seeds") else {}
            self.measurement.write(given.out, command=self.command(given, **done), **fields)

    def main(self, argv: Sequence[str] | None = None) -> None:
        """Be the command; what a user can mend is one line on standard error."""
        parser = self.parser()
        given = parser.parse_args(argv)
        try:
            self.check(given)
        except ValueError as error:
            parser.error(str(error))
        with mending(self.folder, *self.mendable):
            try:
                self.carry_out(given)
            except UsageError as error:
                parser.error(str(error))

    def kept(self, run: Mapping[str, Any], given: argparse.Namespace) -> Path | None:
        """The file of a run's result, by commit, what tells the run from others, and options.

        None on a commit that is not clean, where nothing is kept.
        """
        version = commit()
        if not is_clean(version):
            return None
        options = {
            each.name: getattr(given, each.name) for each in self.options if not each.selects
        }
        told = json.dumps([run, options], sort_keys=True)
        digest = hashlib.sha256(told.encode()).hexdigest()[:12]
        return RUNS / self.name / version[:12] / f"{digest}.json"

    def run(
        self, run: Mapping[str, Any], given: argparse.Namespace, work: Callable[[], Fields]
    ) -> Entry:
        """Carry out one of several runs, unless its result is kept; then its time counts too.

        Args:
            run: what tells it from the other runs.
            given: the options.
            work: carries it out.
        """
        path = self.kept(run, given)
        if path is not None and path.exists():
            done = json.loads(path.read_text("utf-8"))
            if self.measurement is not None:
                self.measurement.count(done["started"], done["wall_seconds"])
            return dict(done["fields"])
        started, begin = datetime.now(UTC).isoformat(timespec="seconds"), time.monotonic()
        fields = dict(work())
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            seconds = time.monotonic() - begin
            done = {"started": started, "wall_seconds": seconds, "fields": fields}
            write_text(path, json.dumps(done))
        return fields


class SeedStudy(Study):
    """A study that is the same run with several seeds; its record is written after each.

    `measure` takes a seed and the options. What it gives is joined as `joined` says.
    """

    def records(self, given: argparse.Namespace) -> Iterator[Fields]:
        """The record with one seed more each time."""
        results: list[Fields] = []
        for seed in given.seeds:

            def work(seed: int = seed) -> Fields:
                return self.fields(seed, given)

            results.append(self.run(self.label(seed, given), given, work))
            fields, done = joined(results), {"seed": given.seeds[: len(results)]}
            yield fields | done if "seed" in fields else done | fields

    def label(self, seed: int, given: argparse.Namespace) -> dict[str, Any]:
        """What tells a run from the others."""
        return {"seed": seed}

    def fields(self, seed: int, given: argparse.Namespace) -> Fields:
        """What a run with one seed adds to the record."""
        return dict(self.measure(seed, given))


def joined(results: Sequence[Fields]) -> Entry:
    """The fields of several runs in one record.

    A list of entries that name their seed goes on from run to run. Everything else is the same in
    all of them, and is that of the first.
    """

    def is_of_runs(value: Any) -> bool:
        return isinstance(value, list) and all(
            isinstance(e, Mapping) and "seed" in e for e in value
        )

    return {
        key: [entry for result in results for entry in result[key]] if is_of_runs(value) else value
        for key, value in results[0].items()
    }


def curve_of(losses: Sequence[float], points: int = 20, **tags: Any) -> list[Entry]:
    """The mean loss of so many equal parts of a training, by the last update of each."""
    every = max(1, len(losses) // points)
    return [
        tags | {"step": end, "loss": round(sum(losses[end - every : end]) / every, 4)}
        for end in range(every, len(losses) + 1, every)
    ]


def printed(entries: Iterable[Entry]) -> list[Entry]:
    """The entries in a list; each is printed as soon as it is there."""
    found = []
    for entry in entries:
        found.append(entry)
        print(entry, flush=True)
    return found


def use_data_dir(given: argparse.Namespace) -> None:
    """Look for data where `--data-dir` says, if it does."""
    if given.data_dir is not None:
        os.environ[DATA_VARIABLE] = str(given.data_dir.absolute())
