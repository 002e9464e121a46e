"""Count what the printed book holds and compare it with the pages of the built book.

Chapters and sections against bookmarks, pictures against pictures, and in the file itself: links
that lead somewhere, fonts that travel with it, characters without a glyph, ink in the margins.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2 as pdfium
from bs4 import BeautifulSoup

import extensions  # noqa: F401
from words import say

MARGIN = 71  # points, 25 mm; print.css leaves 26 mm at both sides
WHITE = 250  # of 255
LETTERS = re.compile(r"[^\w]+")
DRAWN = re.compile(rb"(/\S+) Do")
# In the content of a page a font is chosen, or glyphs are shown by their numbers. What stands in
# such brackets inside of others is the text that a reader copies: <</ActualText <FEFF00A0> >>.
SHOWN = re.compile(rb"(/\S+) [\d.]+ Tf|<([0-9A-Fa-f]+)>(?!\s*>)")


def wrong_with(pdf: Path, built: Path, names: list[str]) -> list[str]:
    """Return one sentence for everything that a printed book lacks or breaks."""
    articles = [read_article(built, name) for name in names]
    with pikepdf.open(pdf) as book:
        return [
            *missing_bookmarks(book, articles),
            *missing_pictures(book, articles),
            *broken_links(book),
            *fonts_left_out(book),
            *missing_glyphs(book),
            *ink_in_the_margins(pdf),
        ]


def read_article(built: Path, name: str) -> Any:
    """Return the article of a page of the built book."""
    text = (built / f"{name}.html").read_text(encoding="utf-8")
    article = BeautifulSoup(text, "html.parser").select_one("article")
    for link in article.select(".headerlink"):
        link.decompose()
    return article


def plain(title: str) -> str:
    """Return the letters of a title, the same with typographic quotes and without."""
    return LETTERS.sub("", title).casefold()


def bookmarks(book: pikepdf.Pdf) -> list[tuple[int, str, int]]:
    """Return depth, title and page (from 0) of all bookmarks in order."""
    numbers = {page.objgen: number for number, page in enumerate(book.pages)}

    def walk(items: list[Any], depth: int) -> Iterator[tuple[int, str, int]]:
        for item in items:
            yield depth, item.title, numbers[item.destination[0].objgen]
            yield from walk(item.children, depth + 1)

    with book.open_outline() as outline:
        return list(walk(outline.root, 0))


def missing_bookmarks(book: pikepdf.Pdf, articles: list[Any]) -> list[str]:
    """Every chapter and section has its bookmark, in the order of the book."""
    remaining = iter([plain(title) for _, title, _ in bookmarks(book)])
    headings = [heading for article in articles for heading in article.select("h1, h2")]
    return [
        f"no bookmark for {heading.get_text()!r}, or not in its order"
        for heading in headings
        if not heading.select(".math") and plain(heading.get_text()) not in remaining
    ]


def missing_pictures(book: pikepdf.Pdf, articles: list[Any]) -> list[str]:
    """A chapter has as many pictures in print as on its page; solutions have theirs at the end."""
    counted = [pictures(page) for page in book.pages]
    marks = bookmarks(book)
    heads = {plain(title): number for depth, title, number in reversed(marks) if depth < 2}
    tops = {number for depth, _, number in marks if depth == 0} | {len(counted)}
    names = [article.select_one("h1").get_text() for article in articles]
    starts = [heads[plain(name)] for name in names]
    wrong, later = [], 0
    for name, article, start in zip(names, articles, starts, strict=True):
        end = min(number for number in tops.union(starts) if number > start)
        inside = len(article.select(".solution img"))
        expected, later = len(article.select("img")) - inside, later + inside
        if (found := sum(counted[start:end])) != expected:
            wrong.append(f"{name!r} has {found} pictures in print and {expected} on its page")
    solutions = heads.get(plain(say("Solutions")), len(counted))
    found = sum(counted[solutions:])
    if found != later:
        wrong.append(f"the solutions have {found} pictures in print and {later} on their pages")
    return wrong


def contents(part: Any) -> Iterator[tuple[Any, bytes]]:
    """Yield resources and content of a page or form, and of the forms that it draws."""
    streams = part.Contents if "/Contents" in part else part
    several = streams if isinstance(streams, pikepdf.Array) else [streams]
    resources = part.Resources
    yield resources, b"\n".join(stream.read_bytes() for stream in several)
    for inner in resources.get("/XObject", {}).values():
        if inner.Subtype == "/Form" and "/Resources" in inner:
            yield from contents(inner)


def pictures(page: Any) -> int:
    """Return how often a page draws a picture."""
    return sum(
        resources.XObject[name.decode()].Subtype == "/Image"
        for resources, content in contents(page)
        for name in DRAWN.findall(content)
    )


def broken_links(book: pikepdf.Pdf) -> list[str]:
    """Every link inside of the book leads to a place that it has."""
    places = book.Root.get("/Dests", {})
    return [
        f"page {number}: the link to {link.Dest} leads nowhere"
        for number, page in enumerate(book.pages, start=1)
        for link in page.get("/Annots", [])
        if isinstance(link.get("/Dest"), pikepdf.Name) and str(link.Dest) not in places
    ]


def fonts_left_out(book: pikepdf.Pdf) -> list[str]:
    """Every font travels with the file; the glyphs of a Type 3 font are drawings in it."""
    wrong = set()
    for page in book.pages:
        for resources, _ in contents(page):
            for font in resources.get("/Font", {}).values():
                inner = font.DescendantFonts[0] if "/DescendantFonts" in font else font
                files = [key for key in inner.get("/FontDescriptor", {}) if "/FontFile" in key]
                if font.Subtype != "/Type3" and not files:
                    wrong.add(f"the font {font.BaseFont} is not in the file")
    return sorted(wrong)


def missing_glyphs(book: pikepdf.Pdf) -> list[str]:
    """No character is drawn as the box that a font has for what it lacks: its glyph 0."""
    wrong = []
    for number, page in enumerate(book.pages, start=1):
        for resources, content in contents(page):
            font = None
            for name, shown in SHOWN.findall(content):
                if name:
                    font = resources.Font[name.decode()]
                elif font is not None and 0 in glyphs(font, bytes.fromhex(shown.decode())):
                    wrong.append(f"page {number}: a character has no glyph in any font")
    return wrong


def glyphs(font: Any, codes: bytes) -> list[int]:
    """Return the numbers of the glyphs that some codes stand for in a font that Chromium wrote."""
    if font.Subtype == "/Type0":
        return [int.from_bytes(codes[i : i + 2]) for i in range(0, len(codes), 2)]
    first, *names = font.Encoding.Differences  # names as /g1F
    return [int(str(names[code - int(first)])[2:], 16) for code in codes]


def ink_in_the_margins(pdf: Path) -> list[str]:
    """Nothing is drawn in the margins at the sides."""
    wrong = []
    with pdfium.PdfDocument(pdf) as document:
        for number, page in enumerate(document, start=1):
            ink = page.render(scale=1, grayscale=True).to_numpy() < WHITE
            if ink[:, :MARGIN].any() or ink[:, -MARGIN:].any():
                wrong.append(f"page {number}: something stands in the margin")
    return wrong
