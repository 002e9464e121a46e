"""What the front doors refuse, each with one sentence that names the value.

Arguments are checked once, where they enter: sizes in `TransformerConfig`; ids, vectors and
masks are in checks/tensors.py. What lies behind trusts what it gets. What checks one number returns
it as Python's own: numpy's are understood, and would overflow or change the type of a result later.
"""

import dataclasses
import difflib
import math
import os
import reprlib
from collections.abc import Callable, Collection, Mapping, Sequence
from numbers import Integral, Number, Real
from pathlib import Path
from typing import Any, TypeVar

Value = TypeVar("Value")

CEILINGS = {
    "vocab_size": 2**22,
    "n_layers": 256,
    "d_model": 2**16,
    "d_ff": 2**18,
    "n_heads": 2**12,
    "d_k": 2**16,
    "d_v": 2**16,
    "max_length": 2**17,
    "mask_length": 2**16,
    "parameters": 2**30,
    "beam_size": 1_000,
    "alpha": 50,
    "length_penalty": 50,
    "batch_size": 2**16,
    "workers": 256,
    "steps": 10**9,
    "tokens_per_batch": 2**24,
    "accumulate": 2**16,
    "json_bytes": 2**25,
    "recipe_bytes": 2**16,
    "text_bytes": 2**27,
    "tensor_bytes": 2**40,
}
"""The largest sizes that are taken for meant: a slip of the pen is refused
before it fills the memory. `RAISE` multiplies them all."""
LARGEST = 2**63 - 1
"""The ceiling of a whole number that has none of its own."""
RAISE = "ANNOTATED_TRANSFORMER_CEILINGS"
"""Environment variable with the factor by which every ceiling is raised."""


def check_ceiling(name: str, value: Any, what: str | None = None) -> None:
    """Refuse a size above its ceiling; `what` replaces "name=value" in the message."""
    ceiling = CEILINGS.get(name, LARGEST)
    if value <= ceiling:
        return
    text = os.environ.get(RAISE) or "1"
    whole = text.isascii() and text.isdigit() and len(text) < 20
    if not whole or int(text) < 1:
        raise ValueError(
            f"the environment variable {RAISE} is {shown(text)}; expected a whole number, by which "
            "every ceiling is multiplied"
        )
    if value <= ceiling * int(text):
        return
    needed = f"{-(-value // ceiling)}" if 0 < value < 2**63 else "FACTOR"
    raise ValueError(
        f"{what or f'{name}={shown(value)}'}, more than the ceiling of {ceiling * int(text):,}; "
        f"if that is meant, set the environment variable {RAISE}={needed}"
    )


def shown(value: object) -> str:
    """Return a value as an error message shows it: on one line and not too long."""
    if type(value) is int and value.bit_length() > 128:
        return f"a whole number of {value.bit_length():,} bits"
    short = reprlib.Repr()
    short.maxstring = short.maxother = 100
    return short.repr(value)


def check_path(name: str, value: Any) -> Path:
    """Return a path; refuse an empty text, the current folder, and a name that is not UTF-8."""
    if not isinstance(value, str | os.PathLike) or value == "":
        raise ValueError(f"{name} is {shown(value)}; expected a path (. is the current folder)")
    try:
        os.fsencode(value).decode("utf-8")
    except UnicodeError as error:
        raise ValueError(
            f"{name} is {shown(value)}, which is not UTF-8; rename the file or folder"
        ) from error
    return Path(value)


def is_whole(name: str, value: Any) -> bool:
    """Return whether this is a whole number, also one of numpy; refuse a tensor that holds one."""
    _check_no_tensor(name, value)
    return isinstance(value, Integral) and not isinstance(value, bool)


def is_number(name: str, value: Any) -> bool:
    """Return whether this is a real number, as `is_whole` does."""
    _check_no_tensor(name, value)
    return isinstance(value, Real) and not isinstance(value, bool)


def _check_no_tensor(name: str, value: Any) -> None:
    """Refuse a tensor or array without dimensions: it may be on another device, or change later."""
    if getattr(value, "ndim", None) == 0 and not isinstance(value, Number):
        raise ValueError(
            f"{name}={shown(value)} is a {type(value).__name__}; expected a number, which its "
            "method .item() gives"
        )


def plain(value: Any) -> Any:
    """Return a number as Python's own int or float."""
    return int(value) if isinstance(value, Integral) else float(value)


def check_positive(name: str, value: Any) -> int:
    """Refuse a size that is not a positive integer, or above its ceiling."""
    if not is_whole(name, value) or value < 1:
        raise ValueError(f"{name}={shown(value)} must be a positive integer")
    check_ceiling(name, value)
    return int(value)


def check_sizes(**sizes: Any) -> tuple[int, ...]:
    """Refuse a size, of those given by name, that is not a positive integer; return all."""
    return tuple(check_positive(name, value) for name, value in sizes.items())


def check_parameters(config: Any) -> None:
    """Refuse sizes that are allowed one by one but fill the memory together."""
    attention = 2 * config.d_model * config.n_heads * (config.d_k + config.d_v)
    feed_forward = 2 * config.d_model * config.d_ff
    tables = config.vocab_size * (1 if config.share_embeddings else 3)
    count = (
        config.n_layers * (3 * attention + 2 * feed_forward)
        + (tables + config.max_length) * config.d_model
    )
    check_ceiling(
        "parameters",
        count,
        f"vocab_size={config.vocab_size}, n_layers={config.n_layers}, d_model={config.d_model}, "
        f"d_ff={config.d_ff} and max_length={config.max_length} give about {count:,} parameters",
    )


def check_option(name: str, value: object, options: Collection[str]) -> None:
    """Refuse an option that does not exist."""
    if value not in options:
        raise ValueError(f"{name}={shown(value)} is unknown; choose one of {', '.join(options)}")


def check_choice(name: str, value: object, choices: Collection[str]) -> None:
    """Refuse what is none of the choices that an argument has."""
    if value not in choices:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(choices)}")


class Options(dict[str, Value]):
    """A table of options that refuses a name which it does not have, and says which it has."""

    def __init__(self, name: str, options: Mapping[str, Value]) -> None:
        super().__init__(options)
        self.name = name

    def __missing__(self, option: str) -> Value:
        check_option(self.name, option, self)
        raise KeyError(option)


def check_flag(name: str, value: object) -> None:
    """Refuse anything but True and False."""
    if not isinstance(value, bool):
        raise ValueError(f"{name}={shown(value)} must be True or False")


def check_probability(name: str, value: Any) -> float:
    """Refuse anything but a number from 0 up to, but not including, 1."""
    if not is_number(name, value):
        raise ValueError(f"{name}={shown(value)} must be a number")
    if not 0.0 <= value < 1.0:
        raise ValueError(f"{name}={shown(value)} must be at least 0 and below 1")
    return plain(value)


def check_number(name: str, value: Any) -> float:
    """Refuse anything but a finite number, 0 or more, that is not above its ceiling."""
    if not is_number(name, value) or not 0 <= value < math.inf:
        raise ValueError(f"{name} is {shown(value)}; expected a finite number, 0 or more")
    number = plain(value)
    check_ceiling(name, number)
    return number


def check_count(name: str, value: Any, least: int = 1) -> int:
    """Refuse anything but a whole number, `least` or more, that is not above its ceiling."""
    whole = is_whole(name, value)
    if not whole or value < least:
        what = "" if whole else ", a whole number"
        raise ValueError(f"{name} is {shown(value)}; expected at least {least}{what}")
    check_ceiling(name, value)
    return int(value)


def check_factor(name: str, value: Any) -> float:
    """Refuse anything but a positive number that a tensor can hold."""
    if not is_number(name, value) or not 0 < plain(value) < 2**127:
        raise ValueError(f"{name}={shown(value)} must be a positive number")
    return plain(value)


def check_id(name: str, value: Any) -> int:
    """Refuse what no token id can be; a negative number is an id that no token has."""
    if not is_whole(name, value):
        raise ValueError(f"{name} is {shown(value)}; expected a whole number")
    return int(value)


def check_token_id(name: str, value: Any, vocab_size: int) -> None:
    """Refuse an id that is not in the vocabulary."""
    if not is_whole(name, value) or not 0 <= value < vocab_size:
        raise ValueError(f"{name}={shown(value)} is no token id; there are {vocab_size}")


def check_divisible(d_model: int, n_heads: int) -> None:
    """Refuse a width that the heads cannot divide evenly."""
    check_sizes(d_model=d_model, n_heads=n_heads)
    if d_model % n_heads:
        raise ValueError(
            f"d_model={d_model} is not divisible by n_heads={n_heads}: "
            "choose a multiple, or give d_k and d_v"
        )


def check_fields(fields: object, names: Sequence[str]) -> None:
    """Refuse what is no table of fields of `TransformerConfig`, an unknown one, and no size."""
    if not isinstance(fields, Mapping):
        raise ValueError(f"the fields are {shown(fields)}; expected a dictionary of them")
    for key in fields:
        if key not in names:
            raise ValueError(f"{shown(key)} is no field of TransformerConfig{nearest(key, names)}")
    if "vocab_size" not in fields:
        raise ValueError("vocab_size is missing: a model needs to know how many tokens exist")


def check_config(config: object, kind: type[Any]) -> None:
    """Refuse what is no configuration, such as the dictionary that one is made of."""
    if not isinstance(config, kind):
        raise ValueError(
            f"the configuration is of type {type(config).__name__}; expected a {kind.__name__}, "
            f"which {kind.__name__}.from_dict makes of a dictionary"
        )


def check_row(row: str, rows: Sequence[str]) -> None:
    """Refuse an unknown row of Table 3, and one that changes the training instead."""
    if isinstance(row, str) and row.startswith("D: label_smoothing="):
        raise ValueError(
            f"row {row!r} changes the training, not the model: use the base model and set "
            f"training.{row.removeprefix('D: ')} in the recipe"
        )
    if row not in rows:
        raise ValueError(f"no row {row!r} in Table 3{nearest(row, rows)}")


def nearest(key: str, names: Sequence[str]) -> str:
    """Return the end of a message that refuses a name: the nearest name, or all of them."""
    close = difflib.get_close_matches(str(key), names, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(names)}"


def check_length(length: Any) -> None:
    """Refuse a length that no causal mask can have."""
    if type(length).__name__ == "SymInt":
        return  # of a graph that torch.export traces; known when it runs
    if not is_whole("length", length) or length < 0:
        raise ValueError(
            f"length={shown(length)}: a mask needs a whole number of tokens, 0 or more"
        )
    check_ceiling("mask_length", length)


def check_sinusoids(length: Any, d_model: Any, base: Any = 1.0) -> tuple[int, int]:
    """Refuse impossible sizes of sinusoids, and tables too large for the memory."""
    whole = is_whole("length", length) and is_whole("d_model", d_model)
    if not whole or length < 0 or d_model < 1:
        raise ValueError(
            f"no sinusoids for length={length!r}, d_model={d_model!r}: expected whole "
            "numbers, a length of 0 or more and a width of 1 or more"
        )
    check_factor("base", base)
    if plain(length) * plain(d_model) > 2**31:
        raise ValueError(
            f"length={length} times d_model={d_model} is more than 2^31 numbers, 16 GiB in "
            "float64: ask for fewer positions"
        )
    return int(length), int(d_model)


# --- what a frozen dataclass of sizes fills in by itself when it is made


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
    for field in dataclasses.fields(config):
        value: Any = getattr(config, field.name)
        if isinstance(value, Real) and type(value) not in PLAIN:
            set_field(config, field.name, plain(value))
