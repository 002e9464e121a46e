"""Where the time of a training step goes: shares of products, conversions, and all the rest.

    python -m benchmarks.profile_step --size base --precision bfloat16

Our training step on the CPU under `torch.profiler`; `profiling` says how shares are counted. The
same steps are timed without the profiler as well, and the record has both.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch

from annotated_transformer.storage.machine import keep_freed_memory
from annotated_transformer.training.batching import Batch
from annotated_transformer.training.cost import matmul_rate, step_flops
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import make_optimizer, train_step, uses_bfloat16
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import BATCH_OPTIONS, batches_of
from benchmarks.profiling import STEP, labelled, print_tables, profiled, tables
from experiments.study import Fields, Option


def updates(
    model: Transformer, batches: Sequence[Batch], settings: TrainingRecipe
) -> list[Callable[[], Any]]:
    """An update of the weights from each batch."""
    optimizer = make_optimizer(model, settings)
    return [partial(train_step, model, [batch], optimizer, 1, settings) for batch in batches]


def kind_of(options: argparse.Namespace) -> str:
    """The precision in which the step computes here."""
    low = uses_bfloat16(options.precision, torch.device("cpu"))
    return "bfloat16" if low else "float32"


def watched(options: argparse.Namespace) -> Fields:
    """Profile an update from each batch."""
    settings, kind = TrainingRecipe(precision=options.precision), kind_of(options)
    torch.set_num_threads(options.threads)
    keep_freed_memory()
    torch.manual_seed(options.seed)
    config = measure.configuration(options.size)
    batches, data = batches_of(options, vocab_size=config.vocab_size)
    rate = matmul_rate(torch.device("cpu"), getattr(torch, kind))
    model = Transformer(config)
    events, timed = profiled(updates(model, batches, settings), STEP, partial(labelled, model))
    rows, operations = tables(events, len(batches), STEP)
    flops = sum(step_flops(config, *b.source.shape, b.target_input.size(1)) for b in batches)
    in_products = sum(
        row["ms_per_step"] * len(batches)
        for row in rows
        if row["group"] in ("products", "fused attention")
    )
    rates = {
        "products_in_the_step": round(flops / in_products / 1e6, 2),
        "large_square_matrices": round(rate / 1e9, 2),
    }
    alone = measure.median(timed, "alone")
    print(f"{options.size}, {kind}: {alone:.3f} s a step without the profiler")
    print_tables(rows, operations, STEP)
    print(", ".join(f"{name}: {value} GFLOP/s" for name, value in rates.items()))
    return {
        "size": options.size,
        "precision": kind,
        "model": config.to_dict(),
        "data": data,
        "operations": operations,
        "gflop_per_second": rates,
        "rows": rows,
        "curve": measure.curve_of(timed),
    }


STUDY = measure.Benchmark(
    "profile_step",
    __doc__,
    watched,
    *BATCH_OPTIONS,
    Option("--precision", "auto", choices=("auto", "float32", "bfloat16")),
    size="base",
    record=lambda given: f"benchmark_profile_{given.size}_{kind_of(given)}",
)


if __name__ == "__main__":
    STUDY.main()
