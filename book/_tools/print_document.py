"""One HTML document: title page, contents, parts and chapters, solutions, folded code."""

import re
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from bs4 import BeautifulSoup, Tag

import extensions  # noqa: F401
from print_pages import Chapter, page_number, read_chapter
from words import ENGLISH, say, spoken

BOOK_TITLE = "Attention Is All You Need, annotated"
HEADINGS = re.compile(r"h[1-5]")
# A page rule of its own for each chapter: its title stands at the head of its pages.
PAGE_RULE = '@page {name} {{ @top-right {{ content: "{title}"; }} }}\n'
BOOK_RULE = '@page {{ @top-left {{ content: "{title}"; }} }}\n'


@dataclass(frozen=True)
class Part:
    """Chapters below one heading; those before the first part have none."""

    caption: str
    names: list[str]


def parts_of(toc: dict[str, Any]) -> list[Part]:
    """Return the parts of the book in order, from _toc.yml, with the pages of the edition."""
    edition = "" if spoken() == ENGLISH else f"{spoken()}/"
    parts = [Part(p["caption"], [edition + c["file"] for c in p["chapters"]]) for p in toc["parts"]]
    return [Part("", [edition + toc["root"]]), *parts]


def selected(parts: list[Part], names: list[str]) -> list[Part]:
    """Return the parts with the named chapters alone.

    Raises ValueError for a name that is no chapter.
    """
    known = [name.rpartition("/")[2] for part in parts for name in part.names]
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"no chapter {', '.join(unknown)}; the book has {', '.join(known)}")
    chosen = (Part(p.caption, [n for n in p.names if n.rpartition("/")[2] in names]) for p in parts)
    return [part for part in chosen if part.names]


class Bookmark(NamedTuple):
    """An entry of the contents: how deep it stands, what it says, and where it leads."""

    depth: int
    title: str
    target: str


class Document:
    """The book while it is put together."""

    def __init__(self, built: Path, parts: list[Part], imprint: str) -> None:
        self.soup = BeautifulSoup("", "html.parser")
        self.title = say(BOOK_TITLE)
        self.rules = ""
        self.contents: list[Tag] = []
        self.bookmarks: list[Bookmark] = []
        self.body: list[Tag] = []
        chapters: list[Chapter] = []
        for part in parts:
            found = [read_chapter(built, name) for name in part.names]
            chapters += found
            if part.caption:
                self._add_part(part.caption)
            for chapter in found:
                self._add_chapter(chapter, below=1 if part.caption else 0)
        self._add_appendix(say("Solutions"), chapters, "solutions")
        self._add_appendix(say("Folded code"), chapters, "folded")
        self.imprint = imprint
        self._mend_links()

    def html(self, head: str) -> str:
        """Return the whole document; `head` holds the scripts that draw formulas."""
        front = (
            f'<section class="title-page"><p class="book-title">{self.title}</p>{self.imprint}'
            f'</section><section class="contents"><h1>{say("Contents")}</h1>'
        )
        listed = "".join(map(str, self.contents))
        text = "".join(map(str, self.body))
        first = BOOK_RULE.format(title=self.title)  # the style sheet takes it from some pages
        return (
            f'<!doctype html><html lang="{spoken()}" data-theme="light">'
            f'<head><meta charset="utf-8">'
            f"<title>{self.title}</title><style>{first}</style>{head}<style>{self.rules}</style></head>"
            f"<body>{front}{listed}</section><article>{text}</article></body></html>"
        )

    def _add_part(self, caption: str) -> None:
        name = "part-" + caption.lower().replace(" ", "-")
        section = self._tag("section", "part", id=name)
        heading = self._tag("h1")
        heading.string = say(caption)
        section.append(heading)
        self.body.append(section)
        self._list(0, "part", heading, name)

    def _add_chapter(self, chapter: Chapter, below: int) -> None:
        self._name_pages(chapter.name, chapter.title.get_text())
        section = self._tag("section", "chapter", id=chapter.name)
        section["style"] = f"page: {chapter.name}"
        self._list(below, "chapter", chapter.title, chapter.name)
        for heading in chapter.sections:
            self._list(below + 1, "section", heading, heading.find_parent(id=True)["id"])
        for heading in chapter.body.find_all(HEADINGS):
            heading["class"] = f"level-{heading.name[1]}"
            heading.name = f"h{int(heading.name[1]) + below}"
        section.extend(list(chapter.body.contents))
        self.body.append(section)

    def _add_appendix(self, title: str, chapters: list[Chapter], kind: str) -> None:
        filled = [chapter for chapter in chapters if getattr(chapter, kind)]
        if not filled:
            return
        self._name_pages(kind, title)
        section = self._tag("section", f"chapter appendix {kind}", id=kind)
        section["style"] = f"page: {kind}"
        heading = self._tag("h1", "level-1")
        heading.string = title
        section.append(heading)
        self._list(0, "chapter", heading, kind)
        for chapter in filled:
            heading = self._tag("h2", "level-2", id=f"{kind}--{chapter.name}")
            heading.extend(_copies(chapter.title))
            self._list(1, "section", heading, heading["id"])
            section.extend([heading, *getattr(chapter, kind)])
        self.body.append(section)

    def _name_pages(self, name: str, title: str) -> None:
        if title.strip() == self.title:
            return  # it stands at the left already
        escaped = title.strip().replace("\\", "\\\\").replace('"', '\\"')
        self.rules += PAGE_RULE.format(name=name, title=escaped)

    def _list(self, depth: int, kind: str, heading: Tag, target: str) -> None:
        self.bookmarks.append(Bookmark(depth, plain_text(heading), target))
        entry = self._tag("p", f"contents-{kind}")
        link = self._tag("a", href=f"#{target}")
        link.extend(_copies(heading))
        entry.extend([link, page_number(self.soup, target)])
        self.contents.append(entry)

    def _mend_links(self) -> None:
        """Make words of links to what is not printed, as the index of the site."""
        known = {e["id"] for section in self.body for e in [section, *section.select("[id]")]}
        for section in self.body:
            for link in section.select('[href^="#"]'):
                if link["href"][1:] not in known:
                    page = link["href"][1:].partition("--")[0]
                    if page in known:
                        link["href"] = f"#{page}"
                    else:
                        del link["href"]

    def _tag(self, name: str, classes: str = "", **attributes: str) -> Tag:
        return self.soup.new_tag(
            name, attrs={**({"class": classes} if classes else {}), **attributes}
        )


def plain_text(heading: Tag) -> str:
    """Return what a heading says where no formula can be drawn: roots and indices have signs."""
    spoken = copy(heading)
    for root in spoken.select("msqrt"):
        root.insert(0, "\N{SQUARE ROOT}")
    for index in spoken.select("msub"):
        index.contents[-1].insert_before("_")
    return " ".join(spoken.get_text().split())


def _copies(heading: Tag) -> Iterator[Any]:
    """Yield copies of what a heading says, without ids: one stands once in a document."""
    for child in copy(heading).contents[:]:
        if isinstance(child, Tag):
            for element in [child, *child.select("[id]")]:
                element.attrs.pop("id", None)
        yield child.extract()
