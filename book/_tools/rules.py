"""The book's own rules: each reads one source and returns what it finds wrong, as sentences.

`tests/test_book.py` runs them over the book, and over sources broken on purpose.
"""

import ast
import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import nbformat
import yaml
from nbformat import NotebookNode

from prose import directives, pictures, unopened

ROOT = Path(__file__).parents[2]
MAX_LINES = 20
MAX_FOLDED_LINES = 80
MAX_COLUMNS = 80
MAX_BYTES = 500_000
KNOWN_TAGS = {
    "full-width",
    "hide-cell",
    "hide-input",
    "hide-output",
    "margin",
    "nbval-ignore-output",
    "remove-cell",
    "remove-input",
    "scroll-output",
}
MACHINE_PATH = re.compile(r"/(?:home|Users|root|tmp|work|mnt|opt|var|content)/\w|[A-Z]:\\\\?Users")
SILENCED = re.compile(r"""(?:filterwarnings|simplefilter)\(\s*["']ignore["']|-W\s*ignore\b""")
NEVER_RUN = re.compile(r"^\s*(?:if|while)\s+(?:False|0)\s*:", re.MULTILINE)
PRINTS = re.compile(r"\b(?:print|show_source|display)\(")
HIDDEN = {"hide-cell", "hide-input", "remove-cell", "remove-input"}
LISTING = re.compile(r"# (annotated_transformer/\S+(?: · \S+)?)\n")
FOLDED = "jp-MarkdownHeadingCollapsed"
"""The key of JupyterLab in the metadata of a cell whose heading folds its section."""
CHART_TYPES = ("image/png", "image/svg+xml", "image/jpeg")


def read(path: Path) -> NotebookNode:
    """Read a notebook."""
    return nbformat.read(path, as_version=4)


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells of a notebook."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook: NotebookNode) -> str:
    """Return the Markdown of a notebook."""
    return "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")


# --- what a code cell may hold


def executed_in_order(notebook: NotebookNode) -> list[str]:
    """Cells are numbered 1, 2, 3, ... and what prints has its output stored."""
    cells = code_cells(notebook)
    counts = [cell.execution_count for cell in cells]
    wrong = []
    if counts != list(range(1, len(cells) + 1)):
        wrong.append(f"cells were not executed once and in order: counts are {counts}")
    if cells and not any(cell.outputs for cell in cells):
        wrong.append("no cell has a stored output")
    for cell in cells:
        if PRINTS.search(cell.source) and not cell.outputs:
            wrong.append(f"the cell prints and stores no output: {first_line(cell)}")
    return wrong


def short_cells(notebook: NotebookNode) -> list[str]:
    """No cell is longer than a reader can hold at once; a folded one may be, to stand by itself."""
    wrong = []
    for cell in code_cells(notebook):
        folded = HIDDEN.intersection(cell.metadata.get("tags", []))
        limit = MAX_FOLDED_LINES if folded else MAX_LINES
        if (lines := len(cell.source.splitlines())) > limit:
            wrong.append(f"a cell has {lines} lines, more than {limit}: {first_line(cell)}")
    return wrong


def one_fold(notebook: NotebookNode) -> list[str]:
    """Folded code with nothing between makes one toggle, not a row of them."""
    wrong = []
    for cell, following in pairwise(notebook.cells):
        both = all("hide-input" in each.metadata.get("tags", []) for each in (cell, following))
        if both and not cell.get("outputs"):
            wrong.append(f"folded cells stand in a row: {first_line(following)}")
    return wrong


def narrow_code(notebook: NotebookNode) -> list[str]:
    """No line of code that a page shows is wider than the page: of a cell or of the package."""
    wrong = []
    for cell in code_cells(notebook):
        shown = (
            [] if HIDDEN.intersection(cell.metadata.get("tags", [])) else [("a cell", cell.source)]
        )
        for output in cell.outputs:
            text = output.get("data", {}).get("text/plain", "")
            if found := LISTING.match(text):
                shown.append((found[1], text.partition("\n")[2]))
        wrong += [
            f"{where} has a line of {len(line)} columns, more than {MAX_COLUMNS}: {line.strip()}"
            for where, text in shown
            for line in text.splitlines()
            if len(line) > MAX_COLUMNS
        ]
    return wrong


def clean_outputs(notebook: NotebookNode) -> list[str]:
    """Outputs hold no error, nothing from stderr, and no path of somebody's machine."""
    wrong = []
    for cell in code_cells(notebook):
        for output in cell.outputs:
            if output.output_type == "error":
                wrong.append(f"a stored output is an error: {first_line(cell)}")
            if output.get("name") == "stderr":
                wrong.append(f"a stored output comes from stderr: {first_line(cell)}")
            if found := MACHINE_PATH.search(output_text(output)):
                wrong.append(f"an output names a path of a machine, {found[0]}...")
    return wrong


def nothing_silenced(source: str) -> list[str]:
    """No warning is ignored and no code is parked behind a condition that never holds."""
    wrong = [f"a warning is silenced: {found[0]}" for found in SILENCED.finditer(source)]
    wrong += [f"code never runs: {found[0].strip()}" for found in NEVER_RUN.finditer(source)]
    return wrong


def known_tags(notebook: NotebookNode) -> list[str]:
    """Tags are spelled as the tools know them; an output left uncompared is asserted instead."""
    wrong = []
    cells = code_cells(notebook)
    for position, cell in enumerate(cells):
        tags = set(cell.metadata.get("tags", []))
        wrong += [f"a cell has the tag {tag!r}, which is not allowed" for tag in tags - KNOWN_TAGS]
        nearby = "\n".join(c.source for c in cells[position : position + 2])
        if "nbval-ignore-output" in tags and not re.search(r"^\s*assert\b", nearby, re.MULTILINE):
            wrong.append(f"output is not compared and nothing is asserted: {first_line(cell)}")
    return wrong


def has_kernel(notebook: NotebookNode) -> list[str]:
    """Without a kernelspec a page shows unhighlighted code and tools skip the notebook."""
    name = notebook.metadata.get("kernelspec", {}).get("name")
    return [] if name == "python3" else [f"kernelspec is {name!r}, expected 'python3'"]


def defines_nothing_of(package_names: set[str], notebook: NotebookNode) -> list[str]:
    """A chapter shows the package's code and never defines it a second time."""
    return [
        f"{node.name} is defined in the notebook and in the package"
        for node in definitions("\n".join(cell.source for cell in code_cells(notebook)))
        if node.name in package_names
    ]


def captioned_outputs(notebook: NotebookNode) -> list[str]:
    """A cell that draws says what to see, and every picture, wherever it is opened, what is drawn.

    nbconvert and GitHub read the alternative text of the output, MyST-NB that of the cell.
    """
    wrong = []
    for cell in code_cells(notebook):
        drawn = [o for o in cell.outputs if any(t in o.get("data", {}) for t in CHART_TYPES)]
        if drawn and not cell.metadata.get("mystnb", {}).get("figure", {}).get("caption"):
            wrong.append(f"a figure has no caption (mystnb.figure.caption): {first_line(cell)}")
        for output in drawn:
            if not any(output.metadata.get(kind, {}).get("alt") for kind in CHART_TYPES):
                wrong.append(
                    f"a picture is stored without its alternative text: {first_line(cell)}; "
                    "write mystnb.image.alt and run make outputs, or pass alt to show"
                )
    return wrong


# --- what prose may hold


def captioned_pictures(markdown: str) -> list[str]:
    """Pictures in prose are figures with a caption and an alternative text."""
    wrong = []
    for directive in directives(markdown):
        if directive.name in ("figure", "image"):
            if not directive.options.get("alt"):
                wrong.append(f"{directive.argument} has no alternative text")
            if not directive.content.strip():
                wrong.append(f"{directive.argument} has no caption")
    return wrong + [f"a picture is no figure: {address}" for address in pictures(markdown)]


def opened_directives(markdown: str) -> list[str]:
    """No directive is read as text, as one is whose first line has a backtick after backticks."""
    return [f"a directive does not open: {line}" for line in unopened(markdown)]


def solved_exercises(markdown: str) -> list[str]:
    """Every exercise has a label, and a folded solution that names it."""
    wrong, exercises, solutions = [], set(), set()
    for directive in directives(markdown):
        if directive.name in ("exercise", "exercise-start"):
            if label := directive.options.get("label"):
                exercises.add(label)
            else:
                wrong.append(f"an exercise has no label: {directive.content[:60]!r}")
        elif directive.name in ("solution", "solution-start"):
            solutions.add(directive.argument)
            if "dropdown" not in directive.options.get("class", "").split():
                wrong.append(f"the solution of {directive.argument} is not folded")
    wrong += [f"exercise {name} has no solution" for name in sorted(exercises - solutions)]
    return wrong + [f"solution of unknown {name}" for name in sorted(solutions - exercises)]


# --- what the book as a whole must hold


def toc_files(toc: object) -> Iterator[str]:
    """Yield the files that a table of contents names, the root first."""
    if isinstance(toc, dict):
        for key, value in toc.items():
            if key in ("root", "file"):
                yield value
            else:
                yield from toc_files(value)
    elif isinstance(toc, list):
        for item in toc:
            yield from toc_files(item)


def listed_pages(root: Path = ROOT) -> list[str]:
    """Return the pages that the table of contents lists, in its order."""
    return list(toc_files(yaml.safe_load((root / "_toc.yml").read_text(encoding="utf-8"))))


def complete_toc(root: Path) -> list[str]:
    """Every page of book/ is in _toc.yml, once, and every entry is a page."""
    listed = listed_pages(root)
    pages = [p for suffix in ("*.md", "*.ipynb") for p in sorted((root / "book").glob(suffix))]
    names = [page.relative_to(root).with_suffix("").as_posix() for page in pages]
    wrong = [f"{name} is not in _toc.yml" for name in names if name not in listed]
    wrong += [f"{name} is in _toc.yml and has no file" for name in listed if name not in names]
    return wrong + [f"{name} is listed twice" for name in set(listed) if listed.count(name) > 1]


def small_file(path: Path) -> list[str]:
    """Notebooks stay small enough to load and to compare."""
    size = path.stat().st_size
    return [] if size <= MAX_BYTES else [f"{path.name} has {size:,} bytes, over {MAX_BYTES:,}"]


def package_definitions(package: Path) -> set[str]:
    """Return the names of all functions and classes at the top level of the package."""
    sources = (path.read_text(encoding="utf-8") for path in package.rglob("*.py"))
    return {node.name for source in sources for node in definitions(source)}


def unused_names(names: list[str], notebooks: list[NotebookNode]) -> list[str]:
    """Return the public names that no chapter's code uses."""
    source = "\n".join(cell.source for notebook in notebooks for cell in code_cells(notebook))
    return [name for name in names if not re.search(rf"\b{name}\b", source)]


# --- small parts


def definitions(source: str) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Yield the functions and classes defined at the top level of Python code."""
    lines = (line for line in source.splitlines() if not line.startswith(("%", "!")))
    for node in ast.parse("\n".join(lines)).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node


def output_text(output: NotebookNode) -> str:
    """Return everything a stored output says, pictures left out."""
    data = {t: v for t, v in output.get("data", {}).items() if not t.startswith("image/png")}
    return json.dumps(data, ensure_ascii=False) + output.get("text", "")


def first_line(cell: NotebookNode) -> str:
    """Return the first line of a cell, to find it by."""
    return cell.source.strip().partition("\n")[0]
