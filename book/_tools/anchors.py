"""Keep every address of the book that others may have linked to.

    python book/_tools/anchors.py          names what a built book has lost (as the tests do)
    python book/_tools/anchors.py --add    stores what is new (`make anchors`)

tests/anchors.txt holds a line for each page and each anchor on it: headings, figures, equations,
theorems, exercises, terms of the glossary, entries of the reference. What is published stays: an
anchor that has to go needs another element with its name, such as a target `(old-name)=`.
"""

import re
import sys
from pathlib import Path

from links import read_html
from rules import ROOT
from stored_lines import compare_or_add

STORED = ROOT / "tests" / "anchors.txt"
HTML = ROOT / "_build" / "html"
# Numbers by position, and names that all proofs, exercises or charts share or draw afresh.
UNSTABLE = re.compile(
    r"id\d+|index-\d+|chart-.*|(?:proof|exercise|solution)-content|proof|book/.*-solution-\d+"
)


def addresses(html: Path) -> set[str]:
    """Return every page of a built book, and every anchor on it as `page#anchor`.

    Those inside drawings are left out.
    """
    found = set()
    for path in sorted((html / "book").glob("*.html")):
        page = path.relative_to(html).as_posix()
        names = read_html(path).xpath("//article//@id[not(ancestor::svg)]")
        found |= {page} | {f"{page}#{name}" for name in names if not UNSTABLE.fullmatch(name)}
    return found


def stored() -> set[str]:
    """Return the addresses that have been published."""
    return set(STORED.read_text(encoding="utf-8").split())


def lost(before: set[str], now: set[str]) -> list[str]:
    """Return one sentence for every page that is gone, and every anchor of a page that is there."""
    wrong = []
    for address in sorted(before - now):
        page, _, anchor = address.partition("#")
        if not anchor:
            wrong.append(f"{page} is gone: keep a page of that name that leads on")
        elif page in now:
            wrong.append(f"{page} has lost the anchor {anchor}: add a target ({anchor})= to it")
    return wrong


if __name__ == "__main__":
    sys.exit(compare_or_add(__doc__, STORED, addresses(HTML), lost))
