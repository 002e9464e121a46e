"""*Attention Is All You Need*, annotated: the code that the book explains and the tests run.

Sizes have the same seven names in every signature, chapter and plot: `batch`; `heads`; `query` and
`key`, the lengths of the two sides of an attention; `d_model`; `d_k` and `d_v`, the widths of one
head; `d_ff`; and `vocab`. Masks are boolean and True means "may attend".
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from annotated_transformer import moved

if TYPE_CHECKING:
    from annotated_transformer.attention import MultiHeadAttention, attention
    from annotated_transformer.config import TransformerConfig
    from annotated_transformer.decoding.search import beam_search, greedy_search
    from annotated_transformer.evaluation import evaluate
    from annotated_transformer.inspection import record_attention
    from annotated_transformer.lab.source import show_source
    from annotated_transformer.layers import Embedding, FeedForward, LayerNorm, Residual
    from annotated_transformer.masks import causal_mask, padding_mask
    from annotated_transformer.positions import sinusoidal_encoding
    from annotated_transformer.tokenizer import Tokenizer
    from annotated_transformer.training.loop import train
    from annotated_transformer.training.recipe import load_recipe
    from annotated_transformer.transformer import Decoder, Encoder, Transformer, count_parameters
    from annotated_transformer.translator import Translator

__version__ = "1.0.0"
"""The version of the package, of the book, and of CITATION.cff: `make cut` writes all of them."""

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

_HOMES = {
    "attention": ("MultiHeadAttention", "attention"),
    "config": ("TransformerConfig",),
    "decoding.search": ("beam_search", "greedy_search"),
    "evaluation": ("evaluate",),
    "inspection": ("record_attention",),
    "layers": ("Embedding", "FeedForward", "LayerNorm", "Residual"),
    "masks": ("causal_mask", "padding_mask"),
    "positions": ("sinusoidal_encoding",),
    "lab.source": ("show_source",),
    "tokenizer": ("Tokenizer",),
    "training.loop": ("train",),
    "training.recipe": ("load_recipe",),
    "transformer": ("Decoder", "Encoder", "Transformer", "count_parameters"),
    "translator": ("Translator",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


class _FrontDoor(ModuleType):
    """The package as a module: a name is imported when it is asked for.

    `annotated-transformer --help` would otherwise wait seconds for PyTorch.
    """

    def __getattr__(self, name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        home = importlib.import_module(f"{self.__name__}.{_HOME[name]}")
        value = getattr(home, name)
        setattr(self, name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Python binds a submodule to its package once it is imported. The
        # submodule `attention` must not hide the function of that name.
        if name in _HOME and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *_HOME})


sys.modules[__name__].__class__ = _FrontDoor
moved.install()
