"""Checkpoints: all that a run needs to continue exactly where it was.

A checkpoint is a directory `step_000500` with the weights, the moments of Adam and the states of
the random generators as safetensors, the position in the corpus as JSON, and the checksums of all
these in SHA256SUMS, as the program `sha256sum -c` reads them.
"""

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from torch import nn
from torch.optim import Optimizer

from annotated_transformer.saving import load_tensors, model_tensors, restore_tensors, save_tensors
from annotated_transformer.storage.atomic import PARTIAL, new_directory
from annotated_transformer.storage.reading import read_json
from annotated_transformer.training.run import states
from annotated_transformer.training.run.states import Progress, RandomStates

FORMAT = 5  # of this layout; a checkpoint of another version is refused
CHECKSUMS = "SHA256SUMS"
FILES = ("model.safetensors", "optimizer.safetensors", "random.safetensors", "state.json")
"""What a checkpoint consists of, beside the checksums."""


def save_checkpoint(
    directory: Path,
    model: nn.Module,
    optimizer: Optimizer,
    progress: Progress,
    corpus: str,
    *,
    random: Sequence[RandomStates] | None = None,
    announce: Callable[[str, str], object] = lambda name, digest: None,
) -> Path:
    """Write a checkpoint into `directory`.

    `corpus` is the fingerprint of the training data, compared when the run is resumed; `random` are
    the generators' states of each process of the run, by default of this one alone. Before the
    checkpoint appears, `announce` is told its name and the sha256 of its checksums. Raises
    `OSError` if the disk is full or not writable; earlier checkpoints are then all still there.
    """
    random = [states.random_states()] if random is None else random
    tensors = {
        "optimizer.safetensors": states.moments(model, optimizer),
        "random.safetensors": states.by_rank(random),
        "model.safetensors": model_tensors(model),
    }
    state = {
        "format": FORMAT,
        "corpus": corpus,
        "world_size": len(random),
        "without_moments": states.without_moments(model, optimizer),
        "progress": asdict(progress),
    }
    path = directory / f"step_{progress.step:06d}"
    with new_directory(path) as partial:
        for name, content in tensors.items():
            save_tensors(partial / name, content)
        (partial / "state.json").write_text(json.dumps(state, indent=2) + "\n", "utf-8")
        sums = "".join(f"{_sha256(partial / name)}  {name}\n" for name in FILES)
        (partial / CHECKSUMS).write_text(sums, "utf-8")
        announce(path.name, _sha256(partial / CHECKSUMS))
    return path


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(path: Path) -> None:
    """Compare every file of a checkpoint with its checksum.

    Raises `FileNotFoundError` for a file that is missing, `ValueError` for one that has changed.
    """
    for name in (CHECKSUMS, *FILES):
        if not (path / name).is_file():
            raise FileNotFoundError(f"{path / name} is missing")
    lines = (path / CHECKSUMS).read_bytes().split(b"\n")
    for name in FILES:
        if f"{_sha256(path / name)}  {name}".encode() not in lines:
            raise ValueError(f"{path / name} is corrupt: its checksum is not that in {CHECKSUMS}")


def remove_old(directory: Path, keep: int, every: int) -> None:
    """Delete all checkpoints but the last `keep` of those that were due (`due_checkpoints`)."""
    existing = checkpoints(directory)
    for old in set(existing) - set(due_checkpoints(directory, every)[-keep:]):
        # Renamed first: a kill while files are being deleted must not leave half a checkpoint.
        shutil.rmtree(old.rename(old.with_name(f".{old.name}{PARTIAL}")))


def due_checkpoints(directory: Path, every: int) -> list[Path]:
    """Return the checkpoints at multiples of `every` steps and the last one, oldest first.

    A checkpoint in between, saved because the run was told to stop, counts only until the next one.
    So the last few, and their mean, are the same as in a run that was never stopped.
    """
    existing = checkpoints(directory)
    return [path for path in existing if step_of(path) % every == 0 or path == existing[-1]]


def checkpoints(directory: Path) -> list[Path]:
    """Return the checkpoints in a directory, oldest first."""
    paths = [path for path in directory.glob("step_*") if path.name[5:].isdecimal()]
    return sorted(paths, key=step_of)


def step_of(checkpoint: Path) -> int:
    """Return the number of updates after which a checkpoint was saved."""
    return int(checkpoint.name[5:])


def intact(
    paths: Sequence[Path], written: Mapping[str, str] | None = None
) -> tuple[list[Path], list[str]]:
    """Set damaged checkpoints aside; return the others, and a sentence about each damaged one.

    `written` has what the run announced of each; without it, any run may have written them. Raises
    `ValueError` if none is intact. All then stay where they are.
    """
    faults = {path: fault for path in paths if (fault := _fault(path, written))}
    if faults and len(faults) == len(paths):
        raise ValueError(f"no checkpoint is intact: {'; '.join(faults.values())}")
    messages = [f"{fault}; it is now {_set_aside(path).name}" for path, fault in faults.items()]
    return [path for path in paths if path not in faults], messages


def _fault(path: Path, written: Mapping[str, str] | None) -> str | None:
    """Return what is wrong with a checkpoint, or None."""
    try:
        verify(path)
    except (FileNotFoundError, ValueError) as error:
        return str(error)
    if written is None or written.get(path.name) == _sha256(path / CHECKSUMS):
        return None
    return f"{path} is not what this run wrote (its checksums are others)"


def set_corrupt_aside(directory: Path, written: Mapping[str, str] | None = None) -> list[str]:
    """Rename the last checkpoints that are not what was written, up to one that is.

    They become `corrupt_step_...`, so that the run can go back and save these steps anew.
    `written` is as in `intact`. Returns a sentence about what is wrong with each of them; raises
    `ValueError` if there are checkpoints, but none is intact.
    """
    faults: dict[Path, str] = {}
    for path in reversed(checkpoints(directory)):
        fault = _fault(path, written)
        if fault is None:
            end = f"continuing from {path.name}, this one is now"
            return [f"{why}; {end} {_set_aside(bad).name}" for bad, why in faults.items()]
        faults[path] = fault
    if faults:
        raise ValueError(f"no checkpoint is intact: {'; '.join(faults.values())}")
    return []


def _set_aside(corrupt: Path) -> Path:
    aside = corrupt.with_name(f"corrupt_{corrupt.name}")
    if aside.exists():
        shutil.rmtree(aside)
    return corrupt.rename(aside)


def load_checkpoint(
    path: Path, model: nn.Module, optimizer: Optimizer, corpus: str, *, rank: int = 0
) -> Progress:
    """Restore model, optimizer and random generators, and return how far training had come.

    A process that the run did not have before keeps its generators as they are. Raises
    `FileNotFoundError` for a file that is missing, and `ValueError` for one that is corrupt or of
    another model, or if the training data is another.
    """
    state = read_json(path / "state.json")
    if state.get("format") != FORMAT:
        raise ValueError(f"{path / 'state.json'}: format {state.get('format')!r} is not {FORMAT}")
    if state.get("corpus") != corpus:
        raise ValueError(f"{path}: the training data or its tokenizer has changed since")
    progress = states.progress_from(state.get("progress"), str(path / "state.json"))
    # All files are read before anything is restored: a corrupt one leaves the model as it is.
    weights_file, moments_file, random_file = (path / name for name in FILES[:3])
    weights, adam_moments, random = (load_tensors(path / name) for name in FILES[:3])
    restore_tensors(model, weights, weights_file)
    without = state.get("without_moments", ())
    states.restore_moments(model, optimizer, adam_moments, moments_file, without=without)
    if rank < state.get("world_size", 1):
        states.restore_random_states(random, rank, random_file)
    return progress
