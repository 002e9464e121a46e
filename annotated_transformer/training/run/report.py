"""The report of a finished run: its scores, and the record of the run and its machine."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotated_transformer.evaluation import evaluate
from annotated_transformer.storage.reading import entry, read_json
from annotated_transformer.storage.records import assemble, write_record
from annotated_transformer.training.data import TrainingData
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.run.directory import RunDirectory, best_entry
from annotated_transformer.training.run.manifest import read_manifest
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
    """Score the trained model, write its record and return it.

    `averaged` has the steps whose mean the model is, and its validation; None for the last step.
    `command` is what repeats the run.
    """
    settings, chosen = plain(recipe), recipe.evaluation
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
    log, manifest = run.read_log(), read_manifest(run.manifest)
    commits = [sitting.commit for sitting in manifest.sittings]
    best = best_entry(log)
    record = assemble(
        {"recipe": recipe.name},
        command=command,
        commit=manifest.first.commit,
        continued_on=[new for old, new in pairwise(commits) if old != new],
        machine=manifest.first.machine(),
        precision=manifest.first.precision,
        seed=recipe.seed,
        started=manifest.first.started,
        wall_seconds=state.seconds,
        scores=scores,
        curve=log,
        parameters=model.count_parameters()["total"],
        best={"step": best["step"], "valid_loss": best["valid_loss"]},
        averaged=averaged,
        length_penalties=tried,
        settings=settings,
        corpus=manifest.corpus,
        tokenizer=manifest.tokenizer,
        start=manifest.start,
        sittings=[sitting.to_dict() for sitting in manifest.sittings],
    )
    sealed = write_record(run.record, record)
    run.update_manifest(finished={"steps": state.step, "length_penalty": translator.alpha})
    return sealed


def plain(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe without its paths: for each split, the names of its files.

    Where the files lay on this machine says nothing to anyone else; their names do.
    """
    content = recipe.to_dict()
    content["corpus"]["splits"] = {
        split: [path.name for path in paths] for split, paths in recipe.corpus.splits.items()
    }
    return content


def best_length_penalty(tried: Sequence[Mapping[str, Any]]) -> float:
    """Return the length penalty with the highest BLEU; of equals, the first that was tried."""
    return float(max(tried, key=lambda entry: entry["value"])["length_penalty"])


def chosen_length_penalty(record: Path) -> float:
    """Read from its record the length penalty that a finished run chose.

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
