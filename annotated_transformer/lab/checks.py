"""What the doors of the laboratory alone refuse, beside what `checks` has for all."""

from typing import Any


def check_list(name: str, value: object) -> None:
    """Refuse a single string where a list is expected: Python would take its letters."""
    if isinstance(value, str | bytes):
        raise ValueError(f"{name}={value!r} is one string; expected a list of strings: [{value!r}]")


def check_same_shape(name: str, x: Any, other_name: str, other: Any) -> None:
    """Refuse different shapes, which would only broadcast."""
    if x.shape != other.shape:
        raise ValueError(
            f"{name} have shape {tuple(x.shape)}, {other_name} {tuple(other.shape)}; "
            "expected the same"
        )
