"""A trained model on disk: its config, weights (safetensors), tokenizer, text and coverage.

Tensors are stored as safetensors and everything else as JSON, so that loading a model never runs
code from it. What is written appears whole or not at all (see atomic.py).
"""

import dataclasses
import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from annotated_transformer.checks import check_path, is_number, plain, shown
from annotated_transformer.checks.state import (
    check_loadable,
    check_model,
    check_parts,
    check_tokenizer,
    without_numbers,
)
from annotated_transformer.checks.tensors import known_device
from annotated_transformer.config import TransformerConfig
from annotated_transformer.storage import reading
from annotated_transformer.storage.atomic import new_directory, set_aside
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer

FORMAT = 2
"""Version of this layout; a directory of another version is refused."""
TEXT = "text.json"
"""What the training text had (text/training.py); older models lack the file."""
WORDS = "words.txt"
"""Its words alone, one a line, as models were saved before."""
COVERAGE = "coverage.json"
"""What translations of source words have (decoding/doubt.py), if it was measured."""
LATER_FIELDS = frozenset({"bias", "epsilon"})
"""What the first models of this format lack; they had the defaults."""
THRESHOLD = "doubt_threshold"
"""Key in config.json: the doubt above which a translation is doubtful, measured after training."""
CLASS = "class"
"""Key in config.json: the class of a model that computes otherwise than a `Transformer`."""
DESCRIPTION = ("format", "model", "tokenizer", "training", THRESHOLD, CLASS)
"""The keys of config.json; the last three may be missing."""
METHODS = {
    name: getattr(Transformer, name) for name in ("forward", "encode", "decode", "decode_hidden")
}
"""What a model computes with."""
MODEL_FILES = frozenset({"config.json", "model.safetensors", "tokenizer.model"})
"""What a saved model consists of, perhaps with its text; a folder with other files is kept."""


def save_model(
    directory: Path | str,
    model: Transformer,
    tokenizer: Tokenizer,
    *,
    training: Mapping[str, Any] | None = None,
    text: TrainingText | None = None,
    of_run: bool = False,
) -> None:
    """Write a model and its tokenizer into `directory`, replacing a model that is there.

    `training` is stored in config.json for readers: the training step of these weights, for
    instance. `text` says what its training text had; without it, no file is written. A run
    (`of_run`) also saves what it alone can make again, of another class or with other parts.

    Raises:
        FileExistsError: `directory` is neither new nor empty and holds no saved model, or more.
        OSError: the disk is full or not writable; what was there before is then still whole.
        ValueError: the tokenizer's size is not the model's, `training` is nothing that a file can
            hold, or the model is one that could not be loaded again: a rounded one, one with other
            tensors than its configuration has, with numbers that are not finite, or with none.
    """
    if not isinstance(training, Mapping | None):
        raise ValueError(f"training is {shown(training)}; expected a dictionary, or None")
    own = check_whole(model, tokenizer, text, "saved", of_run=of_run)
    description = {
        "format": FORMAT,
        "model": model.config.to_dict(),
        "tokenizer": tokenizer.fingerprint,
        **({"training": dict(training)} if training else {}),
        **({CLASS: type(model).__name__} if own_methods(model) else {}),
    }
    content = json.dumps(description, indent=2, default=_number) + "\n"
    reading.check_content(json.loads(content), "what is to be saved")  # or it would not be loaded
    with new_directory(
        check_path("directory", directory), replaces=MODEL_FILES, optional={TEXT, WORDS, COVERAGE}
    ) as partial:
        save_tensors(partial / "model.safetensors", own)
        (partial / "tokenizer.model").write_bytes(tokenizer.to_bytes())
        (partial / "config.json").write_text(content, "utf-8")
        if text:
            (partial / TEXT).write_text(text_json(text), "utf-8")


def _number(value: Any) -> Any:
    """Return a number of numpy as JSON can have it."""
    if is_number("training", value):
        return plain(value)
    raise ValueError(f"training holds {shown(value)}; expected texts, numbers, lists and tables")


def own_methods(model: Transformer) -> list[str]:
    """Return which of METHODS the class of a model has not from `Transformer`."""
    return [name for name in METHODS if getattr(type(model), name) is not METHODS[name]]


def check_whole(
    model: Transformer, tokenizer: Tokenizer, text: object, done: str, *, of_run: bool = False
) -> dict[str, Tensor]:
    """Return the tensors to store. Raises ValueError where they and the configuration are not all.

    The model is to be `done`: "saved" or "exported". A run (`of_run`) may have methods, tensors and
    parts of its own.
    """
    check_model(model)
    if not isinstance(text, TrainingText | None):
        raise ValueError(f"text is {shown(text)}; expected a TrainingText, or None")
    if any(buffer.dtype == torch.int8 for buffer in model.buffers()):
        raise ValueError(f"a model in int8 is not {done}: take the one that it was made from")
    check_tokenizer(tokenizer, model.config.vocab_size)
    if not of_run and (changed := own_methods(model)):
        raise ValueError(
            f"a {type(model).__name__} is not {done}: its method {changed[0]} would be lost"
        )
    own = model_tensors(model)
    with without_numbers():
        like = model if of_run else Transformer(model.config)
    check_loadable(own, model_tensors(like))
    check_parts(model, like)
    return own


def load_model(
    directory: Path | str, device: torch.device | str = "cpu"
) -> tuple[Transformer, Tokenizer]:
    """Read a model that `save_model` wrote, ready to translate; a run's directory works as well.

    Raises:
        FileNotFoundError: there is no model here, or a file of it is missing.
        OSError: what should be a file is none, or may not be read.
        ValueError: a file is corrupt, the parts do not belong together, or there is no such device.
    """
    device = known_device(device)
    directory = model_directory(check_path("the model", directory))
    origin = directory / "config.json"
    description = reading.read_json(origin)
    if description.get("format") != FORMAT:
        raise ValueError(
            f"{origin}: format is {shown(description.get('format'))}, this program reads {FORMAT}; "
            "save the model with this version of the package"
        )
    reading.check_known(description, DESCRIPTION, origin)
    if CLASS in description:
        raise ValueError(
            f"{origin}: a {shown(description[CLASS])} was saved here, which computes otherwise "
            "than a Transformer; make one in Python, and read its weights with load_tensors"
        )
    fingerprint = reading.entry(description, "tokenizer", str, origin)
    fields = reading.entry(description, "model", dict, origin)
    for field in dataclasses.fields(TransformerConfig):
        # A default would be a guess: without `positions`, say, all weights fit.
        if field.name not in fields and field.name not in LATER_FIELDS:
            raise ValueError(
                f"{origin} describes no model: model has no key {field.name!r}; take the file "
                "that was saved with these weights"
            )
    try:
        config = TransformerConfig.from_dict(fields)
    except ValueError as error:
        raise ValueError(f"{origin} describes no model: {error}") from error
    path = reading.regular_file(directory / "tokenizer.model", "text_bytes")
    try:
        tokenizer = Tokenizer.load(path)
    except ValueError as error:
        raise ValueError(f"{error}; take it from a copy") from error
    if (tokenizer.fingerprint, tokenizer.vocab_size) != (fingerprint, config.vocab_size):
        raise ValueError(
            f"{directory / 'tokenizer.model'} does not belong to this model: it has "
            f"{tokenizer.vocab_size} tokens and fingerprint {tokenizer.fingerprint[:12]}, the "
            f"model was trained with {config.vocab_size} and {str(fingerprint)[:12]}"
        )
    model = Transformer(config)
    path = directory / "model.safetensors"
    restore_tensors(model, load_tensors(path), path)
    return model.to(device).eval(), tokenizer


def text_json(text: TrainingText) -> str:
    """Return the content of a text.json."""
    return json.dumps(text.to_dict(), ensure_ascii=False, indent=1) + "\n"


def load_text(directory: Path | str) -> TrainingText | None:
    """Read what a saved model's training text had; of older models its words, or None.

    Raises FileNotFoundError if there is no model here, ValueError for a file that `save_model`
    does not write.
    """
    path = model_directory(Path(directory)) / TEXT
    words = path.with_name(WORDS)
    if path.exists() or path.is_symlink():
        try:
            return TrainingText.from_dict(reading.read_json(path))
        except ValueError as error:
            where = "" if str(path) in str(error) else f"{path} is corrupt: "
            raise ValueError(f"{where}{error}") from error
    if not (words.exists() or words.is_symlink()):
        return None
    return TrainingText(words=frozenset(reading.read_text(words, "text_bytes").split()))


def model_directory(directory: Path) -> Path:
    """Return the directory itself or, for a training run, that of the model in it."""
    for candidate in (directory, directory / "model"):
        # A program that was killed while it replaced a model may have left it set aside.
        existing = candidate if candidate.exists() else set_aside(candidate)
        if (existing / "config.json").exists():
            return existing
    if not directory.is_dir():
        raise FileNotFoundError(f"there is no model directory {directory}")
    if (directory / "recipe.toml").exists():
        raise FileNotFoundError(
            f"{directory} holds an unfinished training run and no model yet; "
            "finish it with `annotated-transformer train ... --resume`"
        )
    raise FileNotFoundError(f"{directory} holds no model: config.json is missing")


def model_tensors(model: nn.Module) -> dict[str, Tensor]:
    """Return the tensors that have to be stored, by name; a tensor that is shared appears once."""
    once = {name for name, _ in (*model.named_parameters(), *model.named_buffers())}
    return {name: tensor for name, tensor in model.state_dict().items() if name in once}


def restore_tensors(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path) -> None:
    """Copy stored tensors into the model; names and shapes must agree exactly.

    Raises ValueError if they do not, if a tensor holds whole numbers where the model has real ones
    or the other way round, or if a number is not finite.
    """
    own = model_tensors(model)
    if own.keys() != tensors.keys():
        missing, left = own.keys() - tensors.keys(), tensors.keys() - own.keys()
        raise ValueError(
            f"{origin} does not fit the model: tensors differ, such as "
            f"{', '.join(sorted(missing or left)[:3])}, "
            f"{'missing there' if missing else 'which the model has not'}; expected the file that "
            "was saved with the configuration"
        )
    for name, tensor in own.items():
        stored = tensors[name]
        if tensor.shape != stored.shape:
            raise ValueError(
                f"{origin} does not fit the model: {name} has shape {tuple(stored.shape)}, "
                f"the model needs {tuple(tensor.shape)}"
            )
        if tensor.is_floating_point() != stored.is_floating_point():
            raise ValueError(
                f"{origin} does not fit the model: {name} has dtype {stored.dtype}, the model "
                f"needs {tensor.dtype}; save the weights in a type of that kind"
            )
        tensor.copy_(stored)
        if not bool(tensor.isfinite().all()):
            raise ValueError(
                f"{origin} is no trained model: {name} has numbers that are infinite or none (NaN) "
                f"in {tensor.dtype}; take an earlier checkpoint"
            )


def save_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write tensors by name as safetensors. Raises `OSError` where that fails."""
    path.touch()
    permissions = path.stat().st_mode  # as the umask leaves them
    try:
        save_file({name: tensor.contiguous() for name, tensor in tensors.items()}, path)
        # The library makes another file of that name, for its owner alone.
        path.chmod(stat.S_IMODE(permissions))
    except SafetensorError as error:
        raise OSError(f"{path} could not be written: {error}") from error


def load_tensors(path: Path) -> dict[str, Tensor]:
    """Read tensors by name.

    Raises FileNotFoundError, or ValueError for a file that is cut short or no safetensors file.
    """
    try:
        return load_file(reading.regular_file(path, "tensor_bytes"))
    except SafetensorError as error:
        raise ValueError(
            f"{path} is corrupt: {error}; make it anew or take it from a copy"
        ) from error
