"""Two LSTMs and the Transformer: equal parameters and batches, until the loss stands or steps end.

    python -m experiments.why_attention

A text is one sentence of the embedded corpus or two in a row. The recipe is `english_korean_small`
without label smoothing and with gradients cut at norm 1, for all three, and was made for the
Transformer; nothing is tuned for the others. The widths of the LSTMs follow from the number of the
Transformer's parameters. A model stops when its validation loss has stopped falling
(`has_stopped`), or after `--steps` updates; it is tested as it was when that loss was lowest. Time
is that of one thread of the processor, not of the clock, and a ratio is that of two medians over
the updates that all three make. Chapter: *Why attention*.
"""

import argparse
import copy
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import Transformer, load_recipe
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.baselines.recurrent import Recurrent, hidden_width
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.run_data import prepare_data
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import token_batches, updates
from annotated_transformer.training.data import TrainingData, encode
from annotated_transformer.training.encoded import TokenPairs
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import make_optimizer, train_step, validate
from experiments import text_scores
from experiments.joined_texts import texts
from experiments.study import RATE, RATES, Fields, Option, SeedStudy, seeds, steps
from experiments.text_scores import Model

PATIENCE, LEAST_GAIN = 3, 0.02
"""Validations that a model may go without a gain, and the share of its loss that counts as one."""
SHOWN = "The squirrel could not eat the bread because it was too hard"
"""The sentence of the test split whose attention weights the record keeps."""


def contestants(recipe: Recipe, vocab_size: int) -> dict[str, Model]:
    """The three models, each from the same seed, none with more parameters than the Transformer."""
    config = recipe.model.config(vocab_size)
    torch.manual_seed(recipe.seed)
    models: dict[str, Model] = {"Transformer": Transformer(config)}
    budget = models["Transformer"].count_parameters()["total"]
    for name, attention in (("LSTM", False), ("LSTM with attention", True)):
        torch.manual_seed(recipe.seed)
        width = hidden_width(config, budget, attention=attention)
        models[name] = Recurrent(config, width, attention=attention)
    return models


def has_stopped(losses: Sequence[float]) -> bool:
    """Whether none of the last `PATIENCE` losses is `LEAST_GAIN` below the lowest before them."""
    before, last = losses[:-PATIENCE], losses[-PATIENCE:]
    return bool(before) and min(last) > (1 - LEAST_GAIN) * min(before)


def shown(model: Recurrent, tokenizer: Tokenizer) -> dict[str, Any]:
    """Pieces and attention weights of one sentence, its true translation being fed."""
    [pair] = [pair for pair in english_korean("test") if pair.source == SHOWN]
    source, target = tokenizer.source_ids(pair.source), tokenizer.target_ids(pair.target)
    with evaluation_mode(model):
        weights = model.alignment(torch.tensor([source]), torch.tensor([target[:-1]]))[0]
    return {
        "source": [*tokenizer.pieces(pair.source), "</s>"],
        "target": [*tokenizer.pieces(pair.target), "</s>"],
        "weights": [[round(x, 3) for x in row] for row in weights.tolist()],
    }


def speed(seconds: Mapping[str, Sequence[float]]) -> list[dict[str, Any]]:
    """How many updates each makes while the Transformer makes one: ratio of median times."""
    medians = {name: statistics.median(times) for name, times in seconds.items()}
    return [
        {"model": name, "steps_per_transformer_step": round(medians["Transformer"] / median, 2)}
        | {"cpu_seconds_per_step": round(median, 4)}
        for name, median in medians.items()
    ]


class Training:
    """The models on their way: all that still learn take the same batches in turn."""

    def __init__(self, models: Mapping[str, Model], data: TrainingData, recipe: Recipe) -> None:
        self.models, self.data, self.recipe = models, data, recipe
        self.seconds: dict[str, list[float]] = {name: [] for name in models}
        self.losses: dict[str, list[float]] = {name: [] for name in models}
        self.updates = dict.fromkeys(models, 0)
        self.best: dict[str, dict[str, Any]] = {}
        self.curve: list[dict[str, Any]] = []
        self._plan = token_batches(data.valid, recipe.training.tokens_per_batch)

    def run(self, steps: int) -> None:
        """Train until all have stopped or have made so many updates; the best weights come back."""
        settings, every = self.recipe.training, self.recipe.training.validate_every
        optimizers = {name: make_optimizer(m, settings) for name, m in self.models.items()}
        stream, learning = updates(self.data.train, self.recipe), list(self.models)
        for step in range(1, steps + 1):
            batches, timed = next(stream).batches, len(learning) == len(self.models)
            for name in learning:
                before = time.thread_time()
                train_step(self.models[name], batches, optimizers[name], step, settings)
                self.updates[name] = step
                if timed:
                    self.seconds[name].append(time.thread_time() - before)
            if step % every == 0 or step == steps:
                for name in learning:
                    self._validate(name, step)
                learning = [name for name in learning if not has_stopped(self.losses[name])]
            if not learning:
                break
        for name, weights in self.best.items():
            self.models[name].load_state_dict(weights)

    def _validate(self, name: str, step: int) -> None:
        found = validate(self.models[name], self.data.valid, self._plan)
        if found["valid_loss"] < min(self.losses[name], default=torch.inf):
            self.best[name] = copy.deepcopy(self.models[name].state_dict())
        self.losses[name].append(found["valid_loss"])
        rounded = {key: round(value, 4) for key, value in found.items()}
        self.curve.append({"model": name, "step": step} | rounded)
        print(self.curve[-1], flush=True)


def data_of(recipe: Recipe, tokenizer: Tokenizer, number: int, valid: int) -> TrainingData:
    """Training and validation texts as token ids."""
    train, valid_pairs = (
        TokenPairs.of(encode(texts(split, size), tokenizer, origin=split))
        for split, size in (("train", number), ("valid", valid))
    )
    return TrainingData(tokenizer, train, valid_pairs, {}, "")


def measure(seed: int, given: argparse.Namespace) -> Fields:
    """Train and test the three models once."""
    changes = [
        f"seed={seed}",
        "training.clip_norm=1.0",
        "training.label_smoothing=0.0",
        "training.validate_every=200",
    ]
    recipe = load_recipe("english_korean_small", changes)
    if given.rate != RATE.default:
        scale = recipe.training.learning_rate_scale * RATES[given.rate]
        changes.append(f"training.learning_rate_scale={scale}")
        recipe = load_recipe(recipe.name, changes)
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = prepare_data(recipe, Path(folder) / "tokenizer.model").tokenizer
    models = contestants(recipe, tokenizer.vocab_size)
    training = Training(models, data_of(recipe, tokenizer, given.texts, given.tests), recipe)
    training.run(given.steps)
    pairs, scores = texts("test", given.tests), []
    for name, model in models.items():
        entries = text_scores.scores(model, tokenizer, pairs)
        scores += [{"model": name, "seed": seed, **entry} for entry in entries]
    return {
        "recipe": recipe.name,
        "settings": recipe.to_dict(),
        "models": [
            {"model": name, "parameters": model.count_parameters()["total"]}
            | {"d_hidden": getattr(model, "d_hidden", None)}
            for name, model in models.items()
        ],
        "attention": shown(models["LSTM with attention"], tokenizer),
        "ends": [
            {"model": name, "seed": seed, "stopped": has_stopped(losses)}
            | {"valid_loss": round(min(losses), 4), "updates": training.updates[name]}
            for name, losses in training.losses.items()
        ],
        "speed": [{"seed": seed, **entry} for entry in speed(training.seconds)],
        "scores": scores,
        "curve": [{"seed": seed, **entry} for entry in training.curve],
    }


STUDY = SeedStudy(
    "experiments.why_attention",
    __doc__,
    measure,
    seeds(1),
    RATE,
    steps(2_400),
    Option("--texts", 10_000, "to train on"),
    Option("--tests", 1_000, "to validate, and to test"),
    threads=1,
    names_out=True,
)


if __name__ == "__main__":
    STUDY.main()
