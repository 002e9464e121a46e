"""A benchmark is a study of contestants in rounds: options, turns, ratios and records."""

import argparse
import shlex
import statistics
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.measurement import Measurement
from benchmarks.batches import VOCAB_SIZE
from benchmarks.peers import MissingPeerError
from benchmarks.workers import ContestantError, Worker
from experiments.study import Fields, Option, Study

SIZES: dict[str, dict[str, Any]] = {
    "tiny": {"n_layers": 1, "d_model": 16, "n_heads": 2, "d_ff": 32, "vocab_size": 300},
    "small": {"n_layers": 3, "d_model": 256, "n_heads": 4, "d_ff": 1024},
    "base": {},
}
"""What differs from the paper's base model; tiny is there to try a command."""


def configuration(size: str, **overrides: Any) -> TransformerConfig:
    """The model of a size, with a vocabulary of 8,000."""
    return TransformerConfig.base(**{"vocab_size": VOCAB_SIZE, **SIZES[size], **overrides})


class Benchmark(Study):
    """A study of speed or memory, in which contestants take turns in rounds.

    The command of its record is the one that was typed: what else goes into it, such as the number
    of threads, is the machine's. The record is named after program and size.

    Args:
        name: of its program, `benchmarks.NAME`.
        doc: as of `Study`.
        measure: takes the options, gives the fields of the record: single times as `curve`.
        options: those besides `--threads`, `--rounds` and `--size`.
        rounds: if `--rounds` does not say.
        size: if `--size` does not say.
        record: takes the options, gives the name of the record.
        check: as of `Study`.
    """

    mendable = (OSError, ValueError, MissingPeerError, ContestantError)

    def __init__(
        self,
        name: str,
        doc: str | None,
        measure: Callable[[argparse.Namespace], Mapping[str, Any]],
        *options: Option,
        rounds: int = 5,
        size: str = "small",
        record: Callable[[argparse.Namespace], str] | None = None,
        check: Callable[[argparse.Namespace], Any] = lambda _: None,
    ) -> None:
        threads, what = torch.get_num_threads(), "threads of each contestant"
        every = (
            Option("--threads", threads, what),
            Option("--rounds", rounds, f"default {rounds}"),
            Option("--size", size, f"model (default {size})", choices=[*SIZES]),
            *options,
        )
        super().__init__(f"benchmarks.{name}", doc, measure, *every, check=check)
        self.record = record or (lambda given: f"benchmark_{name}_{given.size}")
        self.typed: Sequence[str] = ()

    def main(self, argv: Sequence[str] | None = None) -> None:
        """Be the command."""
        self.typed = sys.argv[1:] if argv is None else argv
        super().main(argv)

    def record_name(self, given: argparse.Namespace) -> str:
        """The name of the record that these options make."""
        return self.record(given)

    def command(self, given: argparse.Namespace, **changed: Any) -> str:
        """What repeats this run; of what lies elsewhere there, only the name."""
        words = ["python", "-m", self.module]
        for before, word in zip(["", *self.typed], self.typed, strict=False):
            elsewhere = before == "--data-dir" or (before == "--out" and Path(word).is_absolute())
            words.append(Path(word).name if elsewhere else word)
        return shlex.join(words)

    def begin(self, given: argparse.Namespace) -> Measurement:
        """Begin the measurement, which says how many threads a contestant has."""
        return Measurement(self.name, threads=given.threads, out=given.out)

    def records(self, given: argparse.Namespace) -> Iterator[Fields]:
        """The record, and where it is."""
        yield {"seed": given.seed} | dict(self.measure(given))
        print(f"\nrecord: {given.out}")


def turns(names: Sequence[str], rounds: int) -> Iterator[tuple[int, list[str]]]:
    """The number of each round, and its order, which moves on by one; round -1 warms up."""
    for number in range(-1, rounds):
        shift = max(number, 0) % len(names)
        yield number, [*names[shift:], *names[:shift]]


def curve_of(timed: Sequence[Mapping[str, float]], **tags: Any) -> list[dict[str, Any]]:
    """Every single time, by round, as a record has it."""
    return [{**tags, "round": i + 1, "seconds": seconds} for i, seconds in enumerate(timed)]


def median(timed: Sequence[Mapping[str, float]], name: str) -> float:
    """The median of the seconds of a contestant, in the rounds in which it took part."""
    return statistics.median(seconds[name] for seconds in timed if name in seconds)


def interleaved(
    makers: Mapping[str, Callable[[], Worker]],
    work: Callable[[int], tuple[Any, ...]],
    rounds: int,
    *,
    first: Callable[[Mapping[str, Worker]], None] | None = None,
    once: Collection[str] = (),
) -> tuple[list[dict[str, float]], dict[str, dict[str, float]]]:
    """Run all contestants in turn: seconds by name for each round, and their memory.

    `work(i)` is what round i asks of each. Round -1 warms up and is not counted; the order moves
    on by one contestant in each round. `first` sees the workers before anything is timed. Those in
    `once` are slow: they only take part in the first round.
    """
    with ExitStack() as stack:
        workers = {}
        for name, make in makers.items():
            workers[name] = stack.enter_context(closing(make()))
        if first is not None:
            first(workers)
        timed: list[dict[str, float]] = []
        names = list(workers)
        for number, order in turns(names, rounds):
            seconds = {}
            for name in order:
                if name in once and number != 0:
                    continue
                seconds[name] = workers[name].run(*work(number))[0]
            if number >= 0:
                timed.append({name: round(seconds[name], 5) for name in names if name in seconds})
                print(f"round {number + 1} of {rounds}: " + _line(timed[-1]), file=sys.stderr)
        return timed, {name: worker.memory() for name, worker in workers.items()}


def _line(seconds: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f} s" for name, value in seconds.items())


def ratio(
    timed: Sequence[Mapping[str, float]], slower: str, faster: str, digits: int = 2
) -> dict[str, float]:
    """How many times as fast `faster` was: median, lowest and highest of their rounds."""
    ratios = [
        seconds[slower] / seconds[faster] for seconds in timed if {slower, faster} <= seconds.keys()
    ]
    return {
        "median": round(statistics.median(ratios), digits),
        "lowest": round(min(ratios), digits),
        "highest": round(max(ratios), digits),
    }
