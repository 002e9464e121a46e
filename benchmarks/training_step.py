"""One update of the weights: ours and the peers on identical padded batches.

    python -m benchmarks.training_step --size small

Every contestant starts from the same weights and makes the same update: forward, cross-entropy with
label smoothing 0.1 over the tokens that are not padding, backward, fused Adam. That they begin with
the same loss is checked before anything is timed. Each takes part in float32 and in bfloat16, the
peers under `torch.autocast`, and ours is compared with the fastest and the leanest peer of equal
precision; the fastest in any is named too, because bfloat16 is not faster on every processor. The
precisions run one after the other, so that half the contestants fill the memory at a time: ratios
between them are less certain. Our training keeps freed memory in the process (`machine.py`);
each peer runs with that setting and without, and the faster one counts, so that no peer loses by
it.
"""

import argparse
import functools
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.nn import functional as F

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.tables import Table
from annotated_transformer.tokenizer import PAD_ID
from annotated_transformer.training.batching import Batch
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
from benchmarks.peers import PEERS
from benchmarks.workers import ALLOCATORS, Work, Worker
from experiments.study import Fields, Option

OURS = "ours"
PRECISIONS = ("float32", "bfloat16")
CONTESTANTS = [f"{name} {precision}" for name in (OURS, *PEERS) for precision in PRECISIONS]
SAME_LOSS = 0.02
"""Largest relative difference between the first losses; bfloat16 needs that much, others 1e-5."""
SMOOTHING = 0.1


def make_ours(
    config: TransformerConfig, batches: Sequence[Batch], seed: int, precision: Any
) -> Work:
    """Our training step, as `annotated-transformer train` runs it."""
    torch.manual_seed(seed)
    model = Transformer(config)
    settings = TrainingRecipe(precision=precision, label_smoothing=SMOOTHING)
    optimizer = make_optimizer(model, settings)
    loss_of, step = BatchLoss(model, settings), 0

    def work(task: str, index: int) -> float:
        nonlocal step
        batch = batches[index]
        if task == "loss":
            model.eval()
            with torch.no_grad():
                return loss_of(batch, batch.n_tokens).item()
        step += 1
        return train_step(model, [batch], optimizer, step, settings).loss

    return work


def make_peer(
    config: TransformerConfig, batches: Sequence[Batch], seed: int, name: str, precision: str
) -> Work:
    """The same step by a peer; the rate is constant, which costs nothing."""
    torch.manual_seed(seed)
    model = PEERS[name](Transformer(config))
    optimizer = torch.optim.Adam(
        model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True
    )

    def loss_of(batch: Batch) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=precision == "bfloat16"):
            logits = model(batch.source, batch.target_input)
            return F.cross_entropy(
                logits.flatten(0, 1),
                batch.target_output.flatten(),
                label_smoothing=SMOOTHING,
                ignore_index=PAD_ID,
            )

    def work(task: str, index: int) -> float:
        if task == "loss":
            model.eval()
            with torch.no_grad():
                return loss_of(batches[index]).item()
        model.train()
        optimizer.zero_grad()
        loss = loss_of(batches[index])
        loss.backward()
        optimizer.step()
        return loss.item()

    return work


def parts(title: str) -> tuple[str, str]:
    """Whose it is, and its precision: ("torch.nn", "bfloat16") of "torch.nn bfloat16, kept"."""
    name, _, precision = title.partition(",")[0].rpartition(" ")
    return name, precision


def make(
    title: str, config: TransformerConfig, arrays: Sequence[tuple[Any, ...]], seed: int
) -> Work:
    """A contestant by its name; batches come as arrays because they come through a pipe."""
    if title not in CONTESTANTS:
        raise ValueError(f"no contestant {title!r}; there are {', '.join(CONTESTANTS)}")
    batches, (name, precision) = from_arrays(arrays), parts(title)
    if name == OURS:
        return make_ours(config, batches, seed, precision)
    return make_peer(config, batches, seed, name, precision)


def as_arrays(batches: Sequence[Batch]) -> list[tuple[Any, ...]]:
    """Batches in a form that a pipe takes."""
    return [
        (b.source.numpy(), b.target_input.numpy(), b.target_output.numpy(), b.n_tokens)
        for b in batches
    ]


def from_arrays(arrays: Sequence[tuple[Any, ...]]) -> list[Batch]:
    """Batches as they were before `as_arrays`."""
    return [Batch(*(torch.from_numpy(ids) for ids in rows), n) for *rows, n in arrays]


def makers_of(
    names: Sequence[str], allocators: Sequence[str], rest: tuple[Any, ...], threads: int
) -> dict[str, Callable[[], Worker]]:
    """How to start each contestant: ours as it trains, the peers with each allocator setting."""

    def start(name: str, allocator: str) -> Worker:
        return Worker(make, (name, *rest), threads=threads, allocator=allocator)

    makers = {}
    for name in names:
        own = parts(name)[0] == OURS
        for allocator in ("kept",) if own else allocators:
            title = name if own else f"{name}, {allocator}"
            makers[title] = functools.partial(start, name, allocator)
    return makers


def check_losses(workers: Mapping[str, Worker], expected: float | None = None) -> dict[str, float]:
    """The first loss of each contestant; they must be the same function."""
    losses = {name: worker.run("loss", 0)[1] for name, worker in workers.items()}
    if expected is None:
        expected = next(iter(losses.values()))
    for name, loss in losses.items():
        if not math.isclose(loss, expected, rel_tol=SAME_LOSS):
            raise ValueError(f"{name} begins with a loss of {loss:.4f}, others with {expected:.4f}")
    return losses


def race(
    options: argparse.Namespace, rest: tuple[Any, ...]
) -> tuple[list[dict[str, float]], dict[str, dict[str, float]], dict[str, float]]:
    """One precision after the other: seconds by round, memory and first loss by contestant."""
    timed: list[dict[str, float]] = [{} for _ in range(options.rounds)]
    memory, losses = dict[str, dict[str, float]](), dict[str, float]()

    def check(workers: Mapping[str, Worker]) -> None:
        losses.update(check_losses(workers, next(iter(losses.values()), None)))

    for precision in PRECISIONS:
        names = [title for title in options.contestants if parts(title)[1] == precision]
        if names:
            makers = makers_of(names, options.allocators, rest, options.threads)
            found, peaks = measure.interleaved(
                makers, lambda number: ("step", max(number, 0)), options.rounds, first=check
            )
            memory |= peaks
            timed = [before | now for before, now in zip(timed, found, strict=True)]
    return timed, memory, losses


def rows_of(
    timed: Sequence[Mapping[str, float]],
    memory: Mapping[str, Mapping[str, float]],
    tokens: Sequence[int],
) -> list[dict[str, Any]]:
    """One row per contestant, with its ratio to the plain tutorial's step in float32."""
    slowest = "plain float32, default"
    rows = []
    for name in timed[0]:
        speeds = [n / seconds[name] for n, seconds in zip(tokens, timed, strict=True)]
        rows.append(
            {
                "contestant": name,
                "precision": parts(name)[1],
                "seconds": round(measure.median(timed, name), 4),
                "tokens_per_second": round(statistics.median(speeds), 1),
                "ratio": measure.ratio(timed, slowest, name) if slowest in timed[0] else None,
                "peak_mib": round(memory[name]["peak"]),
                "above_start_mib": round(memory[name]["peak"] - memory[name]["start"]),
            }
        )
    return rows


def verdicts(
    timed: Sequence[Mapping[str, float]], rows: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Ours against the best peers of equal precision and any, whatever their allocator setting."""
    own = [row for row in rows if parts(row["contestant"])[0] == OURS]
    peers = sorted(
        (row for row in rows if row not in own), key=lambda row: -row["tokens_per_second"]
    )
    found = []
    for row in own:
        equal = [peer for peer in peers if peer["precision"] == row["precision"]]
        if not equal:
            continue
        name, fastest, of_any = (a["contestant"] for a in (row, equal[0], peers[0]))
        leanest = min(equal, key=lambda peer: peer["peak_mib"])
        found.append(
            {
                "contestant": name,
                "precision": row["precision"],
                "fastest_peer": fastest,
                "times_as_fast": measure.ratio(timed, fastest, name),
                "fastest_of_any_precision": of_any,
                "times_as_fast_as_any": measure.ratio(timed, of_any, name),
                "leanest_peer": leanest["contestant"],
                "memory_ratio": round(row["peak_mib"] / leanest["peak_mib"], 3),
            }
        )
    return found


def step_options(*allocators: str) -> tuple[Option, ...]:
    """The options of a command that lets ours and the peers make training steps."""
    return (
        *BATCH_OPTIONS,
        Option("--contestants", CONTESTANTS, choices=CONTESTANTS),
        Option("--allocators", [*allocators], "of the peers", choices=ALLOCATORS),
    )


def compared(options: argparse.Namespace) -> Fields:
    """Race the contestants, and say how ours did."""
    config = measure.configuration(options.size)
    batches, data = batches_of(options, vocab_size=config.vocab_size)
    timed, memory, losses = race(options, (config, as_arrays(batches), options.seed))
    rows = rows_of(timed, memory, [batch.n_tokens for batch in batches])
    for row in rows:
        row["first_loss"] = round(losses[row["contestant"]], 5)
    results = verdicts(timed, rows)
    _print(rows, results)
    return {
        "size": options.size,
        "model": config.to_dict(),
        "data": data,
        "auto": "bfloat16" if uses_bfloat16("auto", torch.device("cpu")) else "float32",
        "verdicts": results,
        "rows": rows,
        "curve": measure.curve_of(timed),
    }


def _print(rows: Sequence[dict[str, Any]], results: Sequence[dict[str, Any]]) -> None:
    columns = {"contestant": "", "seconds": ".3f", "tokens_per_second": ",.0f", "ratio": ".2f"}
    print(Table(rows, {**columns, "peak_mib": ",", "above_start_mib": ","}))
    for result in results:
        times = result["times_as_fast"]
        print(
            f"{result['contestant']}: {times['median']:.2f} times as fast as "
            f"{result['fastest_peer']} ({times['lowest']:.2f} to {times['highest']:.2f}); "
            f"{result['times_as_fast_as_any']['median']:.2f} times as fast as "
            f"{result['fastest_of_any_precision']}, the fastest in any precision; "
            f"{result['memory_ratio']:.2f} of the memory of {result['leanest_peer']}"
        )


STUDY = measure.Benchmark("training_step", __doc__, compared, *step_options(*ALLOCATORS))


if __name__ == "__main__":
    STUDY.main()
