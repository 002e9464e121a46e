"""The citation of a listing as BibTeX: the book of CITATION.cff, with file, lines and permalink."""

import re
from functools import cache
from typing import Any

import yaml

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


def bibtex(file: str, name: str, lines: tuple[int, int], repository: Repository | None) -> str:
    """Return the BibTeX entry of lines of a file, with the address at home left out."""
    book = metadata()
    first, last = lines
    where = f"line {first}" if first == last else f"lines {first}--{last}"
    note = f"{file}, {where}".replace("_", r"\_")
    fields = {
        "title": book["title"],
        "author": " and ".join(f"{{{author['name']}}}" for author in book["authors"]),
        "version": str(book["version"]),
        "note": note,
    }
    if repository is not None:
        fields["note"] += f", commit {repository.commit[:12]}"
        fields["url"] = repository.permalink(file, first, last)
    key = re.sub(r"\W", "_", f"{file.removesuffix('.py')}_{name}".rstrip("_"))
    written = [f"  {field:<7} = {{{value}}}," for field, value in fields.items()]
    return ENTRY.format(key=key, fields="\n".join(written))


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
