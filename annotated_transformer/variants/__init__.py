"""What came after the paper and takes the place of one of its parts."""

from typing import TypeAlias

import torch
from jaxtyping import Float
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_sizes
from annotated_transformer.checks.state import Derived
from annotated_transformer.checks.tensors import check_places
from annotated_transformer.config import TransformerConfig
from annotated_transformer.positions import SinusoidalPositions
from annotated_transformer.variants.alibi import LinearBiasAttention
from annotated_transformer.variants.rotary import RotaryAttention


class LearnedPositions(nn.Module):
    """Adds one learned vector per position, as row (E) of Table 3 does."""

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        check_sizes(max_length=max_length, d_model=d_model)
        self.encoding = nn.Parameter(torch.empty(max_length, d_model))
        nn.init.normal_(self.encoding, std=d_model**-0.5)

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Add each position's vector; position 0 is the first token."""
        check_places(x, self.encoding)
        return x + self.encoding[: x.size(1)]


class NoPositions(Derived):
    """Adds nothing: the order is left out, or enters the scores."""

    encoding: Tensor

    def __init__(self, max_length: int, d_model: int) -> None:
        super().__init__()
        self.sizes = check_sizes(max_length=max_length, d_model=d_model)
        self.derive()

    def derived(self) -> dict[str, Tensor]:
        """Return zero, where the others return the encoding that they add to positions."""
        return {"encoding": torch.zeros(self.sizes)}

    def forward(
        self, x: Float[Tensor, "batch length d_model"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Return the embeddings as they are."""
        check_places(x, self.encoding)
        return x


RELATIVE = {"rotary": RotaryAttention, "alibi": LinearBiasAttention}
AddedPositions: TypeAlias = SinusoidalPositions | LearnedPositions | NoPositions
ADDED: dict[str, type[AddedPositions]] = {
    "sinusoidal": SinusoidalPositions,
    "learned": LearnedPositions,
}


def self_attention(config: TransformerConfig) -> MultiHeadAttention:
    """Make the self-attention for `config.positions`."""
    return _attention(RELATIVE.get(config.positions, MultiHeadAttention), config)


def cross_attention(config: TransformerConfig) -> MultiHeadAttention:
    """Make the attention over the memory, whose positions are those of another sentence."""
    return _attention(MultiHeadAttention, config)


def _attention(kind: type[MultiHeadAttention], config: TransformerConfig) -> MultiHeadAttention:
    sizes = config.d_model, config.n_heads, config.d_k, config.d_v
    return kind(*sizes, bias=config.bias == "all")


def added_positions(config: TransformerConfig) -> AddedPositions:
    """Make what adds `config.positions` to embeddings; nothing where they enter the scores."""
    kind = ADDED.get(config.positions, NoPositions)
    return kind(config.max_length, config.d_model)
