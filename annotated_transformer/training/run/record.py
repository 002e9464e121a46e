"""The record of a run: what was run, where, and what came out (read by the book)."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from annotated_transformer.records import assemble
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.manifest import Manifest
from annotated_transformer.training.run.rules import plain


def make_record(
    recipe: Recipe,
    *,
    command: str,
    seconds: float,
    manifest: Manifest,
    curve: Sequence[dict[str, Any]],
    scores: Sequence[dict[str, Any]],
    parameters: int,
    best: dict[str, Any],
    averaged: dict[str, Any] | None = None,
    length_penalties: Sequence[dict[str, Any]] = (),
) -> dict[str, Any]:
    """A run's record, ready for JSON.

    Args:
        recipe: its name becomes `recipe`, all its values `settings`.
        command: what repeats the run.
        seconds: how long it took, all sittings together.
        manifest: when, where and from which commit the run began, and how it
            went on.
        curve: the log.
        scores: objects with `split`, `metric`, `value` and `signature`.
        parameters: number of trainable values.
        best: step and `valid_loss` of the model in `checkpoints/best`.
        averaged: the steps whose mean the model is, and its validation; None for the last step.
        length_penalties: those that were tried, each with its score.
    """
    first = manifest.first
    commits = [sitting.commit for sitting in manifest.sittings]
    changed = [new for old, new in pairwise(commits) if old != new]
    return assemble(
        {"recipe": recipe.name},
        command=command,
        commit=first.commit,
        continued_on=changed,
        machine=first.machine(),
        precision=first.precision,
        seed=recipe.seed,
        started=first.started,
        wall_seconds=seconds,
        scores=scores,
        curve=curve,
        parameters=parameters,
        best=best,
        averaged=averaged,
        length_penalties=list(length_penalties),
        # Where the files lay on this machine says nothing to anyone else; their names do.
        settings=plain(recipe),
        corpus=manifest.corpus,
        tokenizer=manifest.tokenizer,
        start=manifest.start,
        sittings=[sitting.to_dict() for sitting in manifest.sittings],
    )
