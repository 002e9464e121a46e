"""What a Korean deck shows for what the tags of the English chapter choose.

A tag names an English sentence by its beginning. Formulas, pictures and code are found by their
place in the cell, and so is a sentence whose paragraph has as many sentences in Korean. For the
others `book/ko/slides/NAME.yml` says, both by their beginnings, which Korean ones say it:

    titles:
      Four divisors: 나누는 수 넷
    sentences:
      The gradient that comes back: [돌아오는 그래디언트도, 각 행은]

A title that is a heading of the chapter is said as that one is, and code stays code. What several
decks have as a title is in `_shared.yml`.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

import extensions  # noqa: F401
from korean_pages import korean_notebook, translations
from korean_units import FOLDER, page, sections, unit_of
from slide_units import Unit, chosen, units_of, with_both_ends

SLIDES = FOLDER / "slides"
SHARED = "_shared"
PROSE = ("sentence", "item")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
CODE = re.compile(r"`[^`]*`(?:, `[^`]*`)*")


class KoreanSlides:
    """The Korean of one chapter's deck; `unused` is what its file has and no tag has asked for."""

    def __init__(self, name: str, folder: Path = SLIDES) -> None:
        self.file = folder / f"{name}.yml"
        told = read(self.file)
        self.sentences: dict[str, str | list[str]] = told.get("sentences", {})
        self.titles: dict[str, str] = {
            **read(folder / f"{SHARED}.yml").get("titles", {}),
            **dict(headings(name)),
            **told.get("titles", {}),
        }
        self.unused = {*self.sentences, *told.get("titles", {})}
        self.cells: list[NotebookNode] = korean_notebook(name).cells

    def title(self, english: str) -> str:
        """Return the title of a slide. Raises ValueError for one that has no Korean."""
        self.unused.discard(english)
        if english in self.titles:
            return self.titles[english]
        if CODE.fullmatch(english):
            return english
        raise ValueError(f"no Korean for the title {english!r}: write it into {self.place}")

    def chosen(self, number: int, english: NotebookNode, show: list[str]) -> list[Unit]:
        """Return the Korean of what an English cell has been asked for.

        Raises ValueError for a sentence of which nobody has said how it stands in Korean.
        """
        theirs, ours = units_of(english), units_of(self.cells[number])
        shown: list[Unit] = []  # once: a Korean sentence may say two English ones
        for beginning, unit in zip(show, chosen(english, show), strict=True):
            key = next((key for key in self.sentences if unit.name.startswith(key)), None)
            if key is not None:
                self.unused.discard(key)
                told = self.sentences[key]
                found = joined(
                    chosen(self.cells[number], [told] if isinstance(told, str) else told)
                )
            else:
                found = in_the_same_place(unit, theirs, ours)
                if not found:
                    raise ValueError(f"which Korean says {beginning!r}? Say it in {self.place}")
            shown += [each for each in found if each not in shown]
        return shown

    @property
    def place(self) -> str:
        """The file in which a translator writes, as it is named in a message."""
        return f"book/ko/slides/{self.file.name}"


def joined(units: list[Unit]) -> list[Unit]:
    """Put together what says one English sentence: in a list it is one item, too."""
    first, text = units[0], " ".join(with_both_ends(unit.text) for unit in units)
    return [replace(first, text=text)]


def in_the_same_place(unit: Unit, theirs: list[Unit], ours: list[Unit]) -> list[Unit]:
    """Return the Korean unit where an English one stands; nothing if there is no such place."""
    if unit.kind not in PROSE:
        alike = [[each for each in units if each.kind == unit.kind] for units in (theirs, ours)]
    else:
        english, korean = paragraphs(theirs), paragraphs(ours)
        number = next(n for n, paragraph in enumerate(english) if unit in paragraph)
        if len(english) != len(korean):
            return []
        alike = [english[number], korean[number]]
    there, here = alike
    return [here[there.index(unit)]] if len(there) == len(here) else []


def paragraphs(units: list[Unit]) -> list[list[Unit]]:
    """Return the sentences of a cell, those of each paragraph together."""
    prose = [unit for unit in units if unit.kind in PROSE]
    return [list(group) for _, group in groupby(prose, key=lambda u: (u.kind, u.paragraph))]


def headings(name: str) -> Iterator[tuple[str, str]]:
    """Yield the headings of a chapter with their Korean."""
    known = translations(name)
    for cell in nbformat.read(page(name), as_version=4).cells:
        for part in sections(cell.source) if cell.cell_type == "markdown" else ():
            english, korean = HEADING.search(part), HEADING.search(known.get(unit_of(part).key, ""))
            if english and korean:
                yield english[1], korean[1]


def read(file: Path) -> dict[str, Any]:
    """Return what a file says; nothing if there is none."""
    return yaml.safe_load(file.read_text(encoding="utf-8")) or {} if file.is_file() else {}
