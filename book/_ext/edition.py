"""The notebooks that are read: each chapter in plain Markdown, with the numbers of its page.

The notebooks of `book/` are sources: their Markdown has directives, roles and labels that only the
book understands. Here the resolved doctree of each chapter is written as a notebook that
JupyterLab, Colab, VS Code and GitHub show alike; code cells and their outputs are those of the
source. It is written with the pages, from the same doctrees, and takes the place of the source
behind their download button, in `_sources/`. `make lab` and the launch copies open what is there.
"""

import filecmp
import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment

from korean_pages import korean
from korean_units import page as english
from plain_lines import PAGE
from plain_markdown import Block, Code, Text, Writer
from repository import Repository
from words import ENGLISH, KOREAN

FOLDER = "_sources"
FOLDED = "jp-MarkdownHeadingCollapsed"
"""The key of JupyterLab in the metadata of a cell whose heading folds its section."""
# What the page folds is folded; what it leaves out too, because the cells below need it.
CODE_FOLDED = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
OUTPUT_FOLDED = {"hide-output", "hide-cell", "remove-output", "remove-cell"}
LINK = re.compile(r"\]\((\w+)\.ipynb#([\w-]+)\)")
NOT_ON_THE_PAGE = {"remove-cell", "remove-input"}


class EditionBuilder(Builder):
    """Writes a notebook of every chapter that is one."""

    name = "edition"
    format = "notebook"

    def get_outdated_docs(self) -> list[str]:
        """Return all chapters: a number may have changed in each."""
        return chapters(self.env)

    def get_target_uri(self, docname: str, typ: str | None = None) -> str:
        """Return the address of a page, which the writer replaces."""
        return PAGE + docname

    def get_relative_uri(self, from_: str, to: str, typ: str | None = None) -> str:
        """Return the same from everywhere."""
        return PAGE + to

    def prepare_writing(self, docnames: set[str]) -> None:
        """Nothing is shared between chapters."""

    def write_doc(self, docname: str, doctree: nodes.document) -> None:
        """Write one chapter."""
        if docname not in chapters(self.env):
            return
        source = nbformat.reads(source_text(self.config.language, docname), as_version=4)
        repository = Repository.from_environment()
        pages = repository.pages if repository is not None else None
        if pages is not None and self.config.language != ENGLISH:
            pages = f"{pages}/{self.config.language}"

        known = chapters(self.env)
        writer = Writer(
            page=docname,
            numbers=self.env.toc_fignumbers.get(docname, {}),
            address=lambda page, name: address(docname, page, name, pages=pages, known=known),
            anchors=anchors(self.env, docname, doctree),
            captions=self.config.numfig_format,
        )
        blocks = list(writer.blocks(doctree))
        write_notebook(source, blocks, writer.pictures, Path(self.outdir, f"{docname}.ipynb"))


def source_text(language: str, page: str) -> str:
    """Return a chapter as the pages of an edition were made from it."""
    name = page.rpartition("/")[2]
    return korean(name) if language == KOREAN else english(name).read_text(encoding="utf-8")


def address(here: str, page: str, name: str, *, pages: str | None, known: list[str]) -> str | None:
    """Return what a link from one chapter to a place on a page asks for; None if it is nowhere.

    The published book is found from everywhere, also from a notebook that was loaded alone. A book
    without an address of its own has its chapters beside each other, and nothing else.
    """
    anchor = f"#{name}" if name else ""
    if page == here and name:
        return anchor
    if pages is not None:
        return f"{pages}/{page}.html{anchor}"
    if page in known and page != here:
        return posixpath.relpath(f"{page}.ipynb", posixpath.dirname(here)) + anchor
    return None


def chapters(env: BuildEnvironment) -> list[str]:
    """Return the chapters that are notebooks."""
    return sorted(page for page in env.found_docs if str(env.doc2path(page)).endswith(".ipynb"))


@cache
def asked_from_elsewhere(folder: Path) -> dict[str, set[str]]:
    """Return the headings of each chapter that the sources of chapters link to."""
    found: dict[str, set[str]] = defaultdict(set)
    for source in folder.glob("*.ipynb"):
        for chapter, name in LINK.findall(source.read_text(encoding="utf-8")):
            found[chapter].add(name)
    return found


def anchors(env: BuildEnvironment, page: str, doctree: nodes.document) -> set[str]:
    """Return the names of places that links may ask for: labels, and what any chapter links to."""
    labels = env.get_domain("std").data["anonlabels"].values()
    named = {label for where, label in labels if where == page}
    numbered = {name for names in env.toc_fignumbers.get(page, {}).values() for name in names}
    linked = set()
    for link in doctree.findall(nodes.reference):
        where, _, name = link.get("refuri", "").partition("#")
        if where in ("", PAGE + page):
            linked.add(link.get("refid", name))
    source = Path(env.doc2path(page))
    return named | numbered | linked | asked_from_elsewhere(source.parent)[source.stem]


def write_notebook(
    source: NotebookNode, blocks: list[Block], pictures: dict[str, str], path: Path
) -> None:
    """Write a chapter's blocks with the code cells of its source."""
    cells = list(cells_of(blocks, source, pictures))
    closed = [cell.id for cell in cells if cell.metadata.get(FOLDED)]
    if closed:
        # Colab knows a cell by the id in its metadata.
        for cell in cells:
            if cell.id in closed:
                cell.metadata["id"] = cell.id
        source.metadata["colab"] = {"collapsed_sections": closed}
    source.cells = cells
    nbformat.validate(source)
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(source, path)


def cells_of(
    blocks: list[Block], source: NotebookNode, pictures: dict[str, str]
) -> Iterator[NotebookNode]:
    """Yield the cells of a chapter; text ends with a code cell, and before a heading."""
    waiting = unseen(blocks, source)
    last, count, texts = "start", 0, []  # the code cell before, and texts since then
    for block in [*blocks, None]:
        if texts and (not isinstance(block, Text) or block.heading or texts[-1].closed):
            yield text_cell(texts, f"{last}-{count}", pictures)
            texts, count = [], count + 1
        if isinstance(block, Text):
            texts.append(block)
            continue
        end = block.index if isinstance(block, Code) else len(source.cells)
        while waiting and waiting[0] < end:
            yield code_cell(source.cells[waiting.pop(0)])
        if isinstance(block, Code):
            cell = code_cell(source.cells[block.index], closed=block.closed)
            last, count = cell.id, 0
            yield cell


def unseen(blocks: list[Block], source: NotebookNode) -> list[int]:
    """Return the numbers of code cells that the page leaves out and a reader has to run."""
    seen = {block.index for block in blocks if isinstance(block, Code)}
    return [
        index
        for index, cell in enumerate(source.cells)
        if cell.cell_type == "code"
        and index not in seen
        and NOT_ON_THE_PAGE & {*cell.metadata.get("tags", ())}
    ]


def text_cell(texts: list[Text], name: str, pictures: dict[str, str]) -> NotebookNode:
    """Return a Markdown cell, with the pictures that it shows."""
    text = "\n\n".join(text.markdown for text in texts)
    cell = nbformat.v4.new_markdown_cell(text, id=name)
    shown = {name: data for name, data in pictures.items() if f"(attachment:{name})" in text}
    if shown:
        cell.attachments = {name: {"image/png": data} for name, data in shown.items()}
    if texts[-1].closed:
        cell.metadata[FOLDED] = True
    return cell


def code_cell(cell: NotebookNode, *, closed: bool = False) -> NotebookNode:
    """Return a code cell with what is folded on the page folded."""
    tags = {*cell.metadata.get("tags", ())}
    hidden: dict[str, Any] = {}
    if closed or tags & CODE_FOLDED:
        hidden["source_hidden"] = True
        cell.metadata["cellView"] = "form"  # of Colab
    if closed or tags & OUTPUT_FOLDED:
        hidden["outputs_hidden"] = True
    if hidden:
        cell.metadata["jupyter"] = {**cell.metadata.get("jupyter", {}), **hidden}
    return cell


def write_with_pages(app: Sphinx, error: Exception | None) -> None:
    """Write the chapters whose pages were written, in the place of their copied sources."""
    pages = app.builder
    if error is not None or not isinstance(pages, StandaloneHTMLBuilder):
        return
    edition = app.registry.create_builder(app, EditionBuilder.name, app.env)
    edition.outdir = Path(app.outdir, FOLDER)
    app.builder = edition  # transforms ask it what they are for
    try:
        for page in chapters(app.env):
            copy = Path(edition.outdir, f"{page}.ipynb")
            if copy.is_file() and filecmp.cmp(copy, app.env.doc2path(page), shallow=False):
                edition.write_doc(page, app.env.get_and_resolve_doctree(page, edition))
    finally:
        app.builder = pages


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_builder(EditionBuilder)
    app.connect("build-finished", write_with_pages)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
