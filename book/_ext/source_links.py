"""Add line numbers and the permalink to what show_source printed.

Both are computed when the book is built and are never stored, so that an edit elsewhere in a file
does not redden the chapters that show another part of it.
"""

import ast
import re
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from repository import Repository
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

ROOT = Path(__file__).parents[2]
OPENING = re.compile(r'<div class="at-source"[^>]*>')
ATTRIBUTE = re.compile(r'data-(file|object)="([^"]*)"')


def line_range(file: str, name: str) -> tuple[int, int]:
    """Return the first and last line of an object in a file, decorators included."""
    tree: ast.AST = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    for part in name.split("."):
        tree = _definition(tree, part, file, name)
    decorators = getattr(tree, "decorator_list", [])
    first = min([tree.lineno, *(decorator.lineno for decorator in decorators)])
    return first, tree.end_lineno


def _definition(tree: ast.AST, part: str, file: str, name: str) -> ast.AST:
    for node in getattr(tree, "body", []):
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        names = {getattr(node, "name", None), *(getattr(t, "id", None) for t in targets)}
        if part in names:
            return node
    raise ExtensionError(f"{file} defines no {name}, yet a chapter shows it: run make outputs")


def location(opening: str, repository: Repository | None) -> str:
    """Return the HTML that says where the shown code stands."""
    found = {key: unescape(value) for key, value in ATTRIBUTE.findall(opening)}
    first, last = line_range(found["file"], found["object"])
    text = f"{escape(found['file'])}, lines {first} to {last}"
    if repository is not None:
        link = escape(repository.permalink(found["file"], first, last))
        text = f'<a class="reference external" href="{link}">{text}</a>'
    return f'<p class="at-source-lines">{text}</p>'


def add_locations(app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Write the location behind every opening tag that show_source printed."""
    repository = Repository.from_environment()
    for node in list(doctree.findall(nodes.raw)):
        if OPENING.search(node.astext()):
            text = OPENING.sub(lambda m: m[0] + location(m[0], repository), node.astext())
            node.replace_self(nodes.raw("", text, format="html"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-resolved", add_locations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
