"""The label-smoothed loss together with the projection onto the vocabulary, in chunks.

It equals `label_smoothing_loss` of the logits (training/loss.py). At 4,096
tokens and a vocabulary of 8,000 the logits would take 125 MiB, and their
gradient as much again.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.tokenizer import PAD_ID

CHUNK = 1024
"""Positions whose logits exist at a time."""


def projected_loss(
    hidden: Float[Tensor, "batch target d_model"],
    weight: Float[Tensor, "vocab d_model"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float,
    n_tokens: int,
    padding_id: int = PAD_ID,
) -> Float[Tensor, ""]:
    """Cross-entropy with label smoothing of the logits `hidden @ weight.T`, in nats per token.

    The logits never exist all at once. Padding is not projected; the other
    positions go through the projection in chunks, and each chunk leaves its
    gradient behind as it passes, so that its logits can be forgotten.
    `n_tokens` is what the sum over this batch is divided by: the target tokens
    of the update.

    Under autocast logits and softmax are in its type; what is summed is in that
    of `weight`. A true token whose probability is too small for the number
    format counts as the smallest there is: its loss is then 87 nats, in float64
    708; its gradient is exact all the same.
    """
    real = target != padding_id
    x = hidden[real]
    total: Tensor = _SummedLoss.apply(  # type: ignore[no-untyped-call]
        x, weight, target[real], 1 - smoothing
    )
    if smoothing:
        # The uniform part of the targets needs no logits: their sum over the vocabulary is this.
        sum_of_logits = x.sum(dim=0, dtype=weight.dtype).dot(weight.sum(dim=0))
        total = total - smoothing / len(weight) * sum_of_logits
    return total / n_tokens


class _SummedLoss(torch.autograd.Function):
    """The sum of log(sum exp logits) - share * true logit; forward computes the gradient too."""

    @staticmethod
    def forward(
        ctx: Any, hidden: Tensor, weight: Tensor, target: Tensor, share: float
    ) -> Tensor:
        device = hidden.device.type
        autocast = torch.is_autocast_enabled(device)
        dtype = torch.get_autocast_dtype(device) if autocast else weight.dtype
        d_hidden, d_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        total, projection = weight.new_zeros(()), weight.to(dtype)
        smallest = torch.finfo(weight.dtype).tiny
        with torch.autocast(device, enabled=False):
            chunks = (
                tensor.split(CHUNK)
                for tensor in (hidden.to(dtype), target, d_hidden)
            )
            for x, true, d_x in zip(*chunks, strict=True):
                logits = x @ projection.T
                p = logits.softmax(dim=-1)
                at_true = torch.arange(len(true), device=true.device), true
                z, p_true = logits[at_true], p[at_true]
                # log sum exp = logit - log p, here of the true token.
                log_p = p_true.to(weight.dtype).clamp_min(smallest).log()
                total += ((1 - share) * z.to(weight.dtype) - log_p).sum()
                # From here on p is the gradient. (scatter_add_ would copy all of it in bfloat16.)
                p[at_true] = p_true - share
                d_x.copy_(p @ projection)
                d_weight += p.T @ x
        ctx.save_for_backward(d_hidden, d_weight)
        return total

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor, Tensor, None, None]:
        d_hidden, d_weight = ctx.saved_tensors
        return d_hidden * scale, d_weight * scale, None, None
