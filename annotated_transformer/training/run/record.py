"""The record of a run: what was run, where, and what came out (read by the book)."""

from collections.abc import Sequence
from typing import Any

import torch

from annotated_transformer.records import assemble
from annotated_transformer.serving.machine import machine
from annotated_transformer.training.recipe import Recipe


def make_record(
    recipe: Recipe,
    *,
    command: str,
    version: str,
    device: torch.device,
    started: str,
    wall_seconds: float,
    curve: Sequence[dict[str, Any]],
    scores: Sequence[dict[str, Any]],
    parameters: int,
    best: dict[str, Any],
    averaged: dict[str, Any] | None = None,
    processes: int = 1,
) -> dict[str, Any]:
    """A run's record, ready for JSON.

    Args:
        recipe: its name becomes `recipe`, all its values `settings`.
        command: what repeats the run.
        version: the commit that was checked out when the run began.
        device: where the model was.
        started: the first sitting's beginning, in UTC, as ISO 8601 writes it.
        wall_seconds: training and validation, all sittings together.
        curve: the log.
        scores: objects with `split`, `metric`, `value` and `signature`.
        parameters: number of trainable values.
        best: step and `valid_loss` of the model in `checkpoints/best`.
        averaged: the steps whose mean the model is, and its validation; None for the last step.
        processes: how many trained together.
    """
    settings = recipe.to_dict()
    # Where the files lay on this machine says nothing to anyone else; their names do.
    settings["corpus"]["splits"] = {
        split: [path.name for path in paths]
        for split, paths in recipe.corpus.splits.items()
    }
    return assemble(
        {"recipe": recipe.name},
        command=command,
        commit=version,
        machine={**machine(device), "processes": processes},
        seed=recipe.seed,
        started=started,
        wall_seconds=wall_seconds,
        scores=scores,
        curve=curve,
        parameters=parameters,
        best=best,
        averaged=averaged,
        settings=settings,
    )
