"""A chart in Korean: the words of its specification, and its picture drawn from that again."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from korean_words import BOOK, Words

DRAWN = BOOK.parent / "_build" / "korean_charts"
"""Pictures of charts in Korean, by the hash of what they are drawn from."""
SPECIFICATION = re.compile(r"const spec = (\{.*?\});\n", re.DOTALL)
WIDTH = re.compile(r'class="at-chart"[^>]*max-width:(\d+)px')
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")
CHANNELS = ("x", "y", "xOffset", "yOffset", "color", "row", "column", "tooltip", "size", "shape")
"""What shows a column of the data, and is named after it where it has no title."""
STRUCTURE = {
    *("$schema", "aggregate", "align", "anchor", "as", "autosize", "baseline", "clear", "color"),
    *("config", "contains", "cursor", "dash", "description", "encodings", "expr", "field"),
    *("fields", "fill", "fold", "font", "fontStyle", "fontWeight", "format", "formatType"),
    *("groupby", "interpolate", "key", "labelAlign", "labelBaseline", "labelColor"),
    *("labelFontWeight", "mark", "name", "on", "nearest", "op", "opacity", "orient", "param"),
    *("range", "resolve", "scheme", "select", "stroke", "strokeDash", "symbolType", "titleColor"),
    *("titleFontWeight", "type", "views", "width", "height", "input", "element", "strokeCap"),
    *("shape"),
}
"""Keys of a specification whose texts are for Vega."""
EXPRESSIONS = {"calculate", "filter", "labelExpr", "test"}
"""Keys whose texts are expressions; those of `expr` are for Vega, too."""


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
        for key, part in _parts(spec):
            if isinstance(part.get("fold"), list):
                self.columns.setdefault(_named(part), set()).update(part["fold"])
            for name, value in part.items() if key == "values" else ():
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
            changed = [self.changed(item, key, titled) for item in value]
            return self.with_names(changed) if key == "transform" else changed
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
            titled |= {
                name for name, part in _parts(value) if name in CHANNELS and _is_titled(part)
            }
        found = {name: self.changed(item, name, titled) for name, item in value.items()}
        if "input" in value and isinstance(value.get("name"), str):  # of a slider, which is read
            found["name"] = self.words.say(value["name"])
        if key in CHANNELS and isinstance(value.get("field"), str):
            self.name_channel(found, value, key, titled)
            self.keep_order(found, value)
        return found

    def with_names(self, transforms: list[Any]) -> list[Any]:
        """Put names in Korean after each fold, which makes data of the columns' English ones."""
        found = []
        for transform in transforms:
            found.append(transform)
            names = {name: self.words.say(name) for name in transform.get("fold", [])}
            if any(name != said for name, said in names.items()):
                made = _named(transform)
                said = json.dumps(names, ensure_ascii=False)
                found.append({"calculate": f"({said})[datum[{json.dumps(made)}]]", "as": made})
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
        """Let colours and places be those of the English, which follow the alphabet."""
        scale = value.get("scale")
        given = "sort" in value or (isinstance(scale, dict) and "domain" in scale)
        column = self.columns.get(value["field"])
        if column and not given and value.get("type") in ("nominal", "ordinal"):
            found["sort"] = [self.words.say(text) for text in sorted(column)]


def _parts(value: Any, key: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the tables of a specification with their keys; that of a row of data is `values`."""
    if isinstance(value, dict):
        yield key, value
        for name, item in value.items():
            yield from _parts(item, "values" if key == "datasets" else name)
    elif isinstance(value, list):
        for item in value:
            yield from _parts(item, key)


def _named(fold: dict[str, Any]) -> str:
    """Return the column in which a fold says which column a row is of."""
    name: str = fold.get("as", ["key"])[0]
    return name


def _is_titled(channel: dict[str, Any]) -> bool:
    """Say whether a channel has a title, or its axis, its legend or its header."""
    guides = (channel, channel.get("axis"), channel.get("legend"), channel.get("header"))
    return any(isinstance(guide, dict) and "title" in guide for guide in guides)


def drawn(spec: dict[str, Any], width: int) -> bytes:
    """Return the picture of a chart, drawn once for each specification."""
    from annotated_transformer.lab.figures.charts import chart_png  # noqa: PLC0415 - loads Vega
    from annotated_transformer.storage.atomic import write_bytes  # noqa: PLC0415

    text = json.dumps([spec, width], sort_keys=True, ensure_ascii=False)
    path = DRAWN / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.png"
    if path.is_file():
        return path.read_bytes()
    png = chart_png(spec, width)
    DRAWN.mkdir(parents=True, exist_ok=True)
    write_bytes(path, png)
    return png
