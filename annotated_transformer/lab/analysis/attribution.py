"""Which source tokens a written token rests on: gradients, their integral, and leaving one out.

Chapter: *Reading attention*. The methods take any function of vectors, or of which tokens are kept;
`of_embeddings` and `of_kept` make such functions of a model and one `Choice` of it. Left out:
attribution to the words of the translation that are already written.
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.masks import padding_mask
from annotated_transformer.transformer import Transformer

OfVectors = Callable[[Tensor], Tensor]
"""(batch, token, d_model) to one number for each of the batch."""
OfKept = Callable[[Tensor], Tensor]
"""Booleans (batch, token), True for visible tokens, to one number for each of the batch."""


class Choice(NamedTuple):
    """A token that a model writes: what it has read, what it has written, and the token."""

    source: tuple[int, ...]
    """The ids of the source, with EOS at the end."""
    written: tuple[int, ...]
    """The ids written before the token, BOS first."""
    token: int
    """The id of the token."""


def of_embeddings(model: Transformer, choice: Choice) -> OfVectors:
    """Return a function from embeddings of the source tokens to the choice's log-probability."""
    source = torch.tensor([choice.source])
    written = torch.tensor([choice.written])

    def log_probability(
        vectors: Float[Tensor, "batch token d_model"],
    ) -> Float[Tensor, " batch"]:
        ids = source.expand(len(vectors), -1)
        x = model.source_positions(vectors)
        mask = padding_mask(ids, model.config.padding_id)
        memory = model.encoder(x, mask)
        logits = model.decode(written.expand(len(ids), -1), memory, ids)
        return logits[:, -1].log_softmax(-1)[:, choice.token]

    return log_probability


def of_kept(model: Transformer, choice: Choice) -> OfKept:
    """Return a function from the visible source tokens to the choice's log-probability.

    The others become padding: nothing attends to them, and all others keep their positions.
    """
    source = torch.tensor([choice.source])
    written = torch.tensor([choice.written])

    def log_probability(
        kept: Bool[Tensor, "batch token"],
    ) -> Float[Tensor, " batch"]:
        ids = source.where(kept, model.config.padding_id)
        logits = model(ids, written.expand(len(ids), -1))
        return logits[:, -1].log_softmax(-1)[:, choice.token]

    return log_probability


def gradient_times_input(
    function: OfVectors, x: Float[Tensor, "token d_model"]
) -> Float[Tensor, " token"]:
    """Return each vector's part if the function were linear: gradient times it.

    Source: Shrikumar et al. 2017 discuss it.
    """
    inputs = x.detach()[None].requires_grad_()
    (gradient,) = torch.autograd.grad(function(inputs).sum(), inputs)
    return (gradient[0] * x).sum(-1).detach()


def integrated_gradients(
    function: OfVectors,
    x: Float[Tensor, "token d_model"],
    *,
    steps: int = 64,
) -> Float[Tensor, " token"]:
    """Average gradient times vector on the straight way from zero vectors to x.

    The values sum to function(x) - function(0): the integral of the gradient along the way, which
    `steps` midpoints approximate.

    Raises:
        ValueError: `steps` is below 1.

    Source: Sundararajan et al. 2017, equation 1.
    """
    if steps < 1:
        raise ValueError(f"steps={steps}: expected at least 1")
    parts = (torch.arange(steps, dtype=x.dtype) + 0.5) / steps
    inputs = (parts[:, None, None] * x.detach()).requires_grad_()
    (gradient,) = torch.autograd.grad(function(inputs).sum(), inputs)
    return (gradient.mean(0) * x).sum(-1).detach()


@torch.no_grad()
def leave_one_out(function: OfKept, n_tokens: int) -> Float[Tensor, " token"]:
    """Return what the function loses with each token by itself."""
    visible = ~torch.eye(n_tokens, dtype=torch.bool)
    whole = torch.ones(1, n_tokens, dtype=torch.bool)
    return function(whole) - function(visible)
