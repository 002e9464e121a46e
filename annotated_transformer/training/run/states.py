"""What continues a run exactly, beside the weights: Adam's moments and the random generators."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from annotated_transformer.training.recipe.schema import at_least, build


@dataclass(frozen=True)
class Progress:
    """How far a run has come."""

    step: int = 0  # updates of the weights so far
    epoch: int = 0  # times that the whole training split has been seen
    batch: int = 0  # batches of the current epoch that have been seen
    tokens: int = 0  # target tokens that have been learned from, padding not counted
    seconds: float = 0.0  # spent so far, in all sittings together
    log: str = ""  # the sha256 of the log up to here; the curve of the record is that log

    def __post_init__(self) -> None:
        at_least(0, self, "step", "epoch", "batch", "tokens", "seconds")


def progress_from(content: Any, origin: str) -> Progress:
    """Read the saved position, every field of it."""
    if not isinstance(content, dict):
        raise ValueError(f"{origin} is corrupt: it has no table 'progress'")
    for item in fields(Progress):
        if item.name not in content:
            raise ValueError(f"{origin} is corrupt: progress has no {item.name!r}")
    return build(Progress, content, origin, "progress")


ADAM_STATE = ("step", "exp_avg", "exp_avg_sq")  # what Adam keeps of each parameter
RandomStates = dict[str, Tensor]
"""The states of one process's generators: `cpu`, and `cuda:NUMBER` of every GPU."""


def moments(model: nn.Module, optimizer: Optimizer) -> dict[str, Tensor]:
    """Return Adam's moments, by `parameter/key`; see `without_moments`."""
    return {
        f"{name}/{key}": optimizer.state[parameter][key]
        for name, parameter in model.named_parameters()
        if optimizer.state.get(parameter)
        for key in ADAM_STATE
    }


def without_moments(model: nn.Module, optimizer: Optimizer) -> list[str]:
    """Return the names of the parameters for which Adam has no moments yet.

    They have never had a gradient: they are frozen, or no loss leads to them.
    """
    return [
        name for name, parameter in model.named_parameters() if not optimizer.state.get(parameter)
    ]


def restore_moments(
    model: nn.Module,
    optimizer: Optimizer,
    tensors: dict[str, Tensor],
    origin: Path,
    *,
    without: Collection[str] = (),
) -> None:
    """Restore Adam's moments, except for the parameters `without` moments.

    Raises `ValueError` for what is not of this model.
    """
    parameters = dict(model.named_parameters())
    expected_shapes = {
        f"{name}/{key}": torch.Size() if key == "step" else parameter.shape
        for name, parameter in parameters.items()
        if name not in without
        for key in ADAM_STATE
    }
    for name in sorted(expected_shapes.keys() | tensors.keys()):
        if name not in tensors or tensors[name].shape != expected_shapes.get(name):
            raise ValueError(f"{origin} does not fit the model: {name}")
    state = {
        number: {key: tensors[f"{name}/{key}"] for key in ADAM_STATE}
        for number, name in enumerate(parameters)
        if name not in without
    }
    settings = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": state, "param_groups": settings})


def random_states() -> RandomStates:
    """Return the states of torch's generators in this process, from which dropout is drawn."""
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    gpus = {f"cuda:{number}": state for number, state in enumerate(devices)}
    return {"cpu": torch.get_rng_state()} | gpus


def by_rank(states: Sequence[RandomStates]) -> dict[str, Tensor]:
    """Join the states of all processes of a run into one table, `rank/generator`."""
    return {
        f"{rank}/{name}": state for rank, own in enumerate(states) for name, state in own.items()
    }


def restore_random_states(states: dict[str, Tensor], rank: int, origin: Path) -> None:
    """Set the generators of this process to where they were. Raises `ValueError` if it cannot."""
    name = f"{rank}/cpu"
    try:
        torch.set_rng_state(states[name])
        for number in range(torch.cuda.device_count()):
            name = f"{rank}/cuda:{number}"
            if name in states:
                torch.cuda.set_rng_state(states[name], device=number)
    except (KeyError, RuntimeError, TypeError) as error:
        raise ValueError(f"{origin} holds no state of the generator {name}: {error}") from error
