"""One side of a claim: which numbers of a record it means, one for each round or seed."""

import dataclasses
import operator
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any

from annotated_transformer.lab.records import Record

UNITS = {
    "seconds": "seconds",
    "milliseconds": "milliseconds",
    "microseconds": "microseconds",
    "microseconds_per_token": "microseconds",
    "memory_mib": "MiB",
    "peak_mib": "MiB",
    "above_start_mib": "MiB",
    "loss": "nats",
    "valid_loss": "nats",
    "BLEU": "BLEU",
    "chrF": "chrF",
    "accuracy": "%",
    "exact_match": "%",
    "AER": "%",
    "valid_accuracy": "share",
    "gradient_norm": "",
}
"""The unit of what records call by these names; any other has to be named by the claim."""
TIMES = ("seconds", "milliseconds", "microseconds")
"""Units that mean something on one machine only."""
TAKEN: dict[str, Callable[[Sequence[float]], float]] = {
    "lowest": min,
    "highest": max,
    "mean": statistics.fmean,
    "sum": sum,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "spread": lambda values: max(values) - min(values),
}
ABSENT = "(absent)"
"""What `where` says of a field that an entry must not have."""
Case = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Side:
    """Entries of records, and the number that each of them gives.

    Args:
        names: of the records, more than one where each holds one seed.
        read: looks a record up by its name.
        field: the list in the record, `curve` for instance, or a single entry.
        where: what an entry must have; of a list, itself or any of its members.
        value: the way to the number inside of an entry, `seconds/ours`; of
            several ways, all their numbers.
        take: how several numbers of one round or seed become one; without it
            there must be one.
        x: what the entries are ordered along, for curves.
        unit: of the numbers, where the name of the value does not say it.
        rest_of: its number is what this one leaves: the errors, of 100 %.
        fixed: it has no rounds or seeds, as a count has none, and stands beside
            each of the other side's.
        minus: another side, whose number is taken away.
        per: another side, by whose number this one is divided.
    """

    names: tuple[str, ...]
    read: Callable[[str], Record]
    field: str = "scores"
    where: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    value: str | Sequence[str] = "value"
    take: str | None = None
    x: str | None = None
    unit: str | None = None
    rest_of: float | None = None
    fixed: bool = False
    minus: "Side | None" = None
    per: "Side | None" = None

    @property
    def records(self) -> list[Record]:
        """The records that it looks into."""
        return [self.read(name) for name in self.names]

    @property
    def ways(self) -> tuple[str, ...]:
        """The ways to its numbers."""
        return (self.value,) if isinstance(self.value, str) else tuple(self.value)

    def known_unit(self, name: str) -> str:
        """Return its unit: what its value or its metric says, or else the claim.

        Raises:
            ValueError: neither says one, or they differ.
        """
        if self.per is not None:
            return "times"
        if self.unit == "times" and self.minus is None:
            return "times"
        words = {self.where.get("metric", "") if w == "value" else w for w in self.ways}
        parts = [part for word in words for part in str(word).split("/")]
        found = {UNITS[part] for part in parts if part in UNITS}
        if self.unit is not None:
            found.add(self.unit)
        if not found:
            named = " and ".join(sorted(map(str, words)))
            raise ValueError(
                f"claim {name!r}: nothing says the unit of {named}; give its side a `unit`"
            )
        if len(found) > 1:
            raise ValueError(
                f"claim {name!r}: one side has the units {' and '.join(sorted(found))}; "
                "give it values of one unit"
            )
        return found.pop()

    @property
    def choices(self) -> set[str]:
        """The parts of its ways and names that a case fills in, `seconds/{way}`."""
        more = [other.choices for other in (self.minus, self.per) if other is not None]
        asked = (str(value) for value in self.where.values())
        texts = (*self.ways, *self.names, *asked)
        return set().union(
            *more, *({part for _, part, *_ in Formatter().parse(w) if part} for w in texts)
        )

    def at(self, case: Case, choices: set[str]) -> "Side":
        """Return the same side where a case holds: choices fill in texts, the rest is asked for.

        What the side itself asks for wins.
        """
        asked = {key: value for key, value in case.items() if key not in choices}
        return dataclasses.replace(
            self,
            names=tuple(name.format_map(case) for name in self.names),
            where={**asked, **{key: _filled(value, case) for key, value in self.where.items()}},
            value=tuple(way.format_map(case) for way in self.ways),
            minus=self.minus and self.minus.at(case, choices),
            per=self.per and self.per.at(case, choices),
        )

    def numbers(self, each: str, name: str) -> dict[Any, float]:
        """Return the number of each round or seed.

        Raises:
            ValueError: nothing is there, or several numbers and no `take`.
        """
        if each == "summary":
            return self._summary(name)
        found = {}
        for key, entries in self.grouped(each, name).items():
            values = [self._number(entry, way, name) for entry in entries for way in self.ways]
            if self.take is None and len(values) > 1:
                raise ValueError(
                    f"claim {name!r}: {len(values)} numbers of {self._described()} belong to "
                    f"{each} {key}; ask for one of them in `where`, or say what to `take`"
                )
            number = values[0] if self.take is None else TAKEN[self.take](values)
            found[key] = number if self.rest_of is None else self.rest_of - number
        if self.fixed and len(found) > 1:
            raise ValueError(
                f"claim {name!r}: {self._described()} is said to be fixed and has the "
                f"{each}s {_listed(found)}; leave `fixed` out"
            )
        for other, join in ((self.minus, operator.sub), (self.per, operator.truediv)):
            if other is not None:
                beside = other.numbers(each, name)
                check_same(found, beside, each, name)
                found = {key: join(number, beside[key]) for key, number in found.items()}
        return found

    def lines(self, each: str, name: str) -> dict[Any, list[tuple[float, float]]]:
        """Return the curve of each round or seed, along x."""
        if self.x is None:
            raise ValueError(f"claim {name!r}: a curve is wanted; say along which `x`")
        found = {}
        for key, entries in self.grouped(each, name).items():
            # Where a contestant was left out at some lengths, its curve is shorter.
            there = [e for e in entries if _walk(e, self.ways[0]) is not None]
            points = [(e[self.x], self._number(e, self.ways[0], name)) for e in there]
            found[key] = sorted(points)
        return found

    def grouped(self, each: str, name: str) -> dict[Any, list[Mapping[str, Any]]]:
        """Return the entries that are meant, by round or seed.

        Raises:
            ValueError: no such field, no such entries, or entries of no round
                or seed.
        """
        groups: dict[Any, list[Mapping[str, Any]]] = {}
        for record in self.records:
            if self.field not in record:
                raise ValueError(
                    f"claim {name!r}: the record {record.name!r} has no field {self.field!r}; "
                    f"it has {', '.join(record)}"
                )
            found = record[self.field]
            for entry in [found] if isinstance(found, Mapping) else found:
                if all(_fits(_walk(entry, key), wanted) for key, wanted in self.where.items()):
                    groups.setdefault(_key(entry, record, each), []).append(entry)
        if not groups:
            raise ValueError(
                f"claim {name!r}: no entry of {self._described()}; look at `where` and `field`"
            )
        return groups

    def _summary(self, name: str) -> dict[Any, float]:
        """Return the slowest, the middle and the fastest round of a record that keeps no more."""
        entries = [entry for group in self.grouped("", name).values() for entry in group]
        kept = [_walk(entry, way) for entry in entries for way in self.ways]
        parts = ("lowest", "median", "highest")
        if len(kept) != 1 or not isinstance(kept[0], Mapping) or not set(parts) <= set(kept[0]):
            raise ValueError(
                f"claim {name!r}: {self._described()} has {kept!r}, and no one summary with "
                "lowest, median and highest; say which in `where` and `value`"
            )
        return {part: float(kept[0][part]) for part in parts}

    def _number(self, entry: Mapping[str, Any], way: str, name: str) -> float:
        found = _walk(entry, way)
        if isinstance(found, bool) or not isinstance(found, int | float):
            there = ", ".join(map(str, entry))
            raise ValueError(
                f"claim {name!r}: {way!r} leads to {found!r}, which is no number, in "
                f"{self._described()}; an entry there has {there}"
            )
        return float(found)

    def _described(self) -> str:
        asked = ", ".join(f"{key} {value!r}" for key, value in self.where.items())
        names = " and ".join(repr(record.name) for record in self.records)
        return f"{self.field} of {names}" + (f" with {asked}" if asked else "")


def check_same(one: Mapping[Any, Any], other: Mapping[Any, Any], each: str, name: str) -> None:
    """Raise a ValueError unless both sides have the same rounds or seeds."""
    if set(one) != set(other):
        raise ValueError(
            f"claim {name!r}: one side has the {each}s {_listed(one)}, the other "
            f"{_listed(other)}; compare those that both have"
        )


def check_machines(records: Iterable[Record], name: str) -> None:
    """Raise a ValueError unless all records come from one kind of machine."""
    made = {
        record.name: tuple(
            record["machine"].get(part) for part in ("processor", "gpu", "cores", "threads")
        )
        for record in records
    }
    if len(set(made.values())) > 1:
        told = "; ".join(f"{where!r}: {_words(parts)}" for where, parts in made.items())
        raise ValueError(
            f"claim {name!r}: times of different machines cannot be compared ({told}); "
            "measure both in one run"
        )


def _key(entry: Mapping[str, Any], record: Record, each: str) -> Any:
    own = entry.get(each)
    if own is None and each == "seed" and not isinstance(record.get("seed"), list):
        return record.get("seed")
    return own


def _filled(value: Any, case: Case) -> Any:
    """Put into a value that is nothing but a choice, `{few}`, what the case has for it."""
    if isinstance(value, str) and value[:1] == "{":
        return case.get(value[1:-1], value)
    return value


def _fits(found: Any, wanted: Any) -> bool:
    if wanted == ABSENT:
        return found is None
    return bool(found == wanted) or (isinstance(wanted, list | tuple) and found in wanted)


def _walk(entry: Any, way: str) -> Any:
    for part in way.split("/"):
        entry = entry.get(part) if isinstance(entry, Mapping) else None
    return entry


def _listed(keys: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, keys)))


def _words(parts: Sequence[Any]) -> str:
    return ", ".join(str(part) for part in parts if part is not None)
