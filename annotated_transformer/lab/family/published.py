"""A published model's folder: its settings, and its weights in one file or in several."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torch import Tensor

from annotated_transformer.saving import load_tensors
from annotated_transformer.storage.reading import read_json

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = f"{WEIGHTS}.index.json"
PLAIN = re.compile(r"[\w.-]+\.safetensors")
"""The name of a file in the same folder, whatever the system."""
ADAPTER = "adapter_config.json"
"""Says that there are weights to add (LoRA, for instance)."""
OTHERS = ("pytorch_model.bin", "pytorch_model.bin.index.json", "tf_model.h5", "flax_model.msgpack")
"""Weights in forms that are not read here; the first two are pickles."""


def settings(directory: Path | str) -> tuple[dict[str, Any], Path]:
    """Read the content of config.json, and return where it is.

    Raises:
        FileNotFoundError: there is no such folder, or no such file in it.
        ValueError: it is no JSON object.
    """
    folder = Path(directory)
    if not folder.is_dir():
        raise FileNotFoundError(
            f"there is no folder {folder}; no hub is contacted: download the model first"
        )
    return read_json(folder / CONFIG), folder / CONFIG


def weights(directory: Path | str) -> tuple[dict[str, Tensor], Path]:
    """Read all tensors by name; return the file too (of several, the list of them).

    Raises:
        FileNotFoundError: there are no weights, or a file of several is missing.
        ValueError: they are in a form that is not read here, an adapter lies beside them,
            a file is corrupt, or the list of files does not fit them.
    """
    folder = Path(directory)
    if (folder / ADAPTER).exists():
        raise ValueError(
            f"{folder} has {ADAPTER}: the reference adds the weights of an adapter to those of the "
            f"model, which is not done here; save the model with them merged in, or take {ADAPTER} "
            "away"
        )
    whole, index = folder / WEIGHTS, folder / INDEX
    if whole.is_file():
        return load_tensors(whole), whole
    if index.is_file():
        return _of_several(read_json(index), index), index
    for name in OTHERS:
        if (folder / name).is_file():
            raise ValueError(
                f"{folder} has its weights as {name}, which is not read here (a pickle can run "
                f"code); if you trust it, transformers writes {WEIGHTS}: "
                "AutoModel.from_pretrained(folder).save_pretrained(another_folder)"
            )
    raise FileNotFoundError(f"{whole} is missing")


def _of_several(content: Mapping[str, Any], index: Path) -> dict[str, Tensor]:
    files = content.get("weight_map")
    if not isinstance(files, dict) or not files:
        raise ValueError(f"{index}: weight_map names no tensor and its file")
    for tensor, name in files.items():
        if not isinstance(name, str) or not PLAIN.fullmatch(name):
            raise ValueError(
                f"{index}: {tensor} is said to be in {name!r}; expected the name of a "
                "safetensors file in the same folder"
            )
    tensors: dict[str, Tensor] = {}
    for name in dict.fromkeys(files.values()):
        shard = load_tensors(index.with_name(name))
        for tensor in shard:
            if files.get(tensor) != name:
                raise ValueError(
                    f"{index.with_name(name)}: {tensor} is here, but {index.name} has it in "
                    f"{files.get(tensor)!r}"
                )
        tensors |= shard
    if missing := sorted(files.keys() - tensors.keys()):
        raise ValueError(
            f"{index.with_name(files[missing[0]])}: {missing[0]} is missing, though "
            f"{index.name} has it there"
        )
    return tensors
