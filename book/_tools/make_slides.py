"""Write a deck of slides for each chapter, from the cells that its metadata tags (slide_units.py).

    python book/_tools/make_slides.py [CHAPTER ...]     (`make slides`)

reveal.js comes from the package sphinx-revealjs, style and fonts of formulas from the built book;
they are beside the decks, which ask no other host for anything. Chromium looks at every slide.
"""

import argparse
import shutil
import sys
from html import escape
from importlib.metadata import files
from pathlib import Path

import nbformat
from pygments.formatters import HtmlFormatter

from browser import launch, serve
from check_slides import wrong_with_deck
from rules import ROOT
from slide_html import Words, deck_html, slides_of

BOOK = ROOT / "book"
BUILT = ROOT / "_build" / "html"
OUT = BUILT / "slides"
FONT = ROOT / "annotated_transformer" / "fonts" / "AnnotatedSansKR-Regular.otf"
STYLES = (BOOK / "_static" / "palette.css", Path(__file__).parent / "slides.css")
CODE_STYLE = "a11y-high-contrast-light"
REVEAL = ("reveal.js", "reveal.css", "reset.css")
PAGE = """<!doctype html>
<html lang="en" data-theme="light"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}: slides</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="reveal/reset.css"><link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="formulas.css"><link rel="stylesheet" href="slides.css">
</head><body><div class="reveal"><div class="slides">
{slides}
</div></div>
<nav class="home" aria-label="Chapter"><a href="../book/{name}.html">{title}</a></nav>
<script src="reveal/reveal.js"></script>
<script>
Reveal.initialize(
  {{width: 1280, height: 720, margin: 0.02, center: false, hash: true, slideNumber: "c/t",
    display: "flex", transition: "none"}});
</script></body></html>
"""


def write_deck(name: str, out: Path) -> int:
    """Write the deck of a chapter; return the number of its slides.

    Raises ValueError, naming chapter and cell, for a tag that cannot be followed.
    """
    deck = slides_of(nbformat.read(BOOK / f"{name}.ipynb", as_version=4))
    words = Words((BUILT / "book" / f"{name}.html").read_text(encoding="utf-8"), name)
    page = PAGE.format(title=escape(deck[0].title), name=name, slides=deck_html(deck, words))
    (out / f"{name}.html").write_text(page, encoding="utf-8")
    return len(deck)


def folder_of(package: str, file: str) -> Path:
    """Return the folder in which an installed package has a file."""
    for found in files(package) or []:
        if found.as_posix().endswith(file):
            return Path(str(found.locate())).parent
    raise FileNotFoundError(f"{package} holds no {file}")


def write_assets(out: Path) -> None:
    """Copy the scripts and styles that all decks share."""
    (out / "reveal").mkdir(parents=True, exist_ok=True)
    for file in REVEAL:
        shutil.copy(folder_of("sphinx-revealjs", f"dist/{file}") / file, out / "reveal")
    shutil.copy(BUILT / "_static" / "formulas.css", out)
    shutil.copytree(BUILT / "_static" / "formulas", out / "formulas", dirs_exist_ok=True)
    shutil.copy(FONT, out)
    formatter = HtmlFormatter(style=CODE_STYLE)
    styles = [formatter.get_style_defs([".code", ".highlight"])]
    styles += [file.read_text(encoding="utf-8") for file in STYLES]
    (out / "slides.css").write_text("\n".join(styles), encoding="utf-8")


def look_at(names: list[str], out: Path) -> list[str]:
    """Open decks in Chromium; return what is wrong with their slides."""
    with serve(out.parent) as address, launch() as browser:
        return [
            sentence
            for name in names
            for sentence in wrong_with_deck(browser, f"{address}/{out.name}/{name}.html")
        ]


def main() -> int:
    """Write the decks of the chapters that are named, or of all, and look at them."""
    parser = argparse.ArgumentParser(description="write a deck of slides for each chapter")
    parser.add_argument("chapters", nargs="*", help="as in masks; without any, all notebooks")
    names = parser.parse_args().chapters or sorted(file.stem for file in BOOK.glob("*.ipynb"))
    if not (BUILT / "book" / "index.html").is_file():
        print("slides: there is no built book in _build/html: run make book", file=sys.stderr)
        return 2
    write_assets(OUT)
    count, wrong = 0, []
    for name in names:
        try:
            count += write_deck(name, OUT)
        except (ValueError, FileNotFoundError) as error:
            wrong.append(f"{name}: {error}")
    wrong = wrong or look_at(names, OUT)
    for sentence in wrong:
        print(f"slides: {sentence}", file=sys.stderr)
    if not wrong:
        print(f"slides: {len(names)} decks with {count} slides in {OUT}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
