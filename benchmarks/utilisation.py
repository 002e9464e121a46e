"""Model FLOP utilisation: how much of the machine's rate of matrix products a training step gets.

    python -m benchmarks.utilisation --size base

    utilisation = operations of the model in a step / (seconds of the step x rate)

The operations are those of the matrix products of the model, forward and backward, by the formula
of training/cost.py: nothing else counts, neither dropout nor the optimizer nor anything computed
twice, and padding counts as tokens do (its share is in the record). The rate is the best of
several products of large square float32 matrices in the same run, taken in turn with the steps.
"""

import argparse
import statistics
import time
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from annotated_transformer.lab.tables import Table
from annotated_transformer.training.cost import step_flops
from benchmarks import measure
from benchmarks.batches import batches_of
from benchmarks.training_step import as_arrays, makers_of, step_options
from benchmarks.workers import Work, Worker
from experiments.study import Fields

MATRICES = (1024, 2048, 3072)
"""Sides of the square matrices whose product gives the rate."""


def make_matrices(sides: Sequence[int]) -> Work:
    """The best rate of float32 matrix products, in operations per second."""
    pairs = [(torch.randn(n, n), torch.randn(n, n)) for n in sides]

    def work(*_: Any) -> float:
        best = 0.0
        for left, right in pairs:
            for _repeat in range(3):
                begin = time.perf_counter()
                left @ right
                best = max(best, 2 * len(left) ** 3 / (time.perf_counter() - begin))
        return best

    return work


def rows_of(
    timed: Sequence[Mapping[str, float]], flops: Sequence[int], rate: float
) -> list[dict[str, Any]]:
    """One row per contestant: utilisation by round and its median."""
    rows = []
    for name in timed[0]:
        shares = [f / times[name] / rate for f, times in zip(flops, timed, strict=True)]
        rows.append(
            {
                "contestant": name,
                "utilisation": round(statistics.median(shares), 4),
                "lowest": round(min(shares), 4),
                "highest": round(max(shares), 4),
                "gflop_per_second": round(statistics.median(shares) * rate / 1e9, 2),
            }
        )
    return rows


def compared(options: argparse.Namespace) -> Fields:
    """Race the contestants, the products of matrices taking their turn before each round."""
    config = measure.configuration(options.size)
    batches, data = batches_of(options, vocab_size=config.vocab_size)
    rest = (config, as_arrays(batches), options.seed)
    makers = makers_of(options.contestants, options.allocators, rest, options.threads)
    sides = MATRICES if options.size != "tiny" else (64,)
    matrices = Worker(make_matrices, (sides,), threads=options.threads)
    rates: list[float] = []

    def work(number: int) -> tuple[Any, ...]:
        rates.append(matrices.run()[1])
        return "step", max(number, 0)

    timed, _ = measure.interleaved(makers, work, options.rounds)
    matrices.close()
    flops = [step_flops(config, *b.source.shape, b.target_input.size(1)) for b in batches]
    rows = rows_of(timed, flops, max(rates))
    print(f"float32 matrix products: {max(rates) / 1e9:.1f} GFLOP/s")
    columns = {"contestant": "", "utilisation": ".1%", "lowest": ".1%", "highest": ".1%"}
    print(Table(rows, {**columns, "gflop_per_second": ",.1f"}))
    return {
        "size": options.size,
        "model": config.to_dict(),
        "data": data,
        "matmul_gflop_per_second": {
            "best": round(max(rates) / 1e9, 2),
            "median": round(statistics.median(rates) / 1e9, 2),
        },
        "rows": rows,
        "curve": [
            {"round": i + 1, "gflop": round(f / 1e9, 2), "seconds": t}
            for i, (f, t) in enumerate(zip(flops, timed, strict=True))
        ],
    }


STUDY = measure.Benchmark("utilisation", __doc__, compared, *step_options("kept"), size="base")


if __name__ == "__main__":
    STUDY.main()
