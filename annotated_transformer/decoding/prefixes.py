"""What a search needs from a model: the logits after each of its prefixes, token by token.

Paper: section 3.1 ("auto-regressive"). Chapter: *Decoding*. `WholePrefixes` runs the decoder over
everything written so far, again in each step: the definition, and the oracle of the tests.
`CachedPrefixes` (cache.py) is what `start` takes for a `Transformer`. Other models may bring
prefixes of their own (`OwnPrefixes`).
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.inspection import HasModules
from annotated_transformer.transformer import DecoderLayer, Transformer
from annotated_transformer.variants import ADDED, RELATIVE, NoPositions


@runtime_checkable
class EncoderDecoder(HasModules, Protocol):
    """What a search needs of a model; `Transformer` has it."""

    config: TransformerConfig

    def encode(self, source: Int[Tensor, "batch source"], /) -> Float[Tensor, "batch source _"]:
        """Return the memory of padded source ids."""

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source _"],
        source: Int[Tensor, "batch source"],
        /,
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits that follow each position of the decoder input."""


@runtime_checkable
class Prefixes(Protocol):
    """Sentences of a batch, each with the same number of prefixes of a translation.

    It begins with one empty prefix for each sentence; the first token of all is BOS.
    """

    def step(
        self, tokens: Int[Tensor, "sentence prefix"]
    ) -> Float[Tensor, "sentence prefix vocab"]:
        """Write one token after each prefix and return the logits of the token after it."""

    def select(self, sentences: Sequence[int], prefixes: Sequence[Sequence[int]]) -> None:
        """Reorder the batch: its sentence i becomes what was sentence `sentences[i]`.

        `prefixes[i]` are the indices of the prefixes that this sentence had and that become its
        new prefixes, in this order. One that is named twice is there twice afterwards; sentences
        and prefixes that are not named are dropped.
        """


@runtime_checkable
class OwnPrefixes(Protocol):
    """A model with prefixes of its own, which may forbid some tokens, for instance."""

    def prefixes(self, source: Int[Tensor, "sentence source"], /) -> Prefixes:
        """Encode the source and begin."""


def start(model: EncoderDecoder, source: Int[Tensor, "sentence source"]) -> Prefixes:
    """Encode the source and begin: with a cache if the model decodes as the `Transformer` does.

    Raises as `Transformer.encode` does.
    """
    if isinstance(model, Transformer) and decodes_as_usual(model):
        return CachedPrefixes(model, source)
    if isinstance(model, OwnPrefixes):
        return model.prefixes(source)
    return WholePrefixes(model, source)


def decodes_as_usual(model: Transformer) -> bool:
    """Return whether the cache computes what this model's own `decode` does.

    It stands for some methods and modules, which somebody may have exchanged or given a hook; then
    the model has to decode by itself. What works on each position alone, such as a feed-forward
    network, is called as always, and may be another. A hook before the whole decoder is called,
    too, but sees the newest tokens alone, without masks.
    """
    positions = model.config.positions
    kinds = RELATIVE.get(positions, MultiHeadAttention), MultiHeadAttention
    places = model.target_positions
    return (
        type(model).decode is Transformer.decode
        and type(model).decode_hidden is Transformer.decode_hidden
        and not {"decode", "decode_hidden"} & vars(model).keys()
        and _is_as_written(places, ADDED.get(positions, NoPositions))
        and not places._forward_hooks
        and all(
            _is_as_written(layer, DecoderLayer)
            and _is_as_written(layer.self_attention, kinds[0])
            and _is_as_written(layer.cross_attention, kinds[1])
            for layer in getattr(model.decoder, "layers", [None])
        )
    )


def _is_as_written(module: nn.Module | None, kind: type[nn.Module]) -> bool:
    """Return whether a module is of just this class, and nobody changes its methods or inputs."""
    return (
        type(module) is kind
        and not any(callable(each) for each in vars(module).values())
        and not module._forward_pre_hooks
    )


class WholePrefixes:
    """Prefixes as token ids, read from the beginning in each step."""

    def __init__(self, model: EncoderDecoder, source: Int[Tensor, "sentence source"]) -> None:
        self.model = model
        self.source = source
        self.memory = model.encode(source)
        self.ids = source.new_empty(len(source), 1, 0)

    def step(
        self, tokens: Int[Tensor, "sentence prefix"]
    ) -> Float[Tensor, "sentence prefix vocab"]:
        """Write one token after each prefix, at a cost that grows with the prefixes."""
        self.ids = torch.cat([self.ids, tokens[:, :, None]], dim=-1)
        # To the decoder the prefixes of a sentence are a batch of their own: each
        # needs its sentence's memory and source beside it.
        n_prefixes = tokens.size(1)
        memory = self.memory.repeat_interleave(n_prefixes, 0)
        source = self.source.repeat_interleave(n_prefixes, 0)
        logits = self.model.decode(self.ids.flatten(0, 1), memory, source)
        return logits[:, -1].unflatten(0, tokens.shape)

    def select(self, sentences: Sequence[int], prefixes: Sequence[Sequence[int]]) -> None:
        """Reorder the batch, as `Prefixes` says."""
        device = self.source.device
        sentence_ids = torch.tensor(sentences, device=device)
        prefix_ids = torch.tensor(prefixes, device=device)
        self.ids = self.ids[sentence_ids[:, None], prefix_ids]
        self.memory = self.memory[sentence_ids]
        self.source = self.source[sentence_ids]
