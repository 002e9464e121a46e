"""A trained model on disk: config.json, model.safetensors, tokenizer.model.

Tensors are stored as safetensors and everything else as JSON, so that loading a model never runs
code from it. What is written appears whole or not at all: it is completed under another name,
flushed to the disk, and only then renamed.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer

FORMAT = 1
"""Version of this layout; a directory of another version is refused."""
PARTIAL = ".partial"
"""Suffix of what is still being written; a leftover of a killed program may be deleted."""
MODEL_FILES = frozenset({"config.json", "model.safetensors", "tokenizer.model"})
"""What a saved model consists of; a directory that holds anything else is never replaced."""


def save_model(
    directory: Path | str,
    model: Transformer,
    tokenizer: Tokenizer,
    *,
    training: Mapping[str, Any] | None = None,
) -> None:
    """Write a model and its tokenizer into `directory`, replacing a model that is there.

    `training` is kept in config.json for readers: the step these weights are of, for instance.

    Raises:
        FileExistsError: `directory` is neither new nor empty and holds no saved model, or more.
        OSError: the disk is full or not writable; what was there before is then still whole.
        ValueError: the tokenizer's size is not the model's.
    """
    if tokenizer.vocab_size != model.config.vocab_size:
        raise ValueError(
            f"the tokenizer has {tokenizer.vocab_size} tokens, the model "
            f"{model.config.vocab_size}: they do not belong together"
        )
    description = {
        "format": FORMAT,
        "model": model.config.to_dict(),
        "tokenizer": tokenizer.fingerprint,
        **({"training": dict(training)} if training else {}),
    }
    with new_directory(Path(directory), replaces=MODEL_FILES) as partial:
        save_tensors(partial / "model.safetensors", model_tensors(model))
        (partial / "tokenizer.model").write_bytes(tokenizer.to_bytes())
        (partial / "config.json").write_text(
            json.dumps(description, indent=2) + "\n", "utf-8"
        )


def load_model(
    directory: Path | str, device: torch.device | str = "cpu"
) -> tuple[Transformer, Tokenizer]:
    """Read what `save_model` wrote, ready to translate; a run's directory will do as well.

    Raises:
        FileNotFoundError: there is no model here, or a file of it is missing.
        ValueError: a file is corrupt, or the parts do not belong together.
    """
    directory = _model_directory(Path(directory))
    description = read_json(directory / "config.json")
    if description.get("format") != FORMAT:
        raise ValueError(
            f"{directory / 'config.json'}: format is {description.get('format')!r}, "
            f"this program reads {FORMAT}"
        )
    try:
        config = TransformerConfig.from_dict(description["model"])
        fingerprint = description["tokenizer"]
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        raise ValueError(
            f"{directory / 'config.json'} describes no model: {error}"
        ) from error
    tokenizer = Tokenizer.load(_existing(directory / "tokenizer.model"))
    if (tokenizer.fingerprint, tokenizer.vocab_size) != (
        fingerprint,
        config.vocab_size,
    ):
        raise ValueError(
            f"{directory / 'tokenizer.model'} does not belong to this model: it has "
            f"{tokenizer.vocab_size} tokens and fingerprint {tokenizer.fingerprint[:12]}, the "
            f"model was trained with {config.vocab_size} and {str(fingerprint)[:12]}"
        )
    model = Transformer(config)
    path = directory / "model.safetensors"
    restore_tensors(model, load_tensors(path), path)
    return model.to(device).eval(), tokenizer


def _model_directory(directory: Path) -> Path:
    """The directory itself or, of a training run, the model in it."""
    for place in (directory, directory / "model"):
        # A program that was killed while it replaced a model may have left it set aside.
        found = place if place.exists() else _aside(place)
        if (found / "config.json").exists():
            return found
    if not directory.is_dir():
        raise FileNotFoundError(f"there is no model directory {directory}")
    if (directory / "recipe.toml").exists():
        raise FileNotFoundError(
            f"{directory} holds an unfinished training run and no model yet; "
            "finish it with `annotated-transformer train ... --resume`"
        )
    raise FileNotFoundError(
        f"{directory} holds no model: config.json is missing"
    )


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise FileNotFoundError(f"{path} is missing")
    return path


def model_tensors(model: nn.Module) -> dict[str, Tensor]:
    """What has to be stored of a model, by name; a tensor that is shared appears once."""
    once = {
        name for name, _ in (*model.named_parameters(), *model.named_buffers())
    }
    return {
        name: tensor
        for name, tensor in model.state_dict().items()
        if name in once
    }


def restore_tensors(
    model: nn.Module, tensors: Mapping[str, Tensor], origin: Path
) -> None:
    """Copy stored tensors into the model; names and shapes must agree exactly."""
    own = model_tensors(model)
    if own.keys() != tensors.keys():
        differing = ", ".join(sorted(own.keys() ^ tensors.keys())[:3])
        raise ValueError(
            f"{origin} does not fit the model: tensors differ, such as {differing}"
        )
    for name, tensor in own.items():
        if tensor.shape != tensors[name].shape:
            raise ValueError(
                f"{origin} does not fit the model: {name} has shape {tuple(tensors[name].shape)}, "
                f"the model needs {tuple(tensor.shape)}"
            )
        tensor.copy_(tensors[name])


def save_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write tensors by name as safetensors. Raises `OSError` where that fails."""
    try:
        save_file(
            {name: tensor.contiguous() for name, tensor in tensors.items()},
            path,
        )
    except SafetensorError as error:
        raise OSError(f"{path} could not be written: {error}") from error


def load_tensors(path: Path) -> dict[str, Tensor]:
    """Read tensors by name.

    Raises:
        FileNotFoundError: no such file.
        ValueError: the file is cut short or no safetensors file at all.
    """
    try:
        return load_file(_existing(path))
    except SafetensorError as error:
        raise ValueError(f"{path} is corrupt: {error}") from error


def read_json(path: Path) -> dict[str, Any]:
    """Read one JSON object. Raises `FileNotFoundError` or, for anything else, `ValueError`."""
    try:
        content = json.loads(_existing(path).read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is corrupt: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path} is corrupt: it holds no JSON object")
    return content


@contextmanager
def new_directory(
    path: Path, *, replaces: Collection[str] = ()
) -> Iterator[Path]:
    """Give a directory to fill; at the end it becomes `path`, at an error it disappears.

    A directory that was at `path` before is replaced only when the new one is on the disk.

    Raises:
        FileExistsError: `path` is a file or a directory that is not empty, except one that holds
            exactly the names in `replaces`.
    """
    path = path.resolve()  # through a link, to what it leads to
    old = _aside(path)
    _check_replaceable(path, replaces)
    _check_replaceable(old, replaces)
    path.parent.mkdir(parents=True, exist_ok=True)
    restore_set_aside(path)
    partial = Path(
        tempfile.mkdtemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL
        )
    )
    try:
        yield partial
        for file in partial.iterdir():
            _flush(file)
        _flush(partial)
        partial.chmod(0o755)
        _check_replaceable(path, replaces)
        _rename(partial, path)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _check_replaceable(path: Path, replaces: Collection[str]) -> None:
    """Refuse to delete what this program has not written."""
    if path.exists() and not path.is_dir():
        raise FileExistsError(
            f"{path} is a file; expected a directory, or nothing yet"
        )
    names = {file.name for file in path.iterdir()} if path.exists() else set()
    if names and names != set(replaces):
        what = (
            "something else than a saved model"
            if replaces
            else "something already"
        )
        example = min(names - set(replaces), default=min(names))
        raise FileExistsError(
            f"{path} holds {what}, such as {example}; it is left as it is"
        )


def _aside(path: Path) -> Path:
    """Where a directory waits while its successor gets its name: always whole, never deleted."""
    path = path.absolute()
    return path.with_name(f".{path.name}.old")


def restore_set_aside(path: Path) -> None:
    """Give a directory its name back that a killed program was about to replace."""
    old = _aside(path)
    if old.exists() and not path.exists():
        old.rename(path)


def _rename(partial: Path, path: Path) -> None:
    """Move a finished directory to its name; an old one is put back if that fails."""
    old = _aside(path)
    _discard(old)
    try:
        if path.exists():
            path.rename(old)
        partial.rename(path)
    except BaseException:
        if old.exists() and not path.exists():
            old.rename(path)
        raise
    _flush(path.parent)
    _discard(old)


def _discard(old: Path) -> None:
    """Delete the directory that was set aside, if there is one: its successor has its name."""
    if old.exists():
        doomed = old.with_name(f"{old.name}{PARTIAL}")
        shutil.rmtree(doomed, ignore_errors=True)
        # Renamed first: half of a directory must not look like one that was set aside.
        shutil.rmtree(old.rename(doomed))


def write_text(path: Path, text: str) -> None:
    """Write a small text file as a whole, or leave the one that is there."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Write a small file as a whole, or leave the one that is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(
        dir=path.parent, prefix=f".{path.name}.", suffix=PARTIAL
    )
    partial = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        partial.chmod(0o644)
        _flush(partial)
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise
    _flush(path.parent)


def _flush(path: Path) -> None:
    """Wait until a file, or a directory's list of names, has reached the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
