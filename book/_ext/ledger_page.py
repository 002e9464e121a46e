"""The page of the claims ledger, written from `book/claims.toml` when the book is built.

A test links to its lines in the repository that the environment names, and without one to a copy
of its file that lies beside the pages, as records always do: the link works from a folder too.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from sphinx.application import Sphinx

from annotated_transformer.lab.evidence import Claim, claim, claim_texts, other_rates
from korean_ledger import korean_claim, korean_row, korean_titles
from ledger_markdown import written
from ledger_rows import Book, Evidence, evidence, read_rows
from repository import ROOT, Repository
from source_links import line_range
from words import is_korean, say

PAGE = "book/claims"
DATA = ROOT / "book" / "claims.toml"


def link(found: Evidence) -> str:
    """Return the Markdown of a link to a test or to a record."""
    if found.kind == "record":
        path = Path(found.address)
        return say("record {link}", link=f"{{download}}`{path.stem} <results/{path.name}>`")
    file, name = found.parts
    repository = Repository.from_environment()
    if repository is None:
        return f"{{download}}`{name} <../{file}>`"
    return f"[`{name}`]({repository.permalink(file, *line_range(file, name))})"


def computed(name: str, told: Callable[[Claim], str] = str) -> str | None:
    """Return a claim with its number, its range and its records; None where there is no such claim.

    If its comparison was run at other learning rates, too, what came out there follows.

    told: what the claim says, as text.

    Raises:
        UnsupportedError: its record does not bear it out.
    """
    if name not in claim_texts():
        return None
    at_other_rates = map(claim, other_rates(name))
    # There only the rate is said, and not the sentence once more.
    brief = (replace(each, says=each.says.partition(":")[0]) for each in at_other_rates)
    parts = []
    for found in (claim(name), *brief):
        records = (evidence(f"book/results/{each.name}.json") for each in found.records)
        parts.append(f"{told(found)} ({', '.join(map(link, records))})")
    return "; ".join(parts)


def write_rows(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace the blocks of the page by the rows of the data."""
    if page != PAGE:
        return
    app.env.note_dependency(str(DATA))
    rows, book = read_rows(DATA), Book(ROOT, claims=computed)
    if is_korean(app):
        rows = [korean_row(row) for row in rows]
        in_korean = partial(computed, told=korean_claim)
        book = Book(ROOT, claims=in_korean, titles=korean_titles())
    source[0] = written(source[0], rows, book, link)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("source-read", write_rows)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
