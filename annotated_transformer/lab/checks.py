"""What the doors of the laboratory alone refuse, beside what `checks` has for all."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from annotated_transformer.checks import is_number, plain, shown
from annotated_transformer.checks.tensors import (
    check_alike,
    check_dense,
    check_device,
    check_ids,
    described,
    is_traced,
)


def check_list(name: str, value: object) -> None:
    """Refuse a single string where a list is expected: Python would take its letters."""
    if isinstance(value, str | bytes):
        raise ValueError(f"{name}={value!r} is one string; expected a list of strings: [{value!r}]")


def check_same_shape(name: str, x: Any, other_name: str, other: Any) -> None:
    """Refuse different shapes, which would only broadcast."""
    if x.shape != other.shape:
        raise ValueError(
            f"{name} have shape {tuple(x.shape)}, {other_name} {tuple(other.shape)}; "
            "expected the same"
        )


def has_values(x: Any) -> bool:
    """Return whether the numbers of a tensor can be looked at: they are not traced or on "meta"."""
    return not (is_traced(x) or x.is_meta)


def check_learned(name: str, ids: Any, config: Any, padding: int) -> None:
    """Refuse texts that have no token after the first: the mean of no losses is no number."""
    check_ids(name.removesuffix("s"), ids, config.vocab_size, config.max_length + 1)
    check_answers(f"the tensor of {name}", ids, ids.shape, ids)
    if has_values(ids) and not bool((ids[:, 1:] != padding).any()):
        raise ValueError(
            f"{name} of shape {tuple(ids.shape)} have nothing to learn: each has to "
            "begin with the token that starts a text, and go on"
        )


def check_gaps(ids: Any, original: Any, chosen: Any, vocab_size: int, max_length: int) -> None:
    """Refuse a text without gaps that is none of this text with gaps.

    The text or the places that are asked for have another shape, type or device, an id
    that is asked for is no token, or no place is asked for.
    """
    check_ids("text", ids, vocab_size, max_length)
    check_answers("the original text", original, ids.shape, ids)
    check_marks("chosen", chosen, ids.shape, ids)
    check_ids("original text", original, vocab_size, max_length)
    if has_values(chosen) and not bool(chosen.any()):
        raise ValueError("no place is chosen, so that there is nothing to learn")


def check_pictures(images: Any, n_channels: Any, like: Any = None) -> None:
    """Refuse anything but a batch of images, of the type and the device of `like`, a weight."""
    fits = isinstance(images, Tensor) and images.dim() == 4 and len(images)
    if not fits or images.size(1) != n_channels or not images.is_floating_point():
        what = f"are {described(images)}"
        if isinstance(images, Tensor):
            what = f"have shape {tuple(images.shape)} and dtype {images.dtype}"
        raise ValueError(
            f"images {what}; expected floating point, (batch, {n_channels}, height, width), "
            "one image or more; a single image is images[None]"
        )
    check_dense("the images", images)
    height, width = images.shape[2:]
    if not height or not width:
        raise ValueError(f"images of {height} x {width} pixels show nothing; expected one or more")
    if like is not None:
        check_alike("the images", images, like)


def check_answers(
    name: str,
    x: Any,
    shape: Sequence[int],
    beside: Tensor,
    dtypes: Sequence[torch.dtype] = (torch.int64,),
) -> None:
    """Refuse anything but whole numbers of this shape, and those on another device.

    Bytes are refused, too: as an index, PyTorch takes them for a mask.
    """
    if not isinstance(x, Tensor) or x.dtype not in dtypes or x.shape != torch.Size(shape):
        raise ValueError(
            f"{name} is {described(x)}; expected whole numbers of {dtypes[0]}, {tuple(shape)}: "
            "x.long() converts them"
        )
    check_dense(name, x)
    check_device(name, x, "what it belongs to", beside)


def check_marks(name: str, x: Any, shape: Sequence[int], beside: Tensor) -> None:
    """Refuse anything but True or False for each place of this shape, on the same device."""
    if not isinstance(x, Tensor) or x.dtype != torch.bool or x.shape != torch.Size(shape):
        raise ValueError(
            f"{name} is {described(x)}; expected True or False (torch.bool), {tuple(shape)}"
        )
    check_dense(name, x)
    check_device(name, x, "what it belongs to", beside)


def check_share(name: str, value: Any) -> float:
    """Refuse anything but a number from 0 to 1."""
    if not is_number(name, value) or not 0 <= value <= 1:
        raise ValueError(f"{name}={shown(value)} must be a number from 0 to 1")
    return plain(value)


def check_same_length(query: Any, key: Any) -> None:
    """Refuse queries and keys of texts with different lengths."""
    if query.size(-2) != key.size(-2):
        raise ValueError(
            f"{query.size(-2)} queries and {key.size(-2)} keys: each looks back in its "
            "own text; expected as many"
        )


def check_heads(*heads: Any) -> None:
    """Refuse tensors other than (batch, heads, length, width), or of different batches."""
    for x in heads:
        if not isinstance(x, Tensor) or x.dim() != 4 or len(x) != len(heads[0]):
            raise ValueError(
                f"heads are {described(x)}, the first {described(heads[0])}; "
                "expected (batch, heads, length, width) of one batch"
            )


def check_not_traced(x: Tensor, why: str) -> None:
    """Refuse to become a graph where shapes or branches depend on values."""
    if is_traced(x):
        raise ValueError(
            f"{why}: torch.compile, torch.export and torch.func.vmap cannot do that; "
            "call the model itself"
        )
