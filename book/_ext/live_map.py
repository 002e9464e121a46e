"""The live map: what it is told when the book is built, and its strip in each chapter.

Which chapter explains a block, and on which lines of minimal.py it stands, is looked up, never
typed: lines by `source_links.line_range`, titles in Sphinx's own table.
"""

import json
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from map_strip import LIT, TRACE, strip
from repository import Repository
from source_links import ROOT, line_range

FILE = "annotated_transformer/minimal.py"
OPENING = "<live-map>"
SIDEBAR = re.compile(r'<div id="pst-primary-sidebar"[^>]*>')
# Where scripts do not run nothing could open it again, so it stays.
CLOSE = "<script>document.currentScript.parentElement.classList.add('pst-sidebar-hidden')</script>"
BLOCKS = {
    "embed": ("embeddings", ("Embedding", "sinusoids", "Positions")),
    "self": ("multi_head_attention", ("attention", "MultiHeadAttention")),
    "masked": ("masks", ("attention", "Transformer.decode")),
    "cross": ("encoder_decoder", ("attention", "DecoderLayer")),
    "ffn": ("feed_forward", ("FeedForward",)),
    "norm": ("layer_normalization", ("LayerNorm", "Residual")),
    "out": ("decoding", ("Transformer.decode",)),
}
"""Block of the map to the chapter that explains it and its names in minimal.py."""


def code_of(names: tuple[str, ...], repository: Repository | None) -> list[dict[str, Any]]:
    """Return name, first and last line, text and permalink of each piece of minimal.py."""
    lines = (ROOT / FILE).read_text(encoding="utf-8").splitlines()
    found = []
    for name in names:
        first, last = line_range(FILE, name)
        piece = {"name": name, "lines": [first, last], "text": "\n".join(lines[first - 1 : last])}
        if repository is not None:
            piece["link"] = repository.permalink(FILE, first, last)
        found.append(piece)
    return found


def places(titles: dict[str, str], repository: Repository | None = None) -> dict[str, Any]:
    """Return what the map says of its blocks; titles has those of the chapters."""
    return {
        "blocks": {
            block: {
                "chapter": f"{chapter}.html",
                "title": titles.get(chapter, chapter),
                "code": code_of(names, repository),
            }
            for block, (chapter, names) in BLOCKS.items()
        },
        "titles": {chapter: titles.get(chapter, chapter) for chapter in LIT},
    }


def told(html: str, found: dict[str, Any]) -> str:
    """Return the HTML of a map that has been told its places."""
    data = json.dumps(found, ensure_ascii=False).replace("</", "<\\/")
    script = f'<script type="application/json" class="map-places">{data}</script>'
    return html.replace(OPENING, f"{OPENING}\n{script}", 1)


def _titles(app: Sphinx) -> dict[str, str]:
    return {Path(page).name: title.astext() for page, title in app.env.titles.items()}


def tell_map(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Hand the places to the map of a page, and put the strip below the title of a chapter."""
    if app.builder.format != "html":
        return
    for node in list(doctree.findall(nodes.raw)):
        if OPENING in node.astext():
            text = told(node.astext(), places(_titles(app), Repository.from_environment()))
            node.replace_self(nodes.raw("", text, format="html"))
    chapter = Path(page).name
    title = next(iter(doctree.findall(nodes.title)), None)
    if chapter in LIT and title is not None:
        address = app.builder.get_relative_uri(page, app.config.root_doc)
        html = strip(chapter, title.astext(), address)
        title.parent.insert(title.parent.index(title) + 1, nodes.raw("", html, format="html"))


def wide_page(html: str) -> str:
    """Return a page whose contents are closed at first where a map stands: it needs their room."""
    if OPENING not in html or CLOSE in html:
        return html
    return SIDEBAR.sub(rf"\g<0>{CLOSE}", html, count=1)


def note_files(app: Sphinx, doctree: nodes.document) -> None:
    """Have pages built again when the code or the run that they show has changed."""
    page = app.env.docname
    if Path(page).name in LIT:
        app.env.note_dependency(str(TRACE))
    if any(OPENING in node.astext() for node in doctree.findall(nodes.raw)):
        app.env.note_dependency(str(ROOT / FILE))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.connect("doctree-read", note_files)
    app.connect("doctree-resolved", tell_map)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
