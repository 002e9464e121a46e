"""What the programs of this folder share: a study whose runs give scores and a curve."""

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from experiments.study import Entry, Fields, Option, SeedStudy, seeds, steps

Results = tuple[Sequence[Entry], Sequence[Entry]]
"""Scores, and the points of the curves."""


class FamilyStudy(SeedStudy):
    """A study of members of the family, which are trained anew with each seed.

    Args:
        name: of its program, `experiments.family.NAME`.
        doc: as of `Study`.
        measure: takes a seed and the options, gives scores and curve, without the seed.
        options: those after `--seeds` and `--steps`.
        updates: of each run, if `--steps` does not say.
        settings: takes the options, gives what the record says of all runs.
    """

    def __init__(
        self,
        name: str,
        doc: str | None,
        measure: Callable[[int, argparse.Namespace], Results],
        *options: Option,
        updates: int,
        settings: Callable[[argparse.Namespace], Mapping[str, Any]],
    ) -> None:
        every = (seeds(1, 2, 3), steps(updates), *options)
        super().__init__(f"experiments.family.{name}", doc, measure, *every, threads=1)
        self.settings = settings

    def records(self, given: argparse.Namespace) -> Iterator[Fields]:
        """The record with one seed more each time; settings stand before scores and curve."""
        settings = dict(self.settings(given))
        for fields in super().records(given):
            yield {"seed": fields["seed"], "settings": settings} | dict(fields)

    def fields(self, seed: int, given: argparse.Namespace) -> Fields:
        """Scores and curve of a seed."""
        scores, curve = self.measure(seed, given)
        return {
            "scores": [{"seed": seed} | entry for entry in scores],
            "curve": [{"seed": seed} | entry for entry in curve],
        }


def score(split: str, metric: str, value: float, signature: str, **tags: Any) -> Entry:
    """One number of a record, to four digits."""
    number = float(f"{value:.4g}")
    return tags | {"split": split, "metric": metric, "value": number, "signature": signature}


def told(entry: Mapping[str, Any]) -> str:
    """An entry in a line."""
    return ", ".join(f"{key} {value}" for key, value in entry.items() if key != "signature")
