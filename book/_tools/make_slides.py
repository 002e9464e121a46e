"""Write a deck of slides for each chapter, from the cells that its metadata tags (slide_units.py).

    python book/_tools/make_slides.py [--language en|ko] [CHAPTER ...]     (`make slides`)

Both editions have decks: the English ones lie in _build/html/slides, the Korean ones, which say the
same (korean_slides.py), in _build/html/ko/slides. reveal.js comes from the package sphinx-revealjs,
style and fonts of formulas from the built book; they are beside the English decks, for both, and
ask no other host for anything. Chromium looks at every slide.
"""

import argparse
import json
import shutil
import sys
from html import escape
from importlib.metadata import files
from pathlib import Path

import nbformat
from pygments.formatters import HtmlFormatter

import extensions  # noqa: F401
from browser import launch, serve
from build import LANGUAGES
from check_slides import wrong_with_deck
from editions import of_each_edition
from korean_slides import KoreanSlides
from languages import marked_page
from rules import ROOT
from slide_html import Words, deck_html, slides_of
from words import ENGLISH, KOREAN, say, spoken

BOOK = ROOT / "book"
BUILT = ROOT / "_build" / "html"
FONTS = (
    ROOT / "annotated_transformer" / "fonts" / "AnnotatedSansKR-Regular.otf",
    BOOK / "fonts" / "AnnotatedSansKR-Bold.otf",
)
STYLES = (BOOK / "_static" / "palette.css", Path(__file__).parent / "slides.css")
CODE_STYLE = "a11y-high-contrast-light"
REVEAL = ("reveal.js", "reveal.css", "reset.css")
PAGE = """<!doctype html>
<html lang="{language}" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{head}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="{shared}reveal/reset.css">
<link rel="stylesheet" href="{shared}reveal/reveal.css">
<link rel="stylesheet" href="{shared}formulas.css"><link rel="stylesheet" href="{shared}slides.css">
</head><body><div class="reveal"><div class="slides">
{slides}
</div></div>
<nav class="home" aria-label="{chapter}"><a href="../book/{name}.html">{title}</a></nav>
<script src="{shared}reveal/reveal.js"></script>
<script>
Reveal.initialize(
  {{width: 1280, height: 720, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
    display: "flex", transition: "none", help: {help}}}){names};
</script></body></html>
"""
# reveal.js has these names, and its list of keys, in English alone.
NAMES = """.then(() => Object.entries({names}).forEach(([direction, name]) => document
  .querySelectorAll(`.controls .navigate-${{direction}}`)
  .forEach((button) => button.setAttribute("aria-label", name))))"""


def folder_in(html: Path) -> Path:
    """Return where the decks of the edition lie in a built book."""
    return (html if spoken() == ENGLISH else html / spoken()) / "slides"


def page_of(name: str, title: str, slides: str) -> str:
    """Return the page of a deck, in the language of the edition."""
    korean = spoken() == KOREAN
    names = {"left": say("previous slide"), "right": say("next slide")}
    page = PAGE.format(
        language=spoken(),
        head=say("{title}: slides", title=title),
        title=title,
        chapter=say("Chapter"),
        name=name,
        slides=slides,
        shared="../../slides/" if korean else "",
        help="false" if korean else "true",
        names=NAMES.format(names=json.dumps(names, ensure_ascii=False)) if korean else "",
    )
    return marked_page(page)


def write_deck(name: str, html: Path) -> int:
    """Write the deck of a chapter into a built book; return the number of its slides.

    Raises ValueError, naming chapter and cell, for a tag that cannot be followed.
    """
    korean = KoreanSlides(name) if spoken() == KOREAN else None
    deck = slides_of(nbformat.read(BOOK / f"{name}.ipynb", as_version=4), korean)
    if korean and korean.unused:
        raise ValueError(f"no tag asks for what {korean.place} has: {sorted(korean.unused)}")
    built = BUILT if korean is None else BUILT / KOREAN
    words = Words((built / "book" / f"{name}.html").read_text(encoding="utf-8"), name)
    out = folder_in(html)
    out.mkdir(parents=True, exist_ok=True)
    page = page_of(name, escape(deck[0].title), deck_html(deck, words))
    (out / f"{name}.html").write_text(page, encoding="utf-8")
    return len(deck)


def folder_of(package: str, file: str) -> Path:
    """Return the folder in which an installed package has a file."""
    for found in files(package) or []:
        if found.as_posix().endswith(file):
            return Path(str(found.locate())).parent
    raise FileNotFoundError(f"{package} holds no {file}")


def write_assets(html: Path) -> None:
    """Copy the scripts and styles that the decks of all editions share into a built book."""
    out = html / "slides"
    (out / "reveal").mkdir(parents=True, exist_ok=True)
    for file in REVEAL:
        shutil.copy(folder_of("sphinx-revealjs", f"dist/{file}") / file, out / "reveal")
    shutil.copy(BUILT / "_static" / "formulas.css", out)
    shutil.copytree(BUILT / "_static" / "formulas", out / "formulas", dirs_exist_ok=True)
    for font in FONTS:
        shutil.copy(font, out)
    formatter = HtmlFormatter(style=CODE_STYLE)
    styles = [formatter.get_style_defs([".code", ".highlight"])]
    styles += [file.read_text(encoding="utf-8") for file in STYLES]
    (out / "slides.css").write_text("\n".join(styles), encoding="utf-8")


def look_at(names: list[str], html: Path) -> list[str]:
    """Open decks of the edition in Chromium; return what is wrong with their slides."""
    folder = folder_in(html).relative_to(html)
    with serve(html) as address, launch() as browser:
        return [
            sentence
            for name in names
            for sentence in wrong_with_deck(browser, f"{address}/{folder}/{name}.html")
        ]


def make_slides(names: list[str], html: Path) -> list[str]:
    """Write the decks of the edition, look at them, and return what is wrong."""
    write_assets(html)
    count, wrong = 0, []
    for name in names:
        try:
            count += write_deck(name, html)
        except (ValueError, FileNotFoundError) as error:
            wrong.append(f"{name}: {error}")
    wrong = wrong or look_at(names, html)
    if not wrong:
        print(f"slides: {len(names)} decks with {count} slides in {folder_in(html)}")
    return wrong


def main() -> int:
    """Write the decks of the chapters that are named, or of all, and look at them."""
    parser = argparse.ArgumentParser(description="write a deck of slides for each chapter")
    parser.add_argument("chapters", nargs="*", help="as in masks; without any, all notebooks")
    parser.add_argument("--language", choices=LANGUAGES, help="the decks of one edition alone")
    arguments = parser.parse_args()
    names = arguments.chapters or sorted(file.stem for file in BOOK.glob("*.ipynb"))
    return of_each_edition("slides", arguments.language, lambda: make_slides(names, BUILT))


if __name__ == "__main__":
    sys.exit(main())
