"""Add to what show_source printed its lines, permalink, entry in the reference, and citation.

File names in a margin that begins with "Code:" link to the entries of their modules.

All are made when the book is built and never stored, so that an edit elsewhere in a file does not
change the chapters that show another part of it.
"""

import ast
import re
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from citation import bibtex, button
from on_pages import load_where
from repository import Repository
from words import either, say

ROOT = Path(__file__).parents[2]
TITLE = re.compile(
    r'(<div class="at-source" [^>]*>\s*<div class="at-source-title">.*?)</div>', re.DOTALL
)
UNTYPED = " without types</div>"
"""What show_source writes behind the name of a function that it prints without its types."""
ATTRIBUTE = re.compile(r'data-(file|object)="([^"]*)"')


def line_range(file: str, name: str) -> tuple[int, int]:
    """Return the first and last line of an object in a file, decorators included.

    Without a name it is the whole file.
    """
    text = (ROOT / file).read_text(encoding="utf-8")
    if not name:
        return 1, len(text.splitlines())
    tree: ast.AST = ast.parse(text)
    for part in name.split("."):
        tree = _definition(tree, part, file, name)
    decorators = getattr(tree, "decorator_list", [])
    first = min([tree.lineno, *(decorator.lineno for decorator in decorators)])
    return first, tree.end_lineno


def _definition(tree: ast.AST, part: str, file: str, name: str) -> ast.AST:
    for node in getattr(tree, "body", []):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        names = {
            getattr(node, "name", None),
            *(getattr(t, "id", None) for t in targets),
        }
        if part in names:
            return node
    raise ExtensionError(f"{file} defines no {name}, yet a chapter shows it: run make outputs")


def location(title: str, repository: Repository | None, entry: str | None = None) -> str:
    """Return the HTML that tells the lines of a listing, links to its entry, and has it cited."""
    found = {key: unescape(value) for key, value in ATTRIBUTE.findall(title)}
    file, name = found["file"], found.get("object", "")
    first, last = line_range(file, name)
    lines = "line {first}" if first == last else "lines {first}\N{EN DASH}{last}"
    text = say(lines, first=first, last=last)
    if repository is not None:
        link = escape(repository.permalink(file, first, last))
        text = f'<a class="reference external" href="{link}">{text}</a>'
    if entry is not None:
        what = escape(name or file)
        title = say("{what} in the API reference", what=what)
        text += f' <a class="at-entry" href="{escape(entry)}" title="{title}">'
        text += f"{say('Reference | of a listing')}</a>"
    citation = escape(bibtex(file, name, (first, last), repository)).replace("\n", "&#10;")
    return f' <span class="at-source-lines">{text} {button(citation)}</span>'


def reference_entry(app: Sphinx, page: str, title: str) -> str | None:
    """Return the address of a listing's object in the reference, from a page, if it is there."""
    found = {key: unescape(value) for key, value in ATTRIBUTE.findall(title)}
    module = found["file"].removesuffix(".py").replace("/", ".")
    domain = app.env.get_domain("py")
    if "object" not in found:
        known = domain.data["modules"].get(module)
    else:
        known = domain.data["objects"].get(f"{module}.{found['object']}")
    if known is None:
        return None
    return f"{app.builder.get_relative_uri(page, known.docname)}#{known.node_id}"


def titled(listing: str) -> str:
    """Return what show_source or show_difference printed with the words of its title said."""
    return listing.replace(UNTYPED, f" {say('without types')}</div>")


def add_locations(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Write lines, links and button into the title of every listing that show_source printed."""
    repository = Repository.from_environment()

    def completed(title: re.Match[str]) -> str:
        entry = reference_entry(app, page, title[1])
        return f"{title[1]}{location(title[1], repository, entry)}</div>"

    for node in list(doctree.findall(nodes.raw)):
        text = TITLE.sub(completed, titled(node.astext()))
        if text != node.astext():
            node.replace_self(nodes.raw("", text, format="html"))
    link_files(app, doctree, page)


def link_files(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Make links of the files that a margin names after "Code:"."""
    modules = app.env.get_domain("py").data["modules"]
    for margin in doctree.findall(nodes.sidebar):
        for paragraph in margin.findall(nodes.paragraph):
            if not paragraph.astext().startswith(either("Code:")):
                continue
            for file in list(paragraph.findall(nodes.literal)):
                name = file.astext().removesuffix(".py").strip("/").replace("/", ".")
                known = modules.get(f"annotated_transformer.{name}")
                if known is not None and not isinstance(file.parent, nodes.reference):
                    target = app.builder.get_relative_uri(page, known.docname)
                    link = nodes.reference("", "", refuri=f"{target}#{known.node_id}")
                    file.replace_self(link)
                    link += file


def has_listing(doctree: nodes.document) -> bool:
    """Tell whether a page shows code of the package with its lines."""
    return any(TITLE.search(node.astext()) for node in doctree.findall(nodes.raw))


def note_files(app: Sphinx, doctree: nodes.document) -> None:
    """Have a page built again when a file that it shows has changed."""
    for node in doctree.findall(nodes.raw):
        for title in TITLE.findall(node.astext()):
            file = dict(ATTRIBUTE.findall(title))["file"]
            app.env.note_dependency(str(ROOT / unescape(file)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-read", note_files)
    app.connect("doctree-resolved", add_locations)
    load_where(app, has_listing, "cite.js", defer="defer")
    return {"parallel_read_safe": True, "parallel_write_safe": True}
