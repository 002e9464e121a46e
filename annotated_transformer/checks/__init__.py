"""What the front doors refuse, each with one sentence that names the value.

Arguments are checked once, where they enter: sizes in `TransformerConfig`; ids, vectors and
masks are in checks/tensors.py. What lies behind trusts what it gets.
"""

import difflib
import math
from collections.abc import Collection, Sequence
from typing import Any


def check_positive(name: str, value: object) -> None:
    """Refuse a size that is not a positive integer."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ValueError(f"{name}={value!r} must be a positive integer")


def check_option(name: str, value: object, options: Collection[str]) -> None:
    """Refuse a choice that there is not."""
    if value not in options:
        raise ValueError(
            f"{name}={value!r} is unknown; choose one of {', '.join(options)}"
        )


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither True nor False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={value!r} must be True or False")


def check_probability(name: str, value: Any) -> None:
    """Refuse what is no probability below 1."""
    if type(value) not in (int, float):
        raise ValueError(f"{name}={value!r} must be a number")
    if not 0.0 <= value < 1.0:
        raise ValueError(f"{name}={value!r} must be at least 0 and below 1")


def check_factor(name: str, value: Any) -> None:
    """Refuse what is no positive number."""
    if type(value) not in (int, float) or not 0 < value < math.inf:
        raise ValueError(f"{name}={value!r} must be a positive number")


def check_token_id(name: str, value: Any, vocab_size: int) -> None:
    """Refuse what is no id of the vocabulary."""
    if type(value) is not int or not 0 <= value < vocab_size:
        raise ValueError(
            f"{name}={value!r} is no token id; there are {vocab_size}"
        )


def check_divisible(d_model: int, n_heads: int) -> None:
    """Refuse a width that falls into no whole number for each head."""
    if d_model % n_heads:
        raise ValueError(
            f"d_model={d_model} is not divisible by n_heads={n_heads}: "
            "choose a multiple, or give d_k and d_v"
        )


def check_even(d_k: int) -> None:
    """Refuse a width that rotary positions cannot turn."""
    if d_k % 2:
        raise ValueError(
            f"d_k={d_k} is odd: positions='rotary' turn pairs of components"
        )


def check_fields(fields: Collection[str], names: Sequence[str]) -> None:
    """Refuse a key that is no field of `TransformerConfig`, and a missing vocabulary."""
    for key in fields:
        if key not in names:
            raise ValueError(
                f"{key!r} is no field of TransformerConfig{_nearest(key, names)}"
            )
    if "vocab_size" not in fields:
        raise ValueError(
            "vocab_size is missing: a model needs to know how many tokens exist"
        )


def check_row(row: str, rows: Sequence[str]) -> None:
    """Refuse what is no row of Table 3, or one that changes the training instead."""
    if row.startswith("D: label_smoothing="):
        raise ValueError(
            f"row {row!r} changes the training, not the model: use the base model and set "
            f"training.{row.removeprefix('D: ')} in the recipe"
        )
    if row not in rows:
        raise ValueError(f"no row {row!r} in Table 3{_nearest(row, rows)}")


def _nearest(key: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(key, names, n=1)
    return (
        f"; did you mean {close[0]!r}?"
        if close
        else f"; there are: {', '.join(names)}"
    )


def check_length(length: object) -> None:
    """Refuse what no causal mask can be as long as."""
    if type(length).__name__ == "SymInt":
        return  # of a graph that torch.export traces; known when it runs
    if type(length) is not int or length < 0:
        raise ValueError(
            f"length={length!r}: a mask needs a whole number of tokens, 0 or more"
        )


def check_list(name: str, value: object) -> None:
    """Refuse one string where several are meant: Python would take its letters."""
    if isinstance(value, str | bytes):
        raise ValueError(
            f"{name}={value!r} is one string; expected a list of strings: [{value!r}]"
        )


def check_sinusoids(length: object, d_model: object, base: float) -> None:
    """Refuse sizes that no sinusoids have, and tables that no memory holds."""
    whole = type(length) is int and type(d_model) is int
    if not whole or length < 0 or d_model < 1 or not 0 < base < math.inf:  # type: ignore[operator]
        raise ValueError(
            f"no sinusoids for length={length!r}, d_model={d_model!r}, base={base}: expected whole "
            "numbers, a length of 0 or more, a width of 1 or more, and a positive base"
        )
    if length * d_model > 2**31:  # type: ignore[operator]
        raise ValueError(
            f"length={length} times d_model={d_model} is more than 2^31 numbers, 16 GiB in "
            "float64: ask for fewer positions"
        )
