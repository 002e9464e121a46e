"""CITATION.cff is valid, and a listing is cited with its lines.

The authors' own checker, cffconvert, cannot be installed beside the book: its newest version,
2.0.0, asks for jsonschema below 4, and Jupyter's packages ask for 4 or newer. So their schema is
applied here, with the formats of dates and addresses that it names.
"""

import json
import re

import jsonschema
import pytest
import yaml

from citation import bibtex, book_bibtex, metadata
from repository import Repository
from rules import ROOT
from source_links import location

# The schema of version 1.2.0 as its authors publish it (CC BY 4.0).
SCHEMA = json.loads((ROOT / "tests/schemas/cff-1.2.0.json").read_text(encoding="utf-8"))
FILE = "annotated_transformer/attention.py"
REPOSITORY = Repository(
    url="https://github.com/a/b", branch="main", commit="c0ffee" * 7, launch_branch="launch"
)


def broken(**changes):
    entry = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8")) | changes
    formats = jsonschema.Draft7Validator.FORMAT_CHECKER
    found = jsonschema.Draft7Validator(SCHEMA, format_checker=formats).iter_errors(entry)
    return [error.message for error in found]


def test_the_citation_file_is_valid():
    assert broken() == []


@pytest.mark.parametrize(
    "change",
    [
        {"authors": []},
        {"cff-version": "1.1.0"},
        {"type": "book"},
        {"licence": "MIT"},
        {"title": 1},
        {"date-released": "2026-02-30"},
        {"url": "annotated transformer"},
        {"repository-code": "https://example.org/a b"},
    ],
)
def test_an_invalid_one_is_seen(change):
    assert broken(**change)


def test_the_entry_on_the_first_page_is_that_of_the_file():
    assert "```{book-citation}\n```" in (ROOT / "book/index.md").read_text("utf-8")
    found = metadata()
    expected = {
        "title": found["title"],
        "author": f"{{{found['authors'][0]['name']}}}",
        "year": found["date-released"][:4],
        "version": found["version"],
    }
    assert fields(book_bibtex(None)) == expected
    assert fields(book_bibtex(REPOSITORY)) == expected | {"url": REPOSITORY.url}


def test_the_formats_are_checked_and_not_only_named():
    assert {"date", "uri"} <= jsonschema.Draft7Validator.FORMAT_CHECKER.checkers.keys()
    assert broken(url="https://example.org/book", **{"date-released": "2026-02-28"}) == []


def fields(entry):
    return dict(re.findall(r"^  (\w+) += \{(.*)\},$", entry, re.MULTILINE))


def test_at_home_a_listing_is_cited_by_file_and_lines():
    entry = bibtex(FILE, "MultiHeadAttention.forward", (3, 17), None)
    key = "annotated_transformer_attention_MultiHeadAttention_forward"
    assert entry.startswith(f"@software{{{key},\n")
    assert fields(entry) == {
        "title": "Attention Is All You Need, annotated",
        "author": "{The annotated-transformer authors}",
        "version": metadata()["version"],
        "note": r"annotated\_transformer/attention.py, lines 3--17",
    }


def test_with_an_address_it_has_the_commit_and_the_permalink():
    entry = fields(bibtex(FILE, "", (4, 4), REPOSITORY))
    assert entry["note"].endswith(", line 4, commit c0ffeec0ffee")
    assert entry["url"] == REPOSITORY.permalink(FILE, 4, 4)


def test_the_button_holds_the_entry_and_the_title_links_to_the_reference():
    title = f'<div class="at-source" data-file="{FILE}" data-object="attention"><div>title'
    html = location(title, REPOSITORY, "reference.html#annotated_transformer.attention.attention")
    assert html.count("<button") == html.count("</button>") == 1
    assert "\n" not in html
    assert 'data-citation="@software{annotated_transformer_attention_attention,&#10;' in html
    assert 'href="reference.html#annotated_transformer.attention.attention"' in html
    assert "Reference" not in location(title, None)
