"""The texts of the live figures and their Korean: what is tagged in the scripts, and what lacks.

`python book/_ext/live_words.py` lists the English that has no Korean yet, by script. A script's
English is tagged (see _static/live/words.js), and its Korean stands in `words.ko.js`, which all
figures share, or in the `figures/NAME.ko.js` of its figure.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

LIVE = Path(__file__).parents[1] / "_static" / "live"
SHARED = "words.ko.js"
TAG = re.compile(r"\bsay(?:With)?$")
READ = re.compile(r'\bsayText\(("(?:[^"\\]|\\.)*")\)')
LINES = re.compile(r" *\n {2,}")
BEFORE_A_PATTERN = "(,=:[!&|?{};+"
ENTRY = re.compile(r'^  ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*"),?$', re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """A text of a figure: its English with {0}, {1} ... for the values, and what these are."""

    key: str
    values: tuple[str, ...] = ()


def _string_end(source: str, start: int) -> int:
    end = start + 1
    while source[end] != source[start]:
        end += 2 if source[end] == "\\" else 1
    return end + 1


def _pattern_end(source: str, start: int) -> int:
    end, inside = start + 1, False
    while inside or source[end] != "/":
        if source[end] == "\\":
            end += 1
        elif source[end] in "[]":
            inside = source[end] == "["
        end += 1
    return end + 1


def _value_end(source: str, start: int) -> int:
    """Return where the `}` of a template's value stands."""
    depth, place = 0, start
    while depth or source[place] != "}":
        if source[place] == "`":
            place = _template(source, place)[1]
            continue
        if source[place] in "\"'":
            place = _string_end(source, place)
            continue
        depth += {"{": 1, "}": -1}.get(source[place], 0)
        place += 1
    return place


def _template(source: str, start: int) -> tuple[Text, int]:
    """Return the text of the template that begins here, and where it ends."""
    place, key, values = start + 1, "", []
    while source[place] != "`":
        if source.startswith("${", place):
            end = _value_end(source, place + 2)
            key += f"{{{len(values)}}}"
            values.append(source[place + 2 : end])
            place = end + 1
        elif source[place] == "\\":
            escape = source[place : place + 6] if source[place + 1] == "u" else source[place : place + 2]
            key += json.loads(f'"{escape}"') if escape[1] in "un" else escape[1]
            place += len(escape)
        else:
            key += source[place]
            place += 1
    return Text(LINES.sub(" ", key), tuple(values)), place + 1


def texts_of(source: str) -> list[Text]:
    """Return the tagged texts of a script, in its order."""
    found, place, before = [], 0, ""
    while place < len(source):
        if source.startswith("//", place):
            place = source.find("\n", place)
            continue
        if source.startswith("/*", place):
            place = source.index("*/", place) + 2
            continue
        letter = source[place]
        if letter == "`":
            text, end = _template(source, place)
            if TAG.search(source[:place]):
                found.append(text)
            for value in text.values:
                found += texts_of(value)
            place = end
        elif letter in "\"'":
            place = _string_end(source, place)
        elif letter == "/" and before in BEFORE_A_PATTERN:
            place = _pattern_end(source, place)
        else:
            place += 1
        before = before if letter.isspace() else letter
    return found + [Text(json.loads(text)) for text in READ.findall(source)]


def scripts() -> dict[str, list[Path]]:
    """Return the scripts with texts, by the file that has their Korean."""
    found = {SHARED: sorted(set(LIVE.glob("*.js")) - {LIVE / SHARED, LIVE / "words.js"})}
    for own in sorted((LIVE / "figures").glob("*.js")):
        if not own.name.endswith(".ko.js"):
            parts = sorted((LIVE / "figures" / own.stem).glob("*.js"))
            found[f"figures/{own.stem}.ko.js"] = [own, *parts]
    return found


def english(paths: list[Path]) -> dict[str, Text]:
    """Return the texts of scripts, each once, by their English."""
    every = (text for path in paths for text in texts_of(path.read_text(encoding="utf-8")))
    return {text.key: text for text in every}


def korean(file: str) -> dict[str, str]:
    """Return the Korean of a file by its English; nothing if there is no such file."""
    path = LIVE / file
    if not path.is_file():
        return {}
    entries = ENTRY.findall(path.read_text(encoding="utf-8"))
    return {json.loads(key): json.loads(text) for key, text in entries}


def missing() -> dict[str, list[str]]:
    """Return the English that has no Korean, by the file that it should stand in."""
    shared = korean(SHARED)
    found = {}
    for file, paths in scripts().items():
        known = shared | korean(file)
        if lacks := [key for key in english(paths) if key not in known]:
            found[file] = lacks
    return found


if __name__ == "__main__":
    for file, lacks in missing().items():
        print(file)
        for key in lacks:
            print(f"  {json.dumps(key, ensure_ascii=False)}: \"\",")
