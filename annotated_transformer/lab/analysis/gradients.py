"""How much gradient arrives where, before anything is learned.

Chapters: *Attention* (scores and queries of one attention, with and without the
division by sqrt(d_k)) and *The whole model* (the layers of both norm orders).
"""

import math

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.config import TransformerConfig
from annotated_transformer.transformer import Transformer


def score_gradients(
    d_k: int, *, scaled: bool, queries: int = 1000, keys: int = 16
) -> tuple[Float[Tensor, " queries"], Float[Tensor, " queries"]]:
    """Send a random gradient to the weights of random queries and keys.

    Returns the norm of what reaches each row of scores, and of what reaches
    each query. All is drawn with `d_k` as the seed.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(d_k)
        query = torch.randn(queries, 1, d_k, requires_grad=True)
        key = torch.randn(queries, keys, d_k)
        scores = query @ key.mT / (math.sqrt(d_k) if scaled else 1)
        scores.retain_grad()
        scores.softmax(-1).backward(torch.randn(scores.shape))
    assert scores.grad is not None
    assert query.grad is not None
    return scores.grad.norm(dim=-1)[:, 0], query.grad.norm(dim=-1)[:, 0]


def feed_forward_gradients(
    config: TransformerConfig, seed: int, *, silenced: bool = False
) -> Float[Tensor, "2 n_layers"]:
    """Return the gradient norm of W2 in every layer of a new model, encoder above decoder.

    The loss is that of 16 sentences of 12 random tokens. `silenced` begins with
    attention to the memory that adds nothing.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(config)
        source, target = torch.randint(4, config.vocab_size, (2, 16, 12))
    parameters = dict(model.named_parameters())
    for name, weight in parameters.items():
        if silenced and name.endswith("cross_attention.w_output.weight"):
            torch.nn.init.zeros_(weight)
    logits = model(source, target[:, :-1])
    F.cross_entropy(logits.flatten(0, 1), target[:, 1:].flatten()).backward()
    norms = [
        weight.grad.norm()
        for name, weight in parameters.items()
        if name.endswith("feed_forward.outer.weight")
        if weight.grad is not None
    ]
    return torch.stack(norms).unflatten(0, (2, config.n_layers))
