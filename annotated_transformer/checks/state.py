"""What no state_dict holds: buffers that follow from sizes, and which weights are one.

PyTorch forgets both where a model gets new memory: `to_empty` after the meta device leaves
old memory in such buffers and makes two of a shared weight, `load_state_dict(assign=True)`
makes two of it as well. Here both are restored at once, so that no wrong number can come out. What
neither restores is refused when a model is to be saved.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from annotated_transformer.checks import shown


class _Unfilled(TorchFunctionMode):
    """Gives tensors of the right sizes in place of what initial weights and sinusoids need."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name, kwargs = getattr(func, "__name__", ""), kwargs or {}
        if name.endswith(("normal_", "uniform_")):
            return args[0] if args else kwargs["tensor"]
        if name == "arange" and all(type(each) is int for each in args):
            return torch.empty(len(range(*args)), **kwargs)
        if name in ("div", "__truediv__", "__rpow__", "sin", "cos"):
            return torch.broadcast_tensors(*(each for each in args if isinstance(each, Tensor)))[0]
        return func(*args, **kwargs)


@contextmanager
def without_numbers() -> Iterator[None]:
    """Make models that have sizes and no numbers: on the device "meta", which needs no memory.

    Nothing is drawn or computed: for that PyTorch would import its compiler, for ten seconds.
    """
    with torch.device("meta"), _Unfilled():
        yield


class Derived(nn.Module):
    """A module some of whose buffers are computed from its sizes, and not stored.

    A subclass says by `derived` what they are, and calls `derive` when its sizes are there.
    """

    def derived(self) -> dict[str, Tensor]:
        """Compute the buffers anew, by name."""
        raise NotImplementedError

    def derive(self) -> None:
        """Register the buffers."""
        for name, tensor in self.derived().items():
            self.register_buffer(name, tensor, persistent=False)

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Move, convert or empty all tensors, and fill the derived buffers again."""
        before = dict(self._buffers)
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        if any(before[name] is not own for name, own in self._buffers.items()):
            self._fill()
        return self

    def _fill(self) -> None:
        with torch.device("cpu"), torch.no_grad():
            for name, tensor in self.derived().items():
                own = self.get_buffer(name)
                if not own.is_meta:
                    own.copy_(tensor)

    def beside(self, weight: Tensor) -> None:
        """Bring the buffers to the device and the type of a weight."""
        for name in self.derived():
            own = self.get_buffer(name)
            dtype = weight.dtype if own.is_floating_point() else own.dtype
            if (own.device, own.dtype) != (weight.device, dtype):
                new = torch.empty_like(own, dtype=dtype, device=weight.device)
                self.register_buffer(name, new, persistent=False)
        self._fill()


class Tied(nn.Module):
    """A model whose shared weights stay one wherever its tensors go and come from."""

    def __init__(self) -> None:
        super().__init__()
        self.register_load_state_dict_post_hook(_after_loading)  # type: ignore[no-untyped-call]

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Any:
        """Move, convert or empty all tensors, and tie again the weights that were one."""
        shared = _shared(self)
        super()._apply(fn, recurse)  # type: ignore[no-untyped-call]
        _tie(self, shared)
        return self

    def _load_from_state_dict(self, state_dict: Mapping[str, Any], prefix: str, *rest: Any) -> None:
        """Refuse two values for one weight with a ValueError, before anything is loaded."""
        self._to_tie = [
            sorted(names, key=lambda name: prefix + name not in state_dict)
            for names in _shared(self)
        ]
        for names in self._to_tie:
            stored = [prefix + name for name in names if prefix + name in state_dict]
            _check_equal({name: state_dict[name] for name in stored})
        super()._load_from_state_dict(state_dict, prefix, *rest)


def _shared(model: nn.Module) -> list[list[str]]:
    """Return the names of each weight that has several."""
    names: dict[int, list[str]] = {}
    for name, weight in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(weight), []).append(name)
    return [several for several in names.values() if len(several) > 1]


def _tie(model: nn.Module, shared: list[list[str]]) -> None:
    """Let all names of a weight mean what the first means."""
    for first, *others in shared:
        weight = model.get_parameter(first)
        for name in others:
            module, _, last = name.rpartition(".")
            setattr(model.get_submodule(module), last, weight)


def _after_loading(model: nn.Module, _: Any) -> None:
    """Compute buffers and ties again: assigned tensors may have replaced those on "meta"."""
    _tie(model, model.__dict__.pop("_to_tie", []))
    weight = next(model.parameters(), torch.empty(0))
    for module in model.modules():
        if isinstance(module, Derived):
            module.beside(weight)


def _check_equal(tensors: Mapping[str, Tensor]) -> None:
    """Refuse different tensors for one weight."""
    (first, one), *others = [*tensors.items()] or [("", torch.empty(0))]
    for name, other in others:
        comparable = one.shape == other.shape and not (one.is_meta or other.is_meta)
        if comparable and not torch.equal(one, other.to(one)):
            raise ValueError(
                f"{first} and {name} differ, but are one weight of this model: choose one, or "
                "a configuration that does not share them (share_embeddings=False)"
            )


def check_loadable(own: Mapping[str, Tensor], like: Mapping[str, Tensor]) -> None:
    """Refuse to save what could not be loaded again, before a good model is replaced by it.

    `own` are the tensors to save, `like` those of a model of the same configuration.
    """
    for name in sorted(like.keys() | own.keys()):
        if not (name in own and name in like and own[name].shape == like[name].shape):
            raise ValueError(
                f"the model is not as its configuration says, and could not be loaded: {name} is "
                "missing, left over or of another shape; undo what was put into it (pruning, a "
                "parametrisation, a tie that was cut)"
            )
        if own[name].is_meta:
            raise ValueError('the model is on the device "meta", which has no numbers to save')
        if not bool(own[name].isfinite().all()):
            raise ValueError(
                f"{name} has numbers that are infinite or none (NaN): such a model is not saved"
            )


def check_model(model: Any) -> None:
    """Refuse what only holds a model, such as `nn.DataParallel` or an average of weights."""
    if not hasattr(model, "config"):
        inner = next((name for name in ("module", "model") if hasattr(model, name)), "")
        inner = inner and f"; its .{inner} is a model"
        raise ValueError(
            f"the model is of type {type(model).__name__}; expected one with a configuration, "
            f"such as a Transformer{inner}"
        )


def check_tokenizer(tokenizer: Any, vocab_size: int) -> None:
    """Raise ValueError for what is no tokenizer, or not that of a model of this vocabulary size."""
    if not hasattr(tokenizer, "check_size"):
        raise ValueError(
            f"the tokenizer is {shown(tokenizer)}; expected the Tokenizer of the model's training"
        )
    tokenizer.check_size(vocab_size)


def check_parts(model: nn.Module, like: nn.Module) -> None:
    """Refuse parts that compute otherwise than those of `like`: a file would hold tensors alone."""
    there = dict(like.named_modules())
    for name, part in model.named_modules():
        twin = there.get(name)
        # Another dropout, and a module with tensors of its own, are no matter of this.
        same = name == "" or type(part) is type(twin) or isinstance(part, nn.Dropout)
        if twin is not None and not (same and _own_methods(part) == _own_methods(twin)):
            raise ValueError(
                f"{name or 'the model'} computes otherwise than that of its configuration (a "
                f"{type(part).__name__}, perhaps with a method of its own): a file would lose "
                "that; undo it, or keep only state_dict()"
            )


def _own_methods(module: nn.Module) -> dict[str, Any]:
    return {key: x for key, x in vars(module).items() if callable(x) and key[0] != "_"}
