"""The one door for files that others may have written: recipes, descriptions, logs, weights.

What a file holds is understood or refused, with one sentence that names the file, the key, the
value and what to do. Refused before anything is made of it: what is no file or too large, no UTF-8,
a key that is there twice, values nested too deep, numbers of more than 64 bits, NaN and infinity
(except where our own log may have them), and characters that no file can keep.
"""

import json
import math
import os
import stat
import tomllib
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from annotated_transformer.checks import check_ceiling, nearest, shown

Kind = TypeVar("Kind")
DEEPEST = 32  # how many times tables and lists may be nested
WHOLE = range(-(2**63), 2**64)  # the whole numbers that a file may hold
NAMES = {
    dict: "a table",
    list: "a list",
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
}
_LONGEST = 1_000  # digits; more are not converted, which takes ever longer


def regular_file(path: Path, ceiling: str) -> Path:
    """Return the path of a file that can be read to its end, and is not too large.

    `ceiling` is the name of its size in `checks.CEILINGS`. Raises `FileNotFoundError` if there is
    nothing, or a link that leads to nothing, `OSError` for a directory, a pipe, a device and what
    may not be read, `ValueError` if it is too large.
    """
    try:
        about = path.stat()
        if stat.S_ISREG(about.st_mode):
            path.open("rb").close()
    except PermissionError as error:
        raise PermissionError(
            f"{path} may not be read; change its permissions or give another file"
        ) from error
    except (OSError, ValueError) as error:  # or a name that no file can have
        link = os.path.islink(path)
        what = f"is a link to {path.readlink()}, which is not there" if link else "is missing"
        raise FileNotFoundError(f"{path} {what}") from error
    if stat.S_ISDIR(about.st_mode):
        raise IsADirectoryError(f"{path} is a directory; expected a file")
    if not stat.S_ISREG(about.st_mode):
        raise OSError(f"{path} is no file but a pipe or a device; copy what it gives into a file")
    check_ceiling(ceiling, about.st_size, f"{path} has {about.st_size:,} bytes")
    return path


def read_bytes(path: Path, ceiling: str) -> bytes:
    """Read a whole file. Raises as `regular_file` does."""
    return regular_file(path, ceiling).read_bytes()


def read_text(path: Path, ceiling: str) -> str:
    """Read a text in UTF-8, without the byte-order mark that some editors put first.

    Raises as `regular_file` does, and `ValueError` if the file is in another encoding.
    """
    return decoded(read_bytes(path, ceiling), str(path))


def decoded(content: bytes, origin: str) -> str:
    """Decode UTF-8 to text; raise `ValueError` for other bytes."""
    try:
        text = content.decode("utf-8-sig")
        position = content.find(b"\0")
    except UnicodeDecodeError as error:
        text, position = "", error.start
    if position < 0:
        return text
    wide = b"\0" in content[:4] or content[:2] in (b"\xff\xfe", b"\xfe\xff")
    raise ValueError(
        f"{origin} is corrupt: byte 0x{content[position]:02x} at position {position} is no text in "
        f"UTF-8{', but perhaps in UTF-16' if wide else ''}; save it as UTF-8"
    )


def read_json(path: Path, *, finite: bool = True) -> dict[str, Any]:
    """Read one JSON object. Raises as `read_text` and `parse_json` do."""
    return parse_json(read_bytes(path, "json_bytes"), str(path), finite=finite)


def parse_json(text: str | bytes, origin: str, *, finite: bool = True) -> dict[str, Any]:
    """Parse one JSON object, in UTF-8, which error messages call `origin`.

    Raises `ValueError` if it is none, or holds what the head of this module names (NaN and infinity
    only if it must be `finite`).
    """
    if isinstance(text, bytes):
        text = decoded(text, origin)
    if not text.strip():
        raise ValueError(f"{origin} is corrupt: it is empty; {_ANEW}")
    try:
        content = json.loads(text, object_pairs_hook=_once, parse_int=_whole_number)
    except RecursionError as error:
        raise ValueError(f"{origin} is corrupt: {_TOO_DEEP}") from error
    except ValueError as error:
        raise ValueError(f"{origin} is corrupt: {error}; {_ANEW}") from error
    if not isinstance(content, dict):
        raise ValueError(
            f"{origin} is corrupt: it holds no JSON object, which begins with {{; {_ANEW}"
        )
    check_content(content, f"{origin} is corrupt", finite=finite)
    return content


def read_toml(path: Path) -> dict[str, Any]:
    """Read a file in TOML, which may have infinity and NaN: a setting that must be finite says so.

    Raises as `read_text`, `parse_toml` and `check_content` do.
    """
    content = parse_toml(read_text(path, "recipe_bytes"), str(path))
    check_content(content, str(path), finite=False)
    return content


def parse_toml(text: str, origin: str) -> dict[str, Any]:
    """Parse TOML; for `check_content` to see.

    Raises `tomllib.TOMLDecodeError`, a `ValueError`, if it is none, and `ValueError` if its depth
    or a number's length is too large to parse.
    """
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise ValueError(f"{origin} is no TOML: {_TOO_DEEP}") from error
    except tomllib.TOMLDecodeError as error:
        quotes = "; a backslash stands between single quotes" if "\\" in text else ""
        raise tomllib.TOMLDecodeError(
            f"{origin} is no TOML: {error}; mend it there{quotes}"
        ) from error
    except ValueError as error:  # Python converts no number of 4,301 digits
        raise ValueError(
            f"{origin} is no TOML: a number has thousands of digits; 64 bits are the most"
        ) from error


_ANEW = "make it anew or take it from a copy"
_TOO_DEEP = f"its values are nested more than {DEEPEST} deep; expected plain keys and values"


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {shown(key)} is there twice")
        table[key] = value
    return table


def _whole_number(digits: str) -> int | float:
    # What is infinite is refused with its key, once all is parsed.
    return int(digits) if len(digits) <= _LONGEST else math.inf


def check_content(content: Any, origin: str, *, finite: bool = True) -> None:
    """Refuse values that were parsed but cannot be used.

    Without recursion: what is too deep for Python's stack may come from dotted keys. Raises
    `ValueError` with `origin`, the key, its value and what was expected.
    """
    waiting: list[tuple[Any, str, int]] = [(content, "", 0)]
    while waiting:
        value, key, depth = waiting.pop()
        if depth > DEEPEST:
            raise ValueError(f"{origin}: {shown(key)}: {_TOO_DEEP}")
        if isinstance(value, dict):
            for name, item in value.items():
                _check_characters(name, origin, "a key")
                waiting.append((item, f"{key}.{name}" if key else name, depth + 1))
        elif isinstance(value, list):
            waiting += [(item, f"{key}[{i}]", depth + 1) for i, item in enumerate(value)]
        elif isinstance(value, str):
            _check_characters(value, origin, key)
        elif isinstance(value, float):
            if finite and not math.isfinite(value):
                raise ValueError(
                    f"{origin}: {key} = {value} is out of range; expected a finite number"
                )
        elif isinstance(value, int) and value not in WHOLE:
            raise ValueError(
                f"{origin}: {key} = {shown(value)} is out of range; expected a number of at most "
                "64 bits"
            )


def _check_characters(text: str, origin: str, key: str) -> None:
    """Refuse half a character, which no file can hold, and NUL, which ends a name."""
    wrong = next((c for c in text if c == "\0" or "\ud800" <= c <= "\udfff"), "")
    if wrong:
        raise ValueError(
            f"{origin}: {key} = {shown(text)} has U+{ord(wrong):04X} at position "
            f"{text.index(wrong)}, which is no character of a text; leave it out"
        )


def entry(table: Mapping[str, Any], key: str, kind: type[Kind], origin: Path | str) -> Kind:
    """Return the value of a key; raise `ValueError` if it is missing or of another type.

    By exact type: in Python, True is an integer too. A whole number will do for a float.
    """
    if key not in table:
        raise ValueError(f"{origin} is corrupt: it has no key {key!r}{nearest(key, list(table))}")
    value = table[key]
    if type(value) is kind or (kind is float and type(value) is int):
        return cast(Kind, value)
    raise ValueError(f"{origin} is corrupt: {key} = {shown(value)} is not {NAMES[kind]}")


def check_known(table: Mapping[str, Any], known: Collection[str], origin: Path | str) -> None:
    """Refuse an unknown key, which may be a slip of the pen. Raises `ValueError`."""
    for key in table:
        if key not in known:
            raise ValueError(
                f"{origin} has the unknown key {shown(key)}{nearest(key, list(known))}"
            )
