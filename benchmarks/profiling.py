"""Where time goes, by groups of PyTorch's operations; shared by `profile_*`.

Every operation counts with its own time, that of the operations it calls left out, so that the
shares add up to 100 %. What an operation belongs to follows from its name or, where that could be
anything (a multiplication, a copy), from the nearest caller that tells; a backward operation of a
dropout belongs to it too. `between operations` is Python and the profiler itself. The profiler
slows down what it watches: the same is timed without it as well.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

from annotated_transformer.lab.tables import Table
from annotated_transformer.layers import Dropout

GROUPS = {
    "products": "mm addmm bmm baddbmm dot linear matmul mkldnn_linear einsum "
    "mkldnn::_linear_pointwise",
    "packing": "mkldnn::_reorder_linear_weight",
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
GROUP_OF = {
    name if "::" in name else f"aten::{name}": group
    for group, names in GROUPS.items()
    for name in names.split()
}
BETWEEN, OTHER = "between operations", "other"
UNITS = {"a training step": "step", "a search": "search"}
"""What is measured as a whole, by the label that the profiler sees."""
STEP, SEARCH = UNITS


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
    if event.name in UNITS:
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


def shares(events: Sequence[Any], label: str) -> tuple[Counter[str], Counter[str], Counter[str]]:
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
    events: Sequence[Any], count: int, label: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The groups, and the 20 operations that took longest, with their shares; largest first.

    Times and calls are for one of the `count` things that `label` marks.
    """
    unit = UNITS[label]
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
    rows: Sequence[dict[str, Any]], operations: Sequence[dict[str, Any]], label: str
) -> None:
    """Print what `tables` found."""
    unit = UNITS[label]
    print(Table(rows, {"group": "", "share": ".1%", f"ms_per_{unit}": ",.1f"}))
    print(Table(operations, {"operation": "", "share": ".1%", f"calls_per_{unit}": ",.0f"}))


def _is_in(name: str, event: Any) -> bool:
    return any(caller.name == name for caller in chain(event))


def profiled(
    works: Sequence[Callable[[], Any]],
    label: str,
    inside: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> tuple[list[Any], list[dict[str, float]]]:
    """The operations of all works, and the seconds of each without and with the profiler.

    `inside` makes a context around what is profiled, such as that of `labelled`.
    """
    events, timed = [], []

    def seconds(work: Callable[[], Any]) -> float:
        begin = time.perf_counter()
        with record_function(label):
            work()
        return time.perf_counter() - begin

    for work in dict.fromkeys(works):  # the first time sets up what later ones find
        seconds(work)
    for number, work in enumerate(works, start=1):
        plain = seconds(work)
        with inside(), profile(activities=[ProfilerActivity.CPU]) as profiler:
            slowed = seconds(work)
        events += profiler.events()
        timed.append({"alone": round(plain, 5), "profiled": round(slowed, 5)})
        print(f"round {number} of {len(works)}: {timed[-1]}", file=sys.stderr)
    return events, timed
