"""What came after the paper and takes the place of one of its parts."""

from typing import TypeAlias

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.positions import SinusoidalPositions
from annotated_transformer.variants.alibi import LinearBiasAttention
from annotated_transformer.variants.positions import LearnedPositions, NoPositions
from annotated_transformer.variants.rotary import RotaryAttention

RELATIVE = {"rotary": RotaryAttention, "alibi": LinearBiasAttention}
AddedPositions: TypeAlias = SinusoidalPositions | LearnedPositions | NoPositions
ADDED: dict[str, type[AddedPositions]] = {
    "sinusoidal": SinusoidalPositions,
    "learned": LearnedPositions,
}


def self_attention(config: TransformerConfig) -> MultiHeadAttention:
    """The self-attention for `config.positions`."""
    return _attention(RELATIVE.get(config.positions, MultiHeadAttention), config)


def cross_attention(config: TransformerConfig) -> MultiHeadAttention:
    """The attention over the memory, whose positions are those of another sentence."""
    return _attention(MultiHeadAttention, config)


def _attention(kind: type[MultiHeadAttention], config: TransformerConfig) -> MultiHeadAttention:
    sizes = config.d_model, config.n_heads, config.d_k, config.d_v
    return kind(*sizes, bias=config.bias == "all")


def added_positions(config: TransformerConfig) -> AddedPositions:
    """What adds `config.positions` to embeddings; nothing where they enter the scores."""
    kind = ADDED.get(config.positions, NoPositions)
    return kind(config.max_length, config.d_model)
