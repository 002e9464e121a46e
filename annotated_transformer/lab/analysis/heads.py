"""One head at a time: the formula as a loop, what each head adds, and the model without it.

Paper: section 3.2.2. Chapter: *Multi-head attention*. The model itself computes
all heads at once (`attention.py`). A smaller model without some heads is made
by `pruning.py`.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention, attention


class HeadMatrices(NamedTuple):
    """The paper's matrices, one of each per head; they multiply row vectors from the right."""

    query: Float[Tensor, "heads d_model d_k"]
    """W_i^Q of each head i."""
    key: Float[Tensor, "heads d_model d_k"]
    """W_i^K of each head i."""
    value: Float[Tensor, "heads d_model d_v"]
    """W_i^V of each head i."""
    output: Float[Tensor, "heads d_v d_model"]
    """The rows of W^O that belong to head i."""


def head_matrices(module: MultiHeadAttention) -> HeadMatrices:
    """Split the four matrices of a module into W_i^Q, W_i^K, W_i^V and W_i^O of each head."""
    n_heads = module.n_heads
    return HeadMatrices(
        query=torch.stack(module.w_query.weight.T.chunk(n_heads, dim=1)),
        key=torch.stack(module.w_key.weight.T.chunk(n_heads, dim=1)),
        value=torch.stack(module.w_value.weight.T.chunk(n_heads, dim=1)),
        output=torch.stack(module.w_output.weight.T.chunk(n_heads)),
    )


def loop_over_heads(
    query: Float[Tensor, "*batch query d_model"],
    key: Float[Tensor, "*batch key d_model"],
    value: Float[Tensor, "*batch key d_model"],
    matrices: HeadMatrices,
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "*batch query d_model"]:
    """Return Concat(head_1, ..., head_h) W^O, one head after the other.

    Here head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V).

    Raises:
        ValueError: the mask is not boolean or does not broadcast to (...,
            query, key); or the matrices do not fit each other or the vectors.

    Source: section 3.2.2.
    """
    _check_fit(query, key, value, matrices)
    heads = []
    for w_query, w_key, w_value in zip(*matrices[:3], strict=True):
        head, _ = attention(query @ w_query, key @ w_key, value @ w_value, mask)
        heads.append(head)
    return torch.cat(heads, dim=-1) @ matrices.output.flatten(0, 1)


def head_contributions(
    query: Float[Tensor, "*batch query d_model"],
    key: Float[Tensor, "*batch key d_model"],
    value: Float[Tensor, "*batch key d_model"],
    matrices: HeadMatrices,
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "heads *batch query d_model"]:
    """Return what each head adds to the output, head_i W_i^O; their sum is the output.

    Raises:
        ValueError: as `loop_over_heads` does.
    """
    _check_fit(query, key, value, matrices)
    added = []
    for w_query, w_key, w_value, w_output in zip(*matrices, strict=True):
        head, _ = attention(query @ w_query, key @ w_key, value @ w_value, mask)
        added.append(head @ w_output)
    return torch.stack(added)


def _check_fit(
    query: Tensor, key: Tensor, value: Tensor, matrices: HeadMatrices
) -> None:
    """Raise a `ValueError` unless the matrices fit each other and the vectors."""
    shapes = {
        name: tuple(matrix.shape) for name, matrix in matrices._asdict().items()
    }
    if any(len(shape) != 3 for shape in shapes.values()):
        raise ValueError(
            f"expected one matrix per head, (heads, rows, columns); found {shapes}"
        )
    n_heads = {shape[0] for shape in shapes.values()}
    if len(n_heads) > 1 or n_heads == {0}:
        raise ValueError(
            f"expected a matrix of each kind for each head; found {shapes}"
        )
    if (
        shapes["query"][2] != shapes["key"][2]
        or shapes["value"][2] != shapes["output"][1]
    ):
        raise ValueError(
            f"expected d_k in query and key, d_v in value and output; found {shapes}"
        )
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.size(-1) != shapes[name][1]:
            raise ValueError(
                f"{name}: vectors of width {x.size(-1)}, matrices {shapes[name]}"
            )
    if key.size(-2) != value.size(-2):
        raise ValueError(
            f"{value.size(-2)} values for {key.size(-2)} keys; expected one for each"
        )


def attentions_of(model: nn.Module) -> dict[str, MultiHeadAttention]:
    """Return every multi-head attention of a model by name, in its order."""
    return {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    }


def attention_named(model: nn.Module, name: str) -> MultiHeadAttention:
    """Return the multi-head attention of this name.

    Raises:
        ValueError: the model has no such attention; the message lists those it
        has.
    """
    attentions = attentions_of(model)
    if name not in attentions:
        names = ", ".join(attentions) or "none"
        raise ValueError(f"no attention is called {name!r}; there are {names}")
    return attentions[name]


@contextlib.contextmanager
def without_heads(
    model: nn.Module, removed: Mapping[str, Sequence[int]]
) -> Iterator[None]:
    """Remove heads while the block runs: their rows of W^O are zero, so they add nothing.

    Args:
        model: any model with multi-head attentions.
        removed: the heads, counted from 0, by the name of their attention, for
            instance {"decoder.layers.0.cross_attention": [2]}.

    Raises:
        ValueError: no attention of that name, no such head, or heads that are
        not a list.
    """
    attentions = attentions_of(model)
    check_removed(model, removed)
    weights = {name: attentions[name].w_output.weight for name in removed}
    saved = {name: weight.detach().clone() for name, weight in weights.items()}
    try:
        for name, heads in removed.items():
            parts = (
                weights[name].detach().chunk(attentions[name].n_heads, dim=1)
            )
            for head in heads:
                parts[head].zero_()
        yield
    finally:
        for name, weight in weights.items():
            weight.detach().copy_(saved[name])


def check_removed(
    model: nn.Module, removed: Mapping[str, Sequence[int]]
) -> None:
    """Raise a `ValueError` unless the model has these attentions and heads."""
    if not isinstance(removed, Mapping):
        raise ValueError(
            f"{removed!r}: expected heads by the name of their attention, a mapping"
        )
    for name, heads in removed.items():
        last = attention_named(model, name).n_heads - 1
        if not isinstance(heads, Sequence) or isinstance(heads, str):
            raise ValueError(
                f"{name}: {heads!r} is no list of heads; expected for instance [0]"
            )
        for head in heads:
            if not isinstance(head, int) or not 0 <= head <= last:
                raise ValueError(
                    f"{name} has no head {head!r}; expected 0 to {last}"
                )
