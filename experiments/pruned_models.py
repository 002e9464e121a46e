"""Models that lost some heads and were trained again: their scores, and how much faster they are.

    python -m experiments.pruned_models

Which heads go is chosen greedily on the validation split, as in `head_ablation`. The smaller models
and the whole one are trained for the same number of updates more, with several seeds. Then each
translates the validation split and the test split, and in turn with the whole model some sentences
of the test split against the clock. Chapter: *Reading attention*.
"""

import argparse
import itertools
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotated_transformer import Transformer, Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import attentions_of
from annotated_transformer.lab.analysis.pruning import pruned
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.training.data import encode
from annotated_transformer.training.encoded import TokenPairs
from experiments.given_model import MODEL, check_sentences, lexicon_of, load_model, recipe_of
from experiments.head_ablation import one_after_another
from experiments.pruning import Head, by_attention, retrain, translated
from experiments.study import Fields, Option, Study, UsageError, seeds

Splits = Mapping[str, Sequence[SentencePair]]
TIMED = 200
"""Sentences of the test split that are translated against the clock, in batches of 100."""


def greedy_order(translator: Translator, valid: Sequence[SentencePair], longest: int) -> list[Head]:
    """So many heads, each the one whose loss is least missed once those before it are gone."""
    n_heads = {name: module.n_heads for name, module in attentions_of(translator.model).items()}
    steps = itertools.islice(one_after_another(translator, valid, n_heads), longest)
    return [(entry["attention"], entry["head"]) for entry, _ in steps]


def trained_again(
    translator: Translator, order: Sequence[Head], splits: Splits, given: argparse.Namespace
) -> Iterator[tuple[dict[str, Any], Transformer]]:
    """Each model, with its scores of both splits."""
    examples = TokenPairs.of(encode(splits["train"], translator.tokenizer, origin="train"))
    for removed, seed in itertools.product(given.removed, given.seeds):
        model = pruned(translator.model, by_attention(order[:removed]))
        retrain(model, examples, recipe_of(given.model, [f"seed={seed}"]), given.updates)
        scores = {
            split: translated(translator, model, splits[split]) for split in ("valid", "test")
        }
        parameters = scores["valid"]["parameters"]
        entry = {"removed": removed, "seed": seed, "parameters": parameters}
        for split, found in scores.items():
            entry |= {f"{split}_{metric}": found[metric] for metric in ("BLEU", "exact_match")}
        yield entry, model


def race(
    translator: Translator,
    models: Mapping[int, Transformer],
    pairs: Sequence[SentencePair],
    rounds: int,
) -> list[dict[str, Any]]:
    """How many times as fast as the whole model each translates, the models taking turns."""
    sentences = [pair.source for pair in pairs]
    racers = {
        removed: Translator(model, translator.tokenizer, beam_size=1, batch_size=100)
        for removed, model in models.items()
    }
    seconds: dict[int, list[float]] = {removed: [] for removed in racers}
    for number in range(rounds + 1):
        for removed, racer in racers.items():
            begin = time.perf_counter()
            racer.hypotheses(sentences)
            if number:  # the first warms up
                seconds[removed].append(time.perf_counter() - begin)
    rows = []
    for removed, own in seconds.items():
        ratios = [whole / each for whole, each in zip(seconds[0], own, strict=True)]
        rows.append(
            {
                "removed": removed,
                "times_as_fast": round(statistics.median(ratios), 3),
                "lowest": round(min(ratios), 3),
                "highest": round(max(ratios), 3),
            }
        )
    return rows


def measure(given: argparse.Namespace) -> Fields:
    """Prune, train again and translate; then race."""
    translator = load_model(given.model, beam_size=1, batch_size=100)
    total = sum(module.n_heads for module in attentions_of(translator.model).values())
    if wrong := [n for n in given.removed if not 0 <= n <= total]:
        raise UsageError(f"--removed {wrong[0]}: the model has {total} heads")
    lexicon = lexicon_of(given.model)
    splits = {split: english_korean(split, lexicon) for split in ("train", "valid", "test")}
    order = greedy_order(translator, splits["valid"][: given.valid], max(given.removed))
    rows, models = [], {}
    for entry, model in trained_again(translator, order, splits, given):
        rows.append(entry)
        models.setdefault(entry["removed"], model)
        print(entry, flush=True)
    return {
        "model": given.model,
        "lexicon": lexicon,
        "seed": given.seeds,
        "heads": [list(head) for head in order],
        "rows": rows,
        "speed": race(translator, models, splits["test"][:TIMED], given.rounds),
    }


def check(given: argparse.Namespace) -> None:
    """Refuse what can be refused without the model."""
    check_sentences(valid=given.valid)
    if given.rounds < 1:
        raise ValueError(f"--rounds is a number from 1 on, not {given.rounds}")
    if 0 not in given.removed:
        raise ValueError("--removed needs 0: the others are compared with the whole model")


STUDY = Study(
    "experiments.pruned_models",
    __doc__,
    measure,
    MODEL,
    Option("--removed", [0, 4, 6], "heads"),
    Option("--valid", 200, "sentences that choose the heads"),
    Option("--updates", 1_500, "of each model"),
    seeds(1, 2, 3),
    Option("--rounds", 9, "of the race"),
    check=check,
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
