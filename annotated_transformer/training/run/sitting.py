"""A sitting of a run: from which update on it trained where, by which code."""

import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

import torch

from annotated_transformer.storage.machine import machine
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.recipe.schema import build
from annotated_transformer.training.step import uses_bfloat16

ADVICE = {
    "device": "say --device {there}",
    "threads": "set OMP_NUM_THREADS={there}",
    "processes": "start {there} of them with torchrun",
    "precision": "set training.precision={there}",
    "torch": "install that version",
    "processor": "go on there",
    "gpu": "go on there",
}
"""How to go on under the conditions of before."""


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """Where and by what a run was trained from one update on."""

    from_step: int
    """Updates that had been made when it began."""
    started: str
    """When, in UTC."""
    commit: str
    """Of the code."""
    package: str
    """Version of this package."""
    python: str
    """Version of Python."""
    torch: str
    """Version of PyTorch."""
    device: str
    """`cpu` or `cuda`."""
    processor: str
    """That of the machine."""
    gpu: str
    """The GPU that trained, if one did."""
    cores: int
    """Those that the program may use."""
    threads: int
    """Of each process."""
    processes: int
    """That trained together."""
    precision: str
    """Of matrix products."""

    def conditions(self) -> dict[str, str | int]:
        """What decides the last digits of the numbers, besides the recipe and the code."""
        found = {name: getattr(self, name) for name in ADVICE}
        # What prepares batches beside a GPU decides no number.
        for name in ("threads", "processor") if self.gpu else ("gpu",):
            del found[name]
        return found

    def machine(self) -> dict[str, Any]:
        """The same as a record describes a machine."""
        return {
            "processor": self.processor,
            "cores": self.cores,
            "threads": self.threads,
            "gpu": self.gpu or None,
            "torch": self.torch,
            "python": self.python,
            "processes": self.processes,
        }

    def to_dict(self) -> dict[str, Any]:
        """All fields by name, ready for JSON."""
        return asdict(self)


def this_sitting(recipe: Recipe, device: torch.device, processes: int, commit: str) -> Sitting:
    """The sitting that begins now, from the first update on."""
    here = machine(device)
    low = uses_bfloat16(recipe.training.precision, device)
    return Sitting(
        from_step=0,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        commit=commit,
        package=_version(),
        python=platform.python_version(),
        torch=here["torch"],
        device=device.type,
        processor=here["processor"],
        gpu=here["gpu"] or "",
        cores=here["cores"],
        threads=here["threads"],
        processes=processes,
        precision="bfloat16" if low else "float32",
    )


def sitting_from(content: Any, origin: str) -> Sitting:
    """A sitting as its manifest has it. Raises `ValueError` for what is none."""
    if not isinstance(content, Mapping):
        raise ValueError(f"{origin} is corrupt: sittings holds {content!r}")
    return build(Sitting, content, origin, "sittings")


def other_conditions(old: Sitting, new: Sitting) -> str | None:
    """The first condition in which they differ, with both values and what to do, or None."""
    there, here = old.conditions(), new.conditions()
    for name, advice in ADVICE.items():
        if name in there and name in here and there[name] != here[name]:
            return (
                f"{name} {there[name]} there and {here[name]} here give other numbers; "
                f"{advice.format(there=there[name])}, or add --as-new-sitting to go on "
                "under both, which the record will say"
            )
    return None


def _version() -> str:
    try:
        return metadata.version("annotated-transformer")
    except metadata.PackageNotFoundError:
        return "unknown"
