"""The Korean edition in units: what stands in `book/ko/NAME.md` for which English.

A page is cut into units: a section of a Markdown text (its heading and what follows, to the next
heading of any level, within one cell), an entry of the glossary, what a figure says in words (its
caption and its alternative texts, as YAML), or a row of the ledger. The Korean of a page lies in
one file, unit after unit, each below a mark with the first eight digits of the hash of the English
that was translated:

    <!-- 7c91d056 -->

The key is the English itself, not its place: a unit that moves keeps its Korean, and one whose
English changes has none. A unit that nobody has translated yet has the word `new` in its mark and
stands there in English.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
import yaml
from nbformat import NotebookNode

BOOK = Path(__file__).parents[1]
FOLDER = BOOK / "ko"
MARK = re.compile(r"^<!-- ([0-9a-f]{8})( new)? -->\n", re.MULTILINE)
FENCE = re.compile(r"^ *(`{3,}|:{3,}|\${2})(?P<rest>.*)$")
HEADING = re.compile(r"^#{1,6} ")
TARGET = re.compile(r"^\([\w-]+\)=$")
GLOSSARY = "{glossary}"
LEDGER = "claims"
ROW = ("claim", "says", "condition", "would_decide")
"""What the rows of the ledger say in words; the rest of them are addresses."""
ENTRY = re.compile(r"\S.*\n(?:\S.*\n)*  \S")


@dataclass(frozen=True)
class Unit:
    """A piece of a page that is translated as a whole.

    `kind` is `text`, `entry`, `figure` or `row`; `english` is Markdown, or YAML with `caption` and
    `alt`, or of a row paragraphs that begin with `claim:`, `says:` and so on.
    """

    kind: str
    english: str

    @property
    def key(self) -> str:
        """The first eight digits of the hash of the English."""
        return hashlib.sha256(self.english.encode()).hexdigest()[:8]


@dataclass(frozen=True)
class Korean:
    """What stands in a file below a mark."""

    key: str
    text: str
    new: bool = False

    def __str__(self) -> str:
        mark = f"<!-- {self.key}{' new' if self.new else ''} -->"
        return f"{mark}\n{self.text}\n"


def sections(markdown: str) -> list[str]:
    """Cut a Markdown text before its headings, fences left whole; joined by blank lines it is all.

    A target such as `(name)=` above a heading goes with it. Only a glossary is cut inside its
    fence, before each term that a blank line stands above.
    """
    lines = markdown.strip("\n").split("\n")
    starts, fence, glossary = [0], "", False
    for number, line in enumerate(lines):
        if found := FENCE.match(line):
            mark, rest = found[1], found["rest"]
            if not fence:
                # A formula that ends on its own line opens nothing.
                fence = "" if mark == "$$" and rest.rstrip().endswith("$$") else mark
                glossary = rest.strip() == GLOSSARY
            elif line.strip().startswith(fence) and (mark == "$$" or not rest.strip()):
                fence = ""
        elif fence == "$$" and line.rstrip().endswith("$$"):
            fence = ""
        elif fence and glossary and line[:1].strip() and not lines[number - 1].strip():
            starts.append(number)
        elif not fence and HEADING.match(line):
            start = number
            while start and (TARGET.match(lines[start - 1]) or not lines[start - 1].strip()):
                start -= 1
            starts.append(start)
    ends = [*starts[1:], len(lines)]
    parts = ("\n".join(lines[a:b]).strip("\n") for a, b in zip(starts, ends, strict=True))
    return [part for part in parts if part]


def figure_words(cell: NotebookNode) -> str:
    """Return the caption and the alternative texts of a cell as YAML, or nothing."""
    shown = cell.metadata.get("mystnb", {})
    words: dict[str, str | list[str]] = {}
    if caption := shown.get("figure", {}).get("caption"):
        words["caption"] = caption
    alts = [
        alt
        for output in cell.get("outputs", [])
        if (alt := output.get("metadata", {}).get("image/png", {}).get("alt"))
    ]
    if alts:
        words["alt"] = alts[0] if len(alts) == 1 else alts
    if not words:
        return ""
    return yaml.safe_dump(words, allow_unicode=True, sort_keys=False, width=100).strip("\n")


def unit_of(part: str) -> Unit:
    """Return the unit that a part of a Markdown text is."""
    return Unit("entry" if ENTRY.match(part) else "text", part)


def units_of_cell(cell: NotebookNode) -> list[Unit]:
    """Return the units of one cell of a notebook."""
    if cell.cell_type == "markdown":
        return [unit_of(part) for part in sections(cell.source)]
    words = figure_words(cell)
    return [Unit("figure", words)] if words else []


def row_words(row: Mapping[str, Any]) -> str:
    """Return what a row of the ledger says in words, each in a paragraph with its key."""
    return "\n\n".join(f"{key}: {row[key]}" for key in ROW if row.get(key))


def words_of_row(text: str) -> dict[str, str]:
    """Return the words of a row by their keys, from its paragraphs."""
    pairs = (part.partition(":") for part in text.split("\n\n"))
    return {key.strip(): said.strip() for key, _, said in pairs}


def units_of(path: Path) -> Iterator[Unit]:
    """Yield the units of a page, in its order; those of the ledger's rows follow its text."""
    if path.suffix == ".ipynb":
        for cell in nbformat.read(path, as_version=4).cells:
            yield from units_of_cell(cell)
    else:
        text = path.read_text(encoding="utf-8")
        yield from map(unit_of, sections(text))
    if path.name == f"{LEDGER}.md" and (data := path.with_suffix(".toml")).is_file():
        rows = tomllib.loads(data.read_text(encoding="utf-8"))["row"]
        yield from (Unit("row", row_words(row)) for row in rows)


def page(name: str) -> Path:
    """Return the English source of a page. Raises FileNotFoundError for a name that is none."""
    for path in (BOOK / f"{name}.ipynb", BOOK / f"{name}.md"):
        if path.is_file():
            return path
    raise FileNotFoundError(f"{name}: no page of this name in {BOOK.name}/")


def read_korean(name: str) -> list[Korean]:
    """Return what the file of a page holds, in its order; nothing if there is no file."""
    path = FOLDER / f"{name}.md"
    if not path.is_file():
        return []
    parts = MARK.split(path.read_text(encoding="utf-8"))
    found = zip(parts[1::3], parts[2::3], parts[3::3], strict=True)
    return [Korean(key, text.strip("\n"), bool(new)) for key, new, text in found]


def write_korean(name: str, units: list[Korean]) -> None:
    """Write the file of a page."""
    FOLDER.mkdir(exist_ok=True)
    text = "\n".join(str(unit) for unit in units)
    (FOLDER / f"{name}.md").write_text(text, encoding="utf-8")
