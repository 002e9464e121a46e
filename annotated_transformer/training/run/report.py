"""The report of a finished run: its scores, and the record of what was run and where."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotated_transformer.evaluation import evaluate
from annotated_transformer.records import assemble, write_record
from annotated_transformer.storage.reading import entry, read_json
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.recipe import EvaluationRecipe, Recipe
from annotated_transformer.training.run.directory import RunDirectory, best_entry
from annotated_transformer.training.run.identity import plain
from annotated_transformer.training.run.manifest import Manifest, read_manifest
from annotated_transformer.training.run.states import Progress
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator


def report(
    model: Transformer,
    data: TrainingData,
    recipe: Recipe,
    run: RunDirectory,
    state: Progress,
    *,
    averaged: dict[str, Any] | None,
    command: str,
    progress: bool,
) -> dict[str, Any]:
    """Score the trained model, write the record and return it."""
    translator = Translator(
        model,
        data.tokenizer,
        beam_size=recipe.evaluation.beam_size,
        alpha=recipe.evaluation.length_penalty,
        text=data.text,
    )
    tried = try_length_penalties(recipe.evaluation, translator, data, progress)
    if tried:
        translator.alpha = best_length_penalty(tried)
    scores = score(recipe.evaluation, translator, data, progress)
    log = run.read_log()
    best = best_entry(log)
    record = make_record(
        recipe,
        command=command,
        seconds=state.seconds,
        manifest=read_manifest(run.manifest),
        curve=log,
        best={"step": best["step"], "valid_loss": best["valid_loss"]},
        averaged=averaged,
        length_penalties=tried,
        scores=scores,
        parameters=model.count_parameters()["total"],
    )
    sealed = write_record(run.record, record)
    alpha = {"length_penalty": translator.alpha}
    run.update_manifest(finished={"steps": state.step, **alpha})
    return sealed


def try_length_penalties(
    settings: EvaluationRecipe, translator: Translator, data: TrainingData, progress: bool
) -> list[dict[str, str | float]]:
    """BLEU on the validation split with each length penalty of the recipe."""
    tried = []
    for alpha in settings.length_penalties:
        translator.alpha = alpha
        found = evaluate(
            translator,
            data.scored["valid"],
            split="valid",
            tokenize=settings.tokenize,
            progress=progress,
        )
        bleu = next(entry for entry in found if entry["metric"] == "BLEU")
        tried.append({"length_penalty": alpha, **bleu})
    return tried


def best_length_penalty(tried: Sequence[Mapping[str, Any]]) -> float:
    """The one with the highest BLEU; of equals, the first that was tried."""
    return float(max(tried, key=lambda entry: entry["value"])["length_penalty"])


def chosen_length_penalty(record: Path) -> float:
    """The one that a finished run chose, from its record.

    Raises:
        OSError: as `read_json` does.
        ValueError: that too, or nothing was tried.
    """
    fields = read_json(record, finite=False)
    tried = entry(fields, "length_penalties", list, record)
    for each in tried or [{}]:
        for key in ("length_penalty", "value"):
            entry(each if isinstance(each, dict) else {}, key, float, record)
    return best_length_penalty(tried)


def score(
    settings: EvaluationRecipe, translator: Translator, data: TrainingData, progress: bool
) -> list[dict[str, str | float]]:
    """Translate the recipe's splits and score the result, in the form of a record."""
    return [
        found
        for split, pairs in data.scored.items()
        for found in evaluate(
            translator, pairs, split=split, tokenize=settings.tokenize, progress=progress
        )
    ]


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
