"""What is done when training is over: the mean of the checkpoints, the model, the report."""

from typing import Any

from annotated_transformer.saving import save_model
from annotated_transformer.training.averaging import average_checkpoints, checkpoints_to_average
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.checkpoints import step_of
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.manifest import read_manifest
from annotated_transformer.training.run.states import Progress
from annotated_transformer.training.step import validate
from annotated_transformer.transformer import Transformer


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
    about = {"steps": steps}
    save_model(run.model, model, data.tokenizer, training=about, text=data.text, of_run=True)
    # The search and the scores are half of the library, and no update needs them.
    from annotated_transformer.training.run.report import report  # noqa: PLC0415

    return report(
        model,
        data,
        recipe,
        run,
        state,
        averaged=averaged,
        command=command or f"train(load_recipe({recipe.name!r}), {str(run.path)!r})",
        progress=progress,
    )
