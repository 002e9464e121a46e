"""What averaging checkpoints gains (section 6.1): the mean of a run's last n, for n up to all.

    python -m experiments.averaging

Each seed trains the recipe `english_korean_small`, shortened, and keeps its last checkpoints.
Validation loss is without label smoothing, teacher-forced, as in the log of a run. The test split
is translated greedily by the last checkpoint and by the mean of the last five. Chapter: *Training*.
"""

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from annotated_transformer import Transformer, Translator, evaluate, load_recipe, train
from annotated_transformer.lab.run_data import prepare_data
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import validate
from experiments.study import Entry, Option, SeedStudy, seeds, steps

TRANSLATED = (1, 5)
"""Numbers of averaged checkpoints whose model translates the test split."""


def shortened(seed: int, given: argparse.Namespace) -> Recipe:
    """The recipe of one seed: so many updates, of which the last checkpoints are kept."""
    return load_recipe(
        "english_korean_small",
        [
            f"seed={seed}",
            f"training.steps={given.steps}",
            "training.log_every=250",
            f"training.checkpoint_every={given.every}",
            f"training.keep_checkpoints={given.keep}",
            "evaluation.splits=[]",
        ],
    )


def measure(
    recipe: Recipe, tokenizer: Path, checkpoints: Sequence[Path]
) -> tuple[list[Any], list[Any]]:
    """Validate each checkpoint and each mean of the last n; translate with some of the means."""
    scored = replace(recipe, evaluation=replace(recipe.evaluation, splits=("test",)))
    data = prepare_data(scored, tokenizer)
    model = Transformer(recipe.model.config(data.tokenizer.vocab_size))
    plan = token_batches(data.valid, recipe.training.tokens_per_batch, origin="valid")
    tags: dict[str, Any] = {"seed": recipe.seed}
    curve, scores = [], []
    for checkpoint in checkpoints:
        average_checkpoints(model, [checkpoint])
        place = {"checkpoint": checkpoint.name}
        curve.append(tags | place | validate(model, data.valid, plan))
    for n in range(1, len(checkpoints) + 1):
        average_checkpoints(model, checkpoints[-n:])
        curve.append(tags | {"averaged": n} | validate(model, data.valid, plan))
        if n in TRANSLATED:
            translator = Translator(model.eval(), data.tokenizer, beam_size=1)
            found = evaluate(translator, data.scored["test"], split="test", progress=False)
            scores += [tags | {"averaged": n} | score for score in found]
    return curve, scores


def measured(seed: int, given: argparse.Namespace) -> Entry:
    """Train and measure one seed."""
    recipe = shortened(seed, given)
    with tempfile.TemporaryDirectory() as directory:
        place = Path(directory) / "run"
        record = train(recipe, place, progress=False, device="cpu").record
        checkpoints = sorted((place / "checkpoints").glob("step_*"))
        curve, scores = measure(recipe, place / "tokenizer.model", checkpoints)
    last, mean = (
        next(entry["valid_loss"] for entry in curve if entry.get("averaged") == n)
        for n in TRANSLATED
    )
    print(f"seed {recipe.seed}: last {last:.3f} nats, mean of five {mean:.3f}", flush=True)
    same = {key: record[key] for key in ("parameters", "settings")}
    return {"recipe": record["recipe"], "seed": seed, **same, "scores": scores, "curve": curve}


def check(given: argparse.Namespace) -> None:
    """Refuse fewer checkpoints than a mean is taken of."""
    if given.keep < max(TRANSLATED):
        raise ValueError(f"--keep {given.keep}: the mean of {max(TRANSLATED)} is measured")


STUDY = SeedStudy(
    "experiments.averaging",
    __doc__,
    measured,
    seeds(1),
    Option("--keep", 20, "checkpoints, the last ones"),
    Option("--every", 50, "updates between two checkpoints"),
    steps(2_000),
    check=check,
)


if __name__ == "__main__":
    STUDY.main()
