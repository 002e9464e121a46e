"""What the units of a feed-forward network answer to, token by token.

Paper: section 3.3. Chapter: *Feed-forward*. A unit is one of the d_ff numbers between the two
matrices. It fires on a token when its number there is positive: then it adds its column of W2 to
what the token carries on, in proportion to the number.
"""

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.checks import check_list
from annotated_transformer.layers import FeedForward
from annotated_transformer.tokenizer import PAD_ID
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What every unit of one network computed on every token of a text."""

    tokens: tuple[int, ...]
    """The ids of all tokens, sentence after sentence, without padding."""
    inputs: Float[Tensor, "token d_model"]
    """x, what the network is given."""
    values: Float[Tensor, "token d_ff"]
    """x W1 + b1, before the activation."""

    @property
    def fired(self) -> Bool[Tensor, "token d_ff"]:
        """Where a unit's number is positive."""
        return self.values > 0

    @property
    def dead(self) -> Bool[Tensor, " d_ff"]:
        """The units that fire on no token of this text (on another they may)."""
        return ~self.fired.any(dim=0)


def read_units(translator: Translator, pairs: Sequence[tuple[str, str]]) -> dict[str, Reading]:
    """Read all units while the model reads sources and is fed their targets, as in training.

    Keys name the layers, such as "encoder.layers.0". The encoder's tokens are those of the source
    with its end; the decoder's those of the target with its beginning.

    Raises:
        ValueError: there are no pairs of two texts, or a sentence is blank, cannot be tokenised or
            is longer than the model accepts.
    """
    rows = _rows(translator, pairs)
    model, step = translator.model, translator.batch_size
    device = next(model.parameters()).device
    inputs: dict[str, list[Tensor]] = {}
    with evaluation_mode(model), _recorded(model) as recorded:
        for start in range(0, len(pairs), step):
            batch = {side: _padded(of[start : start + step], device) for side, of in rows.items()}
            memory = model.encode(batch["encoder"])
            model.decode_hidden(batch["decoder"], memory, batch["encoder"])
            for layer, x in recorded.items():
                real = batch[layer.partition(".")[0]] != PAD_ID
                inputs.setdefault(layer, []).append(x[real])
    tokens = {side: tuple(token for row in of for token in row) for side, of in rows.items()}
    readings = {}
    for layer, parts in inputs.items():
        x, inner = torch.cat(parts), _network(model, layer).inner
        values = (x @ inner.weight.T + inner.bias).detach()
        readings[layer] = Reading(tokens=tokens[layer.partition(".")[0]], inputs=x, values=values)
    return readings


@contextlib.contextmanager
def without_units(model: Transformer, layers: Collection[str]) -> Iterator[None]:
    """Silence all units of some layers while the block runs: their networks add only b2.

    Layers are named as in `read_units`, such as "encoder.layers.0".

    Raises:
        ValueError: the model has no such layer; the message lists those it has.
    """
    check_list("layers", layers)
    known = [
        name.removesuffix(".feed_forward")
        for name, module in model.named_modules()
        if isinstance(module, FeedForward)
    ]
    if unknown := sorted(set(layers) - set(known)):
        raise ValueError(f"no layer is called {unknown[0]!r}; there are {', '.join(known)}")
    weights = [_network(model, layer).outer.weight for layer in layers]
    saved = [weight.detach().clone() for weight in weights]
    try:
        for weight in weights:
            weight.detach().zero_()
        yield
    finally:
        for weight, before in zip(weights, saved, strict=True):
            weight.detach().copy_(before)


def _rows(translator: Translator, pairs: Sequence[tuple[str, str]]) -> dict[str, list[list[int]]]:
    """Return what encoder and decoder read of each pair."""
    if not pairs:
        raise ValueError("there are no sentence pairs to read")
    for number, pair in enumerate(pairs, start=1):
        if not isinstance(pair, tuple | list) or [*map(type, pair)] != [str, str]:
            raise ValueError(f"pair {number} is {pair!r}; expected a source and a target text")
        if not all(text.strip() for text in pair):
            raise ValueError(f"pair {number} has a blank sentence: {pair!r}")
    tokenizer = translator.tokenizer
    return {
        "encoder": [tokenizer.source_ids(source) for source, _ in pairs],
        "decoder": [tokenizer.target_ids(target)[:-1] for _, target in pairs],
    }


def _padded(rows: list[list[int]], device: torch.device) -> Int[Tensor, "batch length"]:
    longest = max(map(len, rows))
    padded = [row + [PAD_ID] * (longest - len(row)) for row in rows]
    return torch.tensor(padded, device=device)


def _network(model: Transformer, layer: str) -> FeedForward:
    network = model.get_submodule(f"{layer}.feed_forward")
    assert isinstance(network, FeedForward)
    return network


@contextlib.contextmanager
def _recorded(model: Transformer) -> Iterator[dict[str, Float[Tensor, "batch length d_model"]]]:
    """Collect what enters every network; a later forward pass replaces what an earlier one left."""
    record: dict[str, Tensor] = {}

    def keeper(layer: str) -> Callable[[nn.Module, tuple[Tensor]], None]:
        return lambda module, arguments: record.update({layer: arguments[0].detach().clone()})

    hooks = [
        module.register_forward_pre_hook(keeper(name.removesuffix(".feed_forward")))
        for name, module in model.named_modules()
        if isinstance(module, FeedForward)
    ]
    try:
        yield record
    finally:
        for hook in hooks:
            hook.remove()
