"""How often text was changed, said once at the end and not for every line."""

from collections.abc import Iterable


class Tally:
    """Counts the lines in which each kind of change was made."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[int, int]] = {}

    def add(self, number: int, changes: Iterable[str]) -> None:
        """Count the changes of one line; `number` is its own."""
        for change in changes:
            count, first = self._lines.get(change, (0, number))
            self._lines[change] = (count + 1, first)

    def sentences(self) -> list[str]:
        """Return a sentence for each change: what, in how many lines, and the first of them."""
        return [
            f"line {first}: {change}" + (f" (and in {count - 1:,} more lines)" if count > 1 else "")
            for change, (count, first) in self._lines.items()
        ]
