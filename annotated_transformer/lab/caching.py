"""What the key/value cache of a search costs and saves: its bytes, and a search without it.

Chapter: *Decoding*. The cache itself is `decoding/cache.py`.
"""

from annotated_transformer.checks import check_count
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.prefixes import EncoderDecoder


class Uncached:
    """A model to search without cache: `start` then takes `WholePrefixes`."""

    def __init__(self, model: EncoderDecoder) -> None:
        self.config = model.config
        self.encode, self.decode = model.encode, model.decode
        self.modules, self.eval = model.modules, model.eval


def cache_bytes(
    config: TransformerConfig,
    *,
    target: int,
    source: int,
    bytes_per_value: int = 4,
) -> int:
    """Count the bytes of the keys and values of a sentence.

    With the paper's d_k = d_v = d_model / heads each of `target` tokens written
    (those of all prefixes; a token that prefixes share counts once) and each of
    `source` tokens takes 2 x n_layers x d_model values. The buffers have room
    for 32 tokens or up to twice the `target`. Raises ValueError for no whole number.
    """
    target = check_count("target", target, least=0)
    source = check_count("source", source, least=0)
    bytes_per_value = check_count("bytes_per_value", bytes_per_value)
    width = config.n_heads * (config.d_k + config.d_v)
    return config.n_layers * width * (target + source) * bytes_per_value
