"""The parts of T5 that are new, each in the place of one of the paper's.

Chapter: *Text to text*.
"""

import math
from typing import TypeVar

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_factor, check_sizes
from annotated_transformer.checks.tensors import check_width
from annotated_transformer.config import Activation, TransformerConfig
from annotated_transformer.fast.linear import Linear, initialise
from annotated_transformer.layers import FeedForward, LayerNorm

S = TypeVar("S", bound=nn.Module)


class RMSNorm(nn.Module):
    """x / sqrt(mean of x^2 + epsilon) * gain: LayerNorm without mean and bias.

    Source: Zhang and Sennrich 2019, equation 4.
    """

    def __init__(self, d_model: int, epsilon: float) -> None:
        super().__init__()
        check_sizes(d_model=d_model)
        self.epsilon = check_factor("epsilon", epsilon)
        self.gain = nn.Parameter(torch.ones(d_model))

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Divide each vector by its root mean square."""
        check_width("x", x, self.gain)
        return torch.rms_norm(x, self.gain.shape, self.gain, self.epsilon)


class UndividedAttention(MultiHeadAttention):
    """Attention whose scores are not divided by sqrt(d_k); the first weights are instead."""

    def initialise(self, gain: float = 1.0) -> None:
        """Draw queries that are sqrt(d_k) times smaller."""
        super().initialise(gain)
        d_k = self.w_query.out_features // self.n_heads
        initialise(self.w_query, d_k**-0.5)

    def relate(
        self, query: Tensor, key: Tensor, attn_bias: Tensor | None
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Undo the division that follows."""
        return query * math.sqrt(query.size(-1)), key, attn_bias


class GatedFeedForward(FeedForward):
    """(activate(x W1) * x V) W2: a second product says how much passes.

    Source: Shazeer 2020, equation 6 (GEGLU).
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: Activation = "gelu_tanh",
        *,
        bias: bool = False,
    ) -> None:
        super().__init__(d_model, d_ff, activation, bias=bias)
        self.gate = Linear(d_model, d_ff, bias)

    def initialise(self, gain: float = 1.0) -> None:
        """Draw the three matrices as the other two."""
        super().initialise(gain)
        initialise(self.gate, gain)

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Widen twice, multiply, narrow."""
        return self.outer(self.activate(self.inner(x)) * self.gate(x))


def in_form_of_t5(stack: S, config: TransformerConfig, *, gated: bool) -> S:
    """Put T5's parts into an encoder or decoder in place of the paper's."""
    width = config.d_model
    heads = config.n_heads, config.d_k, config.d_v
    for module in list(stack.modules()):
        for name, part in list(module.named_children()):
            if isinstance(part, LayerNorm):
                new: nn.Module = RMSNorm(width, config.epsilon)
            elif isinstance(part, MultiHeadAttention):
                new = UndividedAttention(width, *heads)
            elif isinstance(part, FeedForward) and gated:
                new = GatedFeedForward(width, config.d_ff, config.activation)
            else:
                continue
            setattr(module, name, new)
    return stack
