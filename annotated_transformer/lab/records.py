"""Records of what was measured, as chapters read and show them.

A record is a file in `book/results/`: what was run, by which command, from
which commit, on which machine, and every number that came out.
"""

import difflib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.lab.provenance import objection
from annotated_transformer.lab.tables import Table, details, spread
from annotated_transformer.storage.reading import entry, read_json

RESULTS = Path(__file__).parents[2] / "book" / "results"
"""Where a checkout keeps its records."""
_EXPERIMENTS = """
activations averaging beam_size embeddings head_ablation heads label_smoothing
leaking_mask norm_order padding positions pronouns why_attention
"""
MOVED = {f"benchmarks.{name}": f"experiments.{name}" for name in _EXPERIMENTS.split()}
"""Modules that have another name now than in the commands of older records."""


class Record(Mapping[str, Any]):
    """A record that was read: its fields, its tables, how it was made."""

    def __init__(self, name: str, fields: Mapping[str, Any]) -> None:
        self.name = name
        self._fields = fields

    def __getitem__(self, key: str) -> Any:
        return self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    @property
    def command(self) -> str:
        """What repeats it, with the names that its modules have today."""
        words = self["command"].split(" ")
        return " ".join(MOVED.get(word, word) for word in words)

    def entries(self, field: str, **wanted: Any) -> list[dict[str, Any]]:
        """Entries of `rows`, `scores` or `curve` that have all these values.

        A tuple allows any of its values, None asks for entries without one.
        """
        sets = {
            key: value if isinstance(value, tuple) else (value,) for key, value in wanted.items()
        }
        return [
            entry
            for entry in self[field]
            if all(entry.get(key) in values for key, values in sets.items())
        ]

    def scores(self, metric: str, **wanted: Any) -> list[Any]:
        """The values of a metric, in the order of the record."""
        found = self.entries("scores", metric=metric, **wanted)
        return [entry["value"] for entry in found]

    def table(
        self,
        *columns: str,
        of: str | Sequence[Mapping[str, Any]] = "rows",
        across: str | None = None,
        **formats: str,
    ) -> Table:
        """A table of these columns, and how the record was made.

        `r.table("tokens", ratio=".1f")` shows two columns of `r["rows"]`, the
        second in that format.

        Args:
            columns: shown as they are.
            of: another field of the record, or chosen entries.
            across: each value of this field becomes a column, which shows the
                last of the named columns.
            formats: columns shown in a format.
        """
        rows = self[of] if isinstance(of, str) else of
        shown = dict.fromkeys(columns, "") | formats
        if across is not None:
            rows, shown = spread(rows, across, shown)
        note = f"({self.name}: {self.command})"
        return Table(rows, shown, note=note, html_note=self._repr_html_())

    def _origin(self) -> dict[str, str]:
        made = self["machine"]
        gpu = f", {made['gpu']}" if made["gpu"] else ""
        threads = f"{made['threads']} thread{'s' * (made['threads'] > 1)}"
        old = {} if self.command == self["command"] else {"now": self.command}
        return {
            "command": self["command"],
            **old,
            "commit": self["commit"][:7],
            "machine": f"{made['processor']}{gpu}, {threads}, torch {made['torch']}",
            "seed": str(self["seed"]),
            "when": f"{self['started'][:10]}, {self['wall_seconds']:,.0f} s",
        }

    def __repr__(self) -> str:
        lines = [f"{key:9}{value}" for key, value in self._origin().items()]
        return "\n".join([f"record   {self.name}", *lines])

    def _repr_html_(self) -> str:
        title = f"How this was measured: <code>{self.name}</code>"
        return details(title, self._origin())


def is_recorded(name: str) -> bool:
    """Say whether there is a record of this name."""
    return (_folder() / f"{name}.json").exists()


def record(name: str) -> Record:
    """Read a record of the book by its name, `"heads"` for instance.

    Raises:
        FileNotFoundError: there is no such record; the nearest is named.
        ValueError: nobody could make the record again (`objection`).
    """
    folder = _folder()
    names = sorted(path.stem for path in folder.glob("*.json"))
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0)
        none = f"{folder.resolve()} has none: copy book/results of the repository there"
        hint = f"the nearest is {near[0]!r}" if near else none
        raise FileNotFoundError(f"there is no record {name!r}; {hint}")
    path = folder / f"{name}.json"
    fields = read_json(path, finite=False)
    entry(fields, "commit", str, path)
    if why := objection(name, fields):
        raise ValueError(f"the record {name!r} is refused: {why}")
    return Record(name, fields)


def _folder() -> Path:
    # Where the package is installed, a notebook has the records beside it.
    return RESULTS if RESULTS.is_dir() else Path("results")
