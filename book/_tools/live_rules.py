"""What a page has to hold where it has a live figure, for readers whose browser does not run it."""

import re
from pathlib import Path

from bs4 import BeautifulSoup

from prose import PARSER

ROOT = Path(__file__).parents[2]
PICTURES = "_static/live/pictures/"
LARGEST = 60_000  # bytes of a picture
OPENING = re.compile(r"<live-([a-z-]+)>")


def live_figures(markdown: str) -> list[str]:
    """A live figure is one block, with a small picture that is there, its words, and a script."""
    wrong = []
    for token in PARSER.parse(markdown):
        names = OPENING.findall(token.content) if token.type == "html_block" else []
        for name in dict.fromkeys(names):
            wrong += [f"<live-{name}> {problem}" for problem in _problems(name, token.content)]
    return wrong


def _problems(name: str, block: str) -> list[str]:
    if f"</live-{name}>" not in block or len(OPENING.findall(block)) > 1:
        return ["does not stand alone in a block of HTML, which ends at a blank line"]
    figure = BeautifulSoup(block, "html.parser")
    pictures, captions = figure.select("img"), figure.select("figcaption")
    if (len(figure.select("figure")), len(captions), len(pictures)) != (1, 1, 1):
        return ["does not hold one <figure> with one <img> and one <figcaption>"]
    picture, wrong = pictures[0], []
    source = picture.get("src") or ""
    path = ROOT / "book" / source
    if not source.startswith(PICTURES):
        wrong.append(f"shows {source}, which is not in {PICTURES}")
    elif not path.is_file():
        wrong.append(f"shows {source}, which is not there: run book/_tools/live_pictures.py")
    elif (size := path.stat().st_size) > LARGEST:
        wrong.append(f"shows {source} of {size:,} bytes, over {LARGEST:,}")
    if not (picture.get("alt") or "").strip():
        wrong.append("has a picture without alternative text")
    if not captions[0].get_text(strip=True):
        wrong.append("has no caption")
    script = f"_static/live/figures/{name.replace('-', '_')}.js"
    if not (ROOT / "book" / script).is_file():
        wrong.append(f"has no script {script}")
    return wrong
