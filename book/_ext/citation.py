"""The citation of a listing as BibTeX: the book of CITATION.cff, with file, lines and permalink."""

import re
from functools import cache
from typing import Any

import yaml

from repository import ROOT, Repository

ENTRY = """\
@software{{{key},
{fields}
}}"""
BUTTON = (
    '<button type="button" class="at-cite" data-citation="{citation}" '
    'aria-label="Cite this listing: copy its entry">Cite</button><span role="status"></span>'
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
