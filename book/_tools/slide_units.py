"""What a slide can show: the sentences, formulas, tables, theorems, pictures and code of one cell.

A cell of a chapter is tagged with slides in its metadata:

    "slides": [{"title": "The formula", "show": ["eq-attention", "Weights are positive"]}]

Each entry of `show` is the beginning of what is shown: of a sentence, an item of a list or a table;
the label of a formula or a theorem; or, of a cell with code, `code`, `output`, `figure` or the name
of an object that it prints. So a slide says what its chapter says, to the letter. A part without a
title goes on with the slide before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode

import extensions  # noqa: F401
from languages import HANGUL
from words import either

PARSER = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
SHORT = r"(?<!e\.g\.)(?<!i\.e\.)(?<!al\.)(?<!Fig\.)"  # after these a sentence goes on
# A Korean sentence may begin with a small Latin letter, as softmax, but none goes on after 다.
SENTENCE_END = re.compile(
    rf"(?<=[.!?]){SHORT}(?P<close>[\"”’)*]*)\s+(?=[\"“‘(*$`<{{\[]*[A-Z0-9{{<${HANGUL}])"
    rf"|(?<=[{HANGUL}][.!?])(?P<korean>[”’)*]*)\s+"
)
OPENED = re.compile(r"(?<![^\s(“‘])\*\*(?!.*\*\*)")  # the last mark, where bold type begins
DIRECTIVE = re.compile(r"\{(?P<name>[\w:-]+)\}\s*(?P<title>.*)")
LABEL = re.compile(r"\A(?:\([\w:-]+\)=\s*)+")  # it says nothing, and the Korean may lack it
OPTION = re.compile(r"^:(\w+): *(.*)\n?", re.MULTILINE)
LISTING = re.compile(r"# annotated_transformer/")


@dataclass(frozen=True)
class Unit:
    """Something that can be shown: its kind, what it is found by, and its source."""

    kind: str  # sentence, item, table, formula, theorem, code, output, listing or figure
    name: str
    text: str
    paragraph: tuple[int, ...] = (0,)  # sentences with the same numbers stand together


def units_of(cell: NotebookNode) -> list[Unit]:
    """Return what a cell has to show, in order."""
    return list(_code_units(cell) if cell.cell_type == "code" else _prose_units(cell.source))


def chosen(cell: NotebookNode, show: list[str]) -> list[Unit]:
    """Return the units that begin as asked for, in the order asked for.

    Raises ValueError for one that the cell does not have.
    """
    units = units_of(cell)
    found = []
    for beginning in show:
        unit = next((u for u in units if u.name.startswith(beginning)), None)
        if unit is None:
            raise ValueError(f"no sentence, formula or output begins with {beginning!r}")
        found.append(unit)
    return found


def _code_units(cell: NotebookNode) -> Iterator[Unit]:
    yield Unit("code", "code", cell.source)
    for output in cell.outputs:
        data = output.get("data", {})
        if "image/png" in data:
            yield Unit("figure", "figure", _picture(cell, output))
        elif "text" in output:
            yield Unit("output", "output", output.text)
        elif LISTING.match(data.get("text/plain", "")):
            name = data["text/plain"].partition("\n")[0].rpartition(" ")[2]
            yield Unit("listing", name, data["text/html"])
        elif "text/html" in data and "at-chart" not in data["text/html"]:
            yield Unit("table", "output", data["text/html"])
    caption = cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")
    for sentence in sentences(caption):
        yield Unit("sentence", sentence, sentence)


def _picture(cell: NotebookNode, output: NotebookNode) -> str:
    """Return a stored picture as an image with its alternative text, wherever that stands."""
    mystnb = cell.metadata.get("mystnb", {})
    alt = output.metadata.get("image/png", {}).get("alt") or mystnb["image"]["alt"]
    data = output.data["image/png"].replace("\n", "")
    return f'<img src="data:image/png;base64,{data}" alt="{escape(alt)}">'


def _prose_units(source: str) -> Iterator[Unit]:
    lines = source.splitlines()
    tokens = PARSER.parse(source)
    item = False
    for number, token in enumerate(tokens):
        if token.type in ("list_item_open", "list_item_close"):
            item = token.type == "list_item_open"
        elif token.type == "inline" and tokens[number - 1].type == "paragraph_open":
            if item:
                yield Unit("item", token.content, token.content, (number,))
                continue
            for sentence in sentences(LABEL.sub("", token.content)):
                yield Unit("sentence", sentence, sentence, (number,))
        elif token.type == "table_open" and token.map:
            text = "\n".join(lines[slice(*token.map)])
            yield Unit("table", text, text)
        elif token.type == "math_block":
            yield Unit("formula", token.content.strip(), token.content)
        elif token.type == "fence":
            yield from _directive_units(token.info, token.content, number)


def _directive_units(info: str, content: str, number: int) -> Iterator[Unit]:
    directive = DIRECTIVE.match(info)
    if directive is None:
        return
    options = dict(OPTION.findall(content))
    inside = OPTION.sub("", content).strip()
    name, title = directive["name"], directive["title"]
    if name == "math":
        yield Unit("formula", options.get("label", inside), inside)
    elif name == "prf:theorem":
        yield Unit("theorem", options["label"], f"**{title}.** {inside}")
    elif name == "admonition" and title not in either("Proof"):
        for sentence in sentences(inside):
            yield Unit("sentence", sentence, sentence, (number,))


def sentences(paragraph: str) -> list[str]:
    """Cut a paragraph where a sentence ends and another begins."""
    text = " ".join(paragraph.replace("\\\n", " ").split())
    ends = [max(match.end("close"), match.end("korean")) for match in SENTENCE_END.finditer(text)]
    pieces = [text[a:b].strip() for a, b in zip([0, *ends], [*ends, None], strict=True)]
    return [piece for piece in pieces if piece]


def with_both_ends(text: str) -> str:
    """Return a sentence with its bold type closed: it may begin or end in another sentence."""
    if text.count("**") % 2 == 0:
        return text
    return f"{text}**" if OPENED.search(text) else f"**{text}"
