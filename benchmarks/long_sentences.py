"""Time and memory of attention against the length: explicit, fused, tiled, window, linear, grouped.

    python -m benchmarks.long_sentences --size base

Forward, without a gradient, in float32: one text of 64 to 16,384 tokens, the heads of one layer.
Nothing is masked, except that the window sees `--window` tokens on each side, once with a mask over
all scores and once in blocks. Heads that share keys and values take part twice: over a whole text,
and in a step of a search, where one query meets n kept keys; there the time is that of one token.
The feed-forward network and the four projections of such a layer are timed too, so that the length
at which attention overtakes them is measured in the same run. Each contestant has a process of its
own, which works through the lengths from the shortest to the longest; at each length they take
turns. Memory is the peak of the process up to that length, above what it had before the first. The
exponent is the slope of a straight line through the logarithms at the longest lengths. A contestant
whose need would not fit in the memory that is free is left out, and the record says so.

On a processor glibc gives large blocks back to the system as soon as they are freed, and fresh ones
cost a page fault for each 4 KiB. `explicit, kept` is explicit attention in a process that keeps
what it has freed; beyond `KEPT_UP_TO` tokens its memory would be missing for the others.

Page: *Speed, measured*.
"""

import argparse
import functools
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.attention import attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.analysis.layer_products import equal_lengths
from annotated_transformer.lab.analysis.memory_traffic import check_fits, explicit_bytes
from annotated_transformer.lab.tables import Table
from annotated_transformer.lab.variants.grouped import grouped_attention
from annotated_transformer.lab.variants.linear import causal_linear_attention, linear_attention
from annotated_transformer.lab.variants.tiled import tiled_attention
from annotated_transformer.lab.variants.window import window_attention, window_mask
from annotated_transformer.layers import FeedForward
from benchmarks import measure
from benchmarks.batches import SEED
from benchmarks.growth import exponent
from benchmarks.workers import Work, Worker, free_memory
from experiments.study import Fields, Option

LENGTHS = [2**i for i in range(6, 15)]
ON_A_GPU = [2**i for i in range(6, 18)]
FITTED = 4
"""So many of the longest lengths make the exponent."""
TILE = 256
STEPS = {"step, 8 groups": 8, "step, 2 groups": 2, "step, 1 group": 1}
"""Groups of a step: the paper's eight heads, grouped-query and multi-query attention."""
GROUPS = {"grouped-query": 2, "multi-query": 1, **STEPS}
KEPT, KEPT_UP_TO = "explicit, kept", 4_096
COPIES = {"explicit": 2, KEPT: 2, "grouped-query": 2, "multi-query": 2, "window, masked": 3}
"""So many tensors of n^2 numbers a head does it hold at once."""
SHORTEST_WORK = 2_048
"""Tokens that one timed piece of work has at least: short texts are repeated."""


def explicit(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Equation 1 with all scores and weights."""
    return attention(query, key, value)[0]


def masked_window(query: Tensor, key: Tensor, value: Tensor, *, window: int) -> Tensor:
    """The definition of the window: all scores, of which most are hidden."""
    mask = window_mask(query.size(-2), window, device=query.device)
    return attention(query, key, value, mask)[0]


def contestants(window: int) -> dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]]:
    """The ways to attend, by name."""
    return {
        "explicit": explicit,
        KEPT: explicit,
        "fused": F.scaled_dot_product_attention,
        "tiled": functools.partial(tiled_attention, query_block=TILE, key_block=TILE),
        "window, masked": functools.partial(masked_window, window=window),
        "window": functools.partial(window_attention, window=window),
        "linear": linear_attention,
        "linear, causal": causal_linear_attention,
        **dict.fromkeys(GROUPS, grouped_attention),
    }


def others(config: TransformerConfig) -> dict[str, nn.Module]:
    """The rest of a layer, for comparison; the four projections in one matrix."""
    return {
        "feed-forward": FeedForward(config.d_model, config.d_ff),
        "projections": nn.Linear(config.d_model, 4 * config.d_model, bias=False),
    }


def shapes(name: str, config: TransformerConfig, n: int) -> list[tuple[int, ...]]:
    """Shapes of what a contestant is given, without the batch: query, key and value, or x."""
    if name in others(config):
        return [(n, config.d_model)]
    kept = (GROUPS.get(name, config.n_heads), n)
    asked = (config.n_heads, 1 if name in STEPS else n)
    return [(*asked, config.d_k), (*kept, config.d_k), (*kept, config.d_v)]


def make(name: str, config: TransformerConfig, window: int, device: str, seed: int) -> Work:
    """One contestant; asked for a number of tokens, it gives the peak of a GPU's memory in MiB."""
    torch.manual_seed(seed)
    torch.set_grad_enabled(False)
    ways = contestants(window)
    compute: Callable[..., Tensor] = ways.get(name) or others(config)[name].to(device)

    @functools.lru_cache(maxsize=1)
    def inputs(n: int) -> list[Tensor]:
        drawn = [torch.randn(1, *shape, device=device) for shape in shapes(name, config, n)]
        if device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        return drawn

    def work(n: int) -> float:
        for _ in range(repeats(n)):
            compute(*inputs(n))
        if device == "cpu":
            return 0.0
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() / 2**20

    work(1)
    return work


def repeats(n: int) -> int:
    """How often a text of n tokens is computed in one timed piece of work."""
    return max(1, SHORTEST_WORK // n)


def objection(name: str, n: int, config: TransformerConfig, device: str) -> str:
    """Why a contestant cannot take this length, in a sentence; empty if it can."""
    if name not in COPIES:
        return ""
    if name == KEPT and n > KEPT_UP_TO:
        return f"attention ({KEPT}) over {n:,} tokens: the others need the memory"
    need = explicit_bytes(n, config.n_heads, copies=COPIES[name])
    try:
        check_fits(f"attention ({name}) over {n:,} tokens", need, free_memory(device))
    except ValueError as error:
        return str(error)
    return ""


def crossing(lengths: Sequence[int], one: Sequence[float], other: Sequence[float]) -> float | None:
    """The length from which `one` costs more than `other`, by lines through the logarithms.

    None if at the longest length it does not, or at the shortest it does already.
    """
    log_n, ratio = np.log(lengths), np.log(one) - np.log(other)
    if ratio[0] >= 0 or ratio[-1] < 0:
        return None
    last = int(np.flatnonzero(ratio < 0)[-1])
    share = -ratio[last] / (ratio[last + 1] - ratio[last])
    return float(np.exp(log_n[last] + share * (log_n[last + 1] - log_n[last])))


def in_turn(
    workers: Mapping[str, Worker], n: int, rounds: int
) -> tuple[list[dict[str, float]], dict[str, float]]:
    """Seconds of a text of n tokens in each round after the first, and memory in MiB up to here."""
    timed, on_gpu = [], dict.fromkeys(workers, 0.0)
    names = list(workers)
    for number, order in measure.turns(names, rounds):
        seconds = {}
        for name in order:
            taken, on_gpu[name] = workers[name].run(n)
            seconds[name] = float(f"{taken / repeats(n):.4g}")
        if number >= 0:
            timed.append({name: seconds[name] for name in names})
    memory = {name: worker.memory() for name, worker in workers.items()}
    return timed, {
        name: round(on_gpu[name] or max(0.0, used["peak"] - used["made"]), 1)
        for name, used in memory.items()
    }


def sweep(
    config: TransformerConfig, options: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], list[str]]:
    """Rows of all contestants and lengths, every single time, and what was left out."""
    rows: list[dict[str, Any]] = []
    curve: list[dict[str, Any]] = []
    names = [*contestants(options.window), *others(config)]
    unfit = [name for name in names if config.n_heads % GROUPS.get(name, 1)]
    left_out = [
        f"{name}: {GROUPS[name]} groups do not divide {config.n_heads} heads; left out"
        for name in unfit
    ]
    given = (config, options.window, options.device, options.seed)
    with ExitStack() as stack:
        workers = {
            name: stack.enter_context(
                closing(
                    Worker(
                        make,
                        (name, *given),
                        threads=options.threads,
                        allocator="kept" if name == KEPT else "default",
                    )
                )
            )
            for name in names
            if name not in unfit and (name != KEPT or options.device == "cpu")
        }
        for n in options.lengths:
            objections = {name: objection(name, n, config, options.device) for name in workers}
            left_out += [f"{why}; left out" for why in objections.values() if why]
            able = {name: worker for name, worker in workers.items() if not objections[name]}
            timed, memory = in_turn(able, n, options.rounds)
            curve += measure.curve_of(timed, length=n)
            for name in able:
                seconds = measure.median(timed, name)
                rows.append(
                    {"contestant": name, "length": n, "seconds": seconds}
                    | {"microseconds_per_token": per_token(name, n, seconds)}
                    | {"memory_mib": memory[name]}
                )
            print(f"{n:,} tokens: {timed[-1]}", flush=True)
    return rows, curve, left_out


def per_token(name: str, n: int, seconds: float) -> float:
    """Microseconds for each token; a step computes one."""
    return float(f"{1e6 * seconds / (1 if name in STEPS else n):.4g}")


def series(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[list[int], list[float]]:
    """Lengths and seconds of a contestant."""
    own = [row for row in rows if row["contestant"] == name]
    return [row["length"] for row in own], [row["seconds"] for row in own]


def growth(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """For each contestant the exponent of its time, and where it overtakes the rest of a layer."""
    found = []
    for name in dict.fromkeys(row["contestant"] for row in rows):
        lengths, seconds = series(rows, name)
        last = slice(-FITTED, None)
        entry = {"contestant": name, "lengths": [lengths[last][0], lengths[-1]]}
        entry["exponent"] = round(exponent(lengths[last], seconds[last]), 2)
        for other in ("feed-forward", "projections"):
            beside = series(rows, other)[1][: len(lengths)]
            alone = name in {other, *STEPS}
            where = None if alone else crossing(lengths, seconds, beside)
            entry[f"overtakes {other}"] = where and round(where)
        found.append(entry)
    return found


def compared(options: argparse.Namespace) -> Fields:
    """Race the ways to attend at every length that fits."""
    on_gpu = options.device == "cuda"
    options.lengths = sorted(options.lengths or (ON_A_GPU if on_gpu else LENGTHS))
    config = measure.configuration(options.size)
    rows, curve, left_out = sweep(config, options)
    grown = growth(rows)
    columns = {"contestant": "", "length": ","}
    columns |= {"microseconds_per_token": ".2f", "memory_mib": ",.0f"}
    print(Table(rows, columns))
    for line in [*grown, *left_out]:
        print(line)
    return {
        "size": options.size,
        "device": torch.cuda.get_device_name() if on_gpu else "cpu",
        "window": options.window,
        "tile": TILE,
        "model": config.to_dict(),
        "growth": grown,
        "equal_lengths": equal_lengths(config)._asdict(),
        "left_out": left_out,
        "rows": rows,
        "curve": curve,
    }


STUDY = measure.Benchmark(
    "long_sentences",
    __doc__,
    compared,
    SEED,
    Option("--window", 128, "tokens seen on each side"),
    Option("--device", "cuda" if torch.cuda.is_available() else "cpu", choices=["cpu", "cuda"]),
    Option("--lengths", type=int, nargs="+", help="default 64 to 16,384; GPU: 131,072"),
    size="base",
    record=lambda given: f"benchmark_long_sentences{'_cuda' * (given.device == 'cuda')}",
)


if __name__ == "__main__":
    STUDY.main()
