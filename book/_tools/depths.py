"""The two depths of a chapter: what a reader of its core meets, and how the rest is folded.

The core is all before the heading "For a second reading", each `###` below it a fold. Of the core
the exercises, tables, displayed formulas, margins and captions are no prose.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from nbformat import NotebookNode

import extensions  # noqa: F401
from prose import PARSER, Directive, directive_of, directives
from rules import CHART_TYPES, FOLDED, HIDDEN, first_line
from second_reading import PARENTS

SECOND_READING = PARENTS[0]
MAX_WORDS = 1500
MAX_CODE_LINES = 40
MAX_EXERCISES = 3
SECTIONS_BEFORE_A_PICTURE = 2
UNPRINTED = {"hide-cell", "hide-output", "remove-cell", "remove-output"}
# What stands in these is not read as prose.
NO_PROSE = {
    *("math", "margin", "figure", "image", "code-block", "code"),
    *("list-table", "table", "csv-table"),
    *("exercise", "solution", "exercise-start", "solution-start", "exercise-end", "solution-end"),
    *("toctree", "bibliography", "automodule", "dropdown", "bibtex"),
}
# As in book/_ext/reading_time.py, which has the pages alone to read: a formula is one word.
MATHS = re.compile(r"\$[^$]+\$")
LINK = re.compile(r"\]\([^)]*\)")
WORD = re.compile(r"[^\W_](?:[\w'’-]*\w)?")
DISPLAY = re.compile(r"\$\$.+?\$\$", re.DOTALL)
ROLE = re.compile(r"\{[\w:]+\}`[^`]*`")
TAG = re.compile(r"</?\w[^>]*>")
LABEL = re.compile(r"\([\w-]+\)=")
HEADING = re.compile(r"(#{1,6}) +(.+?)\s*$")
LIVE = re.compile(r"<live-[a-z]")
# The source of one object of the package, or the difference of two.
PRINTED = re.compile(r"# annotated_transformer/")


@dataclass
class Block:
    """A piece of a page, a text, a directive, HTML or a code cell, and where it stands."""

    kind: str  # text, heading, table, directive, html or code
    text: str = ""
    level: int = 0
    directive: Directive | None = None
    cell: NotebookNode | None = None
    section: str = ""
    second: bool = False
    gated: bool = False


@dataclass
class Core:
    """What the core of a chapter has."""

    words: int = 0
    code_lines: int = 0
    pictures: int = 0
    sections_before_a_picture: int = 0
    exercises: int = 0
    checks: list[str] = field(default_factory=list)
    folds: int = 0
    folded_words: int = 0


def blocks(notebook: NotebookNode) -> Iterator[Block]:
    """Yield the pieces of a notebook in their order."""
    section, second, gated = "", False, False
    for cell in notebook.cells:
        pieces = (
            _text_blocks(cell.source)
            if cell.cell_type == "markdown"
            else [Block("code", cell.source, cell=cell)]
        )
        for block in pieces:
            if block.kind == "heading" and block.level <= 2:
                section = block.text
                second = second or section in PARENTS
            name = block.directive.name if block.directive else ""
            gated = gated or name in ("exercise-start", "solution-start")
            block.section, block.second, block.gated = section, second, gated
            gated = gated and name not in ("exercise-end", "solution-end")
            yield block


def _text_blocks(markdown: str) -> Iterator[Block]:
    level, in_table = 0, False
    for token in PARSER.parse(DISPLAY.sub("", markdown)):
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "inline":
            kind = "heading" if level else "table" if in_table else "text"
            yield Block(kind, token.content, level)
            level = 0
        elif token.type in ("table_open", "table_close"):
            in_table = token.type == "table_open"
        elif token.type == "html_block":
            yield Block("html", token.content)
        elif directive := directive_of(token):
            yield Block("directive", directive.content, directive=directive)


def words_of(block: Block) -> int:
    """Count the words of a piece that a reader reads as prose, folds left out."""
    if block.gated or block.section == "Exercises":
        return 0
    if block.kind in ("text", "heading"):
        text = TAG.sub("", ROLE.sub("word", LABEL.sub("", MATHS.sub("formula", block.text))))
        return len(WORD.findall(LINK.sub("]", text)))
    directive = block.directive
    if directive is None or directive.name in NO_PROSE:
        return 0
    if "dropdown" in directive.options.get("class", "").split():
        return 0
    return sum(map(words_of, _text_blocks(directive.content)))


def code_lines_of(block: Block) -> int:
    """Count the lines of code that a page shows: of a cell, and those that it prints."""
    if block.cell is None or block.gated or block.section == "Exercises":
        return 0
    tags = set(block.cell.metadata.get("tags", []))
    lines = [] if HIDDEN & tags else block.text.splitlines()
    if not UNPRINTED & tags:
        for output in block.cell.outputs:
            text = output.get("data", {}).get("text/plain", "")
            lines += text.splitlines()[1:] if PRINTED.match(text) else []
    return sum(bool(line.strip()) for line in lines)


def is_picture(block: Block) -> bool:
    """Tell whether a piece shows something to look at."""
    if block.cell is not None:
        return any(kind in o.get("data", {}) for o in block.cell.outputs for kind in CHART_TYPES)
    if block.kind == "html":
        return bool(LIVE.search(block.text))
    return block.directive is not None and block.directive.name in ("figure", "image")


def core_of(notebook: NotebookNode) -> Core:
    """Count what the core of a chapter has; without a second reading all of it is core."""
    core, sections = Core(), 0
    for block in blocks(notebook):
        if block.second:
            core.folds += block.kind == "heading" and block.level == 3
            core.folded_words += words_of(block)
            continue
        sections += block.kind == "heading" and block.level == 2
        core.words += words_of(block)
        core.code_lines += code_lines_of(block)
        core.exercises += block.directive is not None and block.directive.name in (
            "exercise",
            "exercise-start",
        )
        if is_picture(block):
            core.pictures += 1
            if core.pictures == 1:
                core.sections_before_a_picture = sections
        if block.cell is not None and not block.gated and block.section != "Exercises":
            hidden = HIDDEN.intersection(block.cell.metadata.get("tags", []))
            if not hidden and re.search(r"^\s*assert\b", block.text, re.MULTILINE):
                core.checks.append(first_line(block.cell))
    return core


# --- the rules


def core_budget(notebook: NotebookNode) -> list[str]:
    """A chapter has a core that is read in a quarter of an hour, and folds what else there is."""
    core, wrong = core_of(notebook), []
    if not core.folds:
        wrong.append(f'nothing is folded: there is no "## {SECOND_READING}" with "###" below it')
    if core.words > MAX_WORDS:
        wrong.append(f"the core has {core.words} words, more than {MAX_WORDS}")
    if core.code_lines > MAX_CODE_LINES:
        wrong.append(f"the core shows {core.code_lines} lines of code, more than {MAX_CODE_LINES}")
    if core.exercises > MAX_EXERCISES:
        wrong.append(f"the core has {core.exercises} exercises, more than {MAX_EXERCISES}")
    if not core.pictures:
        wrong.append("the core has no picture")
    elif core.sections_before_a_picture > SECTIONS_BEFORE_A_PICTURE:
        wrong.append(f"the first picture stands in section {core.sections_before_a_picture}")
    return wrong + [f"a visible cell of the core asserts: {line}" for line in core.checks]


def folded_sections(notebook: NotebookNode) -> list[str]:
    """Each fold begins a cell that has JupyterLab's key, no other cell has it, and they come last.

    Labels may stand before the heading.
    """
    wrong, second = [], False
    for cell in notebook.cells:
        lines = cell.source.splitlines() if cell.cell_type == "markdown" else []
        first = next((line for line in lines if line and not LABEL.fullmatch(line)), "")
        headings = [block for block in _text_blocks("\n".join(lines)) if block.kind == "heading"]
        folds = []
        for heading in headings:
            if second and heading.level <= 2:
                wrong.append(f"a section comes after the second reading: {heading.text}")
            second = second or (heading.level == 2 and heading.text == SECOND_READING)
            folds += [heading.text] if second and heading.level == 3 else []
        begins = bool(folds) and first == f"### {folds[0]}"
        wrong += [f"a fold does not begin its cell: {title}" for title in folds[int(begins) :]]
        if begins and not cell.metadata.get(FOLDED):
            wrong.append(f"the cell of a fold lacks {FOLDED}: {folds[0]}")
        if cell.metadata.get(FOLDED) and not begins:
            wrong.append(f"a cell has {FOLDED} and begins no fold: {first_line(cell)}")
    return wrong


def no_fold_in_a_fold(notebook: NotebookNode) -> list[str]:
    """What is folded holds no fold but solutions, which a reader opens after trying, and code."""
    wrong = []
    for block in blocks(notebook):
        if block.second and block.directive is not None:
            inner = [block.directive, *directives(block.directive.content)]
            for directive in inner:
                folded = "dropdown" in [directive.name, *directive.options.get("class", "").split()]
                if folded and not directive.name.startswith("solution"):
                    what = f"{{{directive.name}}} {directive.argument}".strip()
                    wrong.append(f"{block.section}: {what} is folded in a fold")
    return wrong
