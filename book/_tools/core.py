"""Say of each chapter what the core is that a first reader meets: `make core`.

    python book/_tools/core.py [--screens] [NOTEBOOK ...]

For each notebook: words of prose, minutes at 200 words a minute, lines of code that are shown,
pictures, the section that the first picture stands in, exercises, folds, and the words in them.
With `--screens` also how many screens of 1280 by 800 come before the first picture and before the
second reading, on the book as it is built. The last line counts the prose of the whole book outside
of folds, tables, code and exercises.
"""

import argparse
import math
from pathlib import Path

from nbformat.v4 import new_markdown_cell, new_notebook
from playwright.sync_api import Browser

from browser import launch, serve
from depths import MAX_CODE_LINES, MAX_WORDS, blocks, core_budget, core_of, words_of
from rules import ROOT, read

WORDS_PER_MINUTE = 200
WINDOW = {"width": 1280, "height": 800}
COLUMNS = ("words", "minutes", "code", "pictures", "first in", "exercises", "folds", "folded")
# Where the first picture of the text and the second reading begin, in screens.
PLACES = """() => {
    const top = (element) => element
        ? (element.getBoundingClientRect().top + scrollY) / innerHeight : null;
    const shown = [...document.querySelectorAll(
        'article :is(figure img, .at-chart, figure svg, [class^="live-"], live-map)')];
    const first = shown.find((element) => element.checkVisibility());
    return [top(first), top(document.getElementById('for-a-second-reading'))];
}"""


def row(path: Path) -> dict[str, str]:
    """Return the numbers of one chapter."""
    core = core_of(read(path))
    numbers = (
        core.words,
        math.ceil(core.words / WORDS_PER_MINUTE),
        core.code_lines,
        core.pictures,
        core.sections_before_a_picture,
        core.exercises,
        core.folds,
        core.folded_words,
    )
    return dict(zip(COLUMNS, map(str, numbers), strict=True))


def prose_outside_folds(book: Path) -> tuple[int, int]:
    """Count what a reader who opens nothing reads: in the chapters, and in all other pages."""
    chapters = [read(path) for path in sorted(book.glob("*.ipynb"))]
    texts = [path.read_text(encoding="utf-8") for path in sorted(book.glob("*.md"))]
    others = [new_notebook(cells=[new_markdown_cell(text)]) for text in texts]
    chapter_words, other_words = (
        sum(words_of(block) for page in pages for block in blocks(page) if not block.second)
        for pages in (chapters, others)
    )
    return chapter_words, other_words


def screens(browser: Browser, address: str, names: list[str]) -> dict[str, list[float | None]]:
    """Measure on the built pages where the first picture and the second reading begin."""
    found = {}
    page = browser.new_page(viewport=WINDOW)
    for name in names:
        page.goto(f"{address}/book/{name}.html", wait_until="load")
        found[name] = page.evaluate(PLACES)
    page.close()
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--screens", action="store_true", help="measure on the built book")
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK")
    arguments = parser.parse_args()
    paths = arguments.notebooks or sorted((ROOT / "book").glob("*.ipynb"))
    rows = {path.stem: row(path) for path in paths}
    columns = COLUMNS
    if arguments.screens:
        columns = (*COLUMNS, "to picture", "to folds")
        with serve(ROOT / "_build" / "html") as address, launch() as browser:
            places = screens(browser, address, list(rows))
        for name, tops in places.items():
            texts = ["-" if top is None else f"{top:.1f}" for top in tops]
            rows[name] |= dict(zip(columns[-2:], texts, strict=True))
    width = max(map(len, rows))
    print(" " * width, *(f"{column:>10}" for column in columns))
    for name, numbers in rows.items():
        print(f"{name:{width}}", *(f"{numbers[column]:>10}" for column in columns))
    done = sum(core_budget(read(path)) == [] for path in paths)
    print(f"{done} of {len(paths)} keep {MAX_WORDS} words and {MAX_CODE_LINES} lines of code")
    chapters, others = prose_outside_folds(ROOT / "book")
    print(f"prose outside of folds: {chapters:,} words in all chapters, {others:,} on other pages")


if __name__ == "__main__":
    main()
