"""How a published model becomes one of ours: a table of the names of its tensors and settings.

The same table copies weights in the tests that compare a member with its
reference, and reads a reference's directory. No hub is contacted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from annotated_transformer.serving.storage import model_tensors


class Made(NamedTuple):
    """A tensor of ours that is made of one of theirs, and not the same."""

    theirs: str
    """Its name there, a pattern like those of `Reference.tensors`."""
    made: Callable[[Tensor], Tensor]
    """Theirs to ours: transposed, a third of it, scaled."""


class Reference(NamedTuple):
    """What a reference implementation calls our tensors and settings.

    In the name of a tensor, `{n}` and `{m}` stand for numbers, such as that of
    a layer; `{p}` for `weight` or `bias`; `{g}` for the two of a LayerNorm,
    `gain` and `bias` with us, `weight` and `bias` with them.
    """

    tensors: Mapping[str, str | Made]
    """Our name to theirs."""
    settings: Mapping[str, str]
    """Our field to the key of their config.json."""
    expected: Mapping[str, Any] = {}
    """What the other keys must say if they are there: only that is built here."""
    unused: Sequence[str] = ()
    """Regular expressions of tensors that may be in their file and have no place here."""
    aliases: Sequence[tuple[str, str]] = ()
    """What to replace in the names of older files: regular expression and text."""
    alike: Sequence[tuple[str, str]] = ()
    """Pairs of keys that must say the same, if the second is there: encoder and decoder."""

    def fields(
        self, settings: Mapping[str, Any], origin: Path | str
    ) -> dict[str, Any]:
        """The fields of our configuration, from the content of a config.json.

        Raises:
            ValueError: a key is missing, or says what is not built here.
        """
        for name, value in self.expected.items():
            if settings.get(name, value) != value:
                raise ValueError(
                    f"{origin}: {name}={settings[name]!r} is not built here; expected {value!r}"
                )
        for name in self.settings.values():
            if name not in settings:
                raise ValueError(f"{origin}: the key {name!r} is missing")
        for name, other in self.alike:
            if settings.get(other) not in (None, settings.get(name)):
                raise ValueError(
                    f"{origin}: {name}={settings.get(name)!r} and {other}={settings[other]!r}; "
                    "only equal ones are built here"
                )
        return {
            ours: settings[theirs] for ours, theirs in self.settings.items()
        }

    def copy(
        self,
        model: nn.Module,
        tensors: Mapping[str, Tensor],
        origin: Path | str,
    ) -> None:
        """Copy their tensors into `model`.

        Raises:
            ValueError: a tensor is missing, left over or has another shape;
                the message names it and `origin`.
        """
        theirs = {self._today(name): tensor for name, tensor in tensors.items()}
        used = set()
        for name, own in model_tensors(model).items():
            wanted, made = self.source(name)
            if wanted not in theirs:
                raise ValueError(f"{origin}: {wanted}, our {name}, is missing")
            found = made(theirs[wanted])
            if found.shape != own.shape:
                raise ValueError(
                    f"{origin}: {wanted} gives shape {tuple(found.shape)}, "
                    f"our {name} has {tuple(own.shape)}"
                )
            own.data.copy_(found)
            used.add(wanted)
        known = re.compile("|".join(self.unused) or "(?!)")
        left = sorted(
            name for name in theirs.keys() - used if not known.search(name)
        )
        if left:
            more = f" and {len(left) - 1} more" if left[1:] else ""
            raise ValueError(
                f"{origin}: {left[0]}{more} is left over; this model has no place for it"
            )

    def source(self, name: str) -> tuple[str, Callable[[Tensor], Tensor]]:
        """What they call our tensor `name`, and how theirs becomes ours.

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

    def _today(self, name: str) -> str:
        for old, new in self.aliases:
            name = re.sub(old, new, name)
        return name


def same(tensor: Tensor) -> Tensor:
    """The tensor as it is."""
    return tensor


PLACES = {"n": r"\d+", "m": r"\d+", "p": "weight|bias", "g": "gain|bias"}


def _expression(name: str) -> str:
    for place, pattern in PLACES.items():
        name = name.replace(f"{{{place}}}", f"(?P<{place}>{pattern})")
    return name.replace(".", r"\.")


def stored_precision(tensors: Mapping[str, Tensor]) -> torch.dtype:
    """The precision of the largest tensor of a file."""
    return max(tensors.values(), key=lambda tensor: tensor.numel()).dtype
