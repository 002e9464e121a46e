"""What is done when training is over: the mean of the checkpoints, model, scores and record."""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotated_transformer.saving import save_model
from annotated_transformer.storage.reading import entry, read_json
from annotated_transformer.storage.records import write_record
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.distributed import Ranks
from annotated_transformer.training.recipe import Recipe, TrainingRecipe
from annotated_transformer.training.run.checkpoints import due_checkpoints, intact, step_of
from annotated_transformer.training.run.directory import RunDirectory, best_entry
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
    settings, averaged, manifest = recipe.training, None, read_manifest(run.manifest)
    checkpoints = checkpoints_to_average(run.checkpoints, settings, manifest.checkpoints)
    steps = [step_of(checkpoint) for checkpoint in checkpoints] or [state.step]
    if checkpoints:
        average_checkpoints(model, checkpoints)
        plan = token_batches(data.valid, settings.tokens_per_batch, origin="valid")
        averaged = {"steps": steps, **validate(model, data.valid, plan)}
    about = {"steps": steps}
    save_model(run.model, model, data.tokenizer, training=about, text=data.text, of_run=True)
    scores, tried, length_penalty = _score(model, data, recipe, progress=progress)
    content = recipe.to_dict()
    # Where the files lay on this machine says nothing to anyone else; their names do.
    content["corpus"]["splits"] = {
        split: [path.name for path in paths] for split, paths in recipe.corpus.splits.items()
    }
    log = run.read_log()
    commits = [sitting.commit for sitting in manifest.sittings]
    best = best_entry(log)
    record = {
        "recipe": recipe.name,
        "command": command or f"train(load_recipe({recipe.name!r}), {str(run.path)!r})",
        "commit": manifest.first.commit,
        "continued_on": [new for old, new in pairwise(commits) if old != new],
        "machine": manifest.first.machine(),
        "precision": manifest.first.precision,
        "seed": recipe.seed,
        "started": manifest.first.started,
        "wall_seconds": round(state.seconds, 1),
        "parameters": model.count_parameters()["total"],
        "best": {"step": best["step"], "valid_loss": best["valid_loss"]},
        "averaged": averaged,
        "length_penalties": tried,
        "settings": content,
        "corpus": manifest.corpus,
        "tokenizer": manifest.tokenizer,
        "start": manifest.start,
        "sittings": [asdict(sitting) for sitting in manifest.sittings],
        "scores": scores,
        "curve": log,
    }
    sealed = write_record(run.record, record)
    run.update_manifest(finished={"steps": state.step, "length_penalty": length_penalty})
    return sealed


def checkpoints_to_average(
    directory: Path, settings: TrainingRecipe, written: Mapping[str, str] | None = None
) -> list[Path]:
    """Choose the checkpoints whose mean is taken, oldest first.

    The recipe says how many of the last ones, or none where the last weights alone count. A
    checkpoint that is damaged, or that is not as the run has `written` it, is set aside, with a
    message, and the others are averaged. Raises `ValueError` if none is intact.
    """
    if settings.average_checkpoints < 2:
        return []
    due = due_checkpoints(directory, settings.checkpoint_every)
    chosen, faults = intact(due[-settings.average_checkpoints :], written)
    for fault in faults:
        print(f"{fault}, and {len(chosen)} are averaged", file=sys.stderr)
    return chosen


def _score(
    model: Transformer, data: TrainingData, recipe: Recipe, *, progress: bool
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], float]:
    """Return the scores, those of each length penalty that was tried, and the penalty taken."""
    # The search and the scores are half of the library, and no update needs them.
    from annotated_transformer.evaluation import evaluate  # noqa: PLC0415
    from annotated_transformer.translator import Translator  # noqa: PLC0415

    chosen = recipe.evaluation
    translator = Translator(
        model,
        data.tokenizer,
        beam_size=chosen.beam_size,
        alpha=chosen.length_penalty,
        text=data.text,
    )
    score = partial(evaluate, translator, tokenize=chosen.tokenize, progress=progress)
    tried = []
    for alpha in chosen.length_penalties:
        translator.alpha = alpha
        validation = score(data.scored["valid"], split="valid")
        bleu = next(entry for entry in validation if entry["metric"] == "BLEU")
        tried.append({"length_penalty": alpha, **bleu})
    if tried:
        translator.alpha = best_length_penalty(tried)
    scores = [entry for split, pairs in data.scored.items() for entry in score(pairs, split=split)]
    return scores, tried, translator.alpha


def best_length_penalty(tried: Sequence[Mapping[str, Any]]) -> float:
    """Return the length penalty with the highest BLEU; of equals, the first that was tried."""
    return float(max(tried, key=lambda entry: entry["value"])["length_penalty"])


def chosen_length_penalty(record: Path) -> float:
    """Read from its record the length penalty that a finished run chose.

    Raises as `read_json` does, and `ValueError` if nothing was tried.
    """
    fields = read_json(record, finite=False)
    tried = entry(fields, "length_penalties", list, record)
    for each in tried or [{}]:
        for key in ("length_penalty", "value"):
            entry(each if isinstance(each, dict) else {}, key, float, record)
    return best_length_penalty(tried)
