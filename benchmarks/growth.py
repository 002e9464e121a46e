"""How time and memory of a training step grow with sequence length and with batch size.

    python -m benchmarks.growth --size small

First one pair of sentences of 64 to 2,048 tokens, then 256 to 8,192 tokens in sentences of 32. Each
point has a process of its own, so that its peak of memory is its own; all are alive together and
are timed in turn. The exponent is the slope of a straight line through the logarithms; beside it
stands the slope of the same line through the operation counts of training/cost.py. With length n
these are a n + b n^2 (projections; attention), so theory lies between 1 and 2 and rises with n.
Memory is the peak above what the process had after a step with a single token, that is without the
model, its gradients and the optimizer's moments.
"""

import argparse
import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.tables import Table
from annotated_transformer.tokenizer import BOS_ID, N_SPECIALS
from annotated_transformer.training.batching import Batch
from annotated_transformer.training.cost import step_flops
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import make_optimizer, train_step
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import SEED
from benchmarks.workers import Work, Worker
from experiments.study import Fields, Option


def make(config: TransformerConfig, rows: int, length: int, seed: int) -> Work:
    """Our training step in float32 on random tokens, without padding."""
    torch.manual_seed(seed)
    model = Transformer(config)
    settings = TrainingRecipe(precision="float32")
    optimizer = make_optimizer(model, settings)
    batch = random_batch(config, rows, length)

    def step(learned: Batch) -> float:
        return train_step(model, [learned], optimizer, 1, settings).loss

    step(random_batch(config, 1, 1))
    return functools.partial(step, batch)


def random_batch(config: TransformerConfig, rows: int, length: int) -> Batch:
    """Sentences of random tokens, none of them padding."""
    source, target = (
        torch.randint(N_SPECIALS, config.vocab_size, (rows, n)) for n in (length, length + 1)
    )
    target[:, 0] = BOS_ID
    return Batch(source, target[:, :-1].contiguous(), target[:, 1:].contiguous(), rows * length)


def exponent(x: Sequence[float], y: Sequence[float]) -> float:
    """Slope of the least-squares line through (log x, log y)."""
    return float(np.polyfit(np.log(x), np.log(y), 1)[0])


def sweep(
    points: Mapping[int, tuple[int, int]], config: TransformerConfig, options: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, float]]]:
    """Time every point; `points` maps what varies to (rows, length)."""
    makers = {
        str(x): functools.partial(
            Worker, make, (config, *shape, options.seed), threads=options.threads
        )
        for x, shape in points.items()
    }
    timed, memory = measure.interleaved(makers, lambda _: (), options.rounds)
    rows = []
    for x, (sentences, length) in points.items():
        used = memory[str(x)]
        rows.append(
            {
                "x": x,
                "sentences": sentences,
                "length": length,
                "seconds": round(measure.median(timed, str(x)), 4),
                "gflop": round(step_flops(config, sentences, length, length) / 1e9, 5),
                "memory_mib": round(used["peak"] - used["made"], 1),
            }
        )
    return rows, timed


def fits(rows: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Exponents over all points, and over the larger half, where constant costs matter less."""
    found = {}
    for name, part in (("all", rows), ("larger_half", rows[(len(rows) - 1) // 2 :])):
        x = [row["x"] for row in part]
        for key in ("seconds", "gflop", "memory_mib"):
            found[f"{key}_{name}"] = round(exponent(x, [row[key] for row in part]), 2)
    return found


def compared(options: argparse.Namespace) -> Fields:
    """Time steps on ever longer sentences, and on ever more of them."""
    config = measure.configuration(options.size, max_length=max([512, *options.lengths]))
    sweeps = {
        "length": {n: (1, n) for n in options.lengths},
        "batch_tokens": {n: (n // options.sentence, options.sentence) for n in options.tokens},
    }
    table, curve, exponents = [], [], {}
    for name, points in sweeps.items():
        rows, timed = sweep(points, config, options)
        exponents[name] = fits(rows)
        table += [{"sweep": name, **row} for row in rows]
        curve += measure.curve_of(timed, sweep=name)
    columns = {"sweep": "", "x": ",", "seconds": ".3f", "gflop": ",.1f", "memory_mib": ",.0f"}
    print(Table(table, columns))
    for name, found in exponents.items():
        print(f"exponents against {name}: " + ", ".join(f"{k} {v}" for k, v in found.items()))
    common = {"size": options.size, "model": config.to_dict(), "exponents": exponents}
    return common | {"rows": table, "curve": curve}


STUDY = measure.Benchmark(
    "growth",
    __doc__,
    compared,
    SEED,
    Option("--lengths", [64, 128, 256, 512, 1024, 2048]),
    Option("--tokens", [256, 512, 1024, 2048, 4096, 8192]),
    Option("--sentence", 32, "tokens of a sentence of --tokens"),
    rounds=3,
)


if __name__ == "__main__":
    STUDY.main()
