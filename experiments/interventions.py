"""Is attention an explanation? Weights replaced, and other weights with nearly the same output.

    python -m experiments.interventions

Of each head by itself the weights are made even, or those of the next head of the same attention;
the test split of the lexicon "small" is translated greedily. Then, the decoder fed the references,
every row of the last cross-attention gets the furthest weights that a linear programme finds whose
outputs differ by at most a tolerance: how far they are, and how many tokens the model then chooses
otherwise. Chapter: *Reading attention*.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import attentions_of
from annotated_transformer.lab.analysis.other_weights import (
    Change,
    distance,
    free_directions,
    furthest,
    taken_from,
    uniform,
    with_weights,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments.given_model import MODEL, SPLIT, load_model
from experiments.study import Fields, Option, Study, printed


def replaced(translator: Translator, pairs: Sequence[SentencePair]) -> Iterator[dict[str, Any]]:
    """Exact match as it is, and with the weights of each head replaced in two ways."""
    cases: list[tuple[Mapping[str, Any], str, Change | None]] = [({"case": "as it is"}, "", None)]
    for name, module in attentions_of(translator.model).items():
        for head in range(module.n_heads):
            other = (head + 1) % module.n_heads
            tags = {"attention": name, "head": head}
            cases.append(({"case": "even"} | tags, name, uniform([head])))
            cases.append(({"case": "next head"} | tags, name, taken_from({head: other})))
        every = range(module.n_heads)
        cases.append(({"case": "all even", "attention": name}, name, uniform(every)))
    for tags, name, change in cases:
        context = with_weights(translator.model, name, change) if change else nullcontext()
        with context:
            found = translator([pair.source for pair in pairs])
        right = sum(text == pair.target for text, pair in zip(found, pairs, strict=True))
        score = {"split": "test", "metric": "exact_match", "signature": f"n:{len(pairs)}"}
        yield {**tags, **score, "value": round(100 * right / len(pairs), 2)}


def moved(
    translator: Translator, pairs: Sequence[SentencePair], tolerance: float
) -> dict[str, Any]:
    """How far the weights of the last cross-attention can be, and what the model then says.

    "distance" is the weight, in percent, that stands on other keys, a mean over all rows and heads;
    "size" the mean absolute component of the heads' outputs, beside which the tolerance is large or
    small; "free" the share of heads and sentences in which an equal output allows any move at all.
    """
    model, tokenizer = translator.model, translator.tokenizer
    name = f"decoder.layers.{model.config.n_layers - 1}.cross_attention"
    far: list[Tensor] = []
    sizes: list[Tensor] = []
    free: list[bool] = []
    changed = tokens = 0

    def change(weights: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
        other = furthest(tolerance)(weights, value, mask)
        far.append(distance(other, weights).flatten())
        sizes.append((weights @ value).abs().flatten())
        free.extend(free_directions(head) > 0 for head in value[0])
        return other

    with torch.no_grad():
        for pair in pairs:
            source = torch.tensor([tokenizer.source_ids(pair.source)])
            target = torch.tensor([tokenizer.target_ids(pair.target)[:-1]])
            before = model(source, target)[0].argmax(-1)
            with with_weights(model, name, change):
                after = model(source, target)[0].argmax(-1)
            changed += int((before != after).sum())
            tokens += len(before)
    away = torch.cat(far)
    return {
        "tolerance": tolerance,
        "size": round(torch.cat(sizes).mean().item(), 3),
        "distance": round(100 * away.mean().item(), 2),
        "furthest": round(100 * away.max().item(), 2),
        "free": round(100 * sum(free) / len(free), 2),
        "other_tokens": round(100 * changed / tokens, 2),
        "tokens": tokens,
    }


def measure(given: argparse.Namespace) -> Fields:
    """Move the weights by each tolerance, and replace those of each head."""
    translator = load_model(given.model, beam_size=1, batch_size=100)
    pairs = english_korean("test")
    some = pairs[: given.moved]
    rows = printed(moved(translator, some, tolerance) for tolerance in given.tolerances)
    scores = printed(replaced(translator, pairs[: given.sentences]))
    return {"model": given.model, "seed": None, "rows": rows, "scores": scores}


def check(given: argparse.Namespace) -> None:
    """Refuse numbers of sentences that the split does not have."""
    for option in ("sentences", "moved"):
        if not 1 <= (wanted := getattr(given, option)) <= SPLIT:
            raise ValueError(f"--{option} {wanted}: expected 1 to {SPLIT:,} sentences")


STUDY = Study(
    "experiments.interventions",
    __doc__,
    measure,
    MODEL,
    Option("--sentences", 500, "of the test split"),
    Option("--moved", 30, "sentences whose weights are moved"),
    Option("--tolerances", [0.0, 0.1, 0.2, 0.5, 1.0]),
    check=check,
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
