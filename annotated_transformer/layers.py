"""The small parts between the attentions: embedding, LayerNorm, residual, feed-forward.

Paper: sections 3.1, 3.3, 3.4 and 5.4. Chapter: *The whole model*. Left out: dropout inside the
feed-forward network, which the paper does not have.
"""

import math
from collections.abc import Callable
from typing import get_args

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import (
    functional as F,  # the name PyTorch's own documentation uses
)

from annotated_transformer.config import (
    Activation,
    Norm,
    check_option,
    check_positive,
)


class Linear(nn.Linear):
    """PyTorch's layer, with a sentence in place of its error.

    Raises:
        ValueError: from `forward`, if the vectors are not as wide as the matrix.
    """

    def forward(
        self, x: Float[Tensor, "*batch d_in"]
    ) -> Float[Tensor, "*batch d_out"]:
        """Multiply."""
        check_width(x, self.in_features)
        return super().forward(x)


def check_width(x: Tensor, expected: int) -> None:
    """Refuse vectors that a matrix cannot be multiplied with."""
    if x.size(-1) != expected:
        raise ValueError(
            f"the vectors have width {x.size(-1)}; this layer takes width {expected}"
        )


class Embedding(nn.Module):
    """Token ids to vectors, times sqrt(d_model) unless `scaled` is False.

    Raises:
        ValueError: a size is not a positive integer; from `forward`, if an id is outside the
            vocabulary (on a GPU the lookup itself stops the program instead).

    Source: section 3.4.
    """

    def __init__(
        self, vocab_size: int, d_model: int, *, scaled: bool = True
    ) -> None:
        super().__init__()
        check_positive("vocab_size", vocab_size)
        check_positive("d_model", d_model)
        self.scale = math.sqrt(d_model) if scaled else 1.0
        self.weight = nn.Parameter(torch.empty(vocab_size, d_model))
        # Scaled up by sqrt(d_model) in forward, so that a component starts with variance 1,
        # as large as a sinusoid; unscaled in the output projection, where logits then start near 1.
        nn.init.normal_(self.weight, std=d_model**-0.5)

    def forward(
        self, ids: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Look up each id and scale."""
        # On a GPU the check would wait for the device at every step; the kernel asserts there.
        if ids.device.type == "cpu" and ids.numel():
            low, high = int(ids.min()), int(ids.max())
            if low < 0 or high >= len(self.weight):
                wrong = low if low < 0 else high
                raise ValueError(
                    f"token id {wrong} is outside the vocabulary of {len(self.weight)}: "
                    "is this the tokenizer that the model was trained with?"
                )
        return F.embedding(ids, self.weight) * self.scale


def layer_norm(
    x: Float[Tensor, "*batch d_model"],
    gain: Float[Tensor, " d_model"],
    bias: Float[Tensor, " d_model"],
    epsilon: float = 1e-6,
) -> Float[Tensor, "*batch d_model"]:
    """gain * (x - mean) / sqrt(variance + epsilon) + bias, written as the formula.

    Mean and (biased) variance are taken over the components of each vector by itself.

    Source: Ba et al. 2016, equations 3 and 4; epsilon inside the root.
    """
    mean = x.mean(dim=-1, keepdim=True)
    variance = ((x - mean) ** 2).mean(dim=-1, keepdim=True)
    return gain * (x - mean) / torch.sqrt(variance + epsilon) + bias


class LayerNorm(nn.Module):
    """`layer_norm` with learned gain and bias, through PyTorch's fused kernel.

    The default epsilon is that of the authors' code; the paper does not give one.

    Raises:
        ValueError: `d_model` is not a positive integer, or `epsilon` is negative.
    """

    def __init__(self, d_model: int, epsilon: float = 1e-6) -> None:
        super().__init__()
        if type(d_model) is not int or d_model < 1 or not epsilon >= 0:
            raise ValueError(
                f"no LayerNorm of width {d_model!r} with epsilon={epsilon}"
            )
        self.epsilon = epsilon
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Normalise each vector by itself."""
        return F.layer_norm(
            x, self.gain.shape, self.gain, self.bias, self.epsilon
        )


ACTIVATIONS: dict[Activation, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu_,  # in place: d_ff values for each token need not be kept twice
    "gelu": F.gelu,
    "none": torch.positive,  # x as it is
}
"""What may stand between the two matrices of the feed-forward network, by name."""


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2, at each position alike.

    Row i of `inner.weight` is what unit i looks for, column i of `outer.weight` what it adds.
    `activation` "gelu" weights each number by the normal distribution's probability below it,
    "none" leaves the numbers alone.

    Raises:
        ValueError: a size is not a positive integer, or there is no such activation; from
            `forward`, if vectors have another width.

    Source: equation 2; GELU: Hendrycks and Gimpel 2016.
    """

    def __init__(
        self, d_model: int, d_ff: int, activation: Activation = "relu"
    ) -> None:
        super().__init__()
        check_positive("d_model", d_model)
        check_positive("d_ff", d_ff)
        check_option("activation", activation, ACTIVATIONS)
        self.inner = Linear(d_model, d_ff)
        self.outer = Linear(d_ff, d_model)
        self.activate = ACTIVATIONS[activation]

    def forward(
        self, x: Float[Tensor, "*batch d_model"]
    ) -> Float[Tensor, "*batch d_model"]:
        """Widen, activate, narrow."""
        return self.outer(self.activate(self.inner(x)))


class Dropout(nn.Dropout):
    """In training, each value becomes 0 with probability p, and the others grow by 1 / (1 - p).

    On a GPU, and where it is compiled, this is PyTorch's own. On a CPU that one spends its time
    drawing a random number for each value; here one draw of 64 bits serves four values. So p is
    rounded to a multiple of 2^-16 (0.1 to 0.100006), and the scale is that of the rounded p, which
    keeps the expectation exact.
    The mask is made in the number format of what it multiplies, scale included: a product of equal
    formats takes no conversion, forward or backward. It takes the place of the random bits, so that
    a 16-bit format needs no further memory.
    """

    def forward(self, x: Float[Tensor, "*shape"]) -> Float[Tensor, "*shape"]:
        """Draw a mask from PyTorch's generator and apply it; in evaluation, do nothing."""
        elsewhere = x.device.type != "cpu" or torch.compiler.is_compiling()
        if not self.training or self.p == 0 or elsewhere:
            return super().forward(x)
        dropped = min(round(self.p * 2**16), 2**16 - 1)
        draws = torch.empty(-(-x.numel() // 4), dtype=torch.int64).random_(
            -(2**63), None
        )
        bits = draws.view(torch.int16)[: x.numel()].view(
            x.shape
        )  # from -2^15 to 2^15 - 1
        kept = bits.ge_(dropped - 2**15)  # 1 or 0
        scale = torch.tensor(2**16 / (2**16 - dropped), dtype=x.dtype)
        if (
            x.element_size() == 2
        ):  # the bits of the scale, or none, which are the bits of 0
            return x * kept.mul_(int(scale.view(torch.int16))).view(x.dtype)
        return x * kept.to(x.dtype).mul_(scale)


class Residual(nn.Module):
    """A sublayer with its residual connection, dropout and LayerNorm ("Add & Norm").

    post: LayerNorm(x + Dropout(Sublayer(x))), the paper's.
    pre:  x + Dropout(Sublayer(LayerNorm(x))), easier to train when deep.

    Raises:
        ValueError: `norm` is neither, `d_model` is not a positive integer, or `dropout` is no
            probability.

    Source: section 3.1 and section 5.4; pre-LN: Xiong et al. 2020.
    """

    def __init__(self, d_model: int, dropout: float, norm: Norm) -> None:
        super().__init__()
        check_option("norm", norm, get_args(Norm))
        self.norm = norm
        self.layer_norm = LayerNorm(d_model)
        self.dropout = Dropout(dropout)

    def forward(
        self,
        x: Float[Tensor, "batch length d_model"],
        sublayer: Callable[[Tensor], Tensor],
    ) -> Float[Tensor, "batch length d_model"]:
        """Run `sublayer` between the two ends of the residual connection."""
        if self.norm == "pre":
            return x + self.dropout(sublayer(self.layer_norm(x)))
        return self.layer_norm(x + self.dropout(sublayer(x)))
