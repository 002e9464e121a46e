"""What is done when training is over: the mean of the checkpoints, the scores, the record."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from annotated_transformer.evaluation import evaluate
from annotated_transformer.records import write_record
from annotated_transformer.saving import save_model
from annotated_transformer.storage.reading import entry, read_json
from annotated_transformer.training.averaging import average_checkpoints, checkpoints_to_average
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import EvaluationRecipe, Recipe
from annotated_transformer.training.run.checkpoints import step_of
from annotated_transformer.training.run.directory import RunDirectory, best_entry
from annotated_transformer.training.run.manifest import read_manifest
from annotated_transformer.training.run.record import make_record
from annotated_transformer.training.run.states import Progress
from annotated_transformer.training.step import validate
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator


def finish(
    model: Transformer,
    data: TrainingData,
    recipe: Recipe,
    run: RunDirectory,
    state: Progress,
    *,
    ranks: Ranks,
    command: str | None,
    progress: bool,
) -> dict[str, Any]:
    """Save the trained model, score it, and write the record; of several processes, rank 0 does."""
    if not ranks.main:
        return {}
    settings, averaged = recipe.training, None
    manifest = read_manifest(run.manifest)
    checkpoints = checkpoints_to_average(run.checkpoints, settings, manifest.checkpoints)
    steps = [step_of(checkpoint) for checkpoint in checkpoints] or [state.step]
    if checkpoints:
        average_checkpoints(model, checkpoints)
        plan = token_batches(data.valid, settings.tokens_per_batch, origin="valid")
        averaged = {"steps": steps, **validate(model, data.valid, plan)}
    save_model(run.model, model, data.tokenizer, training={"steps": steps}, text=data.text)
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
        command=command or f"train(load_recipe({recipe.name!r}), {str(run.path)!r})",
        seconds=state.seconds,
        manifest=manifest,
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
