"""The search finds Korean and English words, names of formulas, and places by their number."""

import json
import re
from urllib.parse import quote

import pytest
from docutils import nodes
from docutils.core import publish_doctree

from browser import launch
from rules import ROOT
from search_terms import BookSearch, about, korean_names, numbers_of, of_the_paper

HTML = ROOT / "_build" / "html"
SPLIT = BookSearch({}).split
DONE = """() => /finished|did not match/i.test(
    document.querySelector('#search-results')?.innerText ?? '')"""
RESULTS = """() => [...document.querySelectorAll('#search-results li > a')].map(
    (link) => link.getAttribute('href').replace(/\\?[^#]*/, ''))"""
# What is asked, and a place that has to be among the answers.
QUERIES = {
    "어텐션": "book/glossary.html#term-attention",
    "학생": "book/attention.html",
    "은/는": "book/embeddings.html",
    "3.2.1": "book/attention.html#attention",
    "section 3.5": "book/positional_encoding.html#positional-encoding",
    "equation 3": "book/attention.html#equation-eq-attention",
    "paper: equation 1": "book/attention.html#attention",
    "softmax": "book/attention.html",
    "label smoothing": "book/training.html#what-label-smoothing-asks-for",
    "Noam": "book/training.html",
    "interleaved or concatenated": "book/positional_encoding.html#thm-positions-permutation",
    "theorem 1": "book/why_attention.html#",
    "causal_mask": "book/reference.html#annotated_transformer.masks.causal_mask",
    "--length-penalty": (
        "book/command_line.html#cmdoption-annotated-transformer-translate-length-penalty"
    ),
}
# A section of the paper, and the place that has to be the first of all answers.
FIRST = {
    "3.1": "book/encoder_decoder.html#encoder-and-decoder",
    "3.2": "book/attention.html#attention",
    "3.3": "book/feed_forward.html#feed-forward",
    "3.4": "book/embeddings.html#tokens-and-embeddings",
    "3.5": "book/positional_encoding.html#positional-encoding",
    "4": "book/why_attention.html#why-attention",
    "5.1": "book/training.html#what-padding-wastes",
    "5.2": "book/scaling_up.html#scaling-up",
    "5.3": "book/training.html#the-formulas",
    "5.4": "book/training.html#dropout",
    "6.1": "book/train_and_translate.html#train-and-translate",
    "6.2": "book/ablations.html#",
    "6.3": "book/parsing.html#",
}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Sections 3.2.1 and 5.3", {"Sections", "3.2.1", "3.2", "and", "5.3"}),
        ("나는 학생이다", {"나는", "학생", "생이", "이다", "학생이", "생이다", "학생이다"}),
        ("은/는", {"은", "는"}),
        ("BLEU를 noam_rate", {"BLEU", "를", "noam_rate", "noam", "rate"}),
        ("version 2.", {"version", "2"}),
        ("_private", {"_private", "private"}),
    ],
)
def test_a_text_is_cut_into_what_one_asks_for(text, terms):
    assert set(SPLIT(text)) == terms


def test_sections_of_the_paper_are_read_from_the_margin():
    page = publish_doctree(
        "A\n=\n\n.. sidebar::\n\n   Paper: sections 3.4, 5.1 and 5.4, equation 2\n\nIn section 9.\n"
    )
    page.children[0:0] = []
    found = [(kind, number) for kind, number, _ in of_the_paper(wrapped(page))]
    assert found == [("section", "3.4"), ("section", "5.1"), ("section", "5.4"), ("equation", "2")]


def test_what_a_page_is_about_is_said_first_in_a_note():
    page = publish_doctree(
        "A\n=\n\n.. sidebar::\n\n   Paper: sections 3.2.1 and 5.3, and section 6.1\n\n"
        ".. sidebar::\n\n   Section 4\n"
    )
    assert [number for number, _ in about(wrapped(page))] == ["3.2.1", "3.2", "5.3"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3.4", ["3.4"]),
        ("3.1, 3.3 to 3.5 and 5", ["3.1", "3.3", "3.4", "3.5", "5"]),
        ("5.1 to 5.4", ["5.1", "5.2", "5.3", "5.4"]),
        ("1 to 3", ["1", "2", "3"]),
    ],
)
def test_a_range_of_sections_has_those_between_its_ends(text, numbers):
    assert numbers_of(text) == numbers


def wrapped(page):
    """Give the margin a section above it, which docutils makes the title of the document."""
    section = nodes.section("", *page.children, ids=["a"])
    page.children = []
    page += section
    return page


def test_korean_names_of_a_term_end_with_the_first_sentence():
    text = "어텐션, also 주의, 주의 집중. A weighted average, also 평균."
    item = nodes.definition_list_item("", nodes.term(), nodes.definition("", nodes.Text(text)))
    assert korean_names(item) == ["어텐션", "주의", "주의 집중"]


@pytest.fixture(scope="module")
def page():
    if not (HTML / "searchindex.js").is_file():
        pytest.fail("there is no built book in _build/html: run make strict-book", pytrace=False)
    with launch() as browser:
        page = browser.new_page()
        page.failures = []
        page.on("pageerror", lambda error: page.failures.append(str(error)))
        page.on("requestfailed", lambda request: page.failures.append(request.url))
        yield page


def ask(page, query):
    page.goto(f"file://{HTML}/search.html?q={quote(query)}")
    page.wait_for_function(DONE)
    return page.evaluate(RESULTS)


@pytest.mark.parametrize(("query", "expected"), QUERIES.items())
def test_a_query_leads_to_its_place(page, query, expected):
    """From a file, as a reader opens a downloaded book, and without a failed request."""
    found = ask(page, query)
    assert any(f"{place}#".startswith(expected) or place.startswith(expected) for place in found)
    assert page.failures == []


@pytest.mark.parametrize(("query", "expected"), FIRST.items())
def test_a_section_of_the_paper_is_answered_first_by_its_chapter(page, query, expected):
    assert ask(page, query)[0].startswith(expected)


def test_the_name_of_the_package_does_not_list_all_of_it(page):
    assert len(ask(page, "transformer")) < 50


def test_a_word_that_is_nowhere_is_not_found(page):
    assert ask(page, "zyxwvut") == []


def test_both_sides_cut_a_query_alike(page):
    """Each word of the index that one may ask for is one term in the browser as well."""
    ask(page, "attention")
    index = json.loads((HTML / "searchindex.js").read_text("utf-8")[len("Search.setIndex(") : -1])
    terms = [term for term in index["terms"] if re.search(r"[가-힣]|\d\.\d", term)]
    assert len(terms) > 500
    assert page.evaluate("(terms) => terms.filter((t) => splitQuery(t).join() !== t)", terms) == []
