"""A page of the book in Korean: code and outputs of the English one, prose of `book/ko/NAME.md`.

`korean(name)` is the only way from one to the other. The pages and the notebooks that are read are
made from what it returns, so no code can differ between the editions. A unit that has no Korean yet
stays English.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import nbformat
import yaml
from markdown_it import MarkdownIt
from myst_parser.config.main import MdParserConfig
from myst_parser.parsers.mdit import create_md_parser
from nbformat import NotebookNode

from korean_outputs import korean_outputs, words_of
from korean_units import HEADING, TARGET, Unit, page, read_korean, sections, units_of_cell
from korean_words import BOOK
from words import ENGLISH, KOREAN

STILL = re.compile(r"(_static/live/pictures/)([\w-]+\.png)")
FENCES = re.compile(r"^(?:`{3,}|:{3,})", re.MULTILINE)
Mark = Callable[[Unit, str], str]
"""From a text unit and the language in which it stands on the page to what is put above it."""


def translations(name: str) -> dict[str, str]:
    """Return the Korean of a page by the hash of its English, what is translated of it."""
    return {each.key: each.text for each in read_korean(name) if not each.new}


def korean(name: str, mark: Mark | None = None) -> str:
    """Return a page in Korean as its file would have it: Markdown, or a notebook.

    mark: what to put above each unit of text; for a build, which has to know where units begin.
    Raises FileNotFoundError for a name that is no page.
    """
    source = page(name)
    if source.suffix == ".ipynb":
        return nbformat.writes(korean_notebook(name, mark))
    return in_korean(source.read_text(encoding="utf-8"), translations(name), mark) + "\n"


def korean_notebook(name: str, mark: Mark | None = None) -> NotebookNode:
    """Return a chapter in Korean, with the code and the outputs of the English one."""
    notebook = nbformat.read(page(name), as_version=4)
    known, words = translations(name), words_of(name)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = in_korean(cell.source, known, mark)
            continue
        for unit in units_of_cell(cell):
            if unit.key in known:
                say_in_korean(cell, known[unit.key])
        if known:  # a page that stands in English keeps its pictures, too
            korean_outputs(cell.outputs, words)
    return notebook


def in_korean(markdown: str, known: dict[str, str], mark: Mark | None) -> str:
    """Return a Markdown text with the Korean of its units."""
    parts, inside = [], False
    for part in sections(markdown):
        unit = Unit("text", part)
        text = known.get(unit.key)
        if mark is not None and not inside:
            above = mark(unit, ENGLISH if text is None else KOREAN)
            parts += [above] if above else []
        parts.append(part if text is None else STILL.sub(korean_picture, text))
        # Between the entries of a glossary no mark can stand.
        inside ^= len(FENCES.findall(part)) % 2 == 1
    return "\n\n".join(parts)


def korean_picture(address: re.Match[str]) -> str:
    """Return the address of a live figure's still picture in Korean, if that has been taken."""
    korean = f"{address[1]}{KOREAN}/{address[2]}"
    return korean if (BOOK / korean).is_file() else address[0]


def still_pictures(name: str) -> Iterator[Path]:
    """Yield where the still pictures of a page lie in Korean, or would lie."""
    for text in translations(name).values():
        for folder, file in STILL.findall(text):
            yield BOOK / folder / KOREAN / file


def say_in_korean(cell: NotebookNode, words: str) -> None:
    """Put the Korean words of a figure, YAML with `caption` and `alt`, into its cell."""
    found = yaml.safe_load(words)
    shown = cell.metadata.get("mystnb", {})
    if "caption" in found:
        shown["figure"]["caption"] = found["caption"].strip()
    alts = found.get("alt", [])
    alts = [alts] if isinstance(alts, str) else list(alts)
    if alts and "alt" in shown.get("image", {}):
        shown["image"]["alt"] = alts[0].strip()
    for output in cell.get("outputs", []):
        image = output.get("metadata", {}).get("image/png", {})
        if alts and image.get("alt"):
            image["alt"] = alts.pop(0).strip()


@cache
def parser() -> MarkdownIt:
    """Return a parser of Markdown as the book is written."""
    from markdown_it.renderer import RendererHTML  # noqa: PLC0415 - what the parser is never asked for

    extensions = {"dollarmath", "attrs_inline"}
    return create_md_parser(MdParserConfig(enable_extensions=extensions), RendererHTML)


def heading(markdown: str) -> tuple[str, str] | None:
    """Return the text of the heading that a unit begins with, twice; None if it begins with none.

    The first is that of which its id is made, which has the letters of formulas; the second, of
    which MyST makes the name for links, has not.
    """
    # It comes first, or below targets such as `(name)=`.
    lines = (line for line in markdown.split("\n") if line.strip() and not TARGET.match(line))
    line = next(lines, "")
    if not HEADING.match(line):
        return None
    inline = parser().parse(line)[1].children or []
    whole = "".join(part.content for part in inline)
    return whole, "".join(part.content for part in inline if part.type in ("text", "code_inline"))


def korean_pages(folder: Path) -> list[str]:
    """Return the names of the pages that have a file with Korean."""
    return sorted(path.stem for path in folder.glob("[!_]*.md"))
