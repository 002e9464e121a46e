"""The outputs of a page in Korean: the words of its charts and of its tables.

A chart is stored as a specification and as a picture. Its words are changed in the specification,
and the picture is drawn from that again. Of a table, heads and cells are changed. What a program
prints stays as it was printed.

The words of a page lie in `book/ko/outputs/NAME.yml`, those that several pages have in
`book/ko/outputs/_shared.yml`:

    words:
      "head {0}": 헤드 {0}
    keep: [adaLN, softmax]

{0}, {1} ... stand for the numbers of an English text. `keep` are the words that stay: names, and
tokens of a model. A page asks for a text in this order: as it is, with its numbers left open, and
in parts between commas. `python book/_ext/korean_outputs.py [NAME...]` lists what has no Korean.
"""

import base64
import hashlib
import html
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import yaml

BOOK = Path(__file__).parents[1]
FOLDER = BOOK / "ko" / "outputs"
SHARED = "_shared"
DRAWN = BOOK.parent / "_build" / "korean_charts"
"""Pictures of charts in Korean, by the hash of what they are drawn from."""

NUMBER = re.compile(r"(?<![\w.])[-+\u2212]?\d+(?:[.,]\d+)*(?!\w)")
PLACE = re.compile(r"\{(\d+)\}")
WORD = re.compile(r"[A-Za-z]{2}")
TOKEN = re.compile(r"▁\S*|<\S+>")
SPECIFICATION = re.compile(r"const spec = (\{.*?\});\n", re.DOTALL)
WIDTH = re.compile(r'class="at-chart"[^>]*max-width:(\d+)px')
TEXT = re.compile(r">([^<>]+)<")
MEASURED = re.compile(r"<(dd|code|pre|style|script)\b[^>]*>.*?</\1>", re.DOTALL)
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
CHANNELS = ("x", "y", "xOffset", "yOffset", "color", "row", "column", "tooltip", "size", "shape")
"""What shows a column of the data, and is named after it where it has no title."""
STRUCTURE = {
    *("$schema", "aggregate", "align", "anchor", "as", "autosize", "baseline", "clear", "color"),
    *("config", "contains", "cursor", "dash", "description", "encodings", "expr", "field", "fields"),
    *("fill", "fold", "font", "fontStyle", "fontWeight", "format", "formatType", "groupby", "interpolate"),
    *("key", "labelAlign", "labelBaseline", "labelColor", "labelFontWeight", "mark", "name", "on"),
    *("nearest", "op", "opacity", "orient", "param", "range", "resolve", "scheme", "select"),
    *("stroke", "strokeDash", "symbolType", "title_color", "titleColor", "titleFontWeight", "type"),
    *("views", "width", "height", "input", "element", "strokeCap", "shape", "condition_param"),
}
"""Keys of a specification whose texts are for Vega."""
EXPRESSIONS = {"calculate", "filter", "labelExpr", "test"}
"""Keys whose texts are expressions; those of `expr` are for Vega, too."""


@dataclass
class Words:
    """What a page's outputs say in Korean; a text that it has no Korean for is `missing`."""

    korean: dict[str, str]
    keep: set[str] = field(default_factory=set)
    missing: dict[str, None] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)

    def find(self, text: str) -> str | None:
        """Return the Korean of a text, or None if it has none."""
        numbers = NUMBER.findall(text)
        for key in (text, opened(text)):
            if key in self.korean:
                self.used.add(key)
                return PLACE.sub(lambda place: numbers[int(place[1])], self.korean[key])
            if key in self.keep:
                self.used.add(key)
                return text
        return self._in_parts(text)

    def _in_parts(self, text: str) -> str | None:
        """Return the Korean of what stands between commas, if each part has some."""
        parts = text.split(", ")
        if len(parts) == 1:
            return None
        found = [self.find(part) if WORD.search(part) else part for part in parts]
        if None in found:
            return None
        return ", ".join(part for part in found if part is not None)

    def say(self, text: str) -> str:
        """Return the Korean of a text, or the text itself if it has none."""
        plain = text.strip()
        if not plain or TOKEN.fullmatch(plain):
            return text
        found = self.find(plain)
        if found is None:
            if WORD.search(plain):
                self.missing[plain] = None
            return text
        return text.replace(plain, found)


def opened(text: str) -> str:
    """Return a text with {0}, {1} ... for its numbers."""
    numbers = iter(range(len(text)))
    return NUMBER.sub(lambda _: f"{{{next(numbers)}}}", text)


def words_of(name: str) -> Words:
    """Return the words of a page's outputs, with those that several pages have."""
    words = Words({})
    for file in (SHARED, name):
        path = FOLDER / f"{file}.yml"
        if path.is_file():
            found = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
            words.korean |= found.get("words") or {}
            words.keep |= set(found.get("keep") or [])
    return words


# --- charts


def specification_of(text: str) -> dict[str, Any] | None:
    """Return the specification of a chart's HTML; None for HTML that is no chart."""
    found = SPECIFICATION.search(text) if 'class="at-chart"' in text else None
    return json.loads(found[1].replace("<\\/", "</")) if found else None


def korean_specification(spec: dict[str, Any], words: Words) -> dict[str, Any]:
    """Return the specification of a chart with Korean words, in the order of the English ones."""
    return _Chart(spec, words).korean()


class _Chart:
    """A specification on its way to Korean.

    What a column of the data says is changed with everything that compares it: domains, orders,
    expressions. The names of the columns stay; what is read in their place is a title.
    """

    def __init__(self, spec: dict[str, Any], words: Words) -> None:
        self.spec, self.words = spec, words
        self.columns: dict[str, set[str]] = {}
        for row in _rows(spec):
            for name, value in row.items():
                if isinstance(value, str):
                    self.columns.setdefault(name, set()).add(value)

    def korean(self) -> dict[str, Any]:
        changed: dict[str, Any] = self.changed(self.spec, "", frozenset())
        return changed

    def changed(self, value: Any, key: str, titled: frozenset[str]) -> Any:
        """Return a part of the specification; `titled` are channels that another layer names."""
        if isinstance(value, dict):
            return self.changed_parts(value, key, titled)
        if isinstance(value, list):
            return [self.changed(item, key, titled) for item in value]
        if not isinstance(value, str) or key in STRUCTURE:
            return value
        if key in EXPRESSIONS:
            return QUOTED.sub(self.literal, value)
        return self.words.say(value)

    def changed_parts(self, value: dict[str, Any], key: str, titled: frozenset[str]) -> Any:
        if key in ("datasets", "values"):
            return {
                name: self.changed(item, "values", titled) if key == "datasets" else self.cell(item)
                for name, item in value.items()
            }
        if "layer" in value:
            titled |= frozenset(_titled_channels(value))
        found = {name: self.changed(item, name, titled) for name, item in value.items()}
        if key in CHANNELS and isinstance(value.get("field"), str):
            self.name_channel(found, value, key, titled)
            self.keep_order(found, value)
        return found

    def cell(self, value: Any) -> Any:
        return self.words.say(value) if isinstance(value, str) else value

    def literal(self, part: re.Match[str]) -> str:
        """Return a text of an expression with its quotes."""
        text = part[1] if part[1] is not None else part[2]
        return part[0][0] + self.words.say(text) + part[0][0]

    def name_channel(
        self, found: dict[str, Any], value: dict[str, Any], key: str, titled: frozenset[str]
    ) -> None:
        """Give a channel without a title that of its column, which Vega would write in English."""
        guide = value.get("axis", value.get("legend", value.get("header", {})))
        named = "title" in value or (isinstance(guide, dict) and "title" in guide)
        if named or guide is None or key in titled:
            return
        name, function = value["field"], value.get("aggregate")
        title = f"{function} of {name}" if isinstance(function, str) else name
        if (said := self.words.say(title)) != title:
            found["title"] = said

    def keep_order(self, found: dict[str, Any], value: dict[str, Any]) -> None:
        """Let colours and places be those of the English, which are in the order of the alphabet."""
        scale = value.get("scale")
        given = "sort" in value or (isinstance(scale, dict) and "domain" in scale)
        column = self.columns.get(value["field"])
        if column and not given and value.get("type") in ("nominal", "ordinal"):
            found["sort"] = [self.words.say(text) for text in sorted(column)]


def _rows(value: Any, key: str = "") -> Iterator[dict[str, Any]]:
    """Yield the rows of all data of a specification."""
    if isinstance(value, dict):
        if key == "values":
            yield value
        for name, item in value.items():
            yield from _rows(item, "values" if key == "datasets" else name)
    elif isinstance(value, list):
        for item in value:
            yield from _rows(item, key)


def _titled_channels(value: Any, key: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        guides = (value, value.get("axis"), value.get("legend"), value.get("header"))
        if key in CHANNELS and any(isinstance(g, dict) and "title" in g for g in guides):
            yield key
        for name, item in value.items():
            yield from _titled_channels(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from _titled_channels(item, key)


def drawn(spec: dict[str, Any], width: int) -> bytes:
    """Return the picture of a chart, drawn once for each specification."""
    from annotated_transformer.lab.figures.charts import chart_png  # noqa: PLC0415 - loads Vega
    from annotated_transformer.storage.atomic import write_bytes  # noqa: PLC0415

    text = json.dumps([spec, width], sort_keys=True, ensure_ascii=False)
    path = DRAWN / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.png"
    if path.is_file():
        return path.read_bytes()
    picture = chart_png(spec, width)
    DRAWN.mkdir(parents=True, exist_ok=True)
    write_bytes(path, picture)
    return picture


# --- tables


def korean_table(text: str, words: Words) -> str:
    """Return HTML with Korean words; commands, code and how something was measured stay."""
    kept: list[str] = []

    def keep(part: re.Match[str]) -> str:
        kept.append(part[0])
        return f"<\x00{len(kept) - 1}>"

    def say(part: re.Match[str]) -> str:
        return f">{html.escape(words.say(html.unescape(part[1])))}<"

    changed = TEXT.sub(say, MEASURED.sub(keep, text))
    return re.sub("<\x00(\\d+)>", lambda place: kept[int(place[1])], changed)


# --- outputs


def korean_outputs(outputs: list[Any], words: Words, *, draw: bool = True) -> None:
    """Change the outputs of a cell to Korean.

    The alternative text of a chart is that of its picture, which has been changed before. Without
    `draw` a picture stays as it is.
    """
    from annotated_transformer.lab.figures.charts import chart_html  # noqa: PLC0415 - loads Altair

    for number, output in enumerate(outputs):
        text = "".join(output.get("data", {}).get("text/html", ""))
        spec = specification_of(text)
        if spec is None:
            if "<table" in text:
                output["data"]["text/html"] = korean_table(text, words)
            continue
        found = WIDTH.search(text)
        width = int(found[1]) if found else 640
        spec = korean_specification(spec, words)
        before = outputs[number - 1] if number else {}
        if "image/png" in before.get("data", {}):
            details = before["metadata"]["image/png"]
            spec["description"] = details["alt"]
            if draw:
                picture = drawn(spec, width)
                before["data"]["image/png"] = base64.b64encode(picture).decode()
                # The width field of the PNG's IHDR chunk; two pixels for one of the page.
                details["width"] = int.from_bytes(picture[16:20], "big") // 2
        output["data"]["text/html"] = chart_html(spec, width)


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
