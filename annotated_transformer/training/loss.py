"""Cross-entropy with label smoothing (section 5.4).

The paper cites Szegedy et al. (2016) for the idea: the true token keeps the
probability 1 - epsilon, and epsilon is spread evenly over *all* `vocab` tokens,
the true one included. That is what this file does, and what PyTorch does. The
authors' own program (tensor2tensor) spreads epsilon over the `vocab - 1` wrong
tokens only; its epsilon is ours times (vocab - 1) / vocab, a difference of
0.000003 at epsilon 0.1 and 37,000 tokens.

One formula, three forms of it: `label_smoothing_loss_explicit` is the oracle,
`label_smoothing_loss` is the same by PyTorch's function, and `projected_loss`
in `fast/projected_loss.py`, which the training step takes, never holds all the logits.
"""

import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks import (
    check_count,
    check_id,
    check_probability,
    check_sizes,
)
from annotated_transformer.checks.tensors import check_targets
from annotated_transformer.fast.precision import float16_in_float32
from annotated_transformer.tokenizer import PAD_ID


def smoothed_targets(
    target: Int[Tensor, "*positions"], vocab_size: int, smoothing: float
) -> Float[Tensor, "*positions vocab"]:
    """Return the distribution that label smoothing asks the model to predict.

    (1 - smoothing) on the true token plus smoothing / vocab_size on every
    token.

    Raises `ValueError` for a smoothing outside [0, 1) and for no vocabulary.
    """
    check_sizes(vocab_size=vocab_size)
    smoothing = check_probability("smoothing", smoothing)
    one_hot = F.one_hot(target, vocab_size).to(torch.float64)
    return (1 - smoothing) * one_hot + smoothing / vocab_size


@float16_in_float32
def label_smoothing_loss_explicit(
    logits: Float[Tensor, "batch target vocab"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float = 0.1,
    padding_id: int = PAD_ID,
) -> Float[Tensor, ""]:
    """Compute the loss by its formula: the oracle of `label_smoothing_loss`.

    The sum over the vocabulary of -q log p, averaged over the positions that
    are not padding.
    """
    wanted = smoothed_targets(target, logits.size(-1), smoothing).to(
        logits.dtype
    )
    per_position = -(wanted * logits.log_softmax(dim=-1)).sum(dim=-1)
    return per_position[target != padding_id].mean()


@float16_in_float32
def label_smoothing_loss(
    logits: Float[Tensor, "batch target vocab"],
    target: Int[Tensor, "batch target"],
    *,
    smoothing: float = 0.1,
    padding_id: int = PAD_ID,
    n_tokens: int | None = None,
) -> Float[Tensor, ""]:
    """Return the cross-entropy against smoothed targets, in nats per token (5.4).

    Padding counts neither in the sum nor in the division. `n_tokens` is the
    number to divide by where this batch is only a part of what one update sees;
    by default its own target tokens.

    Raises `ValueError` for a smoothing outside [0, 1), for a target of padding
    alone and for one that has not a whole number for each position.
    """
    smoothing = check_probability("smoothing", smoothing)
    padding_id = check_id("padding_id", padding_id)
    check_targets(target, logits, "logits")
    if n_tokens is None:
        n_tokens = int((target != padding_id).sum())
    n_tokens = check_count("n_tokens", n_tokens, least=0)
    if not n_tokens:
        raise ValueError(
            f"the target has no token but padding (id {padding_id}): nothing to learn"
        )
    total = F.cross_entropy(
        logits.flatten(0, 1),
        target.flatten(),
        label_smoothing=smoothing,
        ignore_index=padding_id,
        reduction="sum",
    )
    return total / n_tokens
