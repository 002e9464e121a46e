"""Tables of what was timed: the middle and the range of all rounds, and memory beside it."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotated_transformer.lab.records import Record
from annotated_transformer.lab.tables import Table

ALL = "middle (range)"
"""The head of the one column where nothing makes several."""
MEMORY = ("memory_mib", "peak_mib")
Join = Callable[[Any, Mapping[str, Any], str], float]


def rounds_table(
    record: Record,
    by: str | None = None,
    *,
    beside: str | None = None,
    shown: Join | None = None,
    only: Sequence[str] | None = None,
    values: Sequence[Any] | None = None,
    memory: bool = True,
    **formats: str,
) -> Table:
    """Return a table of contestants: for each value of `by` the middle and the range of rounds.

    Args:
        record: its `curve` has the seconds of each round, by contestant.
        by: the field of the curve that makes the columns, `search` for one.
        beside: a contestant; the table says how many times as fast as it the
            others were.
        shown: what else is shown of a round, from the value of `by`, the
            seconds of all contestants, and the name of one.
        only: the contestants that are shown, in this order; without it, all.
        values: the columns; without it, all.
        memory: whether the highest memory that the rows of the record name
            stands beside them.
        formats: `number`, the format of a time.
    """
    kind = formats.get("number", ".2f")
    columns: dict[Any, dict[str, list[float]]] = {}
    for entry in record["curve"]:
        value = entry.get(by) if by else ALL
        if values is None or value in values:
            for name, seconds in entry["seconds"].items():
                if seconds is not None:
                    found = columns.setdefault(value, {}).setdefault(name, [])
                    found.append(_shown(value, entry["seconds"], name, beside, shown))
    names = only or list(dict.fromkeys(name for column in columns.values() for name in column))
    rows: list[dict[Any, Any]] = []
    for name in names:
        row: dict[Any, Any] = {"contestant": name}
        for value, column in columns.items():
            row[_head(value)] = _middle(column[name], kind) if name in column else ""
            if memory and (held := _memory(record, by, value, name)) is not None:
                row["MiB" if by is None else f"MiB, {_head(value)}"] = f"{held:,.0f}"
        rows.append(row)
    heads = dict.fromkeys(key for row in rows for key in row)
    note = f"({record.name}: {record.command})"
    return Table(rows, dict.fromkeys(heads, ""), note=note, html_note=record._repr_html_())


def _shown(
    value: Any, seconds: Mapping[str, float], name: str, beside: str | None, shown: Join | None
) -> float:
    if shown is not None:
        return shown(value, seconds, name)
    return seconds[beside] / seconds[name] if beside else seconds[name]


def _head(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _middle(numbers: Sequence[float], kind: str) -> str:
    low, high = format(min(numbers), kind), format(max(numbers), kind)
    return f"{format(statistics.median(numbers), kind)} ({low} to {high})"


def _memory(record: Record, by: str | None, value: Any, name: str) -> float | None:
    wanted = {by: value} if by else {}
    for row in record.entries("rows", contestant=name, **wanted):
        for key in MEMORY:
            if key in row:
                return float(row[key])
    return None
