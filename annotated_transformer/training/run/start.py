"""A run that starts from a trained model: its weights and its tokenizer."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from annotated_transformer.saving import model_tensors, restore_tensors
from annotated_transformer.text import TrainingText
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.transformer import Transformer

MAY_DIFFER = frozenset({"dropout", "branch_gain"})
"""Fields of a model that decide how it is trained, or began, and not what its weights mean."""


@dataclass(frozen=True)
class Start:
    """Where a run starts that does not draw its weights: a trained model, and its tokenizer."""

    model: Transformer
    tokenizer: Tokenizer
    text: TrainingText | None  # what the text had that it was trained on, if that is known
    about: dict[str, str]  # what the manifest keeps of it

    @torch.no_grad()
    def give_weights(self, model: nn.Module) -> None:
        """Copy the weights into a model of the same sizes."""
        restore_tensors(model, model_tensors(self.model), Path(self.about["model"]))


def start_from(name_or_path: Path | str, recipe: Recipe) -> Start:
    """Load a trained model to start from: of a run, saved, or in the package by its name.

    Raises `FileNotFoundError` or `ValueError` if there is no model, if it is damaged, or if the
    recipe asks for another model or another vocabulary.
    """
    # What reads a model by its name can also search with it; a run that draws its weights needs
    # neither.
    from annotated_transformer.translator import Translator  # noqa: PLC0415

    translator = Translator.load(name_or_path)
    model, tokenizer = translator.model, translator.tokenizer
    vocab_size = recipe.tokenizer.vocab_size
    if vocab_size != tokenizer.vocab_size:
        raise ValueError(
            f"tokenizer.vocab_size is {tokenizer.vocab_size} in {name_or_path} and {vocab_size} in "
            "the recipe; a run that starts from a model keeps its tokenizer, so set it to "
            f"{tokenizer.vocab_size}"
        )
    there = model.config.to_dict()
    here = recipe.model.config(tokenizer.vocab_size).to_dict()
    for name, value in there.items():
        if here[name] != value and name not in MAY_DIFFER:
            raise ValueError(
                f"model.{name} is {value!r} in {name_or_path} and {here[name]!r} in the recipe; "
                "a run that starts from a model keeps its sizes"
            )
    about = {
        "model": Path(name_or_path).absolute().name,
        "weights": _digest(model),
        "tokenizer": tokenizer.fingerprint,
    }
    return Start(model, tokenizer, translator.policy.training_text, about)


def _digest(model: nn.Module) -> str:
    """Return the sha256 of all weights."""
    digest = hashlib.sha256()
    for name, tensor in sorted(model_tensors(model).items()):
        about = [name, str(tensor.dtype), list(tensor.shape)]
        digest.update(json.dumps(about).encode())
        digest.update(tensor.detach().contiguous().numpy().tobytes())
    return digest.hexdigest()
