"""What is done when training is over: the mean of the checkpoints, the scores, the record."""

from typing import Any

from annotated_transformer.evaluation import evaluate
from annotated_transformer.records import write_record
from annotated_transformer.serving.storage import save_model
from annotated_transformer.training.averaging import (
    average_checkpoints,
    checkpoints_to_average,
)
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import EvaluationRecipe, Recipe
from annotated_transformer.training.run.checkpoints import step_of
from annotated_transformer.training.run.directory import (
    RunDirectory,
    best_entry,
)
from annotated_transformer.training.run.progress import Progress
from annotated_transformer.training.run.record import make_record
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
    version: str,
    progress: bool,
) -> dict[str, Any]:
    """Save the trained model, score it, and write the record; of several processes, rank 0 does."""
    if not ranks.main:
        return {}
    settings, averaged = recipe.training, None
    checkpoints = checkpoints_to_average(run.checkpoints, settings)
    steps = [step_of(checkpoint) for checkpoint in checkpoints] or [state.step]
    if checkpoints:
        average_checkpoints(model, checkpoints)
        plan = token_batches(
            data.valid, settings.tokens_per_batch, origin="valid"
        )
        averaged = {"steps": steps, **validate(model, data.valid, plan)}
    save_model(
        run.model,
        model,
        data.tokenizer,
        training={"steps": steps},
        words=data.words,
    )
    scores = score(recipe.evaluation, model, data, progress=progress)
    log = run.read_log()
    best = best_entry(log)
    record = make_record(
        recipe,
        command=command
        or f"train(load_recipe({recipe.name!r}), {str(run.path)!r})",
        version=version,
        processes=ranks.size,
        device=next(model.parameters()).device,
        started=state.started,
        wall_seconds=state.seconds,
        curve=log,
        best={"step": best["step"], "valid_loss": best["valid_loss"]},
        averaged=averaged,
        scores=scores,
        parameters=model.count_parameters()["total"],
    )
    write_record(run.record, record)
    return record


def score(
    settings: EvaluationRecipe,
    model: Transformer,
    data: TrainingData,
    *,
    progress: bool,
) -> list[dict[str, str | float]]:
    """Translate the recipe's splits and score the result, in the form of a record."""
    translator = Translator(
        model,
        data.tokenizer,
        beam_size=settings.beam_size,
        alpha=settings.length_penalty,
    )
    return [
        found
        for split, pairs in data.scored.items()
        for found in evaluate(
            translator,
            pairs,
            split=split,
            tokenize=settings.tokenize,
            progress=progress,
        )
    ]
