"""What averaging checkpoints gains (section 6.1): the mean of a run's last n, for n up to all.

    annotated-transformer train english_korean --out RUN --set training.keep_checkpoints=10
    python -m experiments.averaging RUN

Validation loss is without label smoothing, teacher-forced, as in the log of the run. The test
split is translated greedily by the last checkpoint and by the mean of the last five.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from annotated_transformer import Transformer, Translator, evaluate, load_recipe
from annotated_transformer.records import Measurement
from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.data import prepare_data
from annotated_transformer.training.step import validate
from experiments.programs import command_of, parser_of, run

TRANSLATED = (1, 5)
"""Numbers of averaged checkpoints whose model translates the test split."""


def measure(directory: Path, checkpoints: Sequence[Path]) -> tuple[list[Any], list[Any]]:
    """Validate each checkpoint and each mean of the last n; translate with some of the means."""
    recipe = load_recipe(directory / "recipe.toml", ['evaluation.splits=["test"]'])
    data = prepare_data(recipe, directory / "tokenizer.model")
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
    parser = parser_of("averaging", __doc__)
    parser.add_argument("run", type=Path, help="directory of a finished run")
    given = parser.parse_args()
    measurement = Measurement("averaging", out=given.out)
    trained = json.loads((given.run / "record.json").read_text("utf-8"))
    curve, scores = measure(given.run, sorted((given.run / "checkpoints").glob("step_*")))
    # Where the run lay on this machine says nothing to anyone else.
    place = f"runs/{given.run.name}"
    train_command = trained["command"].replace(str(given.run), place)
    measurement.write(
        given.out,
        recipe=trained["recipe"],
        command=f"{train_command} && {command_of('averaging')} {place}",
        commit_of_run=trained["commit"],
        seed=trained["seed"],
        settings=trained["settings"],
        scores=scores,
        curve=curve,
    )


if __name__ == "__main__":
    run(main)
