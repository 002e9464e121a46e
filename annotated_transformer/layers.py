"""Between the attentions: embedding, LayerNorm, residual, feed-forward.

Paper: sections 3.1, 3.3, 3.4 and 5.4. Chapter: *The whole model*. Sizes are
those of a `TransformerConfig`, which has checked them. Left out: dropout inside
the feed-forward network, which the paper does not have.
"""

import math
from collections.abc import Callable, Mapping
from typing import get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import (
    Options,
    check_factor,
    check_option,
    check_probability,
    check_sizes,
)
from annotated_transformer.checks.tensors import check_lookup, check_width
from annotated_transformer.config import Activation, Norm, TransformerConfig
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.fast.linear import Linear, initialise
from annotated_transformer.fast.precision import float16_in_float32


class Embedding(nn.Module):
    """Token ids to vectors, times sqrt(d_model) unless `scaled` is False.

    Source: section 3.4.
    """

    def __init__(
        self, vocab_size: int, d_model: int, *, scaled: bool = True
    ) -> None:
        super().__init__()
        check_sizes(vocab_size=vocab_size, d_model=d_model)
        self.scale = math.sqrt(d_model) if scaled else 1.0
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        # Times sqrt(d_model), a component starts with variance 1; a sinusoid's
        # mean square is 1/2. Unscaled, at the output, logits start near 1.
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(
        self, ids: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Look up each id and scale."""
        check_lookup(ids, self.weight)
        return F.embedding(ids, self.weight) * self.scale


@float16_in_float32
def layer_norm(
    x: Float[Tensor, "*batch d_model"],
    gain: Float[Tensor, " d_model"],
    bias: Float[Tensor, " d_model"],
    epsilon: float = 1e-6,
) -> Float[Tensor, "*batch d_model"]:
    """Return gain * (x - mean) / sqrt(variance + epsilon) + bias, as the formula has it.

    Mean and (biased) variance are those of the components of each vector by
    itself.

    Source: Ba et al. 2016, equations 3 and 4; epsilon inside the root.
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - mean) / torch.sqrt(variance + epsilon) + bias


class LayerNorm(nn.Module):
    """`layer_norm` with learned gain and bias, through PyTorch's fused kernel.

    The default epsilon is that of the authors' code; the paper does not give
    one.
    """

    def __init__(self, d_model: int, epsilon: float = 1e-6) -> None:
        super().__init__()
        check_sizes(d_model=d_model)
        self.epsilon = check_factor("epsilon", epsilon)
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Normalise each vector by itself."""
        check_width("x", x, self.gain)
        return F.layer_norm(
            x, self.gain.shape, self.gain, self.bias, self.epsilon
        )


def _gelu_tanh(x: Tensor) -> Tensor:
    # By name, and no partial or lambda: a copy of a model has this one too.
    return F.gelu(x, approximate="tanh")


ACTIVATIONS: Mapping[str, Callable[[Tensor], Tensor]] = Options(
    "activation",
    {
        "relu": torch.relu,
        "gelu": F.gelu,
        "gelu_tanh": _gelu_tanh,
        "silu": F.silu,
        "none": torch.positive,  # x as it is
    },
)
"""What may stand between the two matrices of the network, by name."""


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2, at each position alike.

    Row i of `inner.weight` is what unit i looks for, column i of `outer.weight`
    what it adds. `activation` "gelu" weights each number by the normal
    distribution's probability below it, "none" leaves the numbers alone.

    Source: equation 2; GELU, SiLU: Hendrycks and Gimpel 2016.
    """

    def __init__(
        self,
        d_model: int,
        d_ff: int,
        activation: Activation = "relu",
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.inner = Linear(d_model, d_ff, bias)
        self.outer = Linear(d_ff, d_model, bias)
        self.activate = ACTIVATIONS[activation]

    def initialise(self, gain: float = 1.0) -> None:
        """Draw Glorot-uniform weights times `gain`, and no bias."""
        initialise(self.inner, gain)
        initialise(self.outer, gain)

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Widen, activate, narrow."""
        return self.outer(self.activate(self.inner(x)))


class Residual(nn.Module):
    """A sublayer with residual connection, dropout, LayerNorm ("Add & Norm").

    post: LayerNorm(x + Dropout(Sublayer(x))), the paper's.
    pre:  x + Dropout(Sublayer(LayerNorm(x))), easier to train when deep.

    Source: section 3.1 and section 5.4; pre-LN: Xiong et al. 2020.
    """

    def __init__(
        self, d_model: int, dropout: float, norm: Norm, epsilon: float = 1e-6
    ) -> None:
        super().__init__()
        check_option("norm", norm, get_args(Norm))
        self.norm = norm
        self.layer_norm = LayerNorm(d_model, epsilon)
        self.dropout = Dropout(check_probability("dropout", dropout))

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        sublayer: Callable[[Tensor], Tensor],
    ) -> Float[Tensor, "batch length d_model"]:
        """Run `sublayer` between the two ends of the residual connection."""
        if self.norm == "pre":
            return x + self.dropout(sublayer(self.layer_norm(x)))
        return self.layer_norm(x + self.dropout(sublayer(x)))


def feed_forward(config: TransformerConfig) -> FeedForward:
    """Make the feed-forward network of a layer."""
    sizes, bias = (config.d_model, config.d_ff), config.bias != "none"
    return FeedForward(*sizes, config.activation, bias=bias)


def residual(config: TransformerConfig) -> Residual:
    """Make the residual connection with its LayerNorm around a sublayer."""
    return Residual(config.d_model, config.dropout, config.norm, config.epsilon)


def final_norm(config: TransformerConfig) -> nn.Module:
    """End a stack: pre-LN needs one more LayerNorm, post-LN none."""
    if config.norm == "pre":
        return LayerNorm(config.d_model, config.epsilon)
    return nn.Identity()
