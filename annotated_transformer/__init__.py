"""*Attention Is All You Need*, annotated: the code that the book explains and the tests run.

Sizes have the same seven names in every signature, chapter and plot: `batch`; `heads`; `query` and
`key`, the lengths of the two sides of an attention; `d_model`; `d_k` and `d_v`, the widths of one
head; `d_ff`; and `vocab`. Masks are boolean and True means "may attend".
"""

from annotated_transformer.attention import MultiHeadAttention, attention, record_attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import Embedding, FeedForward, LayerNorm, Residual
from annotated_transformer.masks import causal_mask, padding_mask
from annotated_transformer.positions import sinusoidal_encoding
from annotated_transformer.transformer import Decoder, Encoder, Transformer, count_parameters

__all__ = [
    "Decoder",
    "Embedding",
    "Encoder",
    "FeedForward",
    "LayerNorm",
    "MultiHeadAttention",
    "Residual",
    "Transformer",
    "TransformerConfig",
    "attention",
    "causal_mask",
    "count_parameters",
    "padding_mask",
    "record_attention",
    "sinusoidal_encoding",
]
