"""What goes into the modules of a running model, and comes out. Chapter: *The whole model*."""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from torch import Tensor, nn
from torch.utils._pytree import tree_map_only


@contextmanager
def record_inputs(
    modules: Mapping[str, nn.Module], keep: Callable[..., Tensor]
) -> Iterator[dict[str, Tensor]]:
    """Collect copies of `keep(*inputs)` from these modules, by name, while the block runs.

    A later forward pass replaces what an earlier one left; those of other threads do not count.
    """
    record: dict[str, Tensor] = {}
    thread = threading.get_ident()

    def write(name: str, module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
        if threading.get_ident() == thread:
            record[name] = keep(*inputs).detach().clone()

    with ExitStack() as hooks:
        for name, module in modules.items():
            hooks.callback(module.register_forward_hook(partial(write, name)).remove)
        yield record


@contextmanager
def record_outputs(model: nn.Module) -> Iterator[list[tuple[str, Any]]]:
    """Collect copies of each module's output, in the order of the run, while the block runs.

    An entry is the module's name ("" for the model) and its output: a tensor, or
    tuples and lists of them. A later operation in place does not change the copy.
    What other threads run does not count.
    """
    record: list[tuple[str, Any]] = []
    thread = threading.get_ident()

    def write(name: str, module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
        if threading.get_ident() == thread:
            copied = tree_map_only(Tensor, lambda x: x.detach().clone(), output)
            record.append((name, copied))

    with ExitStack() as hooks:
        for name, module in model.named_modules():
            hooks.callback(module.register_forward_hook(partial(write, name)).remove)
        yield record
