"""Print the built book as one PDF: contents with page numbers, bookmarks, links, running heads.

    python book/_tools/make_pdf.py [--language en|ko] [CHAPTER ...] [--out FILE]     (`make pdf`)

Both editions are printed, or the one that is named: the Korean PDF lies in the Korean edition.
The pages of _build/html become one document, which Chromium prints twice: the first print tells on
which page everything stands, the second has these numbers in it. Running heads are boxes in the
margin of a page, which Chromium draws from version 131 on.
"""

import argparse
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pikepdf
import yaml

import extensions  # noqa: F401
from annotated_transformer import __version__
from browser import launch, serve
from build import LANGUAGES
from check_pdf import wrong_with
from editions import of_each_edition
from other_forms import PDF
from print_document import Bookmark, Document, Part, parts_of, selected
from rules import ROOT
from words import ENGLISH, KOREAN, say, spoken

BUILT = ROOT / "_build" / "html"
WORK = ROOT / "_build" / "pdf"
TEXT_WIDTH = 597  # CSS pixels between the margins of print.css
FOLDERS = (
    ROOT / "annotated_transformer" / "fonts",
    ROOT / "book" / "fonts",
    Path(mpl.get_data_path(), "fonts", "ttf"),
)
FONTS = ("STIXGeneral", "DejaVuSansMono", "DejaVuSans.", "AnnotatedSans")
STYLES = (
    "pygments.css",
    "fonts.css",
    "palette.css",
    "book.css",
    "strip.css",
    "formulas.css",
    "live/live.css",
)
HEAD = "".join(f'<link rel="stylesheet" href="../html/_static/{name}">' for name in STYLES)
HEAD += '<link rel="stylesheet" href="print.css">'
HEAD_OF = {ENGLISH: HEAD, KOREAN: HEAD + '<link rel="stylesheet" href="print_korean.css">'}
# Where the number of pages is told, and how.
README_OF = {
    ENGLISH: ("README.md", r"over (\d+) pages"),
    KOREAN: ("README.ko.md", r"(\d+)쪽이 넘"),
}
PATIENCE = 600_000  # milliseconds: hundreds of pages are laid out at once

# A picture that is loaded only near the window would never be decoded.
DRAW = """async () => {
    await document.fonts.ready;
    const images = [...document.images];
    images.forEach((image) => { image.loading = 'eager'; });
    await Promise.all(images.map((image) => image.decode()));
}"""
# What is wider than the text becomes smaller; of a formula only what is drawn counts.
FIT = """() => document.querySelectorAll('div.math, table, pre, svg').forEach((element) => {
    const drawn = element.matches('div.math') ? element.querySelector('mjx-math') : null;
    const inner = drawn?.parentElement ?? element;
    const room = (drawn ? inner : element.parentElement).clientWidth;
    const needed = drawn?.offsetWidth ?? Math.max(element.scrollWidth, element.offsetWidth ?? 0);
    if (room && needed > room + 1) inner.style.zoom = Math.floor(100 * room / needed) / 100;
})"""
TOO_WIDE = """(width) => [...document.querySelectorAll('article *')].filter((element) => {
    const box = element.getBoundingClientRect();
    return box.width && (box.right > width + 1 || box.left < -1)
        && !element.closest('mjx-assistive-mml, svg *, clipPath');
}).map((element) => element.outerHTML.slice(0, 200))"""
FILL = """(pages) => document.querySelectorAll('.page-of').forEach((link) => {
    link.textContent = pages[link.getAttribute('href').slice(1)] ?? '?';
})"""
AUTHORS = "The annotated-transformer authors"


def imprint() -> str:
    """Return what the title page says below the title, in the language of the edition."""
    subtitle = say("The paper, chapter by chapter, with the tested code that the chapters show")
    rights = say("Text and figures: CC BY 4.0. Code: MIT. Embedded corpus: CC0.")
    charts = say(
        "Charts that answer to pointing are printed as pictures; "
        "the pages of the book have them all."
    )
    return f"""<p>{subtitle}</p>
<p>{say(AUTHORS)}</p>
<p class="below">{say("Version {version}", version=__version__)}<br>
{rights}<br>
{charts}</p>"""


def write_document(parts: list[Part]) -> tuple[Path, list[Bookmark]]:
    """Write the document and what it needs; return its path and its contents."""
    document = Document(BUILT, parts, imprint())
    (WORK / "fonts").mkdir(parents=True, exist_ok=True)
    for font in [font for folder in FOLDERS for font in folder.iterdir()]:
        if font.name.startswith(FONTS):
            shutil.copy(font, WORK / "fonts")
    for style in ("print.css", "print_korean.css"):
        shutil.copy(Path(__file__).parent / style, WORK)
    file = WORK / f"book-{spoken()}.html"
    file.write_text(document.html(HEAD_OF[spoken()]), encoding="utf-8")
    return file, document.bookmarks


def places_in(book: pikepdf.Pdf) -> dict[str, tuple[int, float]]:
    """Return page number (from 1) and height of every place that a link leads to."""
    numbers = {page.objgen: number for number, page in enumerate(book.pages, start=1)}
    return {
        str(name).removeprefix("/"): (numbers[place[0].objgen], float(place[3]))
        for name, place in book.Root.get("/Dests", {}).items()
    }


def pages_of(pdf: Path) -> dict[str, int]:
    """Return the page number of every place that a link leads to."""
    with pikepdf.open(pdf) as book:
        return {name: page for name, (page, _) in places_in(book).items()}


def finish(pdf: Path, bookmarks: list[Bookmark]) -> None:
    """Add bookmarks and author, and make the file smaller.

    The bookmarks are not Chromium's, since it says the heading at the top of a page twice.
    """
    with pikepdf.open(pdf, allow_overwriting_input=True) as book:
        places = places_in(book)
        above: list[Any] = []
        with book.open_outline() as outline:
            outline.root.clear()
            for depth, title, target in bookmarks:
                page, top = places[target]
                item = pikepdf.OutlineItem(title, page - 1, "XYZ", top=top)
                (above[depth - 1].children if depth else outline.root).append(item)
                above[depth:] = [item]
        book.Root.PageMode = pikepdf.Name.UseOutlines
        book.docinfo["/Author"] = say(AUTHORS)
        book.save(pdf, object_stream_mode=pikepdf.ObjectStreamMode.generate)


def print_document(document: Path, pdf: Path) -> list[str]:
    """Print the document with the right page numbers; return what is too wide for its pages."""
    address = document.relative_to(ROOT / "_build").as_posix()
    with serve(ROOT / "_build") as server, launch() as browser:
        page = browser.new_page(viewport={"width": TEXT_WIDTH, "height": 900})
        page.set_default_timeout(PATIENCE)
        page.emulate_media(media="print")
        page.goto(f"{server}/{address}")
        page.evaluate(DRAW)
        page.evaluate(FIT)
        too_wide = page.evaluate(TOO_WIDE, TEXT_WIDTH)
        numbers: dict[str, int] = {}
        while True:  # numbers have the room of three digits, so that a second print settles them
            page.pdf(path=pdf, prefer_css_page_size=True, tagged=True, print_background=True)
            found = pages_of(pdf)
            if found == numbers:
                return too_wide
            numbers = found
            page.evaluate(FILL, numbers)


def make_pdf(parts: list[Part], pdf: Path) -> list[str]:
    """Print some parts of the book; return what is wrong with the print."""
    document, bookmarks = write_document(parts)
    too_wide = print_document(document, pdf)
    finish(pdf, bookmarks)
    names = [name for part in parts for name in part.names]
    return [f"wider than its page: {tag}" for tag in too_wide] + wrong_with(pdf, BUILT, names)


def wrong_number(pages: int, readme: str, language: str = ENGLISH) -> list[str]:
    """Return what the README says wrongly of the number of pages, which it gives in hundreds."""
    name, says = README_OF[language]
    told = re.findall(says, readme)
    hundreds = pages // 100 * 100
    if told == [str(hundreds)]:
        return []
    return [f"the book has {pages} pages: {name} should say once that they are over {hundreds}"]


def print_edition(chapters: list[str], out: Path | None) -> list[str]:
    """Print the edition, or some chapters of it; return what is wrong."""
    edition = BUILT if spoken() == ENGLISH else BUILT / spoken()
    usual = WORK / f"chapters-{spoken()}.pdf" if chapters else edition / PDF
    file = out or usual
    parts = parts_of(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))
    if chapters:
        parts = selected(parts, chapters)
    file.parent.mkdir(parents=True, exist_ok=True)
    wrong = make_pdf(parts, file)
    with pikepdf.open(file) as book:
        pages = len(book.pages)
    if not chapters:
        readme = (ROOT / README_OF[spoken()][0]).read_text(encoding="utf-8")
        wrong += wrong_number(pages, readme, spoken())
    if not wrong:
        print(f"pdf: {pages} pages in {file}")
    return wrong


def main() -> int:
    """Print the book, and say what is wrong with it."""
    parser = argparse.ArgumentParser(description="print the built book as a PDF")
    parser.add_argument("chapters", nargs="*", help="as in masks; without any, all of the book")
    parser.add_argument("--language", choices=LANGUAGES, help="one edition alone")
    parser.add_argument("--out", type=Path, help="the file to write, of one edition")
    arguments = parser.parse_args()
    if arguments.out and not arguments.language:
        parser.error("--out is for one edition: add --language")
    chapters, out = arguments.chapters, arguments.out
    return of_each_edition("pdf", arguments.language, lambda: print_edition(chapters, out))


if __name__ == "__main__":
    sys.exit(main())
