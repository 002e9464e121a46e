"""Two LSTMs and the Transformer: equal parameters, equal batches, one after another at each step.

    python -m experiments.why_attention

The recipe is `english_korean_live`, with its rate and gradients cut at norm 1 for all three, and
was made for the Transformer; nothing is tuned for the others. The widths of the LSTMs follow from
the number of the Transformer's parameters. Time is that of one thread of the processor, not of the
clock, and a ratio is that of two medians over the same updates. Every so many updates all three
translate the test split greedily and the record is written anew, with the command that repeats
what it holds by then. Chapter: *Why attention*.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from annotated_transformer import Transformer, greedy_search, load_recipe
from annotated_transformer.baselines.recurrent import Recurrent, hidden_width
from annotated_transformer.corpora import SentencePair
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.records import RESULTS, Measurement
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.batching import token_batches, updates
from annotated_transformer.training.data import prepare_data
from annotated_transformer.training.encoded import TokenPairs
from annotated_transformer.training.recipe import Recipe
from annotated_transformer.training.step import make_optimizer, train_step, validate
from experiments.programs import command_of, parser_of, run

NAME = "why_attention"
LENGTHS = ((3, 5), (6, 7), (8, 9), (10, 15))
"""Source words of the shortest and the longest sentence of each group of the test split."""
SHOWN = "The animal could not eat the onion because it was too spicy"
"""The sentence whose attention weights the record keeps, if the test split has it."""
Model = Transformer | Recurrent


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


def translated(
    model: Model, tokenizer: Tokenizer, pairs: Sequence[SentencePair], rows: int = 100
) -> list[str]:
    """Greedy translations."""
    found = []
    for start in range(0, len(pairs), rows):
        ids = [torch.tensor(tokenizer.source_ids(p.source)) for p in pairs[start : start + rows]]
        source = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True)
        found += [tokenizer.decode(best.ids) for best in greedy_search(model, source)]
    return found


def by_length(pairs: Sequence[SentencePair], texts: Sequence[str]) -> list[dict[str, Any]]:
    """The share translated exactly, of all and of each group of lengths, in percent."""
    entries = []
    for shortest, longest in ((1, 99), *LENGTHS):
        hits = [
            pair.target == text
            for pair, text in zip(pairs, texts, strict=True)
            if shortest <= len(pair.source.split(" ")) <= longest
        ]
        words = {"words": [shortest, longest]} if longest < 99 else {}
        value = round(100 * sum(hits) / len(hits), 1) if hits else None
        entries.append(
            {"split": "test", "metric": "exact_match", **words, "value": value}
            | {"signature": f"greedy|{len(hits)} sentences"}
        )
    return entries


def shown(model: Recurrent, tokenizer: Tokenizer, pairs: Sequence[SentencePair]) -> dict[str, Any]:
    """Pieces and attention weights of one sentence, its true translation being fed."""
    pair = next((p for p in pairs if p.source == SHOWN), pairs[0])
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


def command(given: argparse.Namespace, steps: int) -> str:
    """What repeats the record as it is after so many updates, and where it was written."""
    elsewhere = {"out": given.out} if given.out else {}
    return command_of(
        NAME,
        steps=steps,
        stage=given.stage,
        seed=given.seed,
        sentences=given.sentences,
        **elsewhere,
    )


def options() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = parser_of(NAME, __doc__)
    parser.set_defaults(out=None)  # the file is named after the seed
    parser.add_argument("--steps", type=int, default=1_000)
    parser.add_argument("--stage", type=int, default=250, help="updates between two records")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sentences", type=int, default=1_000, help="of the test split")
    return parser


def place(given: argparse.Namespace) -> Path:
    """Where the record goes: each seed has a file of its own."""
    end = "" if given.seed == 1 else f"_seed_{given.seed}"
    return given.out or RESULTS / f"{NAME}{end}.json"


def main() -> None:
    """Train all three side by side and write the record after each stage."""
    given = options().parse_args()
    torch.set_num_threads(1)
    measurement = Measurement(NAME, out=place(given))
    recipe = load_recipe("english_korean_live", [f"seed={given.seed}", "training.clip_norm=1.0"])
    with tempfile.TemporaryDirectory() as folder:
        data = prepare_data(recipe, Path(folder) / "tokenizer.model")
    models = contestants(recipe, data.tokenizer.vocab_size)
    pairs = english_korean("test")[: given.sentences]
    for stage in stages(models, data, recipe, given.steps, given.stage):
        scores = [
            {"model": name, **entry}
            for name, model in models.items()
            for entry in by_length(pairs, translated(model, data.tokenizer, pairs))
        ]
        pace = speed(stage["seconds"])
        measurement.write(
            place(given),
            recipe=recipe.name,
            command=command(given, stage["step"]),
            seed=given.seed,
            models=[
                {"model": name, "parameters": model.count_parameters()}
                | {"d_hidden": getattr(model, "d_hidden", None)}
                for name, model in models.items()
            ],
            settings=recipe.to_dict(),
            speed=pace,
            attention=shown(models["LSTM with attention"], data.tokenizer, pairs),
            scores=scores,
            curve=stage["curve"],
        )
        whole = {s["model"]: s["value"] for s in scores if "words" not in s}
        print(stage["step"], whole, pace, flush=True)


def stages(models: Mapping[str, Model], data: Any, recipe: Recipe, steps: int, stage: int) -> Any:
    """Train the models on the same batches, and yield what is known after every `stage` updates."""
    optimizers = {name: make_optimizer(model, recipe.training) for name, model in models.items()}
    stream = updates(data.train, recipe)
    valid = TokenPairs.of(data.valid)
    plan = token_batches(valid, recipe.training.tokens_per_batch)
    seconds: dict[str, list[float]] = {name: [] for name in models}
    curve: list[dict[str, Any]] = []
    for step in range(1, steps + 1):
        batches = next(stream).batches
        for name, model in models.items():
            before = time.thread_time()
            train_step(model, batches, optimizers[name], step, recipe.training)
            seconds[name].append(time.thread_time() - before)
        if step % stage == 0 or step == steps:
            curve += [
                {"model": name, "step": step}
                | {key: round(x, 4) for key, x in validate(model, valid, plan).items()}
                for name, model in models.items()
            ]
            yield {"step": step, "seconds": seconds, "curve": list(curve)}


if __name__ == "__main__":
    run(main)
