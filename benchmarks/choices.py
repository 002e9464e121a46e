"""The choices inside our training step, each against what was not chosen.

    python -m benchmarks.choices --size small

First whole updates that differ from ours in one thing: compiled by `torch.compile`; the fused
attention kernel everywhere; the loss in chunks of another size; PyTorch's dropout, and none at all
(what dropout costs); memory that goes back to the system when it is freed. Each has a process of
its own. Then attention alone, forward and backward, by the formula and by the fused kernel, at
several numbers of keys: `fast_attention` goes by that number.

A ratio above 1 says how many times as long the other way takes. The compiled step has seen every
batch before it is timed, and how long that took is in the record: batches of new shapes cost it
anew.
"""

import argparse
import functools
import importlib
import math
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from annotated_transformer.attention import attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast import projected_loss as loss_module
from annotated_transformer.lab.tables import Table
from annotated_transformer.layers import Dropout
from annotated_transformer.masks import causal_mask
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import (
    BatchLoss,
    make_optimizer,
    train_step,
    uses_bfloat16,
)
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import BATCH_OPTIONS, batches_of
from benchmarks.training_step import as_arrays, from_arrays
from benchmarks.workers import Work, Worker
from experiments.study import Fields, Option

OURS = "ours"
COMPILED = "compiled"
CHUNKS = {"chunk 128": 128, "chunk 512": 512, "chunk 2048": 2048, "whole loss": 10**9}
OTHERS = (
    COMPILED,
    "fused attention",
    *CHUNKS,
    "torch dropout",
    "no dropout",
    "memory given back",
)
"""What differs from our step, one thing in each."""
ATTENTION = importlib.import_module("annotated_transformer.attention")
"""The module: in the package, its name is that of the function."""
KINDS = {"bfloat16": torch.bfloat16, "float32": torch.float32}


def make_step(
    name: str,
    config: TransformerConfig,
    arrays: Sequence[tuple[Any, ...]],
    seed: int,
    precision: Any,
) -> Work:
    """Our training step with one thing changed, in a process that does nothing else."""
    torch.manual_seed(seed)
    batches, model = from_arrays(arrays), Transformer(config)
    settings = TrainingRecipe(precision=precision)
    change(name, model)
    loss_of = BatchLoss(model, settings)
    if name == COMPILED:
        loss_of.compile(dynamic=True)
    optimizer, step = make_optimizer(model, settings), 0

    def work(index: int | None) -> float:
        nonlocal step
        for batch in batches if index is None else [batches[index]]:
            step += 1
            loss = train_step(model, [batch], optimizer, step, settings, loss_of=loss_of).loss
        return loss

    return work


def change(name: str, model: Transformer) -> None:
    """Make the one change, in this process or in this model."""
    if name == "fused attention":
        ATTENTION.fast_attention = fused
    elif name in CHUNKS:
        loss_module.CHUNK = CHUNKS[name]
    elif name in ("torch dropout", "no dropout"):
        for module in model.modules():
            for child_name, child in module.named_children():
                if isinstance(child, Dropout):
                    p = child.p if name == "torch dropout" else 0.0
                    setattr(module, child_name, nn.Dropout(p))


def fused(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None = None,
    attn_bias: torch.Tensor | None = None,
) -> torch.Tensor:
    """PyTorch's kernel, whatever the number of keys; it takes a mask or a bias."""
    if mask is not None and attn_bias is not None:
        attn_bias = attn_bias.masked_fill(~mask, -math.inf)
    given = mask if attn_bias is None else attn_bias
    return F.scaled_dot_product_attention(query, key, value, attn_mask=given)


def make_attention(way: str, kind: str, config: TransformerConfig, tokens: int, seed: int) -> Work:
    """One attention, causal, forward and backward, over `tokens` positions in all."""
    torch.manual_seed(seed)
    width = config.d_model // config.n_heads

    def work(keys: int) -> float:
        shape = (max(1, tokens // keys), config.n_heads, keys, width)
        inputs = [torch.randn(shape, dtype=KINDS[kind]).requires_grad_() for _ in range(3)]
        mask, given = causal_mask(keys), torch.randn(shape, dtype=KINDS[kind])
        begin = time.perf_counter()
        output = fused(*inputs, mask) if way == "fused" else attention(*inputs, mask)[0]
        output.backward(given)
        return time.perf_counter() - begin

    return work


def why_not_compiled() -> str | None:
    """Why `torch.compile` cannot run here, in a sentence, or None if it can."""
    compilers = [os.environ.get("CXX"), "g++", "clang++"]
    if any(name and shutil.which(name) for name in compilers):
        return None
    return "torch.compile was left out: it needs a C++ compiler, and this machine has none."


def race_steps(
    names: Sequence[str], rest: tuple[Any, ...], options: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Time whole updates: rows and rounds."""
    makers: dict[str, Callable[[], Worker]] = {}
    for name in names:
        allocator = "default" if name == "memory given back" else "kept"
        makers[name] = functools.partial(
            Worker, make_step, (name, *rest), threads=options.threads, allocator=allocator
        )
    before: dict[str, float] = {}

    def see_all(workers: Mapping[str, Worker]) -> None:
        for name, worker in workers.items():
            before[name] = worker.run(None)[0]

    timed, memory = measure.interleaved(
        makers, lambda number: (max(number, 0),), options.rounds, first=see_all
    )
    rows = [
        {
            "choice": "step",
            "contestant": name,
            "seconds": round(measure.median(timed, name), 4),
            "ratio": measure.ratio(timed, name, OURS, digits=3),
            "peak_mib": round(memory[name]["peak"]),
            "seconds_for_all_batches_before": round(before[name], 1),
        }
        for name in names
    ]
    return rows, measure.curve_of(timed, choice="step")


def race_attention(
    keys: Sequence[int], kind: str, rest: tuple[Any, ...], options: argparse.Namespace
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Time the two ways of attention at each number of keys: rows and rounds."""
    rows, curve = [], []
    workers = {
        way: Worker(make_attention, (way, kind, *rest), threads=options.threads, allocator="kept")
        for way in ("formula", "fused")
    }
    for n in keys:
        timed = []
        for number in range(-1, options.rounds):
            order = list(workers) if number % 2 else list(workers)[::-1]
            seconds = {way: workers[way].run(n)[1] for way in order}
            if number >= 0:
                timed.append({way: round(seconds[way], 6) for way in workers})
        tags = {"choice": "attention", "precision": kind, "keys": n}
        fused_seconds, formula_seconds = (
            round(measure.median(timed, way), 6) for way in ("fused", "formula")
        )
        rows.append(
            {
                **tags,
                "contestant": f"fused, {kind}, {n} keys",
                "seconds": fused_seconds,
                "seconds_by_formula": formula_seconds,
                "ratio": measure.ratio(timed, "fused", "formula", digits=3),
            }
        )
        curve += measure.curve_of(timed, **tags)
    for worker in workers.values():
        worker.close()
    return rows, curve


def compared(options: argparse.Namespace) -> Fields:
    """Race whole updates, then attention alone."""
    config = measure.configuration(options.size)
    batches, data = batches_of(options, vocab_size=config.vocab_size)
    names, note = [OURS, *options.others], None
    if COMPILED in names and (note := why_not_compiled()):
        names.remove(COMPILED)
    rest = (config, as_arrays(batches), options.seed, options.precision)
    rows, curve = race_steps(names, rest, options)
    for kind in KINDS:
        alone = (config, options.tokens, options.seed)
        found = race_attention(options.keys, kind, alone, options)
        rows, curve = rows + found[0], curve + found[1]
    shown = [{**row, **row["ratio"]} for row in rows]
    columns = {"choice": "", "contestant": "", "seconds": ".3f", "median": ".2f", "lowest": ".2f"}
    print(Table(shown, {**columns, "highest": ".2f", "peak_mib": ","}))
    if note:
        print(note)
    bfloat16 = uses_bfloat16(options.precision, torch.device("cpu"))
    return {
        "size": options.size,
        "model": config.to_dict(),
        "precision": "bfloat16" if bfloat16 else "float32",
        "our_chunk": loss_module.CHUNK,
        "data": data,
        **({"note": note} if note else {}),
        "rows": rows,
        "curve": curve,
    }


STUDY = measure.Benchmark(
    "choices",
    __doc__,
    compared,
    *BATCH_OPTIONS,
    Option("--precision", "auto", choices=("auto", "float32", "bfloat16")),
    Option("--others", list(OTHERS), nargs="*", choices=OTHERS),
    Option("--keys", [16, 32, 64, 128, 256, 512], "of attention alone", nargs="*"),
    rounds=7,
)


if __name__ == "__main__":
    STUDY.main()
