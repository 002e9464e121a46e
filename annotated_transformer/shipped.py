"""Models by the name that they have in the package, and by their directory: all that it holds.

Beside what was trained stands what was measured afterwards (decoding/doubt.py): the doubt above
which a translation is called doubtful in config.json, and the words that are always translated in
coverage.json.
"""

from pathlib import Path
from typing import Any

import torch

from annotated_transformer.checks import check_path
from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.saving import (
    COVERAGE,
    DESCRIPTION,
    THRESHOLD,
    load_model,
    load_text,
    model_directory,
)
from annotated_transformer.storage import reading
from annotated_transformer.transformer import Transformer

MODELS = Path(__file__).parent / "models"
"""The models that ship with the package, a directory each."""


def shipped_models() -> list[str]:
    """Return the names of the models in the package."""
    return sorted(path.parent.name for path in MODELS.glob("*/config.json"))


def load(
    name_or_path: Path | str, device: torch.device | str = "cpu"
) -> tuple[Transformer, dict[str, Any]]:
    """Read a model from its directory or that of its run, or a model in the package by name.

    With it comes what else a `Translator` takes of what is there: tokenizer, text, threshold and
    coverage. Raises FileNotFoundError and ValueError as the functions of saving.py do.
    """
    path, shipped = check_path("the model", name_or_path), shipped_models()
    if not path.is_dir() and str(name_or_path) in shipped:
        path = MODELS / path
    try:
        model, tokenizer = load_model(path, device)
        measured = {"threshold": load_threshold(path), "coverage": load_coverage(path)}
        return model, {"tokenizer": tokenizer, "text": load_text(path), **measured}
    except FileNotFoundError as error:
        if path.exists():
            raise
        names = ", ".join(shipped) or "none"
        raise FileNotFoundError(f"{error}; models in the package: {names}") from error


def load_threshold(directory: Path | str) -> float | None:
    """Read the doubt above which a translation is called doubtful, or None if there is none.

    Raises FileNotFoundError if there is no model here, ValueError if it is no number from 0 up.
    """
    path = model_directory(Path(directory)) / "config.json"
    description = reading.read_json(path)
    reading.check_known(description, DESCRIPTION, path)
    if THRESHOLD not in description:
        return None
    threshold = float(reading.entry(description, THRESHOLD, float, path))
    if not 0 <= threshold <= 100:
        raise ValueError(f"{path} is corrupt: {THRESHOLD} is {threshold}; expected 0 to 100")
    return threshold


def load_coverage(directory: Path | str) -> Coverage | None:
    """Read what translations of source words have, or None if it was not measured.

    Raises FileNotFoundError without a model, ValueError for a damaged file or another tokenizer.
    """
    path = model_directory(Path(directory)) / COVERAGE
    if not (path.exists() or path.is_symlink()):
        return None
    content = reading.read_json(path)
    reading.check_known(content, ("tokenizer", "tokens"), path)
    origin = path.with_name("config.json")
    description = reading.read_json(origin)
    if reading.entry(content, "tokenizer", str, path) != description.get("tokenizer"):
        raise ValueError(f"{path} belongs to another tokenizer; measure it again, or remove it")
    fields = reading.entry(description, "model", dict, origin)
    size = reading.entry(fields, "vocab_size", int, origin)
    try:
        return Coverage.from_dict(reading.entry(content, "tokens", dict, path), size)
    except ValueError as error:
        raise ValueError(f"{path} is corrupt: {error}") from error
