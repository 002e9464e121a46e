"""Check the built book: every page is there, every internal link leads somewhere.

python book/_tools/links.py _build/html
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement, HTMLParser, fromstring

from rules import ROOT, listed_pages

LINKS = "//@href | //@src | //@*[name() = 'xlink:href'] | //object/@data | //@poster"
PARSER = HTMLParser(encoding="utf-8")
NOT_INTERNAL = ("http", "https", "mailto", "data", "javascript", "blob")


@dataclass(frozen=True)
class Page:
    """The anchors and the links of a page."""

    anchors: set[str]
    links: set[str]


def read_html(path: Path) -> HtmlElement:
    """Parse one HTML file."""
    return fromstring(path.read_bytes(), parser=PARSER)


def read_page(path: Path) -> Page:
    """Read the anchors and the links of one HTML file."""
    page = read_html(path)
    sources = (part.split() for each in page.xpath("//@srcset") for part in each.split(","))
    links = {*page.xpath(LINKS), *(source[0] for source in sources if source)}
    return Page(set(page.xpath("//@id | //@name")), links)


def broken_links(html: Path) -> list[str]:
    """Return one sentence for every internal link of a built book that leads nowhere."""
    html = html.resolve()
    pages = {path: read_page(path) for path in sorted(html.rglob("*.html"))}
    wrong = []
    for path, page in pages.items():
        if "_static" in path.relative_to(html).parts:
            continue
        for link in sorted(page.links):
            if problem := _problem(html, pages, path, link):
                wrong.append(f"{path.relative_to(html)}: {link!r} {problem}")
    return wrong


def _problem(html: Path, pages: dict[Path, Page], path: Path, link: str) -> str | None:
    parts = urlsplit(link)
    if parts.scheme in NOT_INTERNAL or parts.netloc:
        return None
    if parts.path.startswith("/"):
        return "starts at the root of the server, which breaks in a subfolder and from a file"
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.is_relative_to(html):
        return "leads out of the book"
    if not target.is_file():
        return "leads to no file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "leads to a page without that anchor"
    return None


def missing_pages(html: Path, root: Path = ROOT) -> list[str]:
    """Return one sentence for every entry of _toc.yml that has no page in the built book."""
    return [
        f"_toc.yml lists {name} and the book has no {name}.html"
        for name in listed_pages(root)
        if not (html / f"{name}.html").is_file()
    ]


def main() -> int:
    """Check the folder named on the command line."""
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        print(
            "links: expected the folder of a built book, as in _build/html",
            file=sys.stderr,
        )
        return 2
    html = Path(sys.argv[1])
    wrong = missing_pages(html) + broken_links(html)
    for sentence in wrong:
        print(f"links: {sentence}", file=sys.stderr)
    if not wrong:
        print(f"links: all internal links of {html} lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
