"""What averaging checkpoints gains (section 6.1): the mean of a run's last n, for n up to all.

    annotated-transformer train english_korean --out RUN --set training.keep_checkpoints=10
    python -m experiments.averaging RUN

Validation loss is without label smoothing, teacher-forced, as in the log of the run. The test
split is translated greedily by the last checkpoint and by the mean of the last five.
"""

import argparse
import json
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import Transformer, Translator, evaluate, load_recipe
from annotated_transformer.records import write_record
from annotated_transformer.serving.machine import commit, machine
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import prepare_data
from annotated_transformer.training.step import validate

TRANSLATED = (1, 5)
"""Numbers of averaged checkpoints whose model translates the test split."""


def measure(run: Path, checkpoints: Sequence[Path]) -> tuple[list[Any], list[Any]]:
    """Validate each checkpoint and each mean of the last n; translate with some of the means."""
    recipe = load_recipe(run / "recipe.toml", ['evaluation.splits=["test"]'])
    data = prepare_data(recipe, run / "tokenizer.model")
    model = Transformer(recipe.model.config(data.tokenizer.vocab_size))
    plan = token_batches(data.valid, recipe.training.tokens_per_batch, origin="valid")
    curve, scores = [], []
    for checkpoint in checkpoints:
        average_checkpoints(model, [checkpoint])
        curve.append({"checkpoint": checkpoint.name, **validate(model, data.valid, plan)})
    for n in range(1, len(checkpoints) + 1):
        average_checkpoints(model, checkpoints[-n:])
        curve.append({"averaged": n, **validate(model, data.valid, plan)})
        if n in TRANSLATED:
            translator = Translator(model.eval(), data.tokenizer, beam_size=1)
            found = evaluate(translator, data.scored["test"], split="test", progress=False)
            scores += [{"averaged": n, **score} for score in found]
    return curve, scores


def main() -> None:
    """Measure a finished run and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("run", type=Path, help="directory of a finished run")
    parser.add_argument("--out", type=Path, default=Path("book/results/averaging.json"))
    given = parser.parse_args()
    version, started, began = commit(), datetime.now(UTC), time.monotonic()
    trained = json.loads((given.run / "record.json").read_text("utf-8"))
    curve, scores = measure(given.run, sorted((given.run / "checkpoints").glob("step_*")))
    # Where the run lay on this machine says nothing to anyone else.
    train_command = trained["command"].replace(str(given.run), f"runs/{given.run.name}")
    record = {
        "benchmark": "averaging",
        "recipe": trained["recipe"],
        "command": f"{train_command} && python -m experiments.averaging runs/{given.run.name}",
        "commit": version,
        "commit_of_run": trained["commit"],
        "machine": machine(torch.device("cpu")),
        "seed": trained["seed"],
        "started": started.isoformat(timespec="seconds"),
        "wall_seconds": round(time.monotonic() - began, 1),
        "scores": scores,
        "settings": trained["settings"],
        "curve": curve,
    }
    write_record(given.out, record)


if __name__ == "__main__":
    main()
