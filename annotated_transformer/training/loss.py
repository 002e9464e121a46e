"""Cross-entropy with label smoothing (section 5.4).

The paper cites Szegedy et al. (2016) for the idea: the true token keeps the probability
1 - epsilon, and epsilon is spread evenly over *all* ``vocab`` tokens, the true one included.
That is what this file does, and what PyTorch does. The authors' own program (tensor2tensor)
spreads epsilon over the ``vocab - 1`` wrong tokens only; its epsilon is ours times
(vocab - 1) / vocab, a difference of 0.000003 at epsilon 0.1 and 37,000 tokens.

One formula, three forms of it: `label_smoothing_loss_explicit` is the oracle,
`label_smoothing_loss` takes logits, and `projected_loss`, which the training step takes, never
holds all the logits.
"""

from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional

from annotated_transformer.tokenizer import PAD_ID


def smoothed_targets(
    target: Int[Tensor, "*positions"], vocab_size: int, smoothing: float
) -> Float[Tensor, "*positions vocab"]:
    """The distribution that label smoothing asks the model to predict.

    (1 - smoothing) on the true token plus smoothing / vocab_size on every token.
    """
    one_hot = functional.one_hot(target, vocab_size).to(torch.float64)
    return (1 - smoothing) * one_hot + smoothing / vocab_size


def label_smoothing_loss_explicit(
    logits: Float[Tensor, "batch target vocab"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float = 0.1,
    padding_id: int = PAD_ID,
) -> Float[Tensor, ""]:
    """Return the loss as the formula has it: the oracle for :func:`label_smoothing_loss`.

    The sum over the vocabulary of -q log p, averaged over the positions that are not padding.
    """
    wanted = smoothed_targets(target, logits.size(-1), smoothing).to(
        logits.dtype
    )
    per_position = -(wanted * logits.log_softmax(dim=-1)).sum(dim=-1)
    return per_position[target != padding_id].mean()


def label_smoothing_loss(
    logits: Float[Tensor, "batch target vocab"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float = 0.1,
    padding_id: int = PAD_ID,
    n_tokens: int | None = None,
) -> Float[Tensor, ""]:
    """Cross-entropy against smoothed targets, in nats per target token (section 5.4).

    Padding counts neither in the sum nor in the division. ``n_tokens`` is the number to divide
    by where this batch is only a part of what one update sees; by default its own target tokens.

    Raises ``ValueError`` for a smoothing outside [0, 1) and for a target of padding alone.
    """
    n_tokens = _checked_divisor(target, smoothing, padding_id, n_tokens)
    total = functional.cross_entropy(
        logits.flatten(0, 1),
        target.flatten(),
        label_smoothing=smoothing,
        ignore_index=padding_id,
        reduction="sum",
    )
    return total / n_tokens


def _checked_divisor(
    target: Tensor, smoothing: float, padding_id: int, n_tokens: int | None
) -> int:
    """The number of tokens to divide a sum of losses by, once its arguments are found valid."""
    if not 0 <= smoothing < 1:
        raise ValueError(
            f"label smoothing must be at least 0 and below 1, not {smoothing}"
        )
    if n_tokens is None:
        n_tokens = int((target != padding_id).sum())
    if n_tokens < 1:
        raise ValueError(
            f"the target has no token but padding (id {padding_id}): nothing to learn"
        )
    return n_tokens


CHUNK = 1024
"""Positions whose logits exist at a time."""


def projected_loss(
    hidden: Float[Tensor, "batch target d_model"],
    weight: Float[Tensor, "vocab d_model"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float = 0.1,
    padding_id: int = PAD_ID,
    n_tokens: int | None = None,
) -> Float[Tensor, ""]:
    """`label_smoothing_loss` of the logits ``hidden @ weight.T``, which never exist all at once.

    Padding is not projected. The other positions go through the projection in chunks, and each
    chunk leaves its gradient behind as it passes, so that its logits can be forgotten: at 4,096
    tokens and a vocabulary of 8,000 they would take 125 MiB, and their gradient as much again.
    The uniform part of the targets needs no logits: their sum over the vocabulary is the product
    of ``hidden`` with the sum of all rows of ``weight``.

    Under autocast logits and softmax are in its type; what is summed is in that of ``weight``. A
    true token whose probability is too small for the number format counts as the smallest there
    is: its loss is then 87 nats, in float64 708; its gradient is exact all the same.

    Raises ``ValueError`` as :func:`label_smoothing_loss` does.
    """
    n_tokens = _checked_divisor(target, smoothing, padding_id, n_tokens)
    real = target != padding_id
    x = hidden[real]
    total: Tensor = _SummedLoss.apply(  # type: ignore[no-untyped-call]
        x, weight, target[real], 1 - smoothing
    )
    if smoothing:
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
