"""Keep every address of the book that others may have linked to.

    python book/_tools/anchors.py          names what a built book has lost (as the tests do)
    python book/_tools/anchors.py --add    stores what is new (`make anchors`)

tests/anchors.txt holds a line for each page and each anchor on it: headings, figures, equations,
theorems, exercises, terms of the glossary, entries of the reference. What is published stays: an
anchor that has to go needs another element with its name, such as a target `(old-name)=`.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

from rules import ROOT
from stored_lines import compare_or_add

STORED = ROOT / "tests" / "anchors.txt"
HTML = ROOT / "_build" / "html"
# Numbers by position, and names that all proofs, exercises or charts share or draw afresh.
UNSTABLE = re.compile(
    r"id\d+|index-\d+|chart-.*|(?:proof|exercise|solution)-content|proof|book/.*-solution-\d+"
)


class Article(HTMLParser):
    """The anchors of a page's own text, those inside drawings left out."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.inside = {"article": 0, "svg": 0}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Enter an element."""
        if tag in self.inside:
            self.inside[tag] += 1
        name = dict(attributes).get("id")
        within = self.inside["article"] and not self.inside["svg"]
        if within and name and not UNSTABLE.fullmatch(name):
            self.anchors.add(name)

    def handle_endtag(self, tag: str) -> None:
        """Leave an element."""
        if tag in self.inside:
            self.inside[tag] -= 1


def addresses(html: Path) -> set[str]:
    """Return every page of a built book, and every anchor on it as `page#anchor`."""
    found = set()
    for path in sorted((html / "book").glob("*.html")):
        page = path.relative_to(html).as_posix()
        article = Article()
        article.feed(path.read_text(encoding="utf-8"))
        found |= {page} | {f"{page}#{anchor}" for anchor in article.anchors}
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
