"""The outputs of a page in Korean: its charts, its tables and its pictures.

A chart is stored as a specification and as a picture. Its words are changed in the specification,
and the picture is drawn from that again. Of a table, heads and cells are changed. A picture of
matplotlib is one that `make korean-pictures` has drawn. What a program prints stays as it was
printed.

The words are those of korean_words.py.
`python book/_ext/korean_outputs.py [NAME...]` lists what has no Korean.
"""

import base64
import hashlib
import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

from korean_charts import WIDTH, drawn, korean_specification, specification_of
from korean_claims import shown_alone
from korean_words import BOOK, FOLDER, Words, opened, words_of

PICTURES = BOOK / "ko" / "pictures"
# As all text of a page: the Latin face, then the letters that are loaded anyway.
FACES = ", ".join(
    f"'Annotated Sans{part}'" for part in ("", " KR Core", " KR Page", " KR Words", " KR")
)
TEXT = re.compile(r">([^<>]+)<")
MEASURED = re.compile(r"<(dd|code|pre|style|script)\b[^>]*>.*?</\1>", re.DOTALL)
CLAIM = re.compile(r"\A<p>([^<>]*)</p>(?=<details class=\"at-record\")")
"""What a claim that is shown by itself says, before how it was measured."""


# --- tables


def korean_html(text: str, words: Words) -> str:
    """Return HTML with Korean words; commands, code and how something was measured stay."""
    kept: list[str] = []

    def keep(part: re.Match[str]) -> str:
        kept.append(part[0])
        return f"<\x00{len(kept) - 1}>"

    def say(part: re.Match[str]) -> str:
        return f">{html.escape(words.say(html.unescape(part[1])))}<"

    def claimed(part: re.Match[str]) -> str:
        kept.append(f"<p>{html.escape(shown_alone(html.unescape(part[1])))}</p>")
        return f"<\x00{len(kept) - 1}>"

    changed = TEXT.sub(say, MEASURED.sub(keep, CLAIM.sub(claimed, text)))
    return re.sub("<\x00(\\d+)>", lambda place: kept[int(place[1])], changed)


# --- pictures


def pictures_of(outputs: list[Any]) -> Iterator[Any]:
    """Yield the outputs of a cell that are pictures, and not those of a chart."""
    for output, following in zip(outputs, [*outputs[1:], {}], strict=False):
        html = "".join(following.get("data", {}).get("text/html", ""))
        if "image/png" in output.get("data", {}) and 'class="at-chart"' not in html:
            yield output


def picture(output: Any) -> bytes:
    """Return the PNG of an output."""
    return base64.b64decode("".join(output["data"]["image/png"]))


def picture_file(name: str, output: Any) -> Path:
    """Return where the Korean picture of a page lies, for an output with the English one."""
    return PICTURES / f"{name}-{hashlib.sha256(picture(output)).hexdigest()[:8]}.png"


# --- outputs


def korean_outputs(outputs: list[Any], words: Words, *, draw: bool = True) -> None:
    """Change the outputs of a cell to Korean.

    The alternative text of a chart is that of its picture, which has been changed before. A picture
    that nobody has drawn yet stays in English, and without `draw` all of them do.
    """
    from annotated_transformer.lab.figures.charts import chart_html  # noqa: PLC0415 - loads Altair

    for output in pictures_of(outputs) if draw else ():
        path = picture_file(words.page, output)
        if path.is_file():
            _replace(output, path.read_bytes())
    for number, output in enumerate(outputs):
        text = "".join(output.get("data", {}).get("text/html", ""))
        spec = specification_of(text)
        if spec is None:
            if "<table" in text or 'class="at-record"' in text:
                output["data"]["text/html"] = korean_html(text, words)
            continue
        found = WIDTH.search(text)
        width = int(found[1]) if found else 640
        spec = korean_specification(spec, words)
        before = outputs[number - 1] if number else {}
        if "image/png" in before.get("data", {}):
            details = before["metadata"]["image/png"]
            spec["description"] = details["alt"]
            if draw:
                _replace(before, drawn(spec, width))
        html = chart_html(spec, width)
        output["data"]["text/html"] = html.replace("'Annotated Sans KR',", f"{FACES},")


def _replace(output: Any, png: bytes) -> None:
    """Put another picture into an output: two pixels for one of the page, if its width is said."""
    output["data"]["image/png"] = base64.b64encode(png).decode()
    details = output["metadata"].get("image/png", {})
    if "width" in details:  # the width field of the PNG's IHDR chunk
        details["width"] = int.from_bytes(png[16:20], "big") // 2


def missing(name: str) -> list[str]:
    """Return the words of a chapter's outputs that have no Korean, in its order."""
    notebook = nbformat.read(BOOK / f"{name}.ipynb", as_version=4)
    words = words_of(name)
    for cell in notebook.cells:
        korean_outputs(cell.get("outputs", []), words, draw=False)
    return list(words.missing)


if __name__ == "__main__":
    sys.path.insert(0, str(BOOK.parent))
    for name in sys.argv[1:] or sorted(path.stem for path in BOOK.glob("*.ipynb")):
        if lacks := missing(name):
            print(f"{name}: {len(lacks)} without Korean in {FOLDER.relative_to(BOOK.parent)}")
            for text in lacks:
                print(f"  {json.dumps(opened(text), ensure_ascii=False)}:")
