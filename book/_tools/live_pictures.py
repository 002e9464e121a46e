"""Take the pictures of the live figures anew, from the built book: `live_pictures.py [NAME...]`.

A picture is what stands in the place of its figure where nothing can run: the stage on a light page
1280 wide, after the figure was drawn once with the model. `--language ko` takes those of the Korean
edition, which have to follow the English ones.
"""

import argparse
import io
import re
from collections.abc import Iterator
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import Locator

import live_korean
from browser import TIMEOUT, launch, serve
from live_rules import LARGEST
from rules import ROOT, listed_pages

COLOURS = 128
FEW = 48
"""Colours of a picture that would be too large with more."""
# What a picture cannot do: buttons, sentences to try.
HIDE = """(figure) => figure.querySelectorAll('.live-only').forEach((part) => {
    part.style.display = 'none';
})"""
# What lies in a closed fold is not seen: a screenshot would wait for it until its time is over.
OPEN = """(figure) => {
    for (let fold = figure.closest('details'); fold; fold = fold.parentElement.closest('details')) {
        fold.open = true;
    }
}"""
LETTERS = "async () => { await document.fonts.ready; }"  # of words that were not there before
# A slow computer is still laying out the page above, and a screenshot would be of what lies below.
AT_REST = """async (figure) => {
    figure.scrollIntoView({behavior: 'instant'});
    const place = async () => {
        for (let n = 0; n < 10; n++) await new Promise(requestAnimationFrame);
        return figure.getBoundingClientRect().top;
    };
    for (let was = NaN, is = await place(); is !== was; is = await place()) was = is;
}"""
ELSE = re.compile(r"/_images/|/charts\.js|/vega")  # what no live figure needs
WINDOW = {"width": 1280, "height": 2000}  # higher than any figure: the page's head covers none


def take(figure: Locator, language: str) -> Path:
    """Draw a figure, and write what is seen of it under the name that its page gives it.

    Raises:
        ValueError: it would be too large, or says something in English on a Korean page.
    """
    figure.evaluate(OPEN)
    figure.evaluate("(figure) => figure.update()")
    figure.evaluate("() => document.activeElement?.blur()")
    figure.evaluate(HIDE)
    figure.evaluate(LETTERS)
    figure.evaluate(AT_REST)
    seen = Image.open(io.BytesIO(figure.locator(".live-stage").screenshot(animations="disabled")))
    source = figure.locator("figure > img").get_attribute("src")
    name = str(source).rpartition("/")[2]
    if language == "en":
        return save(seen.convert("RGB"), live_korean.ENGLISH / name)
    read = figure.evaluate(live_korean.READ)
    if english := live_korean.english_in(**read):
        raise ValueError(f"{name} says in English: {english}")
    return save(seen.convert("RGB"), live_korean.KOREAN / name, live_korean.note(name, read))


def save(picture: Image.Image, path: Path, info: PngInfo | None = None) -> Path:
    """Write a picture with few colours. Raises ValueError if it is too large all the same."""
    path.parent.mkdir(exist_ok=True)
    # Colours that lie furthest apart: the most frequent would turn thin blue lines into green ones.
    for colours in (COLOURS, FEW):
        few = picture.quantize(colours, method=Image.Quantize.MAXCOVERAGE, kmeans=3)
        few.save(path, optimize=True, pnginfo=info)
        if (size := path.stat().st_size) <= LARGEST:
            return path
    raise ValueError(f"{path.name} has {size:,} bytes, over {LARGEST:,}: show less")


def figures(html: Path, edition: str, names: list[str]) -> Iterator[Locator]:
    """Yield the live figures of these names, or all, of an edition, each on its open page."""
    wanted = re.compile(rf"<live-({'|'.join(names) or '[a-z-]+'})>")
    with serve(html) as address, launch() as browser:
        for page in listed_pages():
            found = set(wanted.findall((html / edition / f"{page}.html").read_text("utf-8")))
            if not found:
                continue
            context = browser.new_context(
                viewport=WINDOW,
                color_scheme="light",
                reduced_motion="reduce",  # nothing is under way
            )
            context.set_default_timeout(TIMEOUT)
            opened = context.new_page()
            opened.route(ELSE, lambda route: route.abort())
            opened.goto(f"{address}/{edition}{page}.html", wait_until="load")
            opened.evaluate(LETTERS)
            for name in sorted(found):
                yield opened.locator(f"live-{name}")
            context.close()


def main() -> None:
    """Take the pictures of the figures of these names, or of all."""
    parser = argparse.ArgumentParser(description="Take the pictures of the live figures.")
    parser.add_argument("names", nargs="*", help="names of figures, such as map")
    parser.add_argument("--language", choices=("en", "ko"), default="en")
    args = parser.parse_args()
    edition = "ko/" if args.language == "ko" else ""
    for figure in figures(ROOT / "_build" / "html", edition, args.names):
        print(take(figure, args.language).relative_to(ROOT), flush=True)


if __name__ == "__main__":
    main()
