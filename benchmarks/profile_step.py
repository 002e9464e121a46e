"""Where the time of a training step goes: shares of products, conversions, and all the rest.

    python -m benchmarks.profile_step --size base --precision bfloat16

Our training step on the CPU under `torch.profiler`. Every operation counts with its own time, that
of the operations it calls left out, so that the shares add up to 100 %. What an operation belongs
to follows from its name or, where that could be anything (a multiplication, a copy), from the
nearest caller that tells; a backward operation of a dropout belongs to it too. `between operations`
is Python and the profiler itself. The profiler slows a step down: the same steps are timed without
it as well, and the record has both.
"""

import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

from annotated_transformer.fast.memory import keep_freed_memory
from annotated_transformer.layers import Dropout
from annotated_transformer.training.batching import Batch
from annotated_transformer.training.cost import matmul_rate, step_flops
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.step import make_optimizer, train_step, uses_bfloat16
from annotated_transformer.transformer import Transformer
from benchmarks import measure
from benchmarks.batches import add_batch_options, batches_of

NAME = "profile_step"
STEP, SEARCH = "a training step", "a search"
GROUPS = {
    "products": "mm addmm bmm baddbmm dot linear matmul mkldnn_linear einsum",
    "fused attention": "_scaled_dot_product_flash_attention_for_cpu "
    "_scaled_dot_product_flash_attention_for_cpu_backward _scaled_dot_product_attention_math",
    "conversions": "_to_copy to",
    "softmax and loss": "_softmax _softmax_backward_data _log_softmax _log_softmax_backward_data "
    "softmax log_softmax exp_ gather scatter_add_ scatter_ nll_loss_forward nll_loss_backward",
    "normalisation": "native_layer_norm native_layer_norm_backward rsqrt",
    "dropout": "random_ bernoulli_ native_dropout native_dropout_backward",
    "embedding": "embedding embedding_dense_backward index_select min max",
    "copies": "clone contiguous cat split_with_sizes_copy index index_put_ _index_put_impl_ stack",
    "elementwise": "add add_ mul mul_ sub sub_ div div_ relu relu_ threshold_backward where "
    "masked_fill masked_fill_ ge eq ne lt gt sum mean neg sqrt pow bitwise_and bitwise_not "
    "bitwise_or logical_not any all log clamp_min",
    "optimizer": "_fused_adam_ _foreach_norm linalg_vector_norm _foreach_add_ _foreach_mul_",
}
"""Names of PyTorch's operations, without `aten::`; `copy_`, for one, goes by its caller."""
GROUP_OF = {f"aten::{name}": group for group, names in GROUPS.items() for name in names.split()}
BETWEEN, OTHER = "between operations", "other"


@contextmanager
def labelled(model: nn.Module) -> Iterator[None]:
    """Let everything that a dropout does carry its name, also what is plain arithmetic."""
    open_labels, handles = [], []

    def enter(*_: Any) -> None:
        open_labels.append(record_function("in dropout"))
        open_labels[-1].__enter__()

    def leave(*_: Any) -> None:
        open_labels.pop().__exit__(None, None, None)

    for module in model.modules():
        if isinstance(module, Dropout):
            handles += [module.register_forward_pre_hook(enter)]
            handles += [module.register_forward_hook(leave)]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def chain(event: Any) -> Iterator[Any]:
    """An operation and all that called it, from the inside out."""
    while event is not None:
        yield event
        event = event.cpu_parent


def group_of(event: Any, forward: dict[int, str]) -> str:
    """Where an operation belongs; `forward` knows it of the sequence numbers of labelled ones."""
    names = [caller.name for caller in chain(event)]
    if event.name in (STEP, SEARCH):
        return BETWEEN
    if any(name.startswith("Optimizer.") for name in names):
        return "optimizer"
    default = "copies" if event.name == "aten::copy_" else OTHER
    found = next((GROUP_OF[name] for name in names if name in GROUP_OF), default)
    if found in ("products", "conversions"):
        return found
    if "in dropout" in names:
        return "dropout"
    if any("Loss" in name for name in names):
        return "softmax and loss"
    numbers = (caller.sequence_nr for caller in chain(event) if "Backward" in caller.name)
    return next((forward[number] for number in numbers if number in forward), found)


def shares(
    events: Sequence[Any], label: str = STEP
) -> tuple[Counter[str], Counter[str], Counter[str]]:
    """Microseconds by group; and of each operation its microseconds and how often it ran."""
    inside = [event for event in events if _is_in(label, event)]
    forward = {
        event.sequence_nr: "dropout"
        for event in inside
        if event.sequence_nr >= 0 and _is_in("in dropout", event)
    }
    groups: Counter[str] = Counter()
    time_of: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for event in inside:
        group = group_of(event, forward)
        groups[group] += event.self_cpu_time_total
        key = f"{event.name} ({group})"
        time_of[key] += event.self_cpu_time_total
        calls[key] += 1
    return groups, time_of, calls


def tables(
    events: Sequence[Any], count: int, *, label: str = STEP, unit: str = "step"
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The groups, and the 20 operations that took longest, with their shares; largest first.

    Times and calls are for one of the `count` things that `label` marks.
    """
    groups, time_of, calls = shares(events, label)
    rows = [
        {
            "group": group,
            "share": round(spent / groups.total(), 4),
            f"ms_per_{unit}": round(spent / 1e3 / count, 3),
        }
        for group, spent in groups.most_common()
    ]
    operations = [
        {
            "operation": name,
            "share": round(spent / groups.total(), 4),
            f"calls_per_{unit}": round(calls[name] / count, 1),
        }
        for name, spent in time_of.most_common(20)
    ]
    return rows, operations


def print_tables(
    rows: Sequence[dict[str, Any]], operations: Sequence[dict[str, Any]], unit: str
) -> None:
    """Print what `tables` found."""
    measure.print_table(rows, {"group": "", "share": ".1%", f"ms_per_{unit}": ",.1f"})
    measure.print_table(operations, {"operation": "", "share": ".1%", f"calls_per_{unit}": ",.0f"})


def _is_in(name: str, event: Any) -> bool:
    return any(caller.name == name for caller in chain(event))


def profiled(
    model: Transformer, batches: Sequence[Batch], settings: TrainingRecipe
) -> tuple[list[Any], list[dict[str, float]]]:
    """The operations of one step for each batch, and its seconds without and with the profiler."""
    optimizer, events, timed = make_optimizer(model, settings), [], []

    def seconds(batch: Batch) -> float:
        begin = time.perf_counter()
        with record_function(STEP):
            train_step(model, [batch], optimizer, 1, settings)
        return time.perf_counter() - begin

    for batch in batches:  # the first step of each shape sets up what later ones find
        seconds(batch)
    for number, batch in enumerate(batches):
        plain = seconds(batch)
        with labelled(model), profile(activities=[ProfilerActivity.CPU]) as profiler:
            slowed = seconds(batch)
        events += profiler.events()
        timed.append({"alone": round(plain, 5), "profiled": round(slowed, 5)})
        print(f"round {number + 1} of {len(batches)}: {timed[-1]}", file=sys.stderr)
    return events, timed


def main(argv: Sequence[str] | None = None) -> None:
    """Run the command."""
    parser = measure.arguments(NAME, "Where the time of a training step goes.", size="base")
    add_batch_options(parser)
    precisions = ("auto", "float32", "bfloat16")
    parser.add_argument("--precision", choices=precisions, default="auto")
    options = parser.parse_args(argv)
    settings = TrainingRecipe(precision=options.precision)
    low = uses_bfloat16(options.precision, torch.device("cpu"))
    kind = "bfloat16" if low else "float32"
    if options.out is None:
        options.out = measure.RESULTS / f"benchmark_profile_{options.size}_{kind}.json"
    benchmark = measure.Benchmark(NAME, options)
    torch.set_num_threads(options.threads)
    keep_freed_memory()
    torch.manual_seed(options.seed)
    config = measure.configuration(options.size)
    batches, data = batches_of(options, vocab_size=config.vocab_size)
    rate = matmul_rate(torch.device("cpu"), torch.bfloat16 if low else torch.float32)
    events, timed = profiled(Transformer(config), batches, settings)
    rows, operations = tables(events, len(batches))
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
    alone = statistics.median(t["alone"] for t in timed)
    print(f"{options.size}, {kind}: {alone:.3f} s a step without the profiler")
    print_tables(rows, operations, "step")
    print(", ".join(f"{name}: {value} GFLOP/s" for name, value in rates.items()))
    benchmark.write(
        rows,
        [{"round": i + 1, "seconds": seconds} for i, seconds in enumerate(timed)],
        size=options.size,
        precision=kind,
        model=config.to_dict(),
        data=data,
        operations=operations,
        gflop_per_second=rates,
    )


if __name__ == "__main__":
    measure.run(main)
