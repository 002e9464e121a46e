"""What several extensions do: load files on some pages alone, and write a node as two tags."""

from collections.abc import Callable
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

Visitor = Callable[[HTML5Translator, nodes.Element], None]


def load_where(
    app: Sphinx, has: Callable[[nodes.document], bool], *files: str, **script: Any
) -> None:
    """Load style sheets and scripts on the pages that have something.

    script: how the scripts are loaded, as `add_js_file` takes it.
    """

    def add_files(
        app: Sphinx, _page: str, _template: str, _context: object, doctree: nodes.document | None
    ) -> None:
        for file in files if doctree is not None and has(doctree) else ():
            if file.endswith(".css"):
                app.add_css_file(file)
            else:
                app.add_js_file(file, **script)

    app.connect("html-page-context", add_files)


def between(begin: str, end: str) -> tuple[Visitor, Visitor]:
    """Return the visitors of a node that is what it holds, between two tags."""
    return (lambda writer, _: writer.body.append(begin), lambda writer, _: writer.body.append(end))
