"""How a published model becomes one of ours: a table of the names of its tensors and settings.

The same table copies weights in the tests that compare a member with its
reference, and reads a reference's directory (published.py). No hub is contacted.
"""

import re
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from annotated_transformer.saving import model_tensors

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
"""What weights may be stored as; smaller ones need a scale that is not read here."""
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)


class Made(NamedTuple):
    """A tensor of ours that is made of one of theirs, and not the same."""

    theirs: str
    """Its name there, a pattern like those of `Reference.tensors`."""
    made: Callable[[Tensor], Tensor]
    """Theirs to ours: transposed, a third of it, scaled."""


class OneOf(tuple[Any, ...]):
    """Values of a setting that all ask for the network that is built here."""


class Reference(NamedTuple):
    """What a reference implementation calls our tensors and settings.

    In the name of a tensor, `{n}` and `{m}` stand for numbers, such as that of
    a layer; `{p}` for `weight` or `bias`; `{g}` for the two of a LayerNorm,
    `gain` and `bias` with us, `weight` and `bias` with them.

    Each key of a config.json is in one of the fields from `settings` to
    `harmless`, or refused: a key that nobody here has heard of may change what
    the model computes.
    """

    tensors: Mapping[str, str | Made]
    """Our name to theirs."""
    settings: Mapping[str, str]
    """Our field to the key of their config.json."""
    expected: Mapping[str, Any] = {}
    """What other keys must say if they are there: only that is built here."""
    unused: Sequence[str] = ()
    """Regular expressions of tensors that may be in their file and have no place here."""
    aliases: Sequence[tuple[str, str]] = ()
    """What to replace in the names of older files: regular expression and text."""
    alike: Sequence[tuple[str, str]] = ()
    """Pairs of keys that must say the same, if the second is there: encoder and decoder."""
    derived: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {}
    """Keys that must say, if they are there, what follows from the other keys."""
    read: Sequence[str] = ()
    """Keys that the member reads by itself (`config_from`)."""
    absent: Mapping[str, Any] = {}
    """What the reference takes for a key of `settings` that older files lack."""
    harmless: Mapping[str, str] = {}
    """Other keys that may say anything, and why."""
    repeated: Mapping[str, str] = {}
    """Regular expressions of tensors that hold one of ours, named here, once more."""
    optional: Sequence[str] = ()
    """Our tensors that stay as they begin if their file lacks them."""
    unread: str = ""
    """Why the files of the reference are not read."""

    def fields(self, settings: Mapping[str, Any], origin: Path | str) -> dict[str, Any]:
        """Read the fields of our configuration from the content of a config.json.

        Raises:
            ValueError: a key is missing or unknown, or says what is not built here.
        """
        settings = {**self.absent, **settings}
        for name, value in self.expected.items():
            good = value if isinstance(value, OneOf) else OneOf((value,))
            if name in settings and settings[name] not in good:
                wanted = " or ".join(map(repr, good))
                raise not_built(origin, settings, name, f"expected {wanted}")
        for name in self.settings.values():
            if name not in settings:
                raise ValueError(f"{origin}: the key {name!r} is missing")
        for name, other in self.alike:
            if settings.get(other) not in (None, settings.get(name)):
                raise ValueError(
                    f"{origin}: {name}={settings.get(name)!r} and {other}={settings[other]!r}; "
                    "only equal ones are built here"
                )
        known = self.keys()
        for name in settings:
            if name not in known:
                raise ValueError(
                    f"{origin}: {name}={reprlib.repr(settings[name])} is unknown here, and may "
                    "change what the model computes; if it does not, take it out of the file"
                )
        for name in self.derived.keys() & settings.keys():
            try:
                wanted = self.derived[name](settings)
            except TypeError:  # no list of sizes, say: the configuration refuses it
                continue
            if settings[name] != wanted:
                follows = f"{wanted!r} follows from the other keys"
                raise not_built(origin, settings, name, follows)
        return {ours: settings[theirs] for ours, theirs in self.settings.items()}

    def keys(self) -> set[str]:
        """Return all keys of their config.json that are known here."""
        return {
            *self.settings.values(),
            *self.expected,
            *(name for pair in self.alike for name in pair),
            *self.derived,
            *self.read,
            *self.harmless,
        }

    def copy(self, model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
        """Copy their tensors into `model`.

        Raises:
            ValueError: a tensor is missing, left over, there twice, of another
                shape, not of floating-point numbers of 16 bits or more, or not
                finite; the message names it and `origin`.
        """
        theirs = self._by_todays_names(tensors, origin)
        own_tensors = model_tensors(model)
        used = set()
        for name, own in own_tensors.items():
            their_name, made = self.source(name)
            if their_name not in theirs:
                if name in self.optional:
                    continue
                raise ValueError(f"{origin}: {their_name}, our {name}, is missing")
            check_numbers(theirs[their_name], own, f"{origin}: {their_name}")
            try:
                converted = made(theirs[their_name])
            except (IndexError, RuntimeError, TypeError, ValueError) as error:
                raise ValueError(
                    f"{origin}: {their_name} has shape {tuple(theirs[their_name].shape)}, of which "
                    f"our {name}, {tuple(own.shape)}, cannot be made; take the file from where it "
                    "was published again"
                ) from error
            if converted.shape != own.shape:
                raise ValueError(
                    f"{origin}: {their_name} gives shape {tuple(converted.shape)}, "
                    f"our {name} has {tuple(own.shape)}"
                )
            own.data.copy_(converted)
            if not bool(own.isfinite().all()):
                raise ValueError(
                    f"{origin}: {their_name} has numbers that are infinite or none (NaN) in "
                    f"{own.dtype}; take the file from where it was published again"
                )
            used.add(their_name)
        again = theirs.keys() - used
        used |= self._again(theirs, own_tensors, again, origin)
        known = re.compile("|".join(self.unused) or "(?!)")
        left = sorted(name for name in theirs.keys() - used if not known.search(name))
        if left:
            more = f" and {len(left) - 1} more" if left[1:] else ""
            raise ValueError(
                f"{origin}: {left[0]}{more} is left over; this model has no place for it"
            )

    def source(self, name: str) -> tuple[str, Callable[[Tensor], Tensor]]:
        """Return what they call our tensor `name`, and how theirs becomes ours.

        Raises:
            ValueError: the table does not have the name.
        """
        for ours, entry in self.tensors.items():
            if match := re.fullmatch(_expression(ours), name):
                made = entry if isinstance(entry, Made) else Made(entry, same)
                parts = match.groupdict()
                if "g" in parts:
                    parts["g"] = parts["g"].replace("gain", "weight")
                return made.theirs.format(**parts), made.made
        raise ValueError(f"the table of names has no entry for our {name}")

    def _again(
        self,
        theirs: Mapping[str, Tensor],
        own: Mapping[str, Tensor],
        again: Iterable[str],
        origin: Path | str,
    ) -> set[str]:
        """Return which of these tensors repeat one of ours, and compare each with it."""
        repeated = set()
        for pattern, ours in self.repeated.items():
            if ours not in own:
                continue
            first = self.source(ours)[0]
            for name in filter(re.compile(pattern).search, again):
                if not torch.equal(theirs[name], theirs[first]):
                    raise ValueError(
                        f"{origin}: {name} is not equal to {first}; here the two are one"
                    )
                repeated.add(name)
        return repeated

    def _by_todays_names(
        self, tensors: Mapping[str, Tensor], origin: Path | str
    ) -> dict[str, Tensor]:
        theirs: dict[str, Tensor] = {}
        for name, tensor in tensors.items():
            today = self._today(name)
            if today in theirs:
                raise ValueError(f"{origin}: {today} is there under two names")
            theirs[today] = tensor
        return theirs

    def _today(self, name: str) -> str:
        for old, new in self.aliases:
            name = re.sub(old, new, name)
        return name


def not_built(
    origin: Path | str, settings: Mapping[str, Any], name: str, wanted: str
) -> ValueError:
    """Make an error about a key whose value asks for another network."""
    value = reprlib.repr(settings[name])
    return ValueError(f"{origin}: {name}={value} is not built here; {wanted}")


def size(settings: Mapping[str, Any], name: str, origin: Path | str) -> int:
    """Read a size from a config.json, so that more can be computed from it.

    Raises:
        ValueError: it is no positive integer.
    """
    value = settings[name]
    if type(value) is not int or value < 1:
        raise not_built(origin, settings, name, "expected a positive integer")
    return value


def check_numbers(theirs: Tensor, own: Tensor, name: str) -> None:
    """Refuse weights that are no plain floating-point numbers, and counts that are."""
    if own.is_floating_point():
        fits, wanted = (theirs.dtype in FLOATS, "floating point of 16 bits or more")
    else:
        fits, wanted = theirs.dtype in INTEGERS, "whole numbers"
    if not fits:
        raise ValueError(f"{name} is stored as {theirs.dtype}; expected {wanted}")


def same(tensor: Tensor) -> Tensor:
    """Return the tensor as it is."""
    return tensor


def only(tensor: Tensor) -> Tensor:
    """Drop the first axis, which is 1 long; any other is an error."""
    [row] = tensor
    return row


PLACES = {"n": r"\d+", "m": r"\d+", "p": "weight|bias", "g": "gain|bias"}


def _expression(name: str) -> str:
    for place, pattern in PLACES.items():
        name = name.replace(f"{{{place}}}", f"(?P<{place}>{pattern})")
    return name.replace(".", r"\.")


def precision(tensors: Mapping[str, Tensor]) -> torch.dtype:
    """Return a type that holds all numbers of a file: float32, or float64 if one is of that.

    Half precision is for storing: on a processor it would round each product.
    """
    dtypes = {tensor.dtype for tensor in tensors.values()}
    return torch.float64 if torch.float64 in dtypes else torch.float32
