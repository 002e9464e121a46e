"""The model as the mean of a run's last checkpoints (section 6.1)."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from annotated_transformer.saving import load_tensors, restore_tensors
from annotated_transformer.training.run.checkpoints import verify


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
