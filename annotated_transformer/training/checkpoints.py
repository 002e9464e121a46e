"""Checkpoints: all that a run needs to continue exactly where it was.

A checkpoint is a directory `step_000500` with the weights, the moments of Adam and the states of
the random generators as safetensors, and the position in the corpus as JSON.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.optim import Optimizer

from annotated_transformer.storage import (
    FORMAT,
    PARTIAL,
    load_tensors,
    model_tensors,
    new_directory,
    read_json,
    restore_tensors,
    save_tensors,
)
from annotated_transformer.training.schema import at_least, build
from annotated_transformer.transformer import Transformer

ADAM_STATE = ("step", "exp_avg", "exp_avg_sq")
"""What Adam keeps of each parameter: its count of updates and its two averages."""


@dataclass
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
    started: str = ""
    """When the first sitting began, in UTC."""

    def __post_init__(self) -> None:
        for name in ("step", "epoch", "batch", "tokens", "seconds"):
            at_least(0, self, name)


def save_checkpoint(
    directory: Path, model: Transformer, optimizer: Optimizer, progress: Progress, corpus: str
) -> Path:
    """Write a checkpoint into `directory`.

    `corpus` is the fingerprint of the training data, compared when the run is resumed.

    Raises:
        OSError: the disk is full or not writable. Earlier checkpoints are then all still there.
    """
    path = directory / f"step_{progress.step:06d}"
    state = {"format": FORMAT, "corpus": corpus, "progress": asdict(progress)}
    with new_directory(path) as partial:
        save_tensors(partial / "model.safetensors", model_tensors(model))
        save_tensors(partial / "optimizer.safetensors", _moments(model, optimizer))
        save_tensors(partial / "random.safetensors", _random_states())
        (partial / "state.json").write_text(json.dumps(state, indent=2) + "\n", "utf-8")
    return path


def remove_old(directory: Path, keep: int) -> None:
    """Delete all checkpoints but the last `keep`."""
    for old in checkpoints(directory)[:-keep]:
        # Renamed first: a kill while files are being deleted must not leave half a checkpoint.
        shutil.rmtree(old.rename(old.with_name(f".{old.name}{PARTIAL}")))


def checkpoints(directory: Path) -> list[Path]:
    """The checkpoints in a directory, oldest first."""
    found = [path for path in directory.glob("step_*") if path.name[5:].isdecimal()]
    return sorted(found, key=lambda path: int(path.name[5:]))


def restore_last(
    directory: Path, model: Transformer, optimizer: Optimizer, corpus: str
) -> Progress:
    """Load the last checkpoint, or say that the run stands at its beginning if there is none."""
    found = checkpoints(directory)
    if found:
        return load_checkpoint(found[-1], model, optimizer, corpus)
    return Progress(started=datetime.now(UTC).isoformat(timespec="seconds"))


def load_checkpoint(path: Path, model: Transformer, optimizer: Optimizer, corpus: str) -> Progress:
    """Bring model, optimizer and random generators to where they were, and say where that is.

    Raises:
        FileNotFoundError: a file of the checkpoint is missing.
        ValueError: a file is corrupt or of another model, or the training data is another.
    """
    state = read_json(path / "state.json")
    if state.get("format") != FORMAT:
        raise ValueError(f"{path / 'state.json'}: format {state.get('format')!r} is not {FORMAT}")
    if state.get("corpus") != corpus:
        raise ValueError(f"{path}: the training data or its tokenizer has changed since")
    progress = _progress(state, path / "state.json")
    weights, moments, random = (
        (path / f"{name}.safetensors", load_tensors(path / f"{name}.safetensors"))
        for name in ("model", "optimizer", "random")
    )
    restore_tensors(model, weights[1], weights[0])
    _restore_moments(model, optimizer, moments[1], moments[0])
    _restore_random_states(random[1], random[0])
    return progress


def _progress(state: dict[str, Any], origin: Path) -> Progress:
    """The position that was saved, every field of it."""
    content = state.get("progress")
    if not isinstance(content, dict):
        raise ValueError(f"{origin} is corrupt: it has no table 'progress'")
    for item in fields(Progress):
        if item.name not in content:
            raise ValueError(f"{origin} is corrupt: progress has no {item.name!r}")
    return build(Progress, content, str(origin), "progress")


def _moments(model: Transformer, optimizer: Optimizer) -> dict[str, Tensor]:
    """What Adam remembers, as `parameter/key`."""
    return {
        f"{name}/{key}": optimizer.state[parameter][key]
        for name, parameter in model.named_parameters()
        for key in ADAM_STATE
    }


def _restore_moments(
    model: Transformer, optimizer: Optimizer, tensors: dict[str, Tensor], origin: Path
) -> None:
    parameters = dict(model.named_parameters())
    wanted = {
        f"{name}/{key}": torch.Size() if key == "step" else parameter.shape
        for name, parameter in parameters.items()
        for key in ADAM_STATE
    }
    for name in sorted(wanted.keys() | tensors.keys()):
        if name not in tensors or tensors[name].shape != wanted.get(name):
            raise ValueError(f"{origin} does not fit the model: {name}")
    moments = {
        number: {key: tensors[f"{name}/{key}"] for key in ADAM_STATE}
        for number, name in enumerate(parameters)
    }
    settings = optimizer.state_dict()["param_groups"]
    optimizer.load_state_dict({"state": moments, "param_groups": settings})


def _random_states() -> dict[str, Tensor]:
    """The states of torch's generators, from which dropout is drawn: CPU and every GPU."""
    devices = torch.cuda.get_rng_state_all() if torch.cuda.is_available() else []
    return {"cpu": torch.get_rng_state()} | {
        f"cuda:{number}": state for number, state in enumerate(devices)
    }


def _restore_random_states(states: dict[str, Tensor], origin: Path) -> None:
    _set_state(states, "cpu", torch.set_rng_state, origin)
    for number in range(torch.cuda.device_count()):
        if f"cuda:{number}" in states:
            restore = partial(torch.cuda.set_rng_state, device=number)
            _set_state(states, f"cuda:{number}", restore, origin)


def _set_state(
    states: dict[str, Tensor], name: str, restore: Callable[[Tensor], None], origin: Path
) -> None:
    try:
        restore(states[name])
    except (KeyError, RuntimeError, TypeError) as error:
        raise ValueError(f"{origin} holds no state of the generator {name}: {error}") from error
