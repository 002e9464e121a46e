"""The label-smoothed loss together with the projection onto the vocabulary, in chunks.

It equals `label_smoothing_loss` of the logits (training/loss.py). At 4,096 tokens and a vocabulary
of 8,000 the logits would take 125 MiB, and their gradient as much again.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import check_number
from annotated_transformer.checks.tensors import can_look, check_targets, is_transformed
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
    """Compute the label-smoothed cross-entropy of `hidden @ weight.T`, in nats per token.

    The logits never exist all at once. Padding is not projected; the other positions go through the
    projection in chunks, and each chunk leaves its gradient behind as it passes, so that its logits
    can be forgotten. `n_tokens` is what the sum over this batch is divided by: the target tokens of
    the update.

    Under autocast logits and softmax are in its type; what is summed is in that of `weight`. A true
    token whose probability is too small for the number format counts as the smallest there is: its
    loss is then 87 nats, in float64 708; its gradient is exact all the same. For a gradient of the
    gradient (`create_graph=True`), and under `torch.func`, the logits exist after all.

    Raises ValueError for a smoothing outside [0, 1), no token to divide by, or a negative target.
    """
    check_number("n_tokens", n_tokens)
    check_targets(target, hidden, "vectors")
    if not n_tokens or not 0 <= smoothing < 1:
        raise ValueError(
            f"n_tokens={n_tokens}, smoothing={smoothing}: expected 1 token or more, and a "
            "smoothing of at least 0 and below 1"
        )
    if is_transformed(hidden) or is_transformed(weight):
        logits, true = (hidden @ weight.T).flatten(0, 1), target.flatten()
        total = F.cross_entropy(
            logits, true, label_smoothing=smoothing, ignore_index=padding_id, reduction="sum"
        )
        return total / n_tokens
    real = target != padding_id
    x, true = hidden[real], target[real]
    # A negative id would count from the end; one that is too large, PyTorch refuses.
    if can_look(true) and true.numel() and int(true.min()) < 0:
        raise ValueError(
            f"target id {int(true.min())} is outside the vocabulary of {len(weight)}; what is to "
            f"be left out is padding (id {padding_id})"
        )
    total = _SummedLoss.apply(x, weight, true, 1 - smoothing)  # type: ignore[no-untyped-call]
    if smoothing:
        # The uniform part of the targets needs no logits: their sum over the vocabulary is this.
        sums = (y.sum(dim=0, dtype=total.dtype) for y in (x, weight))
        total = total - smoothing / len(weight) * torch.dot(*sums)
    return (total / n_tokens).to(weight.dtype)


class _SummedLoss(torch.autograd.Function):
    """The sum of log(sum exp logits) - share * true logit; forward computes the gradient too."""

    @staticmethod
    def forward(ctx: Any, hidden: Tensor, weight: Tensor, target: Tensor, share: float) -> Tensor:
        device = hidden.device.type
        autocast = torch.is_autocast_enabled(device)
        dtype = torch.get_autocast_dtype(device) if autocast else weight.dtype
        d_hidden, d_weight = torch.empty_like(hidden), torch.zeros_like(weight)
        # float16 has neither the range for sums nor for small probabilities.
        wide = torch.promote_types(weight.dtype, torch.float32)
        total, projection = weight.new_zeros((), dtype=wide), weight.to(dtype)
        smallest = torch.finfo(wide).tiny
        with torch.autocast(device, enabled=False):
            chunks = (tensor.split(CHUNK) for tensor in (hidden.to(dtype), target, d_hidden))
            for x, true, d_x in zip(*chunks, strict=True):
                logits = x @ projection.T
                if dtype == torch.float16:
                    logits = logits.float()
                p = logits.softmax(dim=-1)
                at_true = torch.arange(len(true), device=true.device), true
                z, p_true = logits[at_true], p[at_true]
                # log sum exp = logit - log p, here of the true token.
                log_p = p_true.to(wide).clamp_min(smallest).log()
                total += ((1 - share) * z.to(wide) - log_p).sum()
                # From here on p is the gradient. (scatter_add_ would copy all of it in bfloat16.)
                p[at_true] = p_true - share
                p = p.to(dtype)
                d_x.copy_(p @ projection)
                d_weight += p.T @ x
        ctx.save_for_backward(hidden, weight, target, d_hidden, d_weight)
        ctx.share = share
        return total

    @staticmethod
    def backward(ctx: Any, scale: Tensor) -> tuple[Tensor | None, Tensor | None, None, None]:
        hidden, weight, target, d_hidden, d_weight = ctx.saved_tensors
        if not torch.is_grad_enabled():
            return d_hidden * scale, d_weight * scale, None, None
        # This gradient will have one itself: by the formula, all logits at once.
        logits = hidden.to(weight.dtype) @ weight.T
        true = logits.gather(-1, target[:, None]).sum()
        total = logits.logsumexp(dim=-1).sum() - ctx.share * true
        inputs = [x for x in (hidden, weight) if x.requires_grad]
        gradients = iter(torch.autograd.grad(total, inputs, scale, create_graph=True))
        d_x, d_w = (next(gradients) if x.requires_grad else None for x in (hidden, weight))
        return d_x, d_w, None, None
