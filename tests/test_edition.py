"""A notebook that is read says what its page says, and is plain: no markup of the book is left."""

import re
from collections import Counter
from functools import cache, lru_cache
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from rules import ROOT

CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("*.ipynb"))
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table").use(dollarmath_plugin)
RAW = [
    re.compile(r"\{[\w:-]+\}`"),  # a role
    re.compile(r"(?m)^[> ]*(?:`{3,}|:{3,}|~{3,})\{"),  # a directive
    re.compile(r"(?m)^[> ]*:[\w-]+:(?: |$)"),  # an option such as :label:
    re.compile(r"(?m)^\([\w-]+\)=$"),  # a label
    re.compile(r"\]\([^)]*\.md(?:#[^)]*)?\)"),  # a source of a page
    re.compile(r"page:book/"),  # an address that was not resolved
]
# What a page has besides its text: code and outputs, formulas, buttons, what scripts are for.
NO_TEXT = (
    ".cell_input, .cell_output .output, .cell > details, .headerlink, .math, mjx-container, "
    "button, script, style, .at-strip, .at-result, .live-still, .toctree-wrapper"
)
BLOCKS = "p, li, td, th, h1, h2, h3, h4, figcaption, .caption-text"


def squeezed(text):
    """Return a text without its spaces, and with one kind of each quotation mark."""
    return re.sub(r"\s+", "", text)


def notebook_of(html, name):
    return nbformat.read(html / "_sources" / "book" / f"{name}.ipynb", as_version=4)


def markdown_of(notebook):
    return "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


@lru_cache(maxsize=1)  # several tests of one chapter look at it, and none changes it
def shown(markdown):
    """Return Markdown as a browser has it, without its formulas."""
    soup = BeautifulSoup(MARKDOWN.render(markdown), "html.parser")
    for formula in soup.select(".math"):
        formula.decompose()
    return soup


@cache
def places(html, name):
    """Return what a link may lead to in the notebook of a chapter."""
    return {a["id"] for a in shown(markdown_of(notebook_of(html, name))).select("a[id]")}


def page_of(html, name):
    """Return the article of a page, its captions apart, without all that is no text.

    And the numbers of its equations, which go with them.
    """
    text = (html / "book" / f"{name}.html").read_text(encoding="utf-8")
    article = BeautifulSoup(text, "html.parser").find("article")
    numbers = [number.get_text().strip("#¶ ") for number in article.select(".eqno")]
    for figure in article.select(".cell figure"):
        figure.find_parent(class_="cell").insert_after(figure.find("figcaption").extract())
    for part in article.select(NO_TEXT):
        if not part.decomposed:
            part.decompose()
    return article, numbers


@pytest.fixture(scope="module", params=CHAPTERS)
def chapter(request, html):
    name = request.param
    article, numbers = page_of(html, name)
    return name, article, numbers, notebook_of(html, name)


def test_every_block_of_the_page_stands_in_the_notebook(chapter):
    """With its references: their numbers and texts are among the words that are compared."""
    _, article, _, notebook = chapter
    mine = squeezed(shown(markdown_of(notebook)).get_text())
    # The card of a chapter's letters is made for the page alone.
    kept = [block for block in article.select(BLOCKS) if not block.find_parent(class_="at-letters")]
    blocks = [squeezed(block.get_text()) for block in kept]
    assert len(blocks) > 40
    assert [block for block in blocks if block not in mine] == []


def test_numbers_are_those_of_the_page(chapter):
    _, article, _, notebook = chapter
    text = markdown_of(notebook)
    page = [n.get_text().strip() for n in article.select(".caption-number")]
    wanted = Counter(number.rstrip(".") for number in page)
    captions = re.findall(r"(?m)^(?:<a [^>]*></a>)*\*\*((?:Fig\.|Table) [\d.]+)\*\* ", text)
    theorems = re.findall(r"(?m)^> (?:<a [^>]*></a>)*\*\*([A-Z][a-z]+ \d+)", text)
    exercises = re.findall(r"(?m)^#+ (Exercise \d+)", text)
    exercises_of_page = [
        found[0]
        for title in article.select(".exercise > .admonition-title")
        if (found := re.match(r"Exercise \d+", title.get_text().strip()))
    ]
    assert exercises == exercises_of_page
    theorems_of_page = {k: n for k, n in wanted.items() if re.match(r"(?!Fig|Table)[A-Z]", k)}
    assert {*theorems_of_page} <= {*theorems} | {*exercises}
    figures = {key: n for key, n in wanted.items() if key.startswith(("Fig", "Table"))}
    assert Counter(captions) == figures


def test_equations_have_the_numbers_of_the_page(chapter):
    _, _, numbers, notebook = chapter
    tags = re.findall(r"\\tag\{([\d.]+)\}", markdown_of(notebook))
    assert [f"({tag})" for tag in tags] == numbers


def test_code_is_that_of_the_source_and_the_notebook_is_valid(chapter):
    name, *_, notebook = chapter
    nbformat.validate(notebook)
    source = nbformat.read(ROOT / "book" / f"{name}.ipynb", as_version=4)

    def code(of):
        cells = [cell for cell in of.cells if cell.cell_type == "code"]
        return [(c.id, c.source, c.outputs, c.execution_count) for c in cells]

    assert code(notebook) == code(source)
    assert notebook.metadata.kernelspec == source.metadata.kernelspec


def test_nothing_is_left_raw(chapter):
    *_, notebook = chapter
    text = markdown_of(notebook)
    assert [found[0] for pattern in RAW for found in pattern.finditer(text)] == []
    # What a quotation begins with would be seen within a formula of several lines.
    assert not re.search(r"(?m)^>+ *\$\$ *$", text)


def test_solutions_and_what_the_page_folds_are_folded(chapter):
    _, article, _, notebook = chapter
    solutions = article.select(".solution")
    text = markdown_of(notebook)
    folds = re.findall(r"<summary>(Solution .*)</summary>", text)
    assert len([title for title in folds if not title.endswith(", continued")]) == len(solutions)
    assert len({*folds}) == len(folds)
    folded = {c.id for c in notebook.cells if c.metadata.get("jupyter", {}).get("source_hidden")}
    source = [c.id for c in notebook.cells if "hide-input" in c.metadata.get("tags", ())]
    assert {*source} <= folded
    for cell in notebook.cells:
        assert (cell.metadata.get("cellView") == "form") is (cell.id in folded)


def test_links_lead_to_places_that_are_there(html, chapter):
    name, *_, notebook = chapter
    for link in shown(markdown_of(notebook)).select("a[href]"):
        file, _, place = link["href"].partition("#")
        if file.startswith("https://"):
            continue
        assert file == "" or Path(file).stem in CHAPTERS, link
        assert place == "" or place in places(html, Path(file).stem or name), link


def test_the_page_offers_it_for_download(html):
    page = (html / "book" / "attention.html").read_text(encoding="utf-8")
    assert 'href="../_sources/book/attention.ipynb"' in page
