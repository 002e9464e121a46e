"""What the book's search knows besides English words: Korean, numbers such as 5.3, and places.

Sphinx cuts text into words of letters and digits, and a query in the browser by another rule, from
which it then drops whole numbers. So "5.3" was never found, a Korean word of two syllables only
where nothing is attached to it, and no result led to an equation. Here both sides cut alike, and
places get titles that are found and not shown; so has a page the names that the glossary gives to
what it explains. search_rank.js says in what order the pages are listed.
"""

import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains import Domain
from sphinx.domains.python import PythonDomain
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.search.en import SearchEnglish

from languages import ANY_HANGUL, HANGUL
from words import either, say

TERM = re.compile(rf"\d+(?:\.\d+)+|[{HANGUL}]+|[^\W{HANGUL}]+")
# What the browser does with a query; `\w` of Python is a letter, a number or an underscore. On file://
# a browser refuses to fetch the pages that results are excerpts of, and says so in the console.
SPLITTER = rf"""
var splitQuery = (query) => query.match(
  /\d+(?:\.\d+)+|[{HANGUL}]+|(?:(?![{HANGUL}])[\p{{L}}\p{{N}}_])+/gu) ?? [];
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
"""
LONGEST = 30  # letters of a term
ARXIV = re.compile(r"\d{4}\.\d{4,5}")
GLOSSARY = "book/glossary"
MORE = r"(?:(?:, | and | to )\d+(?:\.\d+)*)*"
PAPER = re.compile(rf"\b(section|equation)s? (\d+(?:\.\d+)*{MORE})", re.IGNORECASE)
NUMBER = re.compile(r"(to )?((?:\d+\.)*)(\d+)")
# A note that begins so says what the chapter or section is about; others mention a place.
ABOUT = re.compile(rf"Paper: sections? (\d+(?:\.\d+)*{MORE})")
# The same in Korean, where the numbers stand before the word for section: 3.1절, 3.3~3.5절.
LIST = r"\d+(?:\.\d+)*(?:절?(?:, ?|과 |와 |~)\d+(?:\.\d+)*)*"
PAPER_KOREAN = re.compile(rf"(?P<section>{LIST})절|식 (?P<equation>{LIST})(?!절)")
ABOUT_KOREAN = re.compile(rf"논문: ({LIST})절")
KINDS = {"displaymath": "Equation"}
# Between the names that an entry of the glossary begins with.
BETWEEN = re.compile(r", also |, 다른 말로 |, |; the mask itself: | \(.*?\)")


class BookSearch(SearchEnglish):
    """English words by their stems, Korean words as they stand, numbers with their dots."""

    lang = "en"
    js_splitter_code = SPLITTER

    def split(self, text: str) -> list[str]:
        """Cut a text into the terms under which it is found."""
        return [part for term in TERM.findall(text) for part in parts(term)]

    def word_filter(self, word: str) -> bool:
        """Say whether somebody may ask for a term: 3.2.1 and 28.4, but not 0.00653.

        Sphinx joins the cells of a table of HTML, so there are very long ones. Of a Korean one
        somebody may ask for a part.
        """
        if ANY_HANGUL.match(word):
            return True
        dotted = "." in word and not ARXIV.fullmatch(word)
        odd = any(len(part) > 2 for part in word.split(".")) if dotted else len(word) > LONGEST
        return ("_" in word or not odd) and super().word_filter(word)


def parts(term: str) -> list[str]:
    """Return what finds a term: of 3.2.1 also 3.2, of noam_rate also its words.

    A Korean word is found by all of its parts; search_rank.js makes them of the word, because they
    would be most of the index.
    """
    if ANY_HANGUL.match(term):
        return [term]
    if "." in term:
        numbers = term.split(".")
        return [".".join(numbers[:end]) for end in range(len(numbers), 1, -1)]
    return list({term, *filter(None, term.split("_"))})


class Searchable(nodes.title):
    """A title that is found and not shown."""


class Quiet(Domain):
    """A domain whose objects the search knows by the titles below.

    As objects they would be found by any part of their full name: "transformer" would list all.
    """

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        """Yield every object with the priority of one that no search lists."""
        for *entry, _priority in super().get_objects():
            yield (*entry, -1)


class QuietPythonDomain(Quiet, PythonDomain):
    """The names of the package."""


class QuietStandardDomain(Quiet, StandardDomain):
    """The options of the command line; terms of the glossary are found as entries of the index."""


def places(doctree: nodes.document, numbered: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield title and anchor of what a page can be searched for.

    A title comes first of which all was asked for, hence the number alone where the page is about
    that section.
    """
    for kind, numbers in numbered.items():
        for anchor, number in numbers.items():
            yield f"{say(KINDS.get(kind, kind.title()))} {'.'.join(map(str, number))}", anchor
    for kind, number, anchor in of_the_paper(doctree):
        yield say(f"Paper: {kind} {{number}}", number=number), anchor
    yield from about(doctree)
    for signature in doctree.findall(addnodes.desc_signature):
        name = next(signature.findall(addnodes.desc_name), None)
        if signature.get("ids") and name:
            yield name.astext(), signature["ids"][0]
    for item in entries(doctree):
        anchor = next(item.findall(nodes.term))["ids"][0]
        yield from ((name, anchor) for name in names(item))


def of_the_paper(doctree: nodes.document) -> Iterator[tuple[str, str, str]]:
    """Yield each section and equation of the paper that a margin note names, and where it does."""
    seen = set()
    for text, anchor in margins(doctree):
        for kind, numbers in named(text):
            for number in numbers_of(numbers):
                if (kind, number) not in seen:
                    seen.add((kind, number))
                    yield kind, number, anchor


def named(text: str) -> Iterator[tuple[str, str]]:
    """Yield what a note says of sections and equations of the paper: the kind, and numbers."""
    yield from ((kind.lower(), numbers) for kind, numbers in PAPER.findall(text))
    if text.startswith(either("Paper:")[1]):
        for found in PAPER_KOREAN.finditer(text):
            yield str(found.lastgroup), found[found.lastgroup]


def about(doctree: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield each section of the paper that a page is about, with those that it is a part of."""
    seen = set()
    for text, anchor in margins(doctree):
        for numbers in [*ABOUT.findall(text), *ABOUT_KOREAN.findall(text)]:
            for number in numbers_of(numbers):
                for part in parts(number):
                    if part not in seen:
                        seen.add(part)
                        yield part, anchor


def margins(doctree: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield the text of each margin note, and the anchor of the section that it stands in."""
    for margin in doctree.findall(nodes.sidebar):
        place = margin.parent
        while not isinstance(place, nodes.section):
            place = place.parent
        yield margin.astext(), place["ids"][0]


def numbers_of(text: str) -> list[str]:
    """Return the numbers of "3.1, 3.3 to 3.5", or of "3.1절, 3.3~3.5", with those between ends."""
    found: list[str] = []
    for to, above, last in NUMBER.findall(text.replace("~", " to ")):
        first = int(found[-1].rpartition(".")[2]) + 1 if to else int(last)
        found += [f"{above}{number}" for number in range(first, int(last) + 1)]
    return found


def entries(doctree: nodes.document) -> Iterator[nodes.definition_list_item]:
    """Yield the entries of the glossary, if this is its page."""
    for item in doctree.findall(nodes.definition_list_item):
        ids = (name for term in item.findall(nodes.term) for name in term["ids"][:1])
        if any(name.startswith("term-") for name in ids):
            yield item


def names(item: nodes.definition_list_item) -> list[str]:
    """Return the names of an entry of the glossary, those that it stands under left out.

    Of "**어텐션**, also 주의. Also *attending*." these are 어텐션, 주의 and attending.
    """
    definition = item.children[-1]
    first = definition.astext().partition(". ")[0]
    others = [word.astext() for word in definition.findall(nodes.emphasis)]
    return [name for name in [*BETWEEN.split(first), *others] if name]


def names_of_pages(glossary: nodes.document) -> dict[str, list[str]]:
    """Return for each page the names of what the glossary says is explained there."""
    found: dict[str, list[str]] = {}
    for item in entries(glossary):
        called = [BETWEEN.sub("", term.astext()) for term in item.findall(nodes.term)] + names(item)
        for link in item.findall(addnodes.pending_xref):
            found.setdefault(link["reftarget"], []).extend(called)
    return found


def add_places(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Append a hidden title for each place; the index is made of the page as it is now.

    A title without an anchor is a name of the whole page.
    """
    if app.builder.format != "html":
        return
    for title, anchor in list(places(doctree, app.env.toc_fignumbers.get(page, {}))):
        doctree += nodes.container("", Searchable(title, title), ids=[anchor])
    for name in names_of_pages(glossary(app)).get(page, []):
        doctree += nodes.container("", Searchable(name, name))


def note_glossary(_app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Note whether the glossary is read in this build."""
    env.glossary_is_read = GLOSSARY in pages  # type: ignore[attr-defined]


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the pages whose names a new glossary may have changed."""
    return list(names_of_pages(glossary(app))) if env.glossary_is_read else []  # type: ignore[attr-defined]


def glossary(app: Sphinx) -> nodes.document:
    """Return the glossary as it was read; a book without one has an empty glossary."""
    if GLOSSARY not in app.env.found_docs:
        return nodes.document("", "")  # type: ignore[arg-type]
    return app.env.get_doctree(GLOSSARY)


def skip(_translator: object, _node: nodes.Node) -> None:
    """Leave a node out of the page."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_search_language(BookSearch)
    app.add_domain(QuietPythonDomain, override=True)
    app.add_domain(QuietStandardDomain, override=True)
    app.add_node(Searchable, html=(skip, None))
    app.connect("env-before-read-docs", note_glossary)
    app.connect("env-updated", pages_to_write)
    app.connect("doctree-resolved", add_places)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
