"""The bibliography: sorted and named by what a citation in the text says."""

from types import SimpleNamespace

import pytest
from pybtex.database import parse_string
from sphinx.errors import ExtensionError
from sphinxcontrib.bibtex.style.referencing import format_references
from sphinxcontrib.bibtex.style.template import SphinxReferenceInfo

from author_year import Cited, Labels, Sorting

SOURCES = {
    "murray": ("Murray, Kenton and Chiang, David", 2018, "On length"),
    "second": ("Liu, Liyuan and Liu, Xiaodong and Gao, Jianfeng", 2020, "Understanding"),
    "program": ("{Hugging Face}", 2022, "Marian"),
    "first": ("Liu, Yinhan and Gu, Jiatao and Goyal, Naman", 2020, "Multilingual"),
    "mueller": ("Müller, Rafael and Kornblith, Simon and Hinton, Geoffrey", 2019, "Smoothing"),
    "earlier": ("Liu, Peter J. and Saleh, Mohammad and Pot, Etienne", 2018, "Generating"),
}
LABELS = {
    "program": "Hugging Face, 2022",
    "earlier": "Liu et al., 2018",
    "first": "Liu et al., 2020a",
    "second": "Liu et al., 2020b",
    "mueller": "Müller et al., 2019",
    "murray": "Murray and Chiang, 2018",
}


@pytest.fixture(scope="module")
def entries():
    text = "".join(
        f"@misc{{{key}, author = {{{author}}}, year = {{{year}}}, title = {{{title}}}}}\n"
        for key, (author, year, title) in SOURCES.items()
    )
    return parse_string(text, "bibtex").entries


def test_a_source_is_listed_where_its_citation_is_looked_up(entries):
    ordered = Sorting().sort(list(entries.values()))
    labels = dict(zip([e.key for e in ordered], Labels().format_labels(ordered), strict=True))
    assert list(labels.items()) == list(LABELS.items())


@pytest.mark.parametrize("key", LABELS)
def test_a_citation_says_what_the_list_says(entries, key):
    listed = SimpleNamespace(label=LABELS[key])
    info = SphinxReferenceInfo(None, "page", "bibliography", "id1", None, "", "")
    said = [
        str(format_references(Cited(), role, [(entries[key], listed, info)]))
        for role in ("p", "t", "year")
    ]
    names, _, year = LABELS[key].rpartition(", ")
    assert said == [f"[{names}, {year}]", f"{names} [{year}]", year]


def test_a_source_without_a_year_is_named():
    entries = parse_string("@misc{undated, author = {A, B}, title = {C}}", "bibtex").entries
    with pytest.raises(ExtensionError, match="undated: a source needs a year"):
        Sorting().sort(list(entries.values()))
