"""The drawings of a page in Korean: the labels of an SVG, and what it says to a screen reader.

A drawing is a file of `_static/` that a page takes in (`{raw} html` with `:file:`), such as the map
of the family. There is one file of it: the Korean edition changes its words when the page is read.
The words are `pictures:` in `book/ko/outputs/NAME.yml` (korean_words.py).
"""

import html
import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.util import logging

from korean_outputs import korean_html
from korean_units import page
from korean_words import BOOK, Words, words_of

FILE = re.compile(r"^:file: (_static/\S+\.svg)$", re.MULTILINE)
LINE_BREAK = re.compile(r"\s*\n\s*")
TEXT = re.compile(r"(?<=>)[^<>{}]+(?=</)")
SPOKEN = re.compile(r'(?<=aria-label=")[^"]*(?=")')
SENTENCES = re.compile("[:;] ")
"""Where a label that is spoken begins a new thing, for which Korean has a sentence."""

logger = logging.getLogger(__name__)


def drawings_of(name: str) -> Iterator[str]:
    """Yield the drawings that a page takes in."""
    if page(name).suffix == ".md":
        for file in FILE.findall(page(name).read_text(encoding="utf-8")):
            yield (BOOK / file).read_text(encoding="utf-8")


def korean_drawing(svg: str, words: Words) -> str:
    """Return a drawing with Korean words: those that it shows, and those that are read aloud."""

    def spoken(label: re.Match[str]) -> str:
        text = html.unescape(label[0])
        parts = [text] if words.find(text) else SENTENCES.split(text)
        return html.escape(". ".join(words.say(part) for part in parts))

    in_a_line = TEXT.sub(lambda text: LINE_BREAK.sub(" ", text[0]), svg)
    return SPOKEN.sub(spoken, korean_html(in_a_line, words))


def say_drawings(document: nodes.document, name: str) -> None:
    """Put the drawings of a page into Korean; warn of a word that has none."""
    for node in list(document.findall(nodes.raw)):
        if not node.get("source", "").endswith(".svg"):
            continue
        words = words_of(name, pictures=True)
        text = korean_drawing(node.astext(), words)
        node.replace_self(nodes.raw("", text, format="html"))
        for lacks in words.missing:
            logger.warning("%s: no Korean in book/ko/outputs/%s.yml for %r", name, name, lacks)
