"""Take the built pages apart: each becomes a chapter of the printed book.

What a page has for a screen alone is taken away, the stored picture stands for an interactive
chart, and what a page folds goes to the end of the book: solutions, and the code behind figures.
Every id gets the name of its page before it, so that all chapters can stand in one document.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

import extensions  # noqa: F401
from words import say

PAGE = "{page}"
ON_SCREEN_ONLY = "script, button, .headerlink, .at-chart, .at-letters, [role=navigation]"
REFERS = re.compile(r"url\(#([^)]+)\)")
LISTS_OF_IDS = ("aria-labelledby", "aria-describedby", "for", "headers")


@dataclass
class Chapter:
    """One page of the book, ready for print."""

    name: str
    title: Tag
    sections: list[Tag]
    body: Tag
    solutions: list[Tag] = field(default_factory=list)
    folded: list[Tag] = field(default_factory=list)


def read_chapter(html: Path, name: str) -> Chapter:
    """Read one page of the built book and make a chapter of it."""
    file = html / f"{name}.html"
    soup = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    body = soup.select_one("article")
    for element in body.select(ON_SCREEN_ONLY):
        element.decompose()
    short = name.rpartition("/")[2]
    _prefix_ids(body, short)
    _rewrite_addresses(body, file, html, short)
    chapter = Chapter(short, body.select_one("h1"), body.select("h2"), body)
    _take_out_folded_code(chapter, soup)
    _unfold(body)
    _take_out_solutions(chapter, soup)
    for details in body.select("details"):
        details["open"] = ""
    return chapter


def _prefix_ids(body: Tag, page: str) -> None:
    seen: set[str] = set()
    for element in body.select("[id]"):
        identity = element["id"]
        if identity in seen:  # the parts of an exercise all have the same
            del element["id"]
            continue
        seen.add(identity)
        element["id"] = f"{page}--{identity}"
    for element in body.find_all(True):
        for name, value in element.attrs.items():
            if name in LISTS_OF_IDS:
                words = value if isinstance(value, list) else value.split()
                element[name] = " ".join(f"{page}--{word}" for word in words)
            elif isinstance(value, str) and "url(#" in value:
                element[name] = REFERS.sub(rf"url(#{page}--\1)", value)


def _rewrite_addresses(body: Tag, file: Path, html: Path, page: str) -> None:
    """Let links lead to places of the one document, and pictures to the files of the built book."""
    for image in body.select("img[src]"):
        if not image["src"].startswith("data:"):
            place = (file.parent / unquote(image["src"])).resolve().relative_to(html.resolve())
            image["src"] = f"../html/{place.as_posix()}"
    for element in body.select("[href]"):
        parts = urlsplit(element["href"])
        if parts.scheme:
            continue
        target = Path(parts.path).stem if parts.path else page
        element["href"] = f"#{target}--{parts.fragment}" if parts.fragment else f"#{target}"


def page_number(soup: BeautifulSoup, target: str) -> Tag:
    """Return a link that shows the page on which an id stands, filled in after the first print."""
    link = soup.new_tag("a", href=f"#{target}", attrs={"class": "page-of"})
    link.string = "000"
    return link


def _told(soup: BeautifulSoup, kind: str, words: str, target: str) -> Tag:
    """Return a paragraph in which the number of a page stands for {page}."""
    told = soup.new_tag("p", attrs={"class": kind})
    before, _, behind = words.partition(PAGE)
    told.extend([before, page_number(soup, target), behind])
    return told


def _take_out_folded_code(chapter: Chapter, soup: BeautifulSoup) -> None:
    for number, fold in enumerate(chapter.body.select("details.hide"), start=1):
        fold.select_one("summary").decompose()
        if fold.select_one(".cell_output"):
            fold.unwrap()
            continue
        here, there = (f"{chapter.name}--{kind}-{number}" for kind in ("cell", "code"))
        cell = fold.find_parent(class_="cell")
        figure = cell.select_one(".caption-number")
        note = _told(soup, "elsewhere", say("Code: page {page}"), there)
        note["id"] = here
        fold.replace_with(note)
        listing = soup.new_tag("div", id=there, attrs={"class": "folded"})
        words = say("Page {page}")
        if figure:
            words = say("{figure}, page {page}", figure=figure.get_text(strip=True), page=PAGE)
        listing.extend([_told(soup, "folded-title", words, here), fold])
        fold.name, fold["class"] = "div", "folded-code"
        chapter.folded.append(listing)


def _unfold(body: Tag) -> None:
    """Write sections of a second reading as sections again, and proofs and solutions as boxes."""
    for result in body.select(".at-second-reading > summary > .at-result"):
        result.decompose()  # it is the first sentence below
    for part in body.select(".at-second-reading, .at-second-reading > summary"):
        part.unwrap()
    for fold in body.select("details.dropdown"):
        title, inside = fold.find("summary"), fold.find(class_="at-folded")
        fold.name, title.name = "div", "p"
        if "id" in inside.attrs:
            fold["id"] = inside["id"]
        inside.unwrap()


def _take_out_solutions(chapter: Chapter, soup: BeautifulSoup) -> None:
    for solution in chapter.body.select("div.solution"):
        solution.replace_with(
            _told(soup, "elsewhere behind", say("Solution: page {page}"), solution["id"])
        )
        chapter.solutions.append(solution)
