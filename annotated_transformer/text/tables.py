"""The characters of tables.toml, ready for use, and how messages name a character."""

import re
import tomllib
import unicodedata
from collections.abc import Collection
from pathlib import Path
from typing import Any

TABLES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text("utf-8"))
"""Which characters are read as what; the file says more."""
QUOTES, ENDS = TABLES["quotes"], TABLES["ends"]
LONGEST, MOST_NAMES = 40, 8
"""Characters of a name, and names, that a message has at most."""
MARKS = QUOTES + ENDS + TABLES["other_marks"]
"""What may stand around a word."""

SPACE = re.compile(f"[{TABLES['spaces']}]")
UNLIKE = re.compile(f"[{TABLES['unlike']}]")
INVISIBLE = re.compile(f"[{TABLES['invisible']}]|[{TABLES['joiners']}](?![{TABLES['joined']}])")
_PICTURE = f"[{TABLES['pictures']}]"
PICTURES = re.compile(f"\u200d?{_PICTURE}(?:\u200d?{_PICTURE})*")
_LINE_END = "(?:\r\n|\r(?!\n)|[\n\x0b\x0c\x85\u2028\u2029])"
BEFORE_BLANK_LINE = re.compile(
    f"([^{TABLES['spaces']}])([ \t]*)({_LINE_END})"
    f"(?=[ \t]*{_LINE_END}[{TABLES['spaces']}]*[^{TABLES['spaces']}])"
)
"""The last character of a paragraph, and the end of its line."""
REFUSED = re.compile(f"[{''.join(TABLES['refused'])}\ud800-\udfff]")
ODD = re.compile(
    "[\ud800-\udfff"
    + "".join((*TABLES["refused"], TABLES["spaces"], TABLES["invisible"]))
    + TABLES["joiners"]
    + "]"
)
"""What may have to be changed; one class, which is searched for fast."""
_SCRIPTS = {name: re.compile(f"[{ranges}]") for name, ranges in TABLES["scripts"].items()}


def code(character: str) -> str:
    """Return the code of a character, such as U+00A0."""
    return f"U+{ord(character):04X}"


def shown(character: str) -> str:
    """Return how a message names a character: as it is, or by what it is.

    Pictures are named alike by programs that know other versions of Unicode.
    """
    if name := TABLES["names"].get(character):
        return f"{name} ({code(character)})"
    unseen: object = (
        len(character) == 1
        and not PICTURES.match(character)
        and (
            unicodedata.category(character)[0] in "CZ"
            or SPACE.match(character)
            or INVISIBLE.match(character)
        )
    )
    return code(character) if unseen else f"'{character}'"


def listed(names: Collection[str]) -> str:
    """Return names as a sentence lists them: a, b and c; of many the first ones."""
    short = [f"{n[:LONGEST]}..." if len(n) > LONGEST else n for n in names]
    if len(short) > MOST_NAMES:
        short[MOST_NAMES - 1 :] = [f"{len(short) - MOST_NAMES + 1} more"]
    *first, last = short
    return f"{', '.join(first)} and {last}" if first else last


def of_a_word(character: str) -> bool:
    """Return whether a character is a letter, a digit or combines with one."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"


def script_of(character: str) -> str | None:
    """Return the script of a letter; None for one that the tables do not know."""
    for name, letters in _SCRIPTS.items():
        if letters.match(character):
            return name
    return None
