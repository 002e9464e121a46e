"""TOML to dataclass and back, with an error that names key, value and file."""

import dataclasses
import json
import math
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args, get_origin

from annotated_transformer.checks import (
    CEILINGS,
    check_ceiling,
    nearest,
    set_field,
    settle_numbers,
    shown,
)
from annotated_transformer.storage.reading import NAMES, check_content, parse_toml

Settings = TypeVar("Settings")


def build(kind: type[Settings], content: Mapping[str, Any], origin: str, key: str = "") -> Settings:
    """Build an instance of the dataclass `kind` from a table of values, each checked by its type.

    Raises `ValueError` that names `origin` and the dotted key: one that is no field, with the
    nearest one that is; one that is missing; a value of the wrong type, or that the dataclass
    refuses.
    """
    hints = typing.get_type_hints(kind)
    section = f"[{key}]" if key else "the top level"
    for name in content:
        if name not in hints:
            hint = nearest(name, list(hints))
            raise ValueError(f"{origin}: {section} has no key {shown(name)}{hint}")
    for item in dataclasses.fields(kind):  # type: ignore[arg-type]
        optional = item.default is not item.default_factory  # both MISSING if neither is given
        if item.name not in content and not optional:
            raise ValueError(f"{origin}: {section} needs a key {item.name!r}")
    values = {
        name: convert(hints[name], value, origin, f"{key}.{name}".lstrip("."))
        for name, value in content.items()
    }
    try:
        return kind(**values)
    except ValueError as error:
        raise ValueError(f"{origin}: {section}: {error}") from error


def convert(hint: Any, value: Any, origin: str, key: str) -> Any:
    """Convert one value to the type that the field wants, or raise a `ValueError`."""
    outer, inner = get_origin(hint), get_args(hint)
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return build(typing.cast(type[Any], hint), value, origin, key)
    if outer is tuple and isinstance(value, list):
        return tuple(convert(inner[0], item, origin, key) for item in value)
    if outer is Mapping and isinstance(value, dict):
        kind = inner[1]
        return {name: convert(kind, item, origin, f"{key}.{name}") for name, item in value.items()}
    if outer is types.UnionType:  # `int | None`: TOML has no None, so it must be the int
        return convert(inner[0], value, origin, key)
    if _fits(hint, value):
        return hint(value) if hint in (float, Path) else value
    raise ValueError(f"{origin}: {key} = {shown(value)} is not {_wanted(hint)}")


def check_types(settings: Any) -> None:
    """Refuse what was given in Python and has another type than its field, as `build` for a file.

    A list becomes a tuple, and a number of numpy one of Python, so that the recipe can be written.
    """
    settle_numbers(settings)
    for name, hint in typing.get_type_hints(type(settings)).items():
        value = getattr(settings, name)
        if get_origin(hint) is tuple and isinstance(value, list):
            set_field(settings, name, value := tuple(value))
        if not _fits(hint, value):
            raise ValueError(f"{name} = {shown(value)} is not {_wanted(hint)}")


def _fits(hint: Any, value: Any) -> bool:
    outer, inner = get_origin(hint), get_args(hint)
    if outer is Literal:
        return isinstance(value, str) and value in inner
    if outer is tuple:
        return isinstance(value, tuple) and all(_fits(inner[0], item) for item in value)
    if outer is Mapping:
        return isinstance(value, Mapping) and all(_fits(inner[1], x) for x in value.values())
    # By exact type: in Python, True is an integer too.
    numbers = {bool: (bool,), int: (int,), float: (int, float)}
    if hint in numbers:
        return type(value) in numbers[hint]
    return hint is Any or isinstance(value, (str, Path) if hint is Path else hint)


def at_least(least: int, settings: object, *names: str) -> None:
    """Raise `ValueError` for a field's value that is smaller, infinite, NaN or too large."""
    for name in names:
        value = getattr(settings, name)
        if not least <= value < math.inf:
            raise ValueError(f"{name} must be at least {least}: {shown(value)}")
        if name in CEILINGS or type(value) is int:
            check_ceiling(name, value)


def _wanted(hint: Any) -> str:
    outer, inner = get_origin(hint), get_args(hint)
    if outer is Literal:
        return f"one of {', '.join(map(str, inner))}"
    if outer is tuple:
        return f"a list, each item {_wanted(inner[0])}"
    if outer is Mapping or dataclasses.is_dataclass(hint):
        return "a table"
    return NAMES.get(hint, "a string")


def parse_override(text: str) -> tuple[str, Any]:
    """Split `section.key=value`; the value is TOML, or else a plain string.

    Raises `ValueError` if there is no `=`, no key before it, or a value that no recipe may have.
    """
    origin = f"--set {abridged(text)}"
    check_ceiling("recipe_bytes", len(text), f"{origin} is {len(text):,} long")
    key, equals, value = text.partition("=")
    if not (equals and key.strip()):
        raise ValueError(f"{origin}: expected key=value, such as training.steps=200")
    try:
        content = parse_toml(f"value = {value}", origin)
    except tomllib.TOMLDecodeError:
        content = {}
    # A value with a line break in it would be several settings.
    if content.keys() != {"value"}:
        content = {"value": value.strip()}
    setting = {key.strip(): content["value"]}
    check_content(setting, origin, finite=False)
    return setting.popitem()


def abridged(text: str, longest: int = 80) -> str:
    """Return a text on one line, or its beginning."""
    text = text if text.isprintable() else repr(text)[1:-1]
    return text if len(text) <= longest else f"{text[:longest]}..."


def dump(content: Mapping[str, Any], section: str = "") -> str:
    """Write nested dictionaries of strings, numbers, booleans and lists as TOML."""
    tables = {name: value for name, value in content.items() if isinstance(value, dict)}
    lines = [f"[{section}]"] if section else []
    lines += [f"{_key(name)} = {_value(content[name])}" for name in content if name not in tables]
    text = "\n".join(lines) + "\n" if lines else ""
    for name, table in tables.items():
        text += "\n" + dump(table, f"{section}.{_key(name)}".lstrip("."))
    return text


def _key(name: str) -> str:
    plain = name.replace("_", "").replace("-", "")
    return name if plain.isascii() and plain.isalnum() else _value(name)


def _value(value: Any) -> str:
    # A JSON string, number, truth value or list of these is the same in TOML, except for the
    # one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False, allow_nan=False).replace("\x7f", "\\u007f")
