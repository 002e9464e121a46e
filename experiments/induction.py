"""When a decoder learns to repeat: previous-token heads, induction heads, and the loss.

    python -m experiments.induction

Models of one and two layers learn texts of random tokens that begin again after a period, which is
drawn anew for each text. Measured all along: the loss where the next token is new and where it is
foretold, and two scores of every head. Afterwards each head is removed once. Tests use new texts
with periods as in training, and with longer ones. Chapter: *Reading attention*.
"""

import argparse
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from annotated_transformer.lab.analysis.heads import without_heads
from annotated_transformer.lab.analysis.induction import (
    formation,
    induction_scores,
    repeat_losses,
    repeated_texts,
    set_loss,
)
from annotated_transformer.lab.family.gpt.model import GPT, GPTConfig
from experiments.study import Entry, Fields, Option, Study, joined, seeds, steps

Texts = tuple[torch.Tensor, list[int]]

SIZES: dict[str, Any] = {"vocab_size": 33, "d_model": 64, "n_heads": 4, "d_ff": 128}
LENGTH = 32
PERIODS = {"as in training": (4, 12), "longer": (13, 16)}
SETTINGS = {"batch": 32, "learning_rate": 0.002, "warmup": 100, "positions": "rotary"}
TESTS = 256
"""Texts of each range of periods."""


def texts(n: int, periods: tuple[int, int], generator: torch.Generator) -> Texts:
    """Draw texts, all periods of the range equally likely."""
    first, last = periods
    drawn = torch.randint(first, last + 1, (n,), generator=generator).tolist()
    return repeated_texts(drawn, LENGTH, SIZES["vocab_size"], generator), drawn


def new_model(layers: int, seed: int) -> GPT:
    """A decoder without anything learned."""
    torch.manual_seed(seed)
    more = {"max_length": LENGTH, "dropout": 0.0, "positions": SETTINGS["positions"]}
    return GPT(GPTConfig(n_layers=layers, **SIZES, **more))


def measured(model: GPT, tests: dict[str, Texts]) -> Entry:
    """Losses on the tests, and both scores of every head on the first of them."""
    found: Entry = {}
    for name, (ids, periods) in tests.items():
        new, known = repeat_losses(model, ids, periods)
        found[name] = {"new": round(new, 4), "foretold": round(known, 4)}
    heads = induction_scores(model, *tests["as in training"])
    for name, scores in heads.items():
        found[name] = [[round(x, 3) for x in head] for head in scores.tolist()]
    return found


def trained(
    model: GPT, seed: int, given: argparse.Namespace, tests: dict[str, Texts]
) -> Iterator[Entry]:
    """Train with Adam; yield what is measured before the first update and after some."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), betas=(0.9, 0.98), weight_decay=0.01)
    yield {"step": 0} | measured(model, tests)
    for step in range(1, given.steps + 1):
        warm = min(1.0, step / SETTINGS["warmup"])
        optimizer.param_groups[0]["lr"] = SETTINGS["learning_rate"] * warm
        ids, _ = texts(SETTINGS["batch"], PERIODS["as in training"], generator)
        optimizer.zero_grad()
        model.loss(ids).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % given.every == 0:
            yield {"step": step} | measured(model, tests)


def moments(curve: Sequence[Entry], known: float) -> Entry:
    """When the best head of each kind forms, and the gain beyond knowing which tokens there are.

    The gain is the part of `set_loss` that the loss on foretold tokens stays below it.
    """
    attentions = [key for key in curve[0] if key.endswith("self_attention")]
    found: Entry = {}
    for column, kind in enumerate(("previous", "induction")):
        best, name, head = max(
            (scores[column], name, head)
            for name in attentions
            for head, scores in enumerate(curve[-1][name])
        )
        score = {entry["step"]: entry[name][head][column] for entry in curve}
        found[kind] = {"attention": name, "head": head, "score": best, "step": formation(score)}
    gain = {e["step"]: max(0.0, 1 - e["as in training"]["foretold"] / known) for e in curve}
    return found | {"gain": {"score": round(gain[curve[-1]["step"]], 3), "step": formation(gain)}}


def removals(model: GPT, tests: dict[str, Texts]) -> Iterator[Entry]:
    """The losses without each head, and the best induction score that is left."""
    for layer in range(model.config.n_layers):
        name = f"encoder.layers.{layer}.self_attention"
        for head in range(model.config.n_heads):
            with without_heads(model, {name: [head]}):
                found = measured(model, tests)
            left = [row[1] for key in found if key.endswith("attention") for row in found[key]]
            losses = found["as in training"]
            yield {"attention": name, "head": head, "induction": max(left)} | losses


def measure(given: argparse.Namespace) -> Iterator[Fields]:
    """Carry out all runs; the record is written after each."""
    drawn = torch.Generator().manual_seed(0)
    tests = {name: texts(TESTS, periods, drawn) for name, periods in PERIODS.items()}
    known = {name: set_loss(periods, LENGTH) for name, (_, periods) in tests.items()}
    common = {
        "seed": given.seeds,
        "settings": SIZES | SETTINGS | {"length": LENGTH, "periods": PERIODS},
        "set_loss": {name: round(loss, 4) for name, loss in known.items()},
    }
    results = []
    for layers, seed in itertools.product(given.layers, given.seeds):
        tags = {"layers": layers, "seed": seed}

        def work(tags: Entry = tags) -> Fields:
            model = new_model(**tags)
            curve = [tags | each for each in trained(model, tags["seed"], given, tests)]
            rows = [tags | moments(curve, known["as in training"])]
            print(rows[-1], {name: curve[-1][name] for name in PERIODS}, flush=True)
            removed = [tags | each for each in removals(model, tests)]
            return {"rows": rows, "removed": removed, "curve": curve}

        results.append(STUDY.run(tags, given, work))
        yield common | joined(results)


def check(given: argparse.Namespace) -> None:
    """Refuse runs that end before the first measurement."""
    if given.steps < given.every:
        raise ValueError(f"--steps {given.steps}: fewer than --every {given.every}")


STUDY = Study(
    "experiments.induction",
    __doc__,
    measure,
    seeds(1, 2, 3),
    Option("--layers", [1, 2], selects=True),
    steps(1_500),
    Option("--every", 25, "updates between measurements"),
    check=check,
    threads=1,
)


if __name__ == "__main__":
    STUDY.main()
