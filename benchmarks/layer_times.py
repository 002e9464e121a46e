"""How the time of the four layers of Table 1 grows with the length of the sentence.

    python -m benchmarks.layer_times

Forward, float32, one sentence, one thread. Time is that of the thread, not of the clock; layers and
lengths take turns, and the lowest of all rounds counts. Beside it stand the multiply-adds. The
recurrence is measured twice: our loop in Python, and PyTorch's own in C++ (`nn.RNN`, the same
function). Chapter: *Why attention*.
"""

import argparse
import math
import time
from typing import Any

import torch
from torch import nn

from annotated_transformer.lab.baselines.layer_kinds import (
    ConvolutionalLayer,
    RecurrentLayer,
    RestrictedAttentionLayer,
    SelfAttentionLayer,
)
from benchmarks.growth import exponent
from experiments.study import Fields, Option, Study, printed

KERNEL, WINDOW = 3, 15
"""Positions that the convolution mixes, and that the restricted attention looks at."""


def layers(d_model: int) -> dict[str, nn.Module]:
    """The contestants; PyTorch's recurrence takes the place of ours where it is timed."""
    return {
        "self-attention": SelfAttentionLayer(d_model),
        "self-attention without projections": SelfAttentionLayer(d_model, projections=False),
        "restricted self-attention": RestrictedAttentionLayer(d_model, WINDOW),
        "convolution": ConvolutionalLayer(d_model, KERNEL),
        "recurrence, our loop": RecurrentLayer(d_model),
        "recurrence, nn.RNN": nn.RNN(d_model, d_model, bias=False),
    }


@torch.no_grad()
def lowest(
    contestants: dict[str, nn.Module], lengths: list[int], d_model: int, rounds: int
) -> dict[tuple[str, int], float]:
    """Seconds of the fastest round of each, everything taking turns; the first is not counted."""
    best: dict[tuple[str, int], float] = {}
    for number in range(rounds + 1):
        for length in lengths:
            x = torch.randn(length, d_model)
            for name, layer in contestants.items():
                before = time.thread_time()
                layer(x)
                seconds = time.thread_time() - before
                if number:
                    key = name, length
                    best[key] = min(best.get(key, math.inf), seconds)
    return best


def measure(given: argparse.Namespace) -> Fields:
    """Time all layers at each length."""
    torch.manual_seed(0)
    lengths = [2**i for i in range(4, 20) if 2**i <= given.longest]
    contestants = layers(given.d_model)
    found = lowest(contestants, lengths, given.d_model, given.rounds)
    peers = {"recurrence, nn.RNN": contestants["recurrence, our loop"]}
    rows: list[dict[str, Any]] = [
        {"layer": name, "length": length, "microseconds": round(1e6 * seconds, 1)}
        | {"multiply_adds": peers.get(name, contestants[name]).multiply_adds(length, given.d_model)}
        for (name, length), seconds in sorted(found.items())
    ]
    tail = lengths[-3:]
    growth = printed(
        {"layer": name, "lengths": [tail[0], tail[-1]]}
        | {"exponent": round(exponent(tail, [found[name, length] for length in tail]), 2)}
        for name in contestants
    )
    return {
        "seed": 0,
        "d_model": given.d_model,
        "kernel": KERNEL,
        "window": WINDOW,
        "growth": growth,
        "rows": rows,
    }


STUDY = Study(
    "benchmarks.layer_times",
    __doc__,
    measure,
    Option("--d-model", 128),
    Option("--longest", 4_096),
    Option("--rounds", 20),
    threads=1,
    names_out=True,
)


if __name__ == "__main__":
    STUDY.main()
