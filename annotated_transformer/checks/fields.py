"""What a frozen dataclass of sizes fills in by itself when it is made."""

from collections.abc import Callable
from dataclasses import fields
from numbers import Real
from typing import Any

from annotated_transformer.checks import plain


class Follows(int):
    """A size that nobody gave: in a copy with other sizes (`dataclasses.replace`) it is new."""


PLAIN: tuple[type, ...] = (bool, int, float, Follows)
"""What a number in a field may be; each can be written to a file."""


def set_field(config: Any, name: str, value: Any) -> None:
    """Fill in a field; a frozen dataclass has no other way."""
    object.__setattr__(config, name, value)


def follow(config: Any, name: str, size: Callable[[], int]) -> None:
    """Let a size follow from others, unless it was given."""
    value = getattr(config, name)
    if value is None or isinstance(value, Follows):
        set_field(config, name, Follows(size()))


def settle_numbers(config: Any) -> None:
    """Make Python's own numbers of numpy's, which no file can hold and which may overflow."""
    for field in fields(config):
        value: Any = getattr(config, field.name)
        if isinstance(value, Real) and type(value) not in PLAIN:
            set_field(config, field.name, plain(value))
