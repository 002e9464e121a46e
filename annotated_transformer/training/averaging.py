"""The model as the mean of a run's last checkpoints (section 6.1)."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch
from torch import nn

from annotated_transformer.saving import load_tensors, restore_tensors
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.run.checkpoints import (
    due_checkpoints,
    intact,
    verify,
)


@torch.no_grad()
def average_checkpoints(model: nn.Module, checkpoints: Sequence[Path]) -> None:
    """Replace the model's weights by their mean in these checkpoints.

    Section 6.1 takes the last 5 of the base model and the last 20 of the big
    one, written ten minutes apart. The sum is kept in float64, so that the mean
    of equal weights is these weights.

    Raises:
        FileNotFoundError, ValueError: a checkpoint is damaged or of another
        model.
    """
    parameters = list(model.parameters())
    sums = [
        torch.zeros_like(parameter, dtype=torch.float64)
        for parameter in parameters
    ]
    for checkpoint in checkpoints:
        verify(checkpoint)
        origin = checkpoint / "model.safetensors"
        # This refuses the weights of another model.
        restore_tensors(model, load_tensors(origin), origin)
        for so_far, parameter in zip(sums, parameters, strict=True):
            so_far.add_(parameter)
    for parameter, total in zip(parameters, sums, strict=True):
        parameter.copy_(total / len(checkpoints))


def checkpoints_to_average(
    directory: Path,
    settings: TrainingRecipe,
    written: Mapping[str, str] | None = None,
) -> list[Path]:
    """Choose the checkpoints whose mean is taken, oldest first.

    The recipe says how many of the last ones, or none where the last weights
    alone count. A checkpoint that is damaged, or that is not as the run has
    `written` it, is set aside, with a message, and the others are averaged.

    Raises:
        ValueError: none is intact.
    """
    if settings.average_checkpoints < 2:
        return []
    due = due_checkpoints(directory, settings.checkpoint_every)
    chosen, faults = intact(due[-settings.average_checkpoints :], written)
    for fault in faults:
        print(f"{fault}, and {len(chosen)} are averaged", file=sys.stderr)
    return chosen
