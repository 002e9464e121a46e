"""*Attention Is All You Need*, annotated: the code that the book explains and the tests run.

Sizes have the same seven names in every signature, chapter and plot: `batch`; `heads`; `query` and
`key`, the lengths of the two sides of an attention; `d_model`; `d_k` and `d_v`, the widths of one
head; `d_ff`; and `vocab`. Masks are boolean and True means "may attend".
"""

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.search import beam_search, greedy_search
from annotated_transformer.evaluation import evaluate
from annotated_transformer.inspection import record_attention
from annotated_transformer.layers import (
    Embedding,
    FeedForward,
    LayerNorm,
    Residual,
)
from annotated_transformer.masks import causal_mask, padding_mask
from annotated_transformer.positions import sinusoidal_encoding
from annotated_transformer.source import show_source
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.transformer import (
    Decoder,
    Encoder,
    Transformer,
    count_parameters,
)
from annotated_transformer.translator import Translator

__all__ = [
    "Decoder",
    "Embedding",
    "Encoder",
    "FeedForward",
    "LayerNorm",
    "MultiHeadAttention",
    "Residual",
    "Tokenizer",
    "Transformer",
    "TransformerConfig",
    "Translator",
    "attention",
    "beam_search",
    "causal_mask",
    "count_parameters",
    "evaluate",
    "greedy_search",
    "load_recipe",
    "padding_mask",
    "record_attention",
    "show_source",
    "sinusoidal_encoding",
    "train",
]
