"""Write a small page with live figures, without building the book.

`python book/_tools/live_page.py FOLDER NAME...` prints its path, to be opened in a browser.
"""

import shutil
import sys
from pathlib import Path

import extensions  # noqa: F401
from live_figures import engine_of, scripts_of, style_of, write_model
from live_map import places, told
from live_records import write_records
from rules import ROOT

STATIC = ROOT / "book" / "_static"
FIGURE = """<live-{0}>
<figure>
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A picture." width="700">
<figcaption>What to see. <span class="live-still">This is a still picture.</span></figcaption>
</figure>
</live-{0}>"""
PAGE = """<!doctype html>
<html lang="{language}" data-theme="light">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Live figures</title>
<link rel="stylesheet" href="_static/palette.css">
<link rel="stylesheet" href="_static/book.css">
<link rel="stylesheet" href="_static/live/live.css">
{styles}
{scripts}
<body>
<article>
{body}
</article>
"""


def write_page(folder: Path, *names: str, bits: int = 8, language: str = "en") -> Path:
    """Write page.html with these figures, by name, and what it needs; return its path."""
    static = folder / "_static"
    shutil.copytree(STATIC, static, dirs_exist_ok=True)
    write_model(static / "live" / "weights", bits=bits)
    write_records(static / "live" / "records")
    files = [*engine_of(language), *(file for name in names for file in scripts_of(name, language))]
    scripts = "\n".join(f'<script defer src="_static/live/{file}"></script>' for file in files)
    page = folder / "page.html"
    styles = "\n".join(
        f'<link rel="stylesheet" href="_static/live/{file}">'
        for file in map(style_of, names)
        if file
    )
    body = told("\n".join(map(FIGURE.format, names)), places({}))
    text = PAGE.format(language=language, styles=styles, scripts=scripts, body=body)
    page.write_text(text, encoding="utf-8")
    return page


if __name__ == "__main__":
    print(write_page(Path(sys.argv[1]), *sys.argv[2:]))
