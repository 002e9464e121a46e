"""Layers that are told what they work on: which step of the noise, and which class.

Chapter: *Diffusion*. Attention and feed-forward network are the paper's. The
condition sets gain and bias of the LayerNorms before them, and how much each of
them adds; or, to compare, it is two more tokens for layers that know nothing.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks.tensors import check_vectors
from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.layers import feed_forward
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import self_attention


class AdaptiveLayer(nn.Module):
    """The paper's layer; the condition chooses shift, scale and gate of each sublayer.

    The matrix that chooses starts at zero: all gates are closed, and the layer
    passes on what it gets (adaLN-Zero).

    Source: Peebles and Xie 2023, section 3.2 and figure 3.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.epsilon, self.dropout = config.epsilon, Dropout(config.dropout)
        self.self_attention = self_attention(config)
        self.feed_forward = feed_forward(config)
        self.choose = zeros(config.d_model, 6 * config.d_model)

    def forward(
        self,
        x: Float[Tensor, "batch place d_model"],
        condition: Float[Tensor, "batch 1 d_model"],
    ) -> Float[Tensor, "batch place d_model"]:
        """Compute pre-LN with gates: x + gate * sublayer(LayerNorm(x))."""
        weight = self.choose.weight
        check_vectors(weight.size(1), like=weight, x=x, condition=condition)
        chosen = self.choose(F.silu(condition)).chunk(6, dim=-1)
        shift, scale, gate = chosen[:3]
        y = adapted(x, shift, scale, self.epsilon)
        x = x + gate * self.dropout(self.self_attention(y, y, y))
        shift, scale, gate = chosen[3:]
        y = adapted(x, shift, scale, self.epsilon)
        return x + gate * self.dropout(self.feed_forward(y))


class AdaptiveEncoder(nn.Module):
    """A stack of adaptive layers, and an adaptive LayerNorm at the end."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.epsilon = config.epsilon
        self.layers = nn.ModuleList(
            AdaptiveLayer(config) for _ in range(config.n_layers)
        )
        self.choose = zeros(config.d_model, 2 * config.d_model)

    def forward(
        self,
        x: Float[Tensor, "batch place d_model"],
        condition: Float[Tensor, "batch 2 d_model"],
    ) -> Float[Tensor, "batch place d_model"]:
        """Step and class are added up for all layers."""
        check_vectors(x.size(-1), like=condition, x=x, condition=condition)
        condition = condition.sum(dim=1, keepdim=True)
        for layer in self.layers:
            x = layer(x, condition)
        shift, scale = self.choose(F.silu(condition)).chunk(2, dim=-1)
        return adapted(x, shift, scale, self.epsilon)


class ContextEncoder(nn.Module):
    """The plain encoder; step and class are two more tokens, which its output leaves out.

    Source: Peebles and Xie 2023, section 3.2, "In-context conditioning".
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.encoder = Encoder(config)

    def forward(
        self,
        x: Float[Tensor, "batch place d_model"],
        condition: Float[Tensor, "batch 2 d_model"],
    ) -> Float[Tensor, "batch place d_model"]:
        """Let patches look at step and class as at each other."""
        check_vectors(x.size(-1), like=condition, x=x, condition=condition)
        x = self.encoder(torch.cat([x, condition], dim=1), None)
        return x[:, : -condition.size(1)]


ENCODERS = {"adaln_zero": AdaptiveEncoder, "in_context": ContextEncoder}
"""How an encoder hears of the condition, by name."""


class Pixels(nn.Module):
    """Each vector to the pixels of its patch: the way back from `Patches`; begins as zero."""

    def __init__(self, d_model: int, patch_size: int, n_channels: int) -> None:
        super().__init__()
        self.patch_size = patch_size
        self.project = zeros(d_model, patch_size**2 * n_channels)

    def forward(
        self, x: Float[Tensor, "batch place d_model"], size: tuple[int, ...]
    ) -> Float[Tensor, "batch channel height width"]:
        """Return images of this height and width."""
        # A row of the matrix is for a pixel and a channel; `fold` wants them the other way.
        x = self.project(x).unflatten(-1, (self.patch_size**2, -1))
        x = x.mT.flatten(2).mT
        return F.fold(x, size, self.patch_size, stride=self.patch_size)


def adapted(
    x: Tensor, shift: Tensor, scale: Tensor, epsilon: float
) -> Float[Tensor, "batch place d_model"]:
    """Normalise (LayerNorm) with gain 1 + scale and bias shift, of each image its own."""
    normed = F.layer_norm(x, x.shape[-1:], eps=epsilon)
    return normed * (1 + scale) + shift


def zeros(d_in: int, d_out: int) -> nn.Linear:
    """Make a linear map that begins as zero."""
    linear = nn.Linear(d_in, d_out)
    nn.init.zeros_(linear.weight)
    nn.init.zeros_(linear.bias)
    return linear
