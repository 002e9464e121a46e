"""The record of a run: what was run, where, and what came out (read by the book)."""

from collections.abc import Sequence
from typing import Any

import torch

from annotated_transformer.records import assemble
from annotated_transformer.serving.machine import machine
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.progress import Progress
from annotated_transformer.training.step import uses_bfloat16


def make_record(
    recipe: Recipe,
    *,
    command: str,
    state: Progress,
    device: torch.device,
    curve: Sequence[dict[str, Any]],
    scores: Sequence[dict[str, Any]],
    parameters: int,
    best: dict[str, Any],
    averaged: dict[str, Any] | None = None,
    length_penalties: Sequence[dict[str, Any]] = (),
    processes: int = 1,
) -> dict[str, Any]:
    """A run's record, ready for JSON.

    Args:
        recipe: its name becomes `recipe`, all its values `settings`.
        command: what repeats the run.
        state: where the run ended: when and from which commit it began, and how
            long it took.
        device: where the model was.
        curve: the log.
        scores: objects with `split`, `metric`, `value` and `signature`.
        parameters: number of trainable values.
        best: step and `valid_loss` of the model in `checkpoints/best`.
        averaged: the steps whose mean the model is, and its validation; None for the last step.
        length_penalties: those that were tried, each with its score.
        processes: how many trained together.
    """
    settings = recipe.to_dict()
    # Where the files lay on this machine says nothing to anyone else; their names do.
    settings["corpus"]["splits"] = {
        split: [path.name for path in paths]
        for split, paths in recipe.corpus.splits.items()
    }
    low = uses_bfloat16(recipe.training.precision, device)
    return assemble(
        {"recipe": recipe.name},
        command=command,
        commit=state.commits[0],
        continued_on=list(state.commits[1:]),
        machine={**machine(device), "processes": processes},
        precision="bfloat16" if low else "float32",
        seed=recipe.seed,
        started=state.started,
        wall_seconds=state.seconds,
        scores=scores,
        curve=curve,
        parameters=parameters,
        best=best,
        averaged=averaged,
        length_penalties=list(length_penalties),
        settings=settings,
    )
