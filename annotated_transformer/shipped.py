"""Models by the name that they have in the package, and by their directory."""

from dataclasses import dataclass
from pathlib import Path

import torch

from annotated_transformer.checks import check_path
from annotated_transformer.decoding.coverage import Coverage
from annotated_transformer.measured import load_coverage, load_threshold
from annotated_transformer.saving import load_model, load_text
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer

MODELS = Path(__file__).parent / "models"
"""The models that ship with the package, a directory each."""


@dataclass(frozen=True, kw_only=True)
class Loaded:
    """All that a model's directory holds."""

    model: Transformer
    tokenizer: Tokenizer
    text: TrainingText | None
    """What the training text had, if it is known."""
    threshold: float | None
    """Above which doubt a translation is doubtful, if it was measured."""
    coverage: Coverage | None
    """What tells words that are left out, if it was measured."""


def shipped_models() -> list[str]:
    """Return the names of the models in the package."""
    return sorted(path.parent.name for path in MODELS.glob("*/config.json"))


def load(name_or_path: Path | str, device: torch.device | str = "cpu") -> Loaded:
    """Read a model from its directory or that of its run, or a model in the package by name.

    Raises:
        FileNotFoundError, ValueError: as the functions of saving.py do.
    """
    path, shipped = check_path("the model", name_or_path), shipped_models()
    if not path.is_dir() and str(name_or_path) in shipped:
        path = MODELS / path
    try:
        model, tokenizer = load_model(path, device)
        text, threshold, coverage = load_text(path), load_threshold(path), load_coverage(path)
    except FileNotFoundError as error:
        if path.exists():
            raise
        names = ", ".join(shipped) or "none"
        raise FileNotFoundError(f"{error}; models in the package: {names}") from error
    return Loaded(
        model=model, tokenizer=tokenizer, text=text, threshold=threshold, coverage=coverage
    )
