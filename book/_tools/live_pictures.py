"""Take the pictures of the live figures anew, from the built book: `live_pictures.py [NAME...]`.

A picture is what stands in the place of its figure where nothing can run: the stage on a light page
1280 wide, after the figure was drawn once with the model.
"""

import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Locator

from browser import launch, serve, visit
from live_rules import LARGEST
from rules import ROOT, listed_pages

PICTURES = ROOT / "book" / "_static" / "live" / "pictures"
COLOURS = 128
FEW = 64
"""Colours of a picture that would be too large with more: those that lie furthest apart."""
LIVE = "article .live-on"
# What a picture cannot do: buttons, sentences to try.
HIDE = """(figure) => figure.querySelectorAll('.live-only').forEach((part) => {
    part.style.display = 'none';
})"""
WINDOW = {"width": 1280, "height": 2000}  # higher than any figure: the page's head covers none


def take(figure: Locator) -> Path:
    """Draw a figure, and write what is seen of it under the name that its page gives it."""
    figure.evaluate("(figure) => figure.update()")
    figure.evaluate("() => document.activeElement?.blur()")
    figure.evaluate(HIDE)
    seen = Image.open(io.BytesIO(figure.locator(".live-stage").screenshot(animations="disabled")))
    source = figure.locator("figure > img").get_attribute("src")
    path = PICTURES / str(source).rpartition("/")[2]
    path.parent.mkdir(exist_ok=True)
    plain = seen.convert("RGB")
    plain.quantize(COLOURS).save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        plain.quantize(FEW, method=Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
    if (size := path.stat().st_size) <= LARGEST:
        return path
    raise ValueError(f"{path.name} has {size:,} bytes, over {LARGEST:,}: show less")


def main(names: list[str]) -> None:
    """Take the pictures of the figures of these names, or of all."""
    html = ROOT / "_build" / "html"
    with serve(html) as address, launch() as browser:
        for page in listed_pages():
            if 'src="../_static/live/live.js' not in (html / f"{page}.html").read_text("utf-8"):
                continue
            with visit(browser, f"{address}/{page}.html", width=1280, theme="light") as opened:
                opened.page.set_viewport_size(WINDOW)
                opened.page.emulate_media(reduced_motion="reduce")  # nothing is under way
                for figure in opened.page.locator(LIVE).all():
                    name = figure.evaluate("(figure) => figure.localName").removeprefix("live-")
                    if not names or name in names:
                        print(take(figure).relative_to(ROOT))


if __name__ == "__main__":
    main(sys.argv[1:])
