"""What the layers of the decoder take from a search instead of computing it again."""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, runtime_checkable

from torch import Tensor


@runtime_checkable
class AttentionCache(Protocol):
    """Keys and values kept from one call to the next (cache.py)."""

    def __call__(self, query: Tensor, attn_bias: Tensor | None) -> tuple[Any, ...]:
        """Queries of the new vectors; keys, values and bias of all so far."""

    def select(self, sentences: Sequence[int]) -> None:
        """Keep what goes on: place i is from now on that of sentence sentences[i]."""


class LayerCache(NamedTuple):
    """What a search keeps for a decoder layer (cache.py)."""

    own: AttentionCache
    """Keys and values of the target so far."""
    cross: AttentionCache
    """Keys and values of the memory."""
