"""How far a run has come: what continues it beside weights, moments and random generators."""

from dataclasses import dataclass, fields
from typing import Any

from annotated_transformer.training.recipe.schema import at_least, build


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    step: int = 0
    """Updates of the weights so far."""
    epoch: int = 0
    """Times that the whole training split has been seen."""
    batch: int = 0
    """Batches of the current epoch that have been seen."""
    tokens: int = 0
    """Target tokens that have been learned from, padding not counted."""
    seconds: float = 0.0
    """Time spent so far, in all sittings together."""
    log: str = ""
    """The sha256 of the log up to here; the curve of the record is that log."""

    def __post_init__(self) -> None:
        for name in ("step", "epoch", "batch", "tokens", "seconds"):
            at_least(0, self, name)


def progress_from(content: Any, origin: str) -> Progress:
    """The position that was saved, every field of it."""
    if not isinstance(content, dict):
        raise ValueError(f"{origin} is corrupt: it has no table 'progress'")
    for item in fields(Progress):
        if item.name not in content:
            raise ValueError(f"{origin} is corrupt: progress has no {item.name!r}")
    return build(Progress, content, origin, "progress")
