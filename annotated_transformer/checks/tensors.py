"""What the doors of the model refuse: ids, vectors and masks that do not belong together.

Shapes are looked at everywhere, values where that costs nothing (`can_look`).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from annotated_transformer.checks import check_id, shown

WHOLE = (torch.int64, torch.int32)
"""The types of ids that an embedding can look up."""


def check_ids(name: str, ids: Any, vocab_size: int, max_length: int) -> None:
    """Refuse ids that are not a batch of sentences in this vocabulary, or are too long.

    The embedding, which looks them up, refuses those on another device (`check_lookup`).
    """
    if not isinstance(ids, Tensor):
        raise ValueError(
            f"the {name} is of type {type(ids).__name__}; expected a tensor of ids, (batch, length)"
        )
    check_dense(f"the {name}", ids)
    if ids.dim() != 2 or not ids.size(1) or ids.dtype not in WHOLE:
        raise ValueError(
            f"the {name} has shape {tuple(ids.shape)} and dtype {ids.dtype}; expected whole "
            "numbers, (batch, length), of one token or more; one sentence is ids[None]"
        )
    if ids.size(1) > max_length:
        raise ValueError(
            f"the {name} has {ids.size(1)} tokens, more than max_length={max_length}: "
            "shorten it, or train with a larger max_length"
        )
    if torch._C._get_tracing_state():
        raise ValueError(
            "torch.jit.trace would keep the lengths of this call for all others: "
            "use torch.export.export"
        )
    # Elsewhere, and on a GPU, the lookup itself asserts.
    if not can_look(ids) or not ids.numel():
        return
    low, high = int(ids.min()), int(ids.max())
    if low < 0 or high >= vocab_size:
        raise ValueError(
            f"token id {low if low < 0 else high} is outside the vocabulary of {vocab_size}: "
            "is this the tokenizer that the model was trained with?"
        )


def check_lookup(ids: Any, table: Tensor) -> None:
    """Refuse ids that are no whole numbers, or on another device than the table of vectors.

    PyTorch would read memory that is not there where one of the two is on "meta".
    """
    if not isinstance(ids, Tensor) or ids.dtype not in WHOLE:
        raise ValueError(f"ids are {described(ids)}; expected a tensor of whole numbers")
    name = "the tensor of ids"
    check_dense(name, ids)
    check_device(name, ids, "the weights", table)


def check_sentences(ids: Any, padding_id: Any = 0) -> None:
    """Refuse ids that are not a batch of sentences, and a padding that is no id."""
    check_id("padding_id", padding_id)
    if not isinstance(ids, Tensor):
        raise ValueError(f"ids are {described(ids)}; expected a tensor, (batch, key)")
    check_dense("ids", ids)
    if ids.dim() != 2:
        raise ValueError(
            f"ids have shape {tuple(ids.shape)}; expected (batch, key), "
            "and a single sentence is a batch of one: ids[None]"
        )
    if ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool:
        raise ValueError(f"ids have dtype {ids.dtype}; expected whole numbers, such as ids.long()")
    ends = torch.iinfo(ids.dtype)
    if not ends.min <= padding_id <= ends.max:  # it would count from the other end
        raise ValueError(
            f"padding_id={shown(padding_id)} is no number of dtype {ids.dtype}, which the ids have"
        )


def check_mask(mask: Any, scores_shape: Sequence[int], like: Tensor | None = None) -> None:
    """Refuse a mask that is not boolean, does not broadcast to the scores or is elsewhere.

    `like` is a tensor on the device where it must be.
    """
    if mask is None:
        return
    if not isinstance(mask, Tensor) or mask.dtype != torch.bool:
        kind = getattr(mask, "dtype", type(mask).__name__)
        raise ValueError(
            f"the mask has dtype {kind}; it must be torch.bool, True where a query may "
            "attend; numbers to add to the scores are attn_bias"
        )
    check_dense("the mask", mask)
    _check_fits("a mask", mask, scores_shape)
    if like is not None:
        check_device("the mask", mask, "what it masks", like)


def check_bias(attn_bias: Any, scores_shape: Sequence[int], like: Tensor) -> None:
    """Refuse a bias that cannot be added to the scores, whose type and device `like` has."""
    if attn_bias is None:
        return
    if not isinstance(attn_bias, Tensor) or not attn_bias.is_floating_point():
        kind = getattr(attn_bias, "dtype", type(attn_bias).__name__)
        raise ValueError(
            f"attn_bias has dtype {kind}; expected floating-point numbers to add to the "
            "scores; a boolean mask is the argument mask"
        )
    check_dense("attn_bias", attn_bias)
    _check_fits("attn_bias", attn_bias, scores_shape)
    _check_alike("attn_bias", attn_bias, "what it is added to", like)


def _check_fits(name: str, given: Any, scores_shape: Sequence[int]) -> None:
    if given.shape == scores_shape:
        return
    # Right-aligned, as broadcasting is: each axis is 1 or that of the scores.
    axes = zip(reversed(given.shape), reversed(scores_shape), strict=False)
    if given.dim() > len(scores_shape) or any(m not in (1, s) for m, s in axes):
        raise ValueError(
            f"{name} of shape {tuple(given.shape)} does not fit scores of shape "
            f"{tuple(scores_shape)}, (..., query, key)"
        )


def _pair(query: Any, key: Any, value: Any) -> bool:
    """Return whether nothing is wrong; this is asked in each step of a search, so it is quick."""
    if not type(query) is type(key) is type(value) is Tensor:
        return False
    q, k, v = query.shape, key.shape, value.shape
    return (
        query.dtype == key.dtype == value.dtype
        and query.device == key.device == value.device
        and query.is_floating_point()
        and len(q) > 1
        and q[-1] > 0
        and q[:-2] == k[:-2] == v[:-2]
        and q[-1] == k[-1]
        and k[-2] == v[-2]
    )


def check_pairs(query: Any, key: Any, value: Any = None) -> None:
    """Refuse queries, keys and values that do not belong together."""
    if _pair(query, key, key if value is None else value):
        return
    given = {"queries": query, "keys": key} | ({} if value is None else {"values": value})
    for name, x in given.items():
        wide = isinstance(x, Tensor) and x.dim() > 1 and (x.size(-1) or name == "values")
        if not wide or not x.is_floating_point():
            raise ValueError(
                f"the {name} are {described(x)}; expected floating-point numbers, "
                "(..., length, width)"
            )
        _check_alike(f"the {name}", x, "the queries", query)
        if x.shape[:-2] != query.shape[:-2]:
            raise ValueError(
                f"the queries have shape {tuple(query.shape)}, the {name} "
                f"{tuple(x.shape)}; expected the same but for length and width"
            )
        check_dense(f"the {name}", x)
    if query.size(-1) != key.size(-1):
        raise ValueError(
            f"the queries have width {query.size(-1)}, the keys {key.size(-1)}; expected the same"
        )
    if value is not None and value.size(-2) != key.size(-2):
        raise ValueError(f"{value.size(-2)} values for {key.size(-2)} keys; expected one for each")


def check_vectors(d_model: int, *, like: Any = None, **given: Any) -> None:
    """Refuse vectors other than (batch, length, d_model), or of different batch, type or device.

    There must also be as many of `value` as of `key`. `like` is a weight, whose type and device
    they must have.
    """
    first, first_name = next(iter(given.values())), next(iter(given))
    for name, x in given.items():
        rows = isinstance(x, Tensor) and x.dim() == 3 and x.is_floating_point()
        if not rows or x.size(-1) != d_model:
            raise ValueError(
                f"the {name} is {described(x)}; expected floating-point numbers, "
                f"(batch, length, {d_model}); one sentence is {name}[None]"
            )
        if x.size(0) != first.size(0):
            raise ValueError(
                f"the {first_name} is a batch of {first.size(0)}, the {name} of "
                f"{x.size(0)}; expected the same"
            )
        if like is not None:
            _check_alike(f"the {name}", x, "the weights", like)
    if given.keys() >= {"key", "value"} and given["value"].size(1) != given["key"].size(1):
        raise ValueError(
            f"{given['value'].size(1)} values for {given['key'].size(1)} keys; "
            "expected one for each"
        )


def check_width(name: str, x: Any, weight: Tensor) -> None:
    """Refuse vectors whose width, type or device differs from that of a weight's last axis."""
    whole = isinstance(x, Tensor) and x.dim() and x.is_floating_point()
    if not whole or x.size(-1) != weight.size(-1):
        width = weight.size(-1)
        raise ValueError(
            f"{name} is {described(x)}; expected floating-point numbers, (..., {width})"
        )
    if x.dtype != weight.dtype or x.device != weight.device:
        _check_alike(name, x, "the weights", weight)


def check_places(x: Any, encoding: Tensor) -> None:
    """Refuse vectors to which positions cannot be added, or too many of them."""
    max_length, d_model = encoding.shape
    check_vectors(d_model, like=encoding, x=x)
    if x.size(1) > max_length:
        raise ValueError(
            f"x has {x.size(1)} positions, more than max_length={max_length}: "
            "shorten it, or make a table for more"
        )


def check_memory(memory: Any, source: Any, target: Any, d_model: int) -> None:
    """Refuse a memory of another source, or another number of targets."""
    if not isinstance(source, Tensor) or source.dim() != 2:
        raise ValueError(f"the source is {described(source)}; expected ids, (batch, length)")
    if not isinstance(memory, Tensor) or memory.dim() != 3:
        raise ValueError(f"the memory is {described(memory)}; expected (batch, length, {d_model})")
    targets, sources = target.size(0), memory.size(0)
    if targets != sources:
        raise ValueError(f"{targets} targets for {sources} sources; expected as many")
    for name, ids in (("target", target), ("source", source)):
        check_device(f"the {name}", ids, "the memory", memory)
    if (*source.shape, d_model) != tuple(memory.shape):
        raise ValueError(
            f"a memory of shape {tuple(memory.shape)} for a source of shape "
            f"{tuple(source.shape)}; expected {(*source.shape, d_model)}: encode this source"
        )


def check_targets(target: Any, rows: Any, what: str) -> None:
    """Refuse targets other than one whole number for each row, which flat would meet another."""
    whole = isinstance(target, Tensor) and target.dtype in WHOLE
    if not whole or not isinstance(rows, Tensor) or target.shape != rows.shape[:-1]:
        raise ValueError(
            f"the target is {described(target)}, the {what} are {described(rows)}; expected a "
            "whole number for each row, (batch, length)"
        )


def check_device(name: str, x: Tensor, other_name: str, other: Tensor) -> None:
    """Refuse another device; PyTorch would read memory that is not there of one on "meta"."""
    if x.device != other.device:
        raise ValueError(
            f"{name} is on {x.device}, {other_name} on {other.device}: move one with .to()"
        )


def known_device(device: Any) -> torch.device:
    """Return the device of a name or number. Raises ValueError if there is none here."""
    try:
        known = torch.device(device)
    except (RuntimeError, TypeError) as error:
        raise ValueError(f"device {shown(device)} is unknown; expected cpu, or cuda") from error
    if known.type == "cuda" and (known.index or 0) >= (count := torch.cuda.device_count()):
        raise ValueError(f"device {shown(device)}: PyTorch finds {count} GPUs here; expected cpu")
    if known.type not in ("cpu", "cuda", "meta"):
        try:
            torch.empty(0, device=known)
        except (RuntimeError, AssertionError, ImportError) as error:
            raise ValueError(
                f"device {shown(device)}: PyTorch has none such here; expected cpu, or cuda"
            ) from error
    return known


def check_dense(name: str, x: Tensor) -> None:
    """Refuse sparse and nested tensors, whose rows have no common length."""
    if x.layout != torch.strided or x.is_nested:
        kind = "nested" if x.is_nested else "sparse"
        raise ValueError(f"{name} is a {kind} tensor; pad the rows to one length in a dense one")


def check_alike(name: str, x: Tensor, weight: Tensor) -> None:
    """Refuse another type or device than that of the weights, and a tensor that is not dense."""
    check_dense(name, x)
    _check_alike(name, x, "the weights", weight)


def _check_alike(name: str, x: Any, other_name: str, other: Any) -> None:
    """Refuse another type or device; under autocast, types are converted anyway."""
    check_device(name, x, other_name, other)
    if x.dtype != other.dtype and not torch.is_autocast_enabled(x.device.type):
        raise ValueError(
            f"{name} has dtype {x.dtype}, {other_name} {other.dtype}: convert one with .to()"
        )


def described(x: Any) -> str:
    """Return how a message names what should have been another tensor."""
    if not isinstance(x, Tensor):
        return f"of type {type(x).__name__}"
    return f"of shape {tuple(x.shape)} and dtype {x.dtype}"


def is_transformed(x: Tensor) -> bool:
    """Return whether `torch.func` works on it: several examples at once, or a derivative."""
    if torch.compiler.is_compiling():  # it could not trace the question
        return False
    return torch._C._functorch.is_functorch_wrapped_tensor(x)


def is_traced(x: Tensor) -> bool:
    """Return whether there are no values yet (`torch.compile`, `torch.export`), or several."""
    return (
        torch.compiler.is_compiling() or type(x) not in (Tensor, nn.Parameter) or is_transformed(x)
    )


def can_look(x: Tensor) -> bool:
    """Return whether values may be looked at: not on a GPU, for which we would have to wait."""
    return not is_traced(x) and x.device.type == "cpu"
