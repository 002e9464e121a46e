"""Small tables for programs and records, as text and as HTML."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

Row = Mapping[Any, Any]
_MINUS = "\N{MINUS SIGN}"
_POWER = re.compile(rf"(?<= × 10)\^({_MINUS}?\d+)$")


class Table:
    """Rows with chosen columns, displayed by a notebook and printed as text.

    `columns` gives the format of each column that is shown. Of a mapping with
    a `median`, that is shown. A value that is missing or None stays empty.
    `note` is text below the table, `html_note` what a page has in its place.
    """

    def __init__(
        self,
        rows: Iterable[Row],
        columns: Mapping[Any, str],
        *,
        note: str = "",
        html_note: str = "",
    ) -> None:
        rows = list(rows)
        self.head = [str(name).replace("_", " ") for name in columns]
        self.cells = [
            [_cell(row.get(name), kind) for name, kind in columns.items()] for row in rows
        ]
        self._right = [not any(isinstance(row.get(name), str) for row in rows) for name in columns]
        self._note, self._html_note = note, html_note

    def __str__(self) -> str:
        lines = [self.head, *self.cells]
        widths = [max(len(cell) for cell in cells) for cells in zip(*lines, strict=True)]
        text = [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(line, widths, self._right, strict=True)
            ).rstrip()
            for line in lines
        ]
        return "\n".join([*text, *([self._note] if self._note else [])])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        sides = ["right" if right else "left" for right in self._right]

        def line(tag: str, cells: Sequence[str]) -> str:
            html = "".join(
                f'<{tag} style="text-align:{side}">{_html(cell)}</{tag}>'
                for cell, side in zip(cells, sides, strict=True)
            )
            return f"<tr>{html}</tr>"

        head = line("th", self.head).replace("<th ", '<th scope="col" ')
        body = "".join(line("td", cells) for cells in self.cells)
        return (
            f'<table class="at-table"><thead>{head}</thead>'
            f"<tbody>{body}</tbody></table>{self._html_note}"
        )


def spread(
    rows: Iterable[Row], across: str, columns: Mapping[Any, str]
) -> tuple[list[Row], dict[Any, str]]:
    """Put the last column's values beside each other, one for each `across`.

    The other columns say which rows become one.

    Raises:
        ValueError: two rows would share a cell.
    """
    *others, (shown, kind) = columns.items()
    joined: dict[tuple[Any, ...], dict[Any, Any]] = {}
    names: dict[Any, str] = {}
    for row in rows:
        key = tuple(row.get(name) for name, _ in others)
        known = {name: row.get(name) for name, _ in others}
        line = joined.setdefault(key, known)
        if row[across] in line:
            raise ValueError(
                f"two rows have {across} {row[across]!r} and {known}: "
                "choose one of them, or name a column in which they differ"
            )
        line[row[across]], names[row[across]] = row[shown], kind
    return list(joined.values()), dict(others) | names


def details(title: str, items: Mapping[str, str]) -> str:
    """Return HTML that is folded until a reader opens it at its title, which is HTML too."""
    lines = "".join(
        f"<dt>{escape(key)}</dt><dd>{escape(value)}</dd>" for key, value in items.items()
    )
    return f'<details class="at-record"><summary>{title}</summary><dl>{lines}</dl></details>'


def _html(cell: str) -> str:
    return _POWER.sub(r"<sup>\1</sup>", escape(cell))


def _cell(value: Any, kind: str) -> str:
    if isinstance(value, Mapping):
        value = value.get("median")
    if value is None:
        return ""
    text = format(value, kind) if kind else str(value)
    if not kind.endswith("e"):
        return text
    number, _, power = text.partition("e")
    return (number + (f" × 10^{int(power)}" if power else "")).replace("-", _MINUS)
