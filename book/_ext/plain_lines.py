"""Plain Markdown of what stands in a line: text, code, formulas, links."""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import singledispatchmethod
from html import unescape

from docutils import nodes
from sphinx.errors import SphinxError

PAGE = "page:"
"""What an address begins with that leads into the book; the name of the page follows."""

SPECIAL = re.compile(r"([\\`*_\[\]$~|])")
ENTITY = re.compile(r"&(?=#?\w+;)")
ENVIRONMENT = re.compile(r"\\(begin|end)\{(?:align|gather|equation|split)\*?\}")
NESTING = re.compile(r"(\\\\)|\\(begin|end)\{")
TAG = re.compile(r"(<[^>]+>)")


@dataclass
class Lines:
    """The lines of one chapter."""

    page: str
    numbers: dict[str, dict[str, tuple[int, ...]]]
    address: Callable[[str, str], str | None]
    """Where a page and an anchor are found from this chapter; None if nowhere."""
    anchors: set[str]
    """The names by which links find a place in this chapter."""
    captions: dict[str, str]
    """How the page begins a caption, by the kind of what it belongs to: "Fig. %s"."""
    in_table: bool = False

    def number(self, kind: str, name: str) -> str:
        """Return the number of a figure, an equation ... as the page shows it."""
        return ".".join(map(str, self.numbers[kind][name]))

    def anchor(self, *found: nodes.Element) -> str:
        """Return what lets links find these nodes."""
        names = dict.fromkeys(name for node in found for name in node.get("ids", ()))
        return "".join(f'<a id="{n}" name="{n}"></a>' for n in names if n in self.anchors)

    def line(self, node: nodes.Element) -> str:
        """Return what stands in one line."""
        return "".join(self.inline(child) for child in node.children)

    @singledispatchmethod
    def inline(self, node: nodes.Node) -> str:
        """Return one piece of a line."""
        raise self.unknown(node)

    @inline.register
    def _(self, node: nodes.Text) -> str:
        return escaped(str(node).replace("\n", " "))

    @inline.register
    def _(self, node: nodes.emphasis | nodes.title_reference) -> str:
        return self.marked(node, "*", "em")

    @inline.register
    def _(self, node: nodes.strong) -> str:
        return self.marked(node, "**", "strong")

    @inline.register
    def _(self, node: nodes.superscript | nodes.subscript) -> str:
        tag = node.tagname[:3]
        return f"<{tag}>{self.line(node)}</{tag}>"

    @inline.register
    def _(self, node: nodes.inline | nodes.abbreviation) -> str:
        return self.line(node)

    @inline.register
    def _(self, _node: nodes.Invisible) -> str:
        return ""

    @inline.register
    def _(self, node: nodes.literal) -> str:
        """Put code between more backticks than it has in a row."""
        text = node.astext().replace("\n", " ")
        ticks = "`" * (1 + max(map(len, re.findall("`+", text)), default=0))
        space = " " if "`" in text else ""
        text = text.replace("|", r"\|") if self.in_table else text
        return f"{ticks}{space}{text}{space}{ticks}"

    @inline.register
    def _(self, node: nodes.math) -> str:
        """A bar would end the cell of a table."""
        text = " ".join(node.astext().split())
        if self.in_table:
            text = text.replace(r"\|", r"\Vert ").replace("|", r"\vert ")
        return f"${text}$"

    @inline.register
    def _(self, node: nodes.raw) -> str:
        """Of HTML in a line only its ends are kept: a notebook has none of the book's styles."""
        return "<br>" if node["format"] == "html" and "<br" in node.astext() else ""

    @inline.register
    def _(self, node: nodes.reference) -> str:
        """Return a link, or its text alone where there is nothing to link to."""
        uri = node.get("refuri", "")
        if not uri:
            uri = f"#{node['refid']}"
        elif uri.startswith(PAGE):
            page, _, name = uri.removeprefix(PAGE).partition("#")
            uri = self.address(page, name) or ""
        if not uri:
            return self.line(node)
        return f"[{self.line(node)}]({f'<{uri}>' if re.search('[ ()]', uri) else uri})"

    def marked(self, node: nodes.Element, mark: str, tag: str) -> str:
        """Return text in italics or bold, by tags where Markdown would not see the end of it."""
        inside = self.line(node).strip()
        before, after = beside(node)
        if (is_mark(inside[:1]) and before.isalnum()) or (is_mark(inside[-1:]) and after.isalnum()):
            return f"<{tag}>{inside}</{tag}>"
        return f"{mark}{inside}{mark}"

    def unknown(self, node: nodes.Node) -> SphinxError:
        """Return the error for a node that has no form in a notebook."""
        name = getattr(node, "tagname", type(node).__name__)
        return SphinxError(
            f"{self.page}: a notebook has no form for <{name}> yet (book/_ext/plain_markdown.py): "
            f"{str(node)[:300]}"
        )


def escaped(text: str) -> str:
    """Return text in which no sign means anything to Markdown."""
    return ENTITY.sub("&amp;", SPECIAL.sub(r"\\\1", text)).replace("<", "&lt;")


def html_line(html: str) -> str:
    """Return a line of HTML with its tags, whose text means nothing to Markdown."""
    pieces = TAG.split(" ".join(html.split()))
    pieces[::2] = [escaped(unescape(piece)) for piece in pieces[::2]]
    return "".join(pieces)


def beside(node: nodes.Node) -> tuple[str, str]:
    """Return the characters before and after a node in its line."""
    line = list(node.parent.children)
    place = line.index(node)
    before = line[place - 1].astext() if place else ""
    after = line[place + 1].astext() if place + 1 < len(line) else ""
    return before[-1:], after[:1]


def is_mark(sign: str) -> bool:
    """Say whether a sign is neither a letter nor a number nor a space."""
    return bool(sign) and unicodedata.category(sign)[0] in "PS"


def displayed(text: str) -> str:
    """Return what a displayed formula is in TeX: parts with an empty line between are its lines."""
    parts = [part.strip() for part in ENVIRONMENT.sub(r"\\\1{aligned}", text).split("\n\n")]
    parts = [aligned(part) if has_lines(part) else part for part in parts if part]
    return parts[0] if len(parts) == 1 else aligned("\\\\\n".join(parts))


def aligned(lines: str) -> str:
    """Return lines of a formula, one below the other."""
    return f"\\begin{{aligned}}\n{lines}\n\\end{{aligned}}"


def has_lines(tex: str) -> bool:
    """Say whether a formula has lines of its own, not only those of a matrix in it."""
    depth = 0
    for newline, nesting in NESTING.findall(tex):
        if newline and depth == 0:
            return True
        depth += {"begin": 1, "end": -1}.get(nesting, 0)
    return False
