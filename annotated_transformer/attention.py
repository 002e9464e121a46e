"""Scaled dot-product attention, multi-head attention, and a recorder for their weights.

Paper: sections 3.2.1 and 3.2.2. Chapter: *Attention*. `attention` is the formula, in any dtype and
with nothing hidden; `MultiHeadAttention` takes the fastest way there is, and the tests hold the two
together. Left out: a bias in the projections (the paper's formulas have none) and dropout on the
weights (section 5.4 does not name it).
"""

import contextlib
import math
from collections.abc import Iterator
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn import (
    functional as F,  # the name PyTorch's own documentation uses
)

from annotated_transformer.config import check_positive
from annotated_transformer.layers import Linear, check_width
from annotated_transformer.masks import check_mask


def attention_weights(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> Float[Tensor, "*batch query key"]:
    """softmax(Q K^T / sqrt(d_k)): how much each query takes from each key.

    Each row sums to 1, except that a row whose mask allows no key is all zeros.

    Raises:
        ValueError: queries and keys differ in width, or the mask is not boolean or does not
            broadcast to (..., query, key).

    Source: equation 1.
    """
    check_pairs(query, key)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.size(-1))
    if mask is None:
        return scores.softmax(dim=-1)
    check_mask(mask, tuple(scores.shape))
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    # softmax makes NaN of a row of -inf; a query with nothing to attend to takes nothing.
    return weights.masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def attention(
    query: Float[Tensor, "*batch query d_k"],
    key: Float[Tensor, "*batch key d_k"],
    value: Float[Tensor, "*batch key d_v"],
    mask: Bool[Tensor, "*#batch #query #key"] | None = None,
) -> tuple[
    Float[Tensor, "*batch query d_v"], Float[Tensor, "*batch query key"]
]:
    """Scaled dot-product attention, written as the formula: (output, weights).

    Raises:
        ValueError: queries and keys differ in width, there is not one value for each key, or the
            mask is not boolean or does not broadcast to (..., query, key).

    Source: equation 1.
    """
    check_pairs(query, key, value)
    weights = attention_weights(query, key, mask)
    return weights @ value, weights


def check_pairs(
    query: Tensor, key: Tensor, value: Tensor | None = None
) -> None:
    """Refuse queries and keys of different widths, and values that are not one for each key."""
    if query.size(-1) != key.size(-1):
        raise ValueError(
            f"the queries have width {query.size(-1)}, the keys {key.size(-1)}; expected the same"
        )
    if value is not None and value.size(-2) != key.size(-2):
        raise ValueError(
            f"{value.size(-2)} values for {key.size(-2)} keys; expected one for each"
        )


def fast_attention(
    query: Float[Tensor, "batch heads query d_k"],
    key: Float[Tensor, "batch heads key d_k"],
    value: Float[Tensor, "batch heads key d_v"],
    mask: Bool[Tensor, "*#heads #query #key"] | None = None,
) -> Float[Tensor, "batch heads query d_v"]:
    """The output of `attention`, by PyTorch's fused kernel where that is faster.

    The kernel never forms the weights. But its backward pass in bfloat16 on a CPU is slower than
    the formula where sentences are short; where they are long, the weights would fill the memory.

    Raises:
        ValueError: queries and keys differ in width, or there is not one value for each key.
    """
    check_pairs(query, key, value)  # the kernel would read past the end
    slow_backward = query.requires_grad and query.dtype == torch.bfloat16
    if slow_backward and query.device.type == "cpu" and key.size(-2) <= 256:
        # Each head by itself in memory, copied once and not again for each product.
        return attention(
            query.contiguous(), key.contiguous(), value.contiguous(), mask
        )[0]
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask)


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each in its own learned subspace.

    Args:
        d_model: width of the inputs and of the output.
        n_heads: number of heads.
        d_k: width of one head's queries and keys; d_model / n_heads if not given.
        d_v: width of one head's values; d_model / n_heads if not given.

    Raises:
        ValueError: a size is not a positive integer; or a width is left open and d_model is not
            divisible by n_heads; from `forward`, if the vectors have another width.

    Source: section 3.2.2.
    """

    def __init__(
        self,
        d_model: int,
        n_heads: int,
        d_k: int | None = None,
        d_v: int | None = None,
    ) -> None:
        super().__init__()
        check_positive("d_model", d_model)
        check_positive("n_heads", n_heads)
        if d_model % n_heads and (d_k is None or d_v is None):
            raise ValueError(
                f"d_model={d_model} is not divisible by n_heads={n_heads}: "
                "choose a multiple, or give d_k and d_v"
            )
        self.n_heads = n_heads
        d_k = d_model // n_heads if d_k is None else d_k
        d_v = d_model // n_heads if d_v is None else d_v
        check_positive("d_k", d_k)
        check_positive("d_v", d_v)
        self.w_query = Linear(d_model, n_heads * d_k, bias=False)
        self.w_key = Linear(d_model, n_heads * d_k, bias=False)
        self.w_value = Linear(d_model, n_heads * d_v, bias=False)
        self.w_output = Linear(n_heads * d_v, d_model, bias=False)

    def split(
        self, x: Float[Tensor, "batch length width"]
    ) -> Float[Tensor, "batch heads length d"]:
        """Cut the width into heads and move the heads in front of the positions."""
        return x.view(*x.shape[:2], self.n_heads, -1).transpose(1, 2)

    def project_together(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> tuple[Tensor, ...]:
        """Queries, keys and values of the same vectors, in one product of matrices.

        Under autocast `x` is then converted to bfloat16 once instead of three times.
        """
        linears = (self.w_query, self.w_key, self.w_value)
        check_width(x, self.w_query.in_features)
        together = F.linear(x, torch.cat([linear.weight for linear in linears]))
        return together.split(
            [linear.out_features for linear in linears], dim=-1
        )

    def forward(
        self,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch query d_model"]:
        """Project, split, attend, concatenate, project.

        Raises:
            ValueError: the mask is not boolean or does not fit (batch, heads, query, key).
        """
        if mask is not None:
            check_mask(
                mask, (query.size(0), self.n_heads, query.size(1), key.size(1))
            )
        if query is key is value:
            projected = self.project_together(query)
        else:
            projected = (
                self.w_query(query),
                self.w_key(key),
                self.w_value(value),
            )
        q, k, v = map(self.split, projected)
        heads = self.attend(q, k, v, mask)
        return self.w_output(heads.transpose(1, 2).flatten(-2))

    def attend(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        value: Float[Tensor, "batch heads key d_v"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query d_v"]:
        """The attentions of all heads; relative.py lets positions take part in it."""
        return fast_attention(query, key, value, mask)

    def attend_weights(
        self,
        query: Float[Tensor, "batch heads query d_k"],
        key: Float[Tensor, "batch heads key d_k"],
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query key"]:
        """The weights of `attend`."""
        return attention_weights(query, key, mask)

    def weights(
        self,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"] | None = None,
        mask: Bool[Tensor, "*#heads #query #key"] | None = None,
    ) -> Float[Tensor, "batch heads query key"]:
        """The weights that `forward` uses for the same arguments; values do not enter them."""
        q, k = self.split(self.w_query(query)), self.split(self.w_key(key))
        return self.attend_weights(q, k, mask)


@contextlib.contextmanager
def record_attention(
    model: nn.Module,
) -> Iterator[dict[str, Float[Tensor, "batch heads query key"]]]:
    """Collect the weights of every attention in `model` while the block runs.

    The fused kernel never forms the weights, so they are computed a second time from the same
    inputs; the model's code and its output stay as they are. Keys are module names, such as
    "decoder.layers.0.cross_attention"; a later forward pass replaces an earlier one's weights.
    """
    record: dict[str, Tensor] = {}

    def keep(name: str) -> Any:
        def hook(
            module: MultiHeadAttention,
            args: tuple[Any, ...],
            kwargs: dict[str, Any],
            _: Tensor,
        ) -> None:
            record[name] = module.weights(*args, **kwargs).detach()

        return hook

    handles = [
        module.register_forward_hook(keep(name), with_kwargs=True)
        for name, module in model.named_modules()
        if isinstance(module, MultiHeadAttention)
    ]
    try:
        yield record
    finally:
        for handle in handles:
            handle.remove()
