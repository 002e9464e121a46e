"""Add line numbers and the permalink to what show_source printed.

Both are computed when the book is built and never stored, so that an edit elsewhere in a file does
not change the chapters that show another part of it.
"""

import ast
import re
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

from repository import Repository

ROOT = Path(__file__).parents[2]
TITLE = re.compile(
    r'(<div class="at-source" [^>]*>\s*<div class="at-source-title">.*?)</div>', re.DOTALL
)
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


def location(title: str, repository: Repository | None) -> str:
    """Return the HTML that tells the lines of a listing."""
    found = {key: unescape(value) for key, value in ATTRIBUTE.findall(title)}
    first, last = line_range(found["file"], found.get("object", ""))
    text = f"line {first}" if first == last else f"lines {first}\N{EN DASH}{last}"
    if repository is not None:
        link = escape(repository.permalink(found["file"], first, last))
        text = f'<a class="reference external" href="{link}">{text}</a>'
    return f' <span class="at-source-lines">{text}</span>'


def add_locations(_app: Sphinx, doctree: nodes.document, _page: str) -> None:
    """Write the line numbers into the title of every listing that show_source printed."""
    repository = Repository.from_environment()
    for node in list(doctree.findall(nodes.raw)):
        if TITLE.search(node.astext()):
            text = TITLE.sub(lambda m: f"{m[1]}{location(m[1], repository)}</div>", node.astext())
            node.replace_self(nodes.raw("", text, format="html"))


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
    return {"parallel_read_safe": True, "parallel_write_safe": True}
