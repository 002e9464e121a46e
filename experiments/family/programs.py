"""What the programs of this folder share: options, seeds, and one record of all runs."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.records import RESULTS, Measurement
from experiments.programs import command_of

Entry = dict[str, Any]


def parser_of(name: str, doc: str | None, *, steps: int) -> argparse.ArgumentParser:
    """The parser of `python -m experiments.family.NAME`."""
    parser = argparse.ArgumentParser(
        prog=f"python -m experiments.family.{name}", description=(doc or "").partition("\n")[0]
    )
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--steps", type=int, default=steps, help=f"of each run; default {steps}")
    out = RESULTS / f"family_{name}.json"
    parser.add_argument("--out", type=Path, default=out, help="the record")
    return parser


def score(split: str, metric: str, value: float, signature: str, **tags: Any) -> Entry:
    """One number of a record, to four digits."""
    number = float(f"{value:.4g}")
    return tags | {"split": split, "metric": metric, "value": number, "signature": signature}


def each_seed(
    name: str,
    given: argparse.Namespace,
    measure: Callable[[int], tuple[Sequence[Entry], Sequence[Entry]]],
    **settings: Any,
) -> None:
    """Measure with each seed; write scores and curve after each, with the command that gives them.

    All options of the command besides `out` are repeated in it.
    """
    measurement = Measurement(f"family_{name}", out=given.out)
    scores: list[Entry] = []
    curve: list[Entry] = []
    for done, seed in enumerate(given.seeds, start=1):
        more = measure(seed)
        scores += [{"seed": seed} | entry for entry in more[0]]
        curve += [{"seed": seed} | entry for entry in more[1]]
        options = {key: value for key, value in vars(given).items() if key != "out"}
        measurement.write(
            given.out,
            command=command_of(f"family.{name}", **options | {"seeds": given.seeds[:done]}),
            seed=given.seeds[:done],
            settings=settings,
            scores=scores,
            curve=curve,
        )


def losses(values: Sequence[float], every: int, **tags: Any) -> list[Entry]:
    """A curve: the mean loss of each `every` updates, by the last of them."""
    return [
        tags | {"step": end, "loss": round(sum(values[end - every : end]) / every, 4)}
        for end in range(every, len(values) + 1, every)
    ]


def told(entry: Mapping[str, Any]) -> str:
    """An entry in a line."""
    return ", ".join(f"{key} {value}" for key, value in entry.items() if key != "signature")
