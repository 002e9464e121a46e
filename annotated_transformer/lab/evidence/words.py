"""Numbers with their range, as part of a sentence."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_WORDS = (
    *("none", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def number_word(count: int) -> str:
    """Return a count up to twelve in a word, a larger one in digits."""
    return _WORDS[count] if count < len(_WORDS) else f"{count:,}"


def repeats(count: int, noun: str) -> str:
    """Return how many rounds or seeds: `five rounds`."""
    return f"{number_word(count)} {noun}{'s' * (count != 1)}"


def in_words(count: int, of: int, noun: str) -> str:
    """Return in how many of them: `in four of five rounds`."""
    if count == of:
        return f"in each of {repeats(of, noun)}"
    return f"in {number_word(count)} of {repeats(of, noun)}"


@dataclass(frozen=True)
class Spoken:
    """Numbers that become a part of a sentence.

    Args:
        values: None among them is a curve that never crosses.
        kind: the format of a number.
        unit: behind it.
        noun: what repeats; without it there was one run.
        of: how many repeats.
    """

    values: Sequence[float | None]
    kind: str
    unit: str = ""
    noun: str = ""
    of: int = 0

    def told(self, form: str) -> str:
        """Say them as `value`, `range` or, with both, `full`."""
        there = [value for value in self.values if value is not None]
        if not there:
            return "never"
        # A format of percent has its sign already.
        bare = not self.unit or self.kind.endswith("%")
        after = "" if bare else f" {self.unit}"
        # Without a sign where a small number below zero is rounded to it: 0, not -0.
        kind = f"z{self.kind}" if self.kind.endswith(("f", "%", "e", "g")) else self.kind
        low, high = format(min(there), kind), format(max(there), kind)
        missing = len(self.values) - len(there)
        never = f"; {number_word(missing)} never" if missing else ""
        span = low if low == high else f"{low} to {high}"
        middle = format(statistics.median(there), kind)
        if form == "value":
            return middle + after
        if form == "range":
            return span + after + never
        if not self.noun:
            return f"{middle}{after} (one run)"
        return f"{middle}{after} ({span}{never}, {repeats(self.of, self.noun)})"
