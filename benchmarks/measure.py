"""Options, rounds, ratios and records: what the programs of this folder share."""

import argparse
import shlex
import statistics
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.records import RESULTS, Measurement
from benchmarks.batches import VOCAB_SIZE
from benchmarks.peers import MissingPeerError
from benchmarks.workers import ContestantError, Worker

SIZES: dict[str, dict[str, Any]] = {
    "tiny": {"n_layers": 1, "d_model": 16, "n_heads": 2, "d_ff": 32, "vocab_size": 300},
    "small": {"n_layers": 3, "d_model": 256, "n_heads": 4, "d_ff": 1024},
    "base": {},
}
"""What differs from the paper's base model; tiny is there to try a command."""


def configuration(size: str, **overrides: Any) -> TransformerConfig:
    """The model of a size, with a vocabulary of 8,000."""
    return TransformerConfig.base(**{"vocab_size": VOCAB_SIZE, **SIZES[size], **overrides})


class Benchmark:
    """One run of one command, from its arguments to its record."""

    def __init__(self, name: str, options: argparse.Namespace) -> None:
        self.measurement = Measurement(name, threads=options.threads, out=options.out)
        self.options = options

    def write(
        self, rows: Sequence[dict[str, Any]], curve: Sequence[dict[str, Any]], **more: Any
    ) -> None:
        """Write the record: what was run, where, and every single measurement."""
        self.measurement.write(
            self.options.out,
            command=command(),
            seed=self.options.seed,
            **more,
            rows=list(rows),
            curve=curve,
        )
        print(f"\nrecord: {self.options.out}")


def arguments(name: str, description: str, **defaults: Any) -> argparse.ArgumentParser:
    """A parser with the options that every command has."""
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{name}", description=description)
    parser.add_argument("--out", type=Path, help="record to write (default in book/results/)")
    parser.add_argument(
        "--threads", type=int, default=torch.get_num_threads(), help="threads of each contestant"
    )
    rounds = defaults.get("rounds", 5)
    parser.add_argument("--rounds", type=int, default=rounds, help=f"default {rounds}")
    sizes, size = list(SIZES), defaults.get("size", "small")
    parser.add_argument("--size", choices=sizes, default=size, help=f"model (default {size})")
    return parser


def parsed(
    parser: argparse.ArgumentParser, argv: Sequence[str] | None, name: str
) -> argparse.Namespace:
    """The options; the record's place follows from name and size where none is given."""
    options = parser.parse_args(argv)
    if options.out is None:
        busy = "_busy" if getattr(options, "busy", 0) else ""
        options.out = RESULTS / f"benchmark_{name}_{options.size}{busy}.json"
    return options


def command() -> str:
    """What repeats this run; of what lies elsewhere there, only the name."""
    words = ["python", "-m", f"benchmarks.{Path(sys.argv[0]).stem}"]
    for before, word in zip(["", *sys.argv[1:]], sys.argv[1:], strict=False):
        elsewhere = before == "--data-dir" or (before == "--out" and Path(word).is_absolute())
        words.append(Path(word).name if elsewhere else word)
    return shlex.join(words)


def run(main: Callable[[], None]) -> None:
    """Run a command; what a user can mend is one line on standard error."""
    try:
        main()
    except (OSError, ValueError, MissingPeerError, ContestantError) as error:
        sys.exit(f"benchmarks: error: {error}")


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
        for number in range(-1, rounds):
            shift = max(number, 0) % len(names)
            seconds = {}
            for name in [*names[shift:], *names[:shift]]:
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
