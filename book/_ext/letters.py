"""The letters of a chapter's formulas, in the margin beside the first of them.

*Notation* fixes the letters of the book; its tables are the one source. A chapter whose core has
numbered formulas with such letters gets one card, on its page alone; where there is no margin the
card is closed.
A letter to which a chapter gives a meaning of its own is no letter of that chapter.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from korean_pages import korean
from korean_units import FOLDER
from repository import ROOT
from second_reading import PARENT
from words import either, is_korean, say

NOTATION = "notation"
SOURCE = ROOT / "book" / f"{NOTATION}.md"
FEWEST = 2
"""A card for a single letter would say no more than the sentence beside it."""
WITHOUT = {
    *("detection_and_prompts", "diffusion", "language_models", "text_to_text", "vision"),
    "transformer",
}
"""Chapters on other models, whose letters are those of their papers, and the one whose margin says
beside each formula what it means."""
OWN = {"long_sentences": {"S"}, "training": {"V", r"\epsilon"}}
"""Letters that mean something else in a chapter's numbered formulas than in *Notation*."""

TOKEN = re.compile(
    r"\\(?:text|mathrm|operatorname|mathbb|mathcal|begin|end)\*?\s*(?:\{[^{}]*\}|\s[A-Za-z])"
    r"|\\textcolor\{[^}]*\}|\\\\\[[^\]]*\]|\\[A-Za-z]+|\\.|[A-Za-z]|\d+|\S"
)
CELL = re.compile(
    r'(?P<span><span class="(?P<class>at-\w+)">)?\$(?P<math>[^$]+)\$(?(span)</span>)'
    r"|`(?P<code>[^`]+)`"
)
CLOSE = (
    "<script>if (matchMedia('(max-width: 1199.98px)').matches) "
    "document.currentScript.previousElementSibling.open = false</script>"
)


@dataclass(frozen=True)
class Atom:
    """A letter or a command of a formula, with what is below and above it."""

    base: str
    below: str = ""
    above: str = ""


@dataclass(frozen=True)
class Letter:
    """A row of the tables: its symbols in TeX, how they are written, and what they mean."""

    symbols: tuple[str, ...]
    term: str
    meaning: str


def group(tokens: list[str], start: int) -> tuple[list[str], int]:
    """Return the tokens of an argument that begins at a place, and where it ends."""
    if start >= len(tokens) or tokens[start] != "{":
        return tokens[start : start + 1], start + 1
    depth, end = 1, start + 1
    while depth and end < len(tokens):
        depth += {"{": 1, "}": -1}.get(tokens[end], 0)
        end += 1
    return tokens[start + 1 : end - 1], end


def atoms(tokens: list[str]) -> Iterator[Atom]:
    """Yield what a formula is made of; what is above something may hold letters too."""
    at = 0
    while at < len(tokens):
        base, at = tokens[at], at + 1
        scripts: dict[str, list[str]] = {}
        while at < len(tokens) and tokens[at] in ("_", "^"):
            kind = tokens[at]
            scripts[kind], at = group(tokens, at + 1)
        if base not in "{}":
            yield Atom(base, "".join(scripts.get("_", ())), "".join(scripts.get("^", ())))
        if not (base.isalpha() and len(scripts.get("^", [])) == 1):  # the Q of W^Q is its name
            yield from atoms(scripts.get("^", []))


def atoms_of(tex: str) -> list[Atom]:
    """Return the atoms of a formula, its colours left out."""
    tokens = [token for token in TOKEN.findall(tex) if not token.startswith(r"\textcolor")]
    return list(atoms(tokens))


def has(formula: list[Atom], symbol: str) -> bool:
    """Tell whether a symbol is in a formula; its power, transpose or head (`W_i^Q`) counts."""
    wanted = atoms_of(symbol.partition("(")[0])
    for start in range(len(formula) - len(wanted) + 1):
        pairs = zip(wanted, formula[start:], strict=False)
        if all(
            mine.base == other.base
            and (mine.below == other.below or (mine.above and len(other.below) == 1))
            and (mine.above == other.above or (not mine.above and power(other.above)))
            for mine, other in pairs
        ):
            return True
    return False


def power(above: str) -> bool:
    """Tell whether what is above a letter leaves its meaning: a number, a root, a transpose."""
    return re.fullmatch(r"-?[\d./]*|\\top", above) is not None


def read_letters(page: str) -> list[Letter]:
    """Read the letters of the tables of *Notation*, those of the axes, its first section, last."""
    _, axes, *rest = re.split(r"^## ", page, flags=re.MULTILINE)
    found = []
    for line in "\n".join([*rest, axes]).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| ") and len(cells) == 3 and "---" not in line:
            for term in cells[:2]:
                if symbols := [m["math"] for m in CELL.finditer(term) if m["math"]]:
                    found.append(Letter(tuple(symbols), term, cells[2]))
    return found


def letters_of(chapter: str, formulas: list[str], letters: list[Letter]) -> list[Letter]:
    """Return the letters that a chapter's formulas have."""
    parts = [atoms_of(tex) for tex in formulas]
    own = OWN.get(chapter, set())
    return [
        letter
        for letter in letters
        if any(has(part, s) for s in letter.symbols if s not in own for part in parts)
    ]


class Card(nodes.General, nodes.Element):
    """The letters of a chapter."""


def inline(markdown: str) -> Iterator[nodes.Node]:
    """Yield the nodes of a cell of the table: text, formulas and code."""
    at = 0
    for match in CELL.finditer(markdown):
        if match.start() > at:
            yield nodes.Text(markdown[at : match.start()])
        tex, code = match["math"], match["code"]
        node = nodes.math(tex, tex) if tex else nodes.literal(code, code)
        yield nodes.inline("", "", node, classes=[match["class"]]) if match["class"] else node
        at = match.end()
    if at < len(markdown):
        yield nodes.Text(markdown[at:])


def card(letters: list[Letter], address: str) -> Card:
    """Return the card: a list of letters, and the way to the page that has all of them."""
    items = []
    for letter in letters:
        term = nodes.term("", "", *inline(letter.term))
        meaning = nodes.definition("", nodes.paragraph("", "", *inline(letter.meaning)))
        items.append(nodes.definition_list_item("", term, meaning))
    link = nodes.reference("", say("Letters that chapters share"), refuri=address, internal=True)
    found = Card("", nodes.definition_list("", *items), nodes.paragraph("", "", link))
    found["classes"] = ["no-search"]  # or every chapter would be found by "queries"
    return found


def core_formulas(doctree: nodes.document) -> list[nodes.math_block]:
    """Return the numbered formulas before the second reading."""
    found = []
    for node in doctree.findall():
        if isinstance(node, nodes.title) and node.astext() in either(PARENT):
            break
        if isinstance(node, nodes.math_block) and node.get("label"):
            found.append(node)
    return found


def add_card(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Put the card before the first numbered formula of a chapter that has one of its letters."""
    is_chapter = str(app.env.doc2path(page)).endswith(".ipynb")
    if app.builder.format != "html" or not is_chapter or Path(page).name in WITHOUT:
        return
    notation = korean(NOTATION) if is_korean(app) else SOURCE.read_text(encoding="utf-8")
    letters = read_letters(notation)
    formulas = core_formulas(doctree)
    found = letters_of(Path(page).name, [node.astext() for node in formulas], letters)
    if len(found) < FEWEST:
        return
    place: nodes.Element = next(
        node for node in formulas if letters_of(Path(page).name, [node.astext()], found)
    )
    while not isinstance(place.parent, nodes.section):
        place = place.parent
    address = app.builder.get_relative_uri(page, "book/notation") + "#letters"
    place.parent.insert(place.parent.index(place), card(found, address))


def note_source(app: Sphinx, _doctree: nodes.document) -> None:
    """Have chapters built again when *Notation* has changed."""
    if app.env.docname.startswith("book/"):
        app.env.note_dependency(str(SOURCE))
        if is_korean(app):
            app.env.note_dependency(str(FOLDER / f"{NOTATION}.md"))


def visit_card(self: HTML5Translator, _node: Card) -> None:
    """Begin the card."""
    self.body.append(
        f'<aside class="margin sidebar at-letters" aria-label="{say("Letters of this chapter")}">'
        f"<details open><summary>{say('Letters')}</summary>"
    )


def depart_card(self: HTML5Translator, _node: Card) -> None:
    """End it."""
    self.body.append(f"</details>{CLOSE}</aside>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.add_node(Card, html=(visit_card, depart_card))
    app.connect("doctree-read", note_source)
    app.connect("doctree-resolved", add_card)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
