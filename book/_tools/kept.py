"""Keep what the book has proved, asked and shown, wherever on its pages that moves.

    python book/_tools/kept.py          names what the sources have lost (as the tests do)
    python book/_tools/kept.py --add    stores what is new (`make anchors`)

tests/kept.txt holds a line for each theorem, proof, exercise, solution, numbered equation, named
figure and table, and for each test, record and label that the claims ledger leans on. An address
may be kept by an empty target; these lines stay only while the thing itself is there. A test that
gets another name gets it in that file too.
"""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from nbformat import NotebookNode

import extensions  # noqa: F401
from ledger_rows import Row, read_rows
from prose import directives
from rules import ROOT, prose, read
from stored_lines import compare_or_add

STORED = ROOT / "tests" / "kept.txt"
LABELLED_DISPLAY = re.compile(r"\$\$ *\(([\w-]+)\)")


def things_in(markdown: str) -> Iterator[str]:
    """Yield what a text proves, asks and shows, as lines of kind and label."""
    theorem = ""
    for directive in directives(markdown):
        name, label = directive.name, directive.options.get("label", "")
        if name == "prf:proof" or (name == "admonition" and directive.argument == "Proof"):
            yield from [f"proof {theorem}"] if theorem else []
        elif name.startswith("prf:"):
            theorem = label
            yield f"theorem {label}"
        elif name in ("exercise", "exercise-start"):
            yield f"exercise {label}"
        elif name in ("solution", "solution-start"):
            yield f"solution {directive.argument}"
        elif name == "math" and label:
            yield f"equation {label}"
        elif "name" in directive.options:
            yield f"figure {directive.options['name']}"
    yield from (f"equation {label}" for label in LABELLED_DISPLAY.findall(markdown))


def drawn_in(notebook: NotebookNode) -> Iterator[str]:
    """Yield the named figures that the cells of a notebook draw."""
    for cell in notebook.cells:
        if name := cell.metadata.get("mystnb", {}).get("figure", {}).get("name"):
            yield f"figure {name}"


def evidence_in(rows: Iterable[Row]) -> Iterator[str]:
    """Yield the tests, records and labels that the claims lean on."""
    for row in rows:
        for item in row.evidence():
            if item.kind not in ("publication", "claim", "unknown"):
                yield f"evidence {item.parts[0] if item.kind == 'section' else item.address}"


def found_in(book: Path) -> set[str]:
    """Return what all pages have."""
    found: set[str] = set()
    for path in book.glob("*.ipynb"):
        notebook = read(path)
        found |= {*things_in(prose(notebook)), *drawn_in(notebook)}
    for path in book.glob("*.md"):
        found |= set(things_in(path.read_text(encoding="utf-8")))
    return found | set(evidence_in(read_rows(book / "claims.toml")))


def stored() -> set[str]:
    """Return what the book has had."""
    return set(STORED.read_text(encoding="utf-8").splitlines())


def lost(before: set[str], now: set[str]) -> list[str]:
    """Return one sentence for everything that is gone."""
    return [f"the book has lost the {line}" for line in sorted(before - now)]


if __name__ == "__main__":
    sys.exit(compare_or_add(__doc__, STORED, found_in(ROOT / "book"), lost))
