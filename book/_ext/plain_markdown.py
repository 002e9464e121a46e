"""Plain Markdown of a chapter: what JupyterLab, Colab, VS Code and GitHub show without the book.

It is written from the resolved doctree, in which every number, reference and citation stands as on
the published page. A node that has no plain form here is an error, so nothing is left as it is in
the source, and who invents new markup is told to say what a notebook shows in its place.
"""

import base64
import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import singledispatchmethod
from html import escape, unescape
from pathlib import Path

from docutils import nodes
from sphinx.errors import SphinxError
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node, solution_node
from sphinx_proof.nodes import NODE_TYPES, proof_node

from plain_lines import Lines, displayed, escaped, html_line
from second_reading import is_parent
from words import say

BOOK = Path(__file__).parents[1]
BLOCK_START = re.compile(r"^([-+#>]|\d+[.)])(?=\s|$)|^(>)")
THEOREMS = tuple(NODE_TYPES.values())
FORMULA = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.DOTALL | re.MULTILINE)
LIVE = re.compile(r"<live-[a-z-]+>")
STILL = re.compile(r'\s*<span class="live-still">.*?</span>', re.DOTALL)
IMAGE = re.compile(r"<img\s[^>]*>")
ATTRIBUTE = re.compile(r'\b(src|alt)="([^"]*)"')
CAPTION = re.compile(r"<figcaption>(.*?)</figcaption>", re.DOTALL)
SIDES = {"text-right": "---:", "text-center": ":---:"}


@dataclass(frozen=True)
class Text:
    """Markdown; a heading begins a cell, and one that is closed is all that is seen of its part."""

    markdown: str
    heading: bool = False
    closed: bool = False


@dataclass(frozen=True)
class Code:
    """A code cell of the source, by its number there."""

    index: int
    closed: bool = False


Block = Text | Code


@dataclass
class Writer(Lines):
    """The Markdown of one chapter."""

    pictures: dict[str, str] = field(default_factory=dict)
    """The pictures that the Markdown shows, by their name, in base64."""
    level: int = 0
    in_second_reading: bool = False

    def blocks(self, node: nodes.Element) -> Iterator[Block]:
        """Yield what the children of a node become, without its title."""
        for child in node.children:
            if isinstance(child, nodes.title):
                continue
            found = list(self.block(child))
            anchor = self.anchor(child) if isinstance(child, nodes.Element) else ""
            if anchor and not any(isinstance(b, Text) and anchor in b.markdown for b in found):
                yield Text(anchor)
            yield from found

    def texts(self, node: nodes.Element) -> list[str]:
        """Return the same as pieces of Markdown, among which no cell can stand."""
        found = []
        for block in self.blocks(node):
            if isinstance(block, Code):
                where = f"in a <{node.tagname}>, where a notebook can have no cell"
                raise SphinxError(f"{self.page}: code cell {block.index} stands {where}")
            found.append(block.markdown)
        return found

    def together(self, node: nodes.Element) -> str:
        """Return the same as one piece of Markdown."""
        return "\n\n".join(self.texts(node))

    @singledispatchmethod
    def block(self, node: nodes.Node) -> Iterator[Block]:
        """Yield what one block becomes."""
        raise self.unknown(node)

    @block.register
    def _(self, _node: nodes.Invisible) -> Iterator[Block]:
        yield from ()

    @block.register
    def _(self, node: nodes.section) -> Iterator[Block]:
        """Parts of the second reading are folded. A theorem's text is a section without a title."""
        title, outside = node[0], self.in_second_reading
        if not isinstance(title, nodes.title):
            yield from self.blocks(node)
            return
        self.level += 1
        self.in_second_reading = is_parent(title.astext())
        yield self.heading(self.line(title), self.level, node, closed=outside)
        yield from self.blocks(node)
        self.level, self.in_second_reading = self.level - 1, outside

    def heading(self, title: str, level: int, node: nodes.Element, *, closed: bool = False) -> Text:
        """Return a heading; its anchor comes last, because some ask for a cell to begin with it."""
        text = f"{'#' * level} {title.strip()} {self.anchor(node)}"
        return Text(text.strip(), heading=True, closed=closed)

    @block.register
    def _(self, node: nodes.paragraph) -> Iterator[Block]:
        if text := self.line(node).strip():
            yield Text(BLOCK_START.sub(r"\\\g<0>", text))

    @block.register
    def _(self, node: nodes.container | nodes.compound) -> Iterator[Block]:
        """A code cell is one, and the caption of what it draws comes below it."""
        if node.get("nb_element") != "cell_code":
            yield from self.blocks(node)
            return
        yield Code(node["cell_index"])
        for figure in node.findall(nodes.figure):
            for caption in figure.findall(nodes.caption):
                yield Text(self.caption(figure, caption, "figure"))

    def caption(self, node: nodes.Element, caption: nodes.Element, kind: str) -> str:
        """Return the caption of a figure or table with its number."""
        named = [name for name in node["ids"] if name in self.numbers.get(kind, {})]
        number = f"**{self.captions[kind] % self.number(kind, named[0])}** " if named else ""
        return f"{self.anchor(node)}{number}{self.line(caption)}"

    @block.register
    def _(self, node: nodes.math_block) -> Iterator[Block]:
        numbered = [name for name in node["ids"] if name in self.numbers.get("displaymath", {})]
        tags = [f"\n\\tag{{{self.number('displaymath', name)}}}" for name in numbered]
        formula = f"$$\n{displayed(node.astext())}{''.join(tags)}\n$$"
        anchor = self.anchor(node)
        yield Text(f"{anchor}\n\n{formula}" if anchor else formula)

    @block.register
    def _(self, node: nodes.literal_block) -> Iterator[Block]:
        yield Text(fenced(node.astext(), node.get("language", "")))

    @block.register
    def _(self, node: nodes.sidebar) -> Iterator[Block]:
        """A note of the margin stands in the text, in small type."""
        texts = [t if is_block(t) else f"<small>{t}</small>" for t in self.texts(node)]
        yield Text(quoted("\n\n".join(texts)))

    @block.register
    def _(self, node: nodes.Admonition) -> Iterator[Block]:
        """A box is a quotation; it is folded where the page has it folded."""
        anchor, texts = self.anchor(node), self.texts(node)
        title = next((child for child in node.children if isinstance(child, nodes.title)), None)
        if title is not None and "dropdown" in node["classes"]:
            yield folded(title.astext(), quoted("\n\n".join(texts)), anchor)
            return
        head = self.line(title).rstrip() if title is not None else say(node.tagname.title())
        if isinstance(node, THEOREMS):
            kind = node.get("realtype", "theorem")
            number = self.number(node.get("countertype", kind), node["label"])
            head = f"{say(kind.title())} {number}{head}"
        yield Text(quoted("\n\n".join([f"{anchor}**{head}**", *texts])))

    @block.register
    def _(self, node: proof_node) -> Iterator[Block]:
        text = "\n\n".join(text for part in node.children for text in self.texts(part))
        proof = say("Proof. ")
        head = f"**{proof.strip()}** " if text.startswith(proof) else ""
        yield Text(quoted(head + text.removeprefix(proof)))

    @block.register
    def _(self, node: exercise_enumerable_node | exercise_node) -> Iterator[Block]:
        """An exercise has a heading of its own."""
        title, *rest = node.children
        number = self.number("exercise", node["label"])
        yield self.heading(f"{say('Exercise')} {number}{self.line(title)}", self.level + 1, node)
        for part in rest:
            yield from self.blocks(part)

    @block.register
    def _(self, node: solution_node) -> Iterator[Block]:
        """A solution is folded. A fold cannot hold a cell, so code is folded by itself."""
        title, *rest = node.children
        name, texts = title.astext(), []
        for block in [*(block for part in rest for block in self.blocks(part)), None]:
            if isinstance(block, Text):
                texts.append(block.markdown)
                continue
            if texts:
                yield folded(name, "\n\n".join(texts))
                name, texts = say("{title}, continued", title=title.astext()), []
            if block is not None:
                yield Code(block.index, closed=True)

    @block.register
    def _(self, node: nodes.bullet_list | nodes.enumerated_list) -> Iterator[Block]:
        numbered = isinstance(node, nodes.enumerated_list)
        lines = []
        for number, item in enumerate(node.children, node.get("start", 1)):
            mark = f"{number}. " if numbered else "- "
            lines.append(mark + indented(self.together(item), len(mark)))
        yield Text("\n".join(lines))

    @block.register
    def _(self, node: nodes.definition_list) -> Iterator[Block]:
        """Terms are paragraphs, each with its meanings below."""
        for item in node.children:
            for child in item.children:
                if isinstance(child, nodes.term):
                    yield Text(f"{self.anchor(child)}**{self.line(child)}**")
                else:
                    yield Text(f"- {indented(self.together(child), 2)}")

    @block.register
    def _(self, node: nodes.block_quote) -> Iterator[Block]:
        yield Text(quoted(self.together(node)))

    @block.register
    def _(self, node: nodes.table) -> Iterator[Block]:
        """A table stands below its caption."""
        for title in node.findall(nodes.title):
            yield Text(self.caption(node, title, "table"))
        rows = list(node.findall(nodes.row))
        self.in_table = True
        # The cell of a table is one line.
        cells = [["<br>".join(self.texts(e)).replace("\n", " ") for e in row] for row in rows]
        self.in_table = False
        sides = [next((SIDES[c] for c in e["classes"] if c in SIDES), ":---") for e in rows[0]]
        cells.insert(1, sides)
        yield Text("\n".join(f"| {' | '.join(row)} |" for row in cells))

    @block.register
    def _(self, node: nodes.raw) -> Iterator[Block]:
        if node["format"] == "html":
            yield Text(self.still_picture(node.astext()))

    def still_picture(self, html: str) -> str:
        """Return the picture of a live figure, with its caption and the way to the page."""
        images = IMAGE.findall(html)
        if not LIVE.search(html) or not images:
            raise SphinxError(f"{self.page}: a notebook has no form for this HTML: {html[:300]}")
        shown = {key: unescape(value) for key, value in ATTRIBUTE.findall(images[0])}
        name = posixpath.basename(shown["src"])
        self.pictures[name] = base64.b64encode((BOOK / shown["src"]).read_bytes()).decode("ascii")
        there = self.address(self.page, "")
        page = say("page of this chapter")
        where = f"[{page}]({there})" if there else page
        return "\n\n".join(
            [
                f"![{escaped(shown.get('alt', ''))}](attachment:{name})",
                *map(html_line, CAPTION.findall(STILL.sub("", html))),
                say("*A still picture: on the {where} this figure can be used.*", where=where),
            ]
        )

    @block.register
    def _(self, _node: nodes.transition) -> Iterator[Block]:
        yield Text("---")


def is_block(text: str) -> bool:
    """Say whether Markdown is more than a line of text."""
    return text.startswith(("$$", "```", "- ", "> ", "| ", "<a ", "1. "))


def fenced(code: str, language: str) -> str:
    """Return code between fences that are longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}{language}\n{code}\n{fence}"


def quoted(text: str) -> str:
    """Quote blocks. JupyterLab takes a formula out before it reads the `>`, so it is one line."""
    text = FORMULA.sub(lambda formula: f"$$ {' '.join(formula[1].split())} $$", text)
    return "\n".join(f"> {line}".rstrip() for line in text.split("\n"))


def folded(title: str, text: str, anchor: str = "") -> Text:
    """Fold text below its title. Around what is inside, empty lines let it be Markdown."""
    summary = escape(" ".join(title.split()), quote=False)
    return Text(f"{anchor}<details>\n<summary>{summary}</summary>\n\n{text}\n\n</details>")


def indented(text: str, width: int) -> str:
    """Return text whose lines after the first begin further to the right."""
    return re.sub(r"\n(?!\n)", "\n" + " " * width, text)
