"""What the programs of this folder share: a study whose runs yield scores and curves."""

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from experiments.study import Entry, Fields, Option, SeedStudy, seeds, steps


class FamilyStudy(SeedStudy):
    """A study of members of the family, which are trained anew with each seed.

    Args:
        name: of its program, `experiments.family.NAME`.
        doc: as of `Study`.
        measure: takes a seed and the options, yields scores and points of curves one by one,
            without the seed. What has a metric is a score, and is printed.
        options: those after `--seeds` and `--steps`.
        updates: of each run, if `--steps` does not say.
        settings: takes the options, gives what the record says of all runs.
    """

    def __init__(
        self,
        name: str,
        doc: str | None,
        measure: Callable[[int, argparse.Namespace], Iterable[Entry]],
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
        fields: dict[str, list[Entry]] = {"scores": [], "curve": []}
        for entry in self.measure(seed, given):
            is_score = "metric" in entry
            fields["scores" if is_score else "curve"].append({"seed": seed} | entry)
            if is_score:
                told = (f"{key} {x}" for key, x in entry.items() if key != "signature")
                print(f"seed {seed}: {', '.join(told)}", flush=True)
        return fields


def score(split: str, metric: str, value: float, signature: str, **tags: Any) -> Entry:
    """One number of a record, to four digits."""
    number = float(f"{value:.4g}")
    return tags | {"split": split, "metric": metric, "value": number, "signature": signature}
