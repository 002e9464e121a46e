"""Additive attention against dot-product attention: the ratio of their times.

    python -m benchmarks.score_times

The heads of the paper's base model on one sentence, float32, one thread: queries, keys and values
are projected already, which costs both the same, and the hidden layer of the additive scores is as
wide as a key. The dot product is timed as the book writes it and as PyTorch's fused kernel. Time
is that of the thread, not of the clock. All take turns in each round, the order moves on by one,
and a ratio is formed within a round; the first round is not counted. Chapter: *Why attention*.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.attention import attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.baselines.recurrent import additive_attention
from benchmarks.measure import median, ratio
from experiments.study import Fields, Option, Study

PASSES = ("forward", "forward and backward")
Attention = Callable[[Tensor, Tensor, Tensor], Tensor]


def contestants(d_k: int) -> dict[str, Attention]:
    """Attention by its name, a function of queries, keys and values."""
    v = torch.randn(d_k, requires_grad=True)
    return {
        "additive": lambda query, key, value: additive_attention(query, key, value, v)[0],
        "dot product": lambda query, key, value: attention(query, key, value)[0],
        "dot product, fused": F.scaled_dot_product_attention,
    }


def seconds(attend: Attention, inputs: Sequence[Tensor], kind: str) -> float:
    """Time of the thread for one call, with the gradients of its inputs or without."""
    backward = kind == PASSES[1]
    before = time.thread_time()
    with torch.set_grad_enabled(backward):
        output = attend(*inputs)
        if backward:
            output.sum().backward()
    return time.thread_time() - before


def rounds_of(
    attentions: dict[str, Attention], inputs: Sequence[Tensor], kind: str, rounds: int
) -> list[dict[str, float]]:
    """Seconds by name for each round."""
    timed, names = [], list(attentions)
    for number in range(rounds + 1):
        shift = number % len(names)
        order = [*names[shift:], *names[:shift]]
        found = {name: seconds(attentions[name], inputs, kind) for name in order}
        if number:
            timed.append({name: found[name] for name in names})
    return timed


def row(length: int, kind: str, timed: Sequence[dict[str, float]]) -> dict[str, Any]:
    """What the record says of one length: median times, and how many times as long additive takes.

    The ratios are to the dot product as written, and to the fused one.
    """
    times = {name: round(1e3 * median(timed, name), 3) for name in timed[0]}
    return {
        "length": length,
        "pass": kind,
        "milliseconds": times,
        "ratio": ratio(timed, "additive", "dot product"),
        "ratio_fused": ratio(timed, "additive", "dot product, fused"),
    }


def measure(given: argparse.Namespace) -> Fields:
    """Time both kinds of attention at each length."""
    torch.manual_seed(0)
    base = TransformerConfig.base(vocab_size=37_000)
    attentions, rows = contestants(base.d_k), []
    for length in given.lengths:
        sizes = (base.n_heads, length, base.d_k)
        inputs = [torch.randn(sizes, requires_grad=True) for _ in range(3)]
        for kind in PASSES:
            rows.append(row(length, kind, rounds_of(attentions, inputs, kind, given.rounds)))
            print(rows[-1], flush=True)
    common = {"heads": base.n_heads, "d_k": base.d_k, "rounds": given.rounds}
    return {"seed": 0, **common, "rows": rows}


STUDY = Study(
    "benchmarks.score_times",
    __doc__,
    measure,
    Option("--lengths", [32, 64, 128, 256]),
    Option("--rounds", 40),
    threads=1,
    names_out=True,
)


if __name__ == "__main__":
    STUDY.main()
