"""The citation of the book and of a listing as BibTeX, made of CITATION.cff.

A page has the book's entry by an empty block `{book-citation}`; a listing's has file, lines and
permalink.
"""

import re
from functools import cache
from typing import Any

import yaml
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from repository import ROOT, Repository
from words import say

ENTRY = """\
@software{{{key},
{fields}
}}"""
BUTTON = (
    '<button type="button" class="at-cite" data-citation="{citation}" '
    'data-copied="{copied}" data-selected="{selected}" data-name="{name}" '
    'aria-label="{label}">{cite}</button><span role="status"></span>'
)


@cache
def metadata() -> dict[str, Any]:
    """Read CITATION.cff."""
    found: dict[str, Any] = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    return found


def entry(key: str, fields: dict[str, str]) -> str:
    """Return an entry of BibTeX."""
    written = [f"  {field:<7} = {{{value}}}," for field, value in fields.items()]
    return ENTRY.format(key=key, fields="\n".join(written))


def described(**more: str) -> dict[str, str]:
    """Return what every citation of the book says of it, and more."""
    book = metadata()
    authors = " and ".join(f"{{{author['name']}}}" for author in book["authors"])
    return {"title": book["title"], "author": authors, **more}


def book_bibtex(repository: Repository | None) -> str:
    """Return the BibTeX entry of the book, with its address where there is one."""
    book = metadata()
    fields = described(year=book["date-released"][:4], version=str(book["version"]))
    if repository is not None:
        fields["url"] = repository.url
    return entry("annotated_transformer", fields)


def bibtex(file: str, name: str, lines: tuple[int, int], repository: Repository | None) -> str:
    """Return the BibTeX entry of lines of a file, with the address at home left out."""
    first, last = lines
    where = f"line {first}" if first == last else f"lines {first}--{last}"
    note = f"{file}, {where}".replace("_", r"\_")
    fields = described(version=str(metadata()["version"]), note=note)
    if repository is not None:
        fields["note"] += f", commit {repository.commit[:12]}"
        fields["url"] = repository.permalink(file, first, last)
    key = re.sub(r"\W", "_", f"{file.removesuffix('.py')}_{name}".rstrip("_"))
    return entry(key, fields)


def button(citation: str) -> str:
    """Return the HTML of the button that copies a citation, with what its script says."""
    return BUTTON.format(
        citation=citation,
        cite=say("Cite"),
        label=say("Cite this listing: copy its entry"),
        name=say("Citation, selected: copy it"),
        copied=say("copied"),
        selected=say("selected"),
    )


class BookCitation(SphinxDirective):
    """The entry of the book."""

    def run(self) -> list[nodes.Node]:
        """Return it as a block of code."""
        self.env.note_dependency(str(ROOT / "CITATION.cff"))
        text = book_bibtex(Repository.from_environment())
        return [nodes.literal_block(text, text, language="bibtex")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_directive("book-citation", BookCitation)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
