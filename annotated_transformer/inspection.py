"""Run a model to look at it: no dropout, no gradients, its inputs recorded.

The model's code and its output stay as they are. Chapter: *Attention*.
"""

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention, attention_weights


@runtime_checkable
class HasModules(Protocol):
    """What `evaluation_mode` needs of a model; every `nn.Module` has it."""

    def modules(self) -> Iterator[nn.Module]:
        """Return the model and all modules in it."""

    def eval(self) -> nn.Module:
        """Switch dropout off."""


@contextmanager
def evaluation_mode(model: HasModules) -> Iterator[None]:
    """Run without dropout and gradients, then restore each module's mode.

    Where several threads run one model so, the last that ends restores it.
    """
    with _LOCK:
        held = [each for each in model.modules() if each.training or each in _HELD]
        _HELD.update(held)
        model.eval()
    try:
        with torch.inference_mode():
            yield
    finally:
        with _LOCK:
            _HELD.subtract(held)
            for module in held:
                if not _HELD[module]:
                    del _HELD[module]
                    module.training = True


_LOCK = threading.Lock()
_HELD: Counter[nn.Module] = Counter()
"""The modules whose training waits for some `evaluation_mode` to end, each with their number."""


@contextmanager
def record_attention(
    model: nn.Module,
) -> Iterator[dict[str, Float[Tensor, "batch heads query key"]]]:
    """Collect the weights of every attention in `model` while the block runs.

    The fused kernel never forms the weights, so they are computed again, from the same
    queries and keys. Keys are module names, such as "decoder.layers.0.cross_attention"; a later
    forward pass replaces an earlier one's weights, and those of other threads do not count. Raises
    ValueError for what is no module.
    """
    if not isinstance(model, nn.Module):
        raise ValueError(
            f"the model is of type {type(model).__name__}; expected a module, such as the .model "
            "of a Translator"
        )
    record: dict[str, Tensor] = {}
    thread = threading.get_ident()

    def write(name: str, module: nn.Module, inputs: tuple[Any, ...], output: Any) -> None:
        if threading.get_ident() == thread:
            query, key, _, *mask_and_bias = inputs
            record[name] = attention_weights(query, key, *mask_and_bias).detach().clone()

    with ExitStack() as hooks:
        for name, module in model.named_modules():
            if isinstance(module, MultiHeadAttention):
                hooks.callback(module.attend.register_forward_hook(partial(write, name)).remove)
        yield record
