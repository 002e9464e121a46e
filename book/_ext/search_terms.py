"""What the book's search knows besides English words: Korean, numbers such as 5.3, and places.

Sphinx cuts text into words of letters and digits, and a query in the browser by another rule, from
which it then drops whole numbers. So "5.3" was never found, a Korean word of two syllables only
where nothing is attached to it, and no result led to an equation. Here both sides cut alike, and
places get titles that are found and not shown.
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
from sphinx.search.en import SearchEnglish

HANGUL = "\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3"
TERM = re.compile(rf"\d+(?:\.\d+)+|[{HANGUL}]+|[^\W{HANGUL}]+")
# What the browser does with a query; `\w` of Python is a letter, a number or an underscore. Places
# come before pages that are found alike, and the pages of the reference last. On file:// a browser
# refuses to fetch the pages that results are excerpts of, and says so in the console.
SPLITTER = rf"""
var splitQuery = (query) => query.match(
  /\d+(?:\.\d+)+|[{HANGUL}]+|(?:(?![{HANGUL}])[\p{{L}}\p{{N}}_])+/gu) ?? [];
Scorer.score = ([page, , anchor, , score]) =>
  score + (anchor ? 1 : -/\/(reference\w*|command_line|bibliography)$/.test(page));
if (location.protocol === "file:") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
"""
MORE = r"(?:(?:, | and | to )\d+(?:\.\d+)*)*"
PAPER = re.compile(rf"\b(section|equation)s? (\d+(?:\.\d+)*{MORE})", re.IGNORECASE)
NUMBER = re.compile(r"(to )?((?:\d+\.)*)(\d+)")
# A note that begins so says what the chapter or section is about; others mention a place.
ABOUT = re.compile(rf"Paper: sections? (\d+(?:\.\d+)*{MORE})")
KINDS = {"displaymath": "Equation"}


class BookSearch(SearchEnglish):
    """English words by their stems, Korean words by all their parts, numbers with their dots."""

    lang = "en"
    js_splitter_code = SPLITTER

    def split(self, text: str) -> list[str]:
        """Cut a text into the terms under which it is found."""
        return [part for term in TERM.findall(text) for part in parts(term)]


def parts(term: str) -> list[str]:
    """Return what finds a term: of Korean all parts of two syllables or more, of 3.2.1 also 3.2.

    A name such as noam_rate is found by its words too.
    """
    if re.match(rf"[{HANGUL}]", term):
        ends = range(2, len(term) + 1)
        return list({term, *(term[i:end] for end in ends for i in range(end - 1))})
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

    A query has to be half as long as a title, hence the sign for "section". What is nearer to its
    title in length comes first, hence the number alone where the page is about that section.
    """
    for kind, numbers in numbered.items():
        for anchor, number in numbers.items():
            yield f"{KINDS.get(kind, kind.title())} {'.'.join(map(str, number))}", anchor
    for kind, number, anchor in of_the_paper(doctree):
        yield f"Paper: {kind} {number}", anchor
        if kind == "section":
            yield f"\N{SECTION SIGN} {number}", anchor
    yield from about(doctree)
    for signature in doctree.findall(addnodes.desc_signature):
        names = list(signature.findall(addnodes.desc_name))
        if signature.get("ids") and names:
            yield names[0].astext(), signature["ids"][0]
    for item in doctree.findall(nodes.definition_list_item):
        for term in item.findall(nodes.term):
            if term.get("ids") and term["ids"][0].startswith("term-"):
                yield from ((name, term["ids"][0]) for name in korean_names(item))


def of_the_paper(doctree: nodes.document) -> Iterator[tuple[str, str, str]]:
    """Yield each section and equation of the paper that a margin note names, and where it does."""
    seen = set()
    for text, anchor in margins(doctree):
        for kind, numbers in PAPER.findall(text):
            for number in numbers_of(numbers):
                if (kind.lower(), number) not in seen:
                    seen.add((kind.lower(), number))
                    yield kind.lower(), number, anchor


def about(doctree: nodes.document) -> Iterator[tuple[str, str]]:
    """Yield each section of the paper that a page is about, with those that it is a part of."""
    seen = set()
    for text, anchor in margins(doctree):
        for numbers in ABOUT.findall(text):
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
    """Return the numbers of "3.1, 3.3 to 3.5", with those between two ends."""
    found: list[str] = []
    for to, above, last in NUMBER.findall(text):
        first = int(found[-1].rpartition(".")[2]) + 1 if to else int(last)
        found += [f"{above}{number}" for number in range(first, int(last) + 1)]
    return found


def korean_names(item: nodes.definition_list_item) -> list[str]:
    """Return the Korean words that an entry of the glossary begins with: **어텐션**, also 주의."""
    text = item.children[-1].astext().partition(". ")[0]
    return [name for name in re.split(r", also |, ", text) if re.match(rf"[{HANGUL}]", name)]


def add_places(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Append a hidden title for each place; the index is made of the page as it is now."""
    if app.builder.format != "html":
        return
    for title, anchor in list(places(doctree, app.env.toc_fignumbers.get(page, {}))):
        doctree += nodes.container("", Searchable(title, title), ids=[anchor])


def skip(_translator: object, _node: nodes.Node) -> None:
    """Leave a node out of the page."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_search_language(BookSearch)
    app.add_domain(QuietPythonDomain, override=True)
    app.add_domain(QuietStandardDomain, override=True)
    app.add_node(Searchable, html=(skip, None))
    app.connect("doctree-resolved", add_places)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
