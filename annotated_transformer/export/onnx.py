"""A trained model in ONNX, for serving.

ONNX is a file format for the operations of a network and their weights; programs for many machines
and languages run it. PyTorch's exporter writes it: it runs the model once and records what is
computed. It needs two packages, and only to export (`annotated-transformer[export]`); what is
written needs neither this package nor PyTorch. Weights stay in float32. A search is not written;
the README has a greedy one, with the translations of this package's own.

encoder.onnx gives what stays the same in all steps of a search: the keys and values that the layers
of the decoder have of the memory. decoder.onnx is one step: the newest tokens go in with the keys
and values so far, and the logits come out with the longer keys and values. Both are the model's own
layers, and only the cache is another one than in `decoding/cache.py`, because a graph cannot write
in place. Keys and values of all layers are stacked, so that a search has two tensors to keep.
"""

import copy
import logging
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.cache import Heads, KeyValues
from annotated_transformer.export import optional
from annotated_transformer.fast.attention import LayerCache
from annotated_transformer.masks import padding_mask
from annotated_transformer.tokenizer import EOS_ID, Tokenizer
from annotated_transformer.transformer import DecoderLayer, Transformer
from annotated_transformer.variants import ADDED
from annotated_transformer.variants.alibi import LinearBiasAttention, linear_bias
from annotated_transformer.variants.rotary import RotaryAttention, rotate

OPSET = 18  # of ONNX's operators: the one that PyTorch's exporter writes without converting
ITS_OWN_CLASS = "`isinstance(treespec, LeafSpec)` is deprecated"
"""How the exporter's warning of a class of PyTorch begins; we can do nothing about it."""
NAMED = torch.export.Dim.DYNAMIC
AXES = {
    "source": {0: "batch", 1: "source"},
    "memory_keys": {1: NAMED, 3: NAMED},
    "memory_values": {1: NAMED, 3: NAMED},
    "tokens": {0: NAMED, 1: "newest"},
    "keys": {1: NAMED, 3: "past"},
    "values": {1: NAMED, 3: NAMED},
}
"""What goes in, and the axes whose lengths are left open; NAMED ones have a name further up."""
OUTPUTS = {
    "encoder.onnx": ["memory_keys", "memory_values"],
    "decoder.onnx": ["logits", "longer_keys", "longer_values"],
}
"""What comes out of each file."""
FILES = frozenset(OUTPUTS)
"""What is written beside the tokenizer and the README."""
LARGE = frozenset(f"{name}.data" for name in FILES)
"""Where the exporter puts weights of over 1.5 GiB, because an ONNX file ends at 2 GiB."""


def check(config: TransformerConfig) -> None:
    """Raise a `ValueError` if the exporter is not installed; ONNX keeps every configuration."""
    optional("onnx")
    optional("onnxscript")


def write(model: Transformer, tokenizer: Tokenizer, directory: Path) -> None:
    """Write FILES into `directory`."""
    model = copy.deepcopy(model).cpu().float()
    encoder, decoder = EncoderGraph(model).eval(), DecoderGraph(model).eval()
    # Lengths that are equal in an example would be taken for the same length.
    source, past = (torch.full((2, n), EOS_ID) for n in (3, 5))
    with torch.no_grad():
        memory_keys, memory_values = encoder(source)
        keys, values = encoder(past)
    step = {
        "source": source,
        "memory_keys": memory_keys,
        "memory_values": memory_values,
        "tokens": torch.full((2, 4), EOS_ID),
        "keys": keys,
        "values": values,
    }
    _export(encoder, {"source": source}, directory / "encoder.onnx")
    _export(decoder, step, directory / "decoder.onnx")


def _export(graph: nn.Module, example: dict[str, Tensor], path: Path) -> None:
    """Let PyTorch's exporter write a graph that takes inputs like these, of any lengths."""
    with _quiet():
        exported = torch.onnx.export(
            graph,
            kwargs=example,
            input_names=list(example),
            output_names=OUTPUTS[path.name],
            opset_version=OPSET,
            dynamo=True,
            dynamic_shapes={name: AXES[name] for name in example},
            verbose=False,
        )
    program = cast("torch.onnx.ONNXProgram", exported)
    # The exporter notes for each operation the lines of code it is from, with this machine's paths.
    for node in program.model.graph:
        node.metadata_props.clear()
    program.save(path)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence what PyTorch 2.13's exporter says about itself, whatever it exports.

    It warns about a class of PyTorch whenever it copies what it recorded, and logs that operators
    of torchvision are missing.
    """
    log = logging.getLogger("torch.onnx._internal.exporter._registration")
    log.addFilter(_not_of_torchvision)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")  # errors would stop the exporter
            yield
    finally:
        log.removeFilter(_not_of_torchvision)
    for each in caught:
        if not str(each.message).startswith(ITS_OWN_CLASS):
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)


def _not_of_torchvision(record: logging.LogRecord) -> bool:
    return "torchvision is not installed" not in record.getMessage()


class EncoderGraph(nn.Module):
    """Source ids to the keys and values that the layers of the decoder have of the memory."""

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, source: Int[Tensor, "batch source"]
    ) -> tuple[
        Float[Tensor, "layer batch heads source d_k"], Float[Tensor, "layer batch heads source d_v"]
    ]:
        """Encode as `Transformer.encode`, without its checks: a graph cannot raise them."""
        model = self.model
        x = model.source_positions(model.source_embedding(source))
        mask = padding_mask(source, model.config.padding_id)
        memory = model.encoder(x, mask)
        attentions = [layer.cross_attention for layer in layers(model)]
        keys = [each.split(each.w_key(memory)) for each in attentions]
        values = [each.split(each.w_value(memory)) for each in attentions]
        return torch.stack(keys), torch.stack(values)


class DecoderGraph(nn.Module):
    """From the newest tokens of each sentence's prefix to the logits of the tokens after them."""

    def __init__(self, model: Transformer) -> None:
        super().__init__()
        self.model = model

    def forward(
        self,
        *,
        source: Int[Tensor, "batch source"],
        memory_keys: Float[Tensor, "layer batch heads source d_k"],
        memory_values: Float[Tensor, "layer batch heads source d_v"],
        tokens: Int[Tensor, "batch newest"],
        keys: Float[Tensor, "layer batch heads past d_k"],
        values: Float[Tensor, "layer batch heads past d_v"],
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Return logits after each of the newest tokens, and the longer keys and values."""
        model = self.model
        positions = torch.arange(keys.size(3), keys.size(3) + tokens.size(1))
        x = model.target_embedding(tokens)
        if model.config.positions in ADDED:
            x = x + model.target_positions.encoding[positions]
        written = zip(layers(model), keys, values, strict=True)
        own = [GrowingCache(layer.self_attention, positions, k, v) for layer, k, v in written]
        memory = zip(layers(model), memory_keys, memory_values, strict=True)
        cross = [MemoryCache(layer.cross_attention, k, v) for layer, k, v in memory]
        caches = [LayerCache(*pair) for pair in zip(own, cross, strict=True)]
        # A new token sees those so far, itself and the new ones before it.
        so_far = keys.size(3) + tokens.size(1)
        mask = torch.arange(so_far) <= positions[:, None]
        memory_mask = padding_mask(source, model.config.padding_id)
        x = model.decoder(x, None, mask, memory_mask, caches)
        longer_keys, longer_values = zip(*(each.buffers for each in own), strict=True)
        return (model.output(x), torch.stack(longer_keys), torch.stack(longer_values))


def layers(model: Transformer) -> Iterable[DecoderLayer]:
    """Return the layers of the decoder."""
    return cast("Iterable[DecoderLayer]", model.decoder.layers)


class GrowingCache(KeyValues):
    """Keys and values of the target so far; those of the newest tokens make longer tensors."""

    def __init__(
        self,
        attention: MultiHeadAttention,
        positions: Int[Tensor, " newest"],
        keys: Heads,
        values: Heads,
    ) -> None:
        super().__init__(attention, keys, values)
        self.positions = positions

    def __call__(
        self, query: Float[Tensor, "batch newest d_model"], attn_bias: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """Return the queries of the new tokens, and keys and values with theirs at the end."""
        attention, positions = self.attention, self.positions
        q, k, v = attention.project(query, query, query)
        if isinstance(attention, RotaryAttention):
            q, k = rotate(q, positions), rotate(k, positions)
        keys, values = (torch.cat(pair, dim=2) for pair in zip(self.buffers, (k, v), strict=True))
        self.buffers = keys, values
        if isinstance(attention, LinearBiasAttention):
            every = torch.arange(keys.size(2))
            attn_bias = linear_bias(attention.n_heads, positions, every).to(q.dtype)
        return q, keys, values, attn_bias


class MemoryCache(KeyValues):
    """Keys and values of the memory, as the encoder's graph has computed them."""

    def __call__(
        self, query: Float[Tensor, "batch newest d_model"], attn_bias: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """Return the queries of the new tokens, and the keys and values of the memory."""
        q = self.attention.split(self.attention.w_query(query))
        return q, *self.buffers, attn_bias
