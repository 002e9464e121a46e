"""A sentence about records that is computed from them, for each round or seed by itself."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from annotated_transformer.lab.evidence.compared import SIDES, STATISTICS, Numbers
from annotated_transformer.lab.evidence.sides import TIMES, Case, Side, check_machines
from annotated_transformer.lab.evidence.words import Spoken, in_words
from annotated_transformer.lab.records import Record
from annotated_transformer.lab.tables import Table

RELATIONS = ("greater", "less", "at least", "at most", "within")
STANDARD = {"difference": 0.0, "ratio": 1.0, "order": 0.0}
"""What a statistic is compared with if the claim names nothing else."""
EACH = ("round", "seed", "summary")
FORMS = ("full", "value", "range", "least", "leads", "count")


class UnsupportedError(ValueError):
    """A claim that its record does not bear out as often as the claim says."""


@dataclass(frozen=True)
class Claim:
    """What a sentence says about records, and in how many rounds or seeds it is so.

    Args:
        name: by which pages and the ledger find it.
        says: the claim in words, without a number.
        sides: what is compared.
        statistic: how, one of `compared.STATISTICS`.
        each: what has to bear it out by itself: `round`, `seed`, or `summary`
            where a record kept the extremes of its rounds alone.
        relation: of the statistic to `than`, a number or, for `within`, two.
        over: values of fields; the claim is about all their combinations.
        against: `same` compares a seed with itself on the other side, `all`
            with every seed there: a difference beyond the spread.
        holds_in: None, in each; a number, in so many, neither more nor fewer.
        once: the record has one run, and the sentence says so.
        format: of its value.
    """

    name: str
    says: str
    sides: tuple[Side, ...]
    statistic: str
    each: str
    relation: str
    than: float | tuple[float, float]
    over: Mapping[str, Sequence[Any]]
    against: str = "same"
    holds_in: int | None = None
    once: bool = False
    format: str = ".1f"

    @property
    def records(self) -> tuple[Record, ...]:
        """The records that it is about."""
        every = [record for case in self.cases for record in self._records(case)]
        return tuple({record.name: record for record in every}.values())

    @cached_property
    def unit(self) -> str:
        """The unit of its value.

        Raises:
            ValueError: its sides have different ones.
        """
        units = list(dict.fromkeys(side.known_unit(self.name) for side in self.sides))
        if len(units) > 1:
            raise ValueError(
                f"claim {self.name!r}: its sides have the units {' and '.join(units)}; "
                "compare numbers of one unit"
            )
        if self.statistic == "ratio":
            return "times"
        if self.statistic == "crossing":
            return _unit_of_x(str(self.sides[0].x))
        if self.statistic == "exponent":
            return ""
        differs = self.statistic != "value" or any(side.minus for side in self.sides)
        return "points" if units[0] == "%" and differs else units[0]

    @property
    def noun(self) -> str:
        """What repeats; a summary is of rounds."""
        return "seed" if self.each == "seed" else "round"

    @property
    def cases(self) -> list[Case]:
        """The combinations that it is about; one without a name if there is no choice."""
        names = list(self.over)
        return [dict(zip(names, values, strict=True)) for values in product(*self.over.values())]

    @cached_property
    def numbers(self) -> list[tuple[Case, Numbers]]:
        """For each case the statistic of each round or seed.

        Raises:
            ValueError: the record cannot bear out any claim of this kind.
        """
        measured = {side.known_unit(self.name) for side in self.sides}
        if measured & set(TIMES) or self.unit in TIMES:
            for case in self.cases:
                check_machines(self._records(case), self.name)
        found = [(case, self._numbers(case)) for case in self.cases]
        for _, numbers in found:
            self._check_repeats(numbers)
        return found

    @cached_property
    def holds(self) -> dict[Any, bool]:
        """For each round or seed, whether it bears the claim out in every case."""
        keys = self.numbers[0][1]
        return {
            key: all(self._holds(numbers.get(key)) for _, numbers in self.numbers) for key in keys
        }

    def holds_at(self, **case: Any) -> dict[Any, bool]:
        """Return the same in the cases with these values alone."""
        found = self._at(case)
        return {key: all(self._holds(each.get(key)) for each in found) for key in found[0]}

    @property
    def all_values(self) -> list[float | None]:
        """The statistic in all cases, rounds or seeds; None where a curve never crosses."""
        return [number for _, numbers in self.numbers for number in numbers.values()]

    @property
    def value(self) -> float | None:
        """The middle of all its values."""
        there = [number for number in self.all_values if number is not None]
        return statistics.median(there) if there else None

    @property
    def lowest(self) -> float | None:
        """The lowest of all its values."""
        return min((n for n in self.all_values if n is not None), default=None)

    @property
    def highest(self) -> float | None:
        """The highest of all its values."""
        return max((n for n in self.all_values if n is not None), default=None)

    @property
    def repeats(self) -> int:
        """How many rounds or seeds it was looked at in."""
        return self._rounds_of_summary() if self.each == "summary" else len(self.holds)

    @property
    def count(self) -> int:
        """In how many of them it holds."""
        if self.each == "summary" and all(self.holds.values()):
            return self.repeats
        return sum(self.holds.values())

    @property
    def verdict(self) -> str:
        """In how many it holds, in words."""
        return f"holds {self.told('count')}"

    def check(self) -> "Claim":
        """Return the claim if it holds as often as it says.

        Raises:
            UnsupportedError: it does not; in how many it does.
        """
        wanted = self.repeats if self.holds_in is None else self.holds_in
        if self.count != wanted:
            noun = self.noun
            says = "each" if self.holds_in is None else str(self.holds_in)
            fails = ", ".join(str(key) for key, good in self.holds.items() if not good)
            why = f"; not in {noun} {fails}" if fails else ""
            raise UnsupportedError(
                f"claim {self.name!r}, {self.says!r}, holds in {self.count} of {self.repeats} "
                f"{noun}s and says in {says}{why} (record {self._record_names()}); "
                f"say how often it holds, `holds = {self.count}`, on the page too, or mend it"
            )
        return self

    def told(self, form: str = "full", **case: Any) -> str:
        """Return its value as part of a sentence, of all cases or of those with these values.

        Forms: `full` has value, range and repeats, `value` and `range` one of
        them, `count` says in how many it holds. `least` has what each bears
        out, `leads` the range over the best run of the other side (of `against` all).

        Raises:
            ValueError: there is no such form or case.
        """
        if form not in FORMS:
            raise ValueError(
                f"claim {self.name!r} has no form {form!r}; choose one of {', '.join(FORMS)}"
            )
        noun = self.noun
        if form == "count":
            good = self.holds_at(**case) if case else self.holds
            count = self.repeats if all(good.values()) else sum(good.values())
            return "in the one run" if self.once else in_words(count, self.repeats, noun)
        values = [number for numbers in self._at(case) for number in numbers.values()]
        if form == "least":
            return Spoken([self._least(values)], self.format, self.unit).told("value")
        noun = "" if self.once else noun
        form = "range" if form == "leads" else form
        return Spoken(values, self.format, self.unit, noun, self.repeats).told(form)

    def table(self, *of: "Claim") -> Table:
        """Return each case with its middle, its range, and in how many rounds or seeds it holds.

        Other claims about the same cases stand below, with their words.
        """
        rows = []
        noun = f"{self.noun}s"
        for claim in (self, *of):
            for case, numbers in claim.numbers:
                good = [claim._holds(number) for number in numbers.values()]
                values = list(numbers.values())
                count = claim.repeats if all(good) else sum(good)
                rows.append(
                    ({"claim": claim.says} if of else {})
                    | {key: _shown(x) for key, x in case.items()}
                    | {
                        "middle": Spoken(values, claim.format, claim.unit).told("value"),
                        "range": Spoken(values, claim.format).told("range"),
                        noun: f"{count} of {claim.repeats}",
                    }
                )
        origin = self.records[0]
        note = f"({origin.name}: {origin.command})"
        columns = dict.fromkeys(key for row in rows for key in row)
        return Table(rows, dict.fromkeys(columns, ""), note=note, html_note=origin._repr_html_())

    def __str__(self) -> str:
        count = "" if self.once else f", {self.told('count')}"
        return f"{self.says}: {self.told()}{count}"

    def __repr__(self) -> str:
        return f"{self}\n({self._record_names()}: {self.records[0].command})"

    def _repr_html_(self) -> str:
        return f"<p>{self}</p>" + "".join(record._repr_html_() for record in self.records)

    def _record_names(self) -> str:
        return ", ".join(record.name for record in self.records)

    def _sides(self, case: Case) -> list[Side]:
        choices = set().union(*(side.choices for side in self.sides))
        return [side.at(case, choices) for side in self.sides]

    def _records(self, case: Case) -> list[Record]:
        return [record for side in self._sides(case) for record in _all_records(side)]

    def _numbers(self, case: Case) -> Numbers:
        sides = self._sides(case)
        if self.against == "same":
            return STATISTICS[self.statistic](sides, self.each, self.name)
        one, other = (side.numbers(self.each, self.name) for side in sides)
        hardest = max if self.relation in ("greater", "at least") else min
        bound = hardest(other.values())
        if self.statistic == "ratio":
            return {key: number / bound for key, number in one.items()}
        return {key: number - bound for key, number in one.items()}

    def _least(self, values: Sequence[float | None]) -> float:
        """Return the number nearest to the limit, rounded towards it: so much is so in each."""
        there = [value for value in values if value is not None]
        fits = self.relation != "within" and self.format.endswith(("f", "%"))
        if not fits or len(there) < len(values):
            raise ValueError(f"claim {self.name!r} has no least number; choose another form")
        above = self.relation in ("greater", "at least")
        found, down = (min(there), math.floor) if above else (max(there), math.ceil)
        digits = int(self.format[-2]) + 2 * self.format.endswith("%")
        # Differences such as 64.1 - 63.9 lie a hair beside the number that is meant.
        return down(round(found * 10**digits, 6)) / 10**digits

    def _at(self, wanted: Case) -> list[Numbers]:
        found = [numbers for case, numbers in self.numbers if wanted.items() <= case.items()]
        if found:
            return found
        raise ValueError(
            f"claim {self.name!r} is not about {dict(wanted)}; it is about "
            f"{'; '.join(str(dict(own)) for own, _ in self.numbers)}"
        )

    def _holds(self, number: float | None) -> bool:
        if number is None:
            return False
        if isinstance(self.than, tuple):
            return self.than[0] <= number <= self.than[1]
        return {
            "greater": number > self.than,
            "less": number < self.than,
            "at least": number >= self.than,
            "at most": number <= self.than,
        }[self.relation]

    def _check_repeats(self, numbers: Numbers) -> None:
        names = self._record_names()
        if None in numbers and not self.once:
            raise ValueError(
                f"claim {self.name!r}: the record {names} has no {self.each} in what is asked for; "
                f"measure it in {self.each}s, or say `once = true`, and the sentence says one run"
            )
        if (len(numbers) < 2) != self.once:
            raise ValueError(
                f"claim {self.name!r}: the record {names} has {len(numbers)} {self.each}(s) of "
                f"what is asked for, and once = {str(self.once).lower()}; a claim needs two or "
                "more, and a sentence about one run says `once = true`"
            )

    def _rounds_of_summary(self) -> int:
        record = self.records[0]
        rounds = {entry.get("round") for entry in record["curve"]} - {None}
        return int(record.get("rounds", len(rounds)))


def _all_records(side: Side) -> list[Record]:
    more = [other for other in (side.minus, side.per) if other is not None]
    return [*side.records, *(record for other in more for record in _all_records(other))]


def _shown(value: Any) -> str:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return f"{value:,}" if whole else str(value)


def _unit_of_x(x: str) -> str:
    """Return what a curve is followed along, as a unit: lengths are counted in tokens."""
    return {"length": "tokens", "step": "updates"}.get(x, x)


__all__ = ["EACH", "RELATIONS", "SIDES", "STANDARD", "Claim", "UnsupportedError"]
