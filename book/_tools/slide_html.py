"""The slides of a chapter as HTML, with the words and references of its built page."""

import re
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode
from pybtex.database import parse_file
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

import extensions  # noqa: F401
from author_year import named, year_of
from formulas import draw
from korean_claims import in_korean
from korean_slides import PROSE, KoreanSlides
from slide_units import Unit, chosen, with_both_ends
from words import KOREAN, spoken

CODE = ("code", "output", "listing")
BIBLIOGRAPHY = Path(__file__).parents[1] / "references.bib"
SIZES = {"large": 9, "middle": 15}  # names in slides.css, and the most lines of code
CITED = re.compile(r"\s*\{cite:p\}`[^`]*`")
CLAIM = re.compile(r"\{claim\}`([^`<]*?)\s*<[^`]*>`")
WHO = re.compile(r"\{cite:t\}`([^`]*)`")
ROLE = re.compile(r"\{[\w:]+\}`(?:(?P<words>[^`<]*?)\s*<)?(?P<label>[^`>]*)>?`")
PAGE_LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")
LINK = re.compile(
    r'<a class="reference internal" href="(\w*)(?:\.html)?#?([^"]*)"[^>]*>(.*?)</a>', re.DOTALL
)


@dataclass
class Slide:
    """One slide: its title, and what it shows."""

    title: str
    units: list[Unit] = field(default_factory=list)


LAST = "What to keep"
"""The title of the slide with which every deck ends."""


def slides_of(notebook: NotebookNode, korean: KoreanSlides | None = None) -> list[Slide]:
    """Return the slides that a chapter tags, in order; those of its second reading before the last.

    With the Korean of the chapter they say the same in Korean.

    Raises ValueError, naming the cell, for what a cell does not have, and for a chapter whose first
    slide has no title.
    """
    deck: list[Slide] = []
    for number, cell in enumerate(notebook.cells):
        for tagged in cell.metadata.get("slides", []):
            if "title" in tagged:
                deck.append(Slide(tagged["title"]))
            elif not deck:
                raise ValueError(f"cell {number}: the first slide has no title")
            try:
                found = chosen(cell, tagged["show"])
                if korean:
                    found = korean.chosen(number, cell, tagged["show"])
            except ValueError as error:
                raise ValueError(f"cell {number}: {error}") from None
            deck[-1].units += [in_a_deck(unit, number) for unit in found]
    deck.sort(key=lambda slide: slide.title == LAST)
    return [Slide(korean.title(slide.title), slide.units) for slide in deck] if korean else deck


def in_a_deck(unit: Unit, number: int) -> Unit:
    """Return a unit of the cell of this number as a deck has it, apart from its neighbours."""
    text = with_both_ends(unit.text) if unit.kind in ("sentence", "item") else unit.text
    return replace(unit, text=text, paragraph=(number, *unit.paragraph))


def _formula(content: str, options: dict[str, Any]) -> str:
    return f'<span class="math">{draw(content.strip(), display=options["display_mode"])}</span>'


MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
MARKDOWN.use(dollarmath_plugin, renderer=_formula)


class Words:
    """The Markdown of a chapter as HTML; references get the words and links of its built page."""

    def __init__(self, page: str, name: str) -> None:
        self.links = {
            target.removeprefix("equation-") or other: (
                f'<a href="../book/{other or name}.html#{target}">{words}</a>'
            )
            for other, target, words in LINK.findall(page)
        }

    def line(self, text: str) -> str:
        """Return what stands in a line. Raises ValueError for a role without a link on the page."""
        return str(MARKDOWN.renderInline(self.mend(text)))

    def block(self, text: str) -> str:
        """Return paragraphs, formulas and tables."""
        return str(MARKDOWN.render(self.mend(text)))

    def mend(self, text: str) -> str:
        """Put the words and links of the page in the place of roles, and leave out citations."""
        text = PAGE_LINK.sub(r"\1", CLAIM.sub(_told, CITED.sub("", text)))
        return ROLE.sub(self._link, WHO.sub(lambda cited: who_said(cited[1]), text))

    def _link(self, role: re.Match[str]) -> str:
        """Return the link of a role; it has the page's words where it has none of its own."""
        if role["label"] not in self.links:
            raise ValueError(f"a slide cannot show {role[0]}: choose another sentence")
        link = self.links[role["label"]]
        return f"{link.partition('>')[0]}>{role['words']}</a>" if role["words"] else link


def who_said(key: str) -> str:
    """Return authors and year of a publication, as a page names them in its text."""
    entry = literature()[key]
    return f"{named(entry).replace('et al.', '*et al.*')} ({year_of(entry)})"


@cache
def literature() -> dict[str, Any]:
    """Read the bibliography of the book."""
    return dict(parse_file(str(BIBLIOGRAPHY), "bibtex").entries)


def _told(claim: re.Match[str]) -> str:
    """Return what a claim says, in the language of the deck."""
    return in_korean(claim[1]) if spoken() == KOREAN else claim[1]


def deck_html(deck: list[Slide], words: Words) -> str:
    """Return all slides of a chapter; the first is its title page."""
    return "\n".join(_slide(slide, words, first=not number) for number, slide in enumerate(deck))


def _slide(slide: Slide, words: Words, *, first: bool) -> str:
    title = words.line(slide.title)
    shown = f"<h1>{title}</h1>" if first else f"<h2>{title}</h2>"
    for is_prose, run in groupby(slide.units, key=lambda unit: unit.kind in PROSE):
        units = list(run)
        if is_prose:
            texts = _paragraphs(units)
            if len(texts) == 1 and units == slide.units and not first:
                texts = [unit.text for unit in units]  # a paragraph by itself is cut into a list
            shown += _list(texts, words)
        else:
            shown += "".join(_block(unit, words) for unit in units)
    return f'<section class="{"first" if first else _size(slide.units)}">{shown}</section>'


def _size(units: list[Unit]) -> str:
    """Return how large the code of a slide is written: the more lines, the smaller."""
    text = "\n".join(re.sub("<[^>]*>", "", unit.text) for unit in units if unit.kind in CODE)
    lines = len([line for line in text.splitlines() if line.strip()])
    return next((name for name, most in SIZES.items() if lines <= most), "small")


def _paragraphs(units: list[Unit]) -> list[str]:
    """Put sentences of one paragraph of the chapter together again."""
    paragraphs = groupby(units, key=lambda unit: unit.paragraph)
    return [" ".join(unit.text for unit in paragraph) for _, paragraph in paragraphs]


def _list(texts: list[str], words: Words) -> str:
    if len(texts) == 1:
        return f"<p>{words.line(texts[0])}</p>"
    return "<ul>" + "".join(f"<li>{words.line(text)}</li>" for text in texts) + "</ul>"


def _block(unit: Unit, words: Words) -> str:
    match unit.kind:
        case "formula":
            return f'<p class="display">{_formula(unit.text, {"display_mode": True})}</p>'
        case "table" | "theorem":
            return f'<div class="{unit.kind}">{words.block(unit.text)}</div>'
        case "code":
            return str(highlight(unit.text, PythonLexer(), HtmlFormatter(cssclass="code")))
        case "output":
            return f'<pre class="output">{escape(unit.text.rstrip())}</pre>'
    return unit.text  # a listing, a figure or a table of a record: HTML already
