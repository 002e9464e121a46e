"""The peers of the comparison, each with the weights of the book's model.

Every function takes a `Transformer` and gives a module that computes the same logits from the same
ids, so that only the implementation differs. Where a peer has parameters that the paper's formulas
do not have (biases of the attention projections), they are zero to begin with and trained like the
others; dropout is only where section 5.4 puts it, except in the plain tutorial. The peers get what
is fastest for them and leaves the logits as they are: PyTorch's fused attention, and no padding
mask on the target side, where the causal mask already keeps real tokens from looking at padding.
"""

import copy
import math
from typing import Any

import torch
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import Residual
from annotated_transformer.positions import sinusoidal_encoding
from annotated_transformer.transformer import Transformer
from benchmarks.plain import PlainTransformer

REQUIREMENTS = "benchmarks/requirements.txt"
EPSILON = 1e-6
"""Of every LayerNorm, ours and the peers'."""


class MissingPeerError(RuntimeError):
    """A peer's package is not installed."""

    def __init__(self, package: str) -> None:
        super().__init__(
            f"{package} is not installed: the peers have an environment of their own, "
            f"see {REQUIREMENTS} (or leave this contestant out with --contestants)"
        )


class TorchTransformer(nn.Module):
    """`torch.nn.Transformer` with scaled shared embeddings, sinusoids and tied projection."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        positions = sinusoidal_encoding(config.max_length, config.d_model)
        self.register_buffer("positions", positions, persistent=False)
        self.dropout = nn.Dropout(config.dropout)
        sizes: dict[str, Any] = {
            "d_model": config.d_model,
            "nhead": config.n_heads,
            "dim_feedforward": config.d_ff,
            "dropout": config.dropout,
            "layer_norm_eps": EPSILON,
            "batch_first": True,
        }
        encoder, decoder = nn.TransformerEncoderLayer(**sizes), nn.TransformerDecoderLayer(**sizes)
        self.stacks = nn.Transformer(
            config.d_model,
            config.n_heads,
            batch_first=True,
            # Stacks of our own, because the paper's have no further LayerNorm at their ends.
            custom_encoder=nn.TransformerEncoder(
                encoder, config.n_layers, enable_nested_tensor=False
            ),
            custom_decoder=nn.TransformerDecoder(decoder, config.n_layers),
        )
        for module in self.stacks.modules():
            if isinstance(module, nn.TransformerEncoderLayer | nn.TransformerDecoderLayer):
                module.dropout = nn.Identity()  # inside the feed-forward network
            if isinstance(module, nn.MultiheadAttention):
                module.dropout = 0.0  # on the weights

    def embed(self, ids: Tensor) -> Tensor:
        """Scale the embeddings and add the positions."""
        x = self.embedding(ids) * math.sqrt(self.config.d_model)
        return self.dropout(x + self.positions[: ids.size(1)])

    def encode(self, source: Tensor) -> Tensor:
        """Return the memory of the source ids."""
        padding = source == self.config.padding_id
        return self.stacks.encoder(self.embed(source), src_key_padding_mask=padding)

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return the logits after each target position."""
        causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool).triu(1)
        x = self.stacks.decoder(
            self.embed(target),
            memory,
            tgt_mask=causal,
            tgt_is_causal=True,
            memory_key_padding_mask=source == self.config.padding_id,
        )
        return x @ self.embedding.weight.T

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits after each target position."""
        return self.decode(target, self.encode(source), source)


class Marian(nn.Module):
    """Hugging Face's MarianMTModel behind the arguments of the book's model."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        try:
            from transformers import MarianConfig, MarianMTModel  # noqa: PLC0415  (optional)
        except ImportError as error:
            raise MissingPeerError("transformers") from error
        n_layers, n_heads = config.n_layers, config.n_heads
        self.config = config
        self.model = MarianMTModel(
            MarianConfig(
                vocab_size=config.vocab_size,
                d_model=config.d_model,
                max_position_embeddings=config.max_length,
                encoder_layers=n_layers,
                decoder_layers=n_layers,
                encoder_attention_heads=n_heads,
                decoder_attention_heads=n_heads,
                encoder_ffn_dim=config.d_ff,
                decoder_ffn_dim=config.d_ff,
                activation_function="relu",
                dropout=config.dropout,
                attention_dropout=0.0,
                activation_dropout=0.0,
                scale_embedding=True,
                pad_token_id=config.padding_id,
                bos_token_id=1,
                eos_token_id=2,
                decoder_start_token_id=1,
                forced_eos_token_id=None,
            )
        )

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits after each target position."""
        return self.model(
            input_ids=source,
            attention_mask=(source != self.config.padding_id).long(),
            decoder_input_ids=target,
            use_cache=False,
        ).logits


def plain(model: Transformer) -> PlainTransformer:
    """The tutorial's implementation with the weights of `model`."""
    peer = PlainTransformer(_supported(model))
    with torch.no_grad():
        peer.embedding.weight.copy_(model.source_embedding.weight)
        for own_stack, stack in ((model.encoder, peer.encoder), (model.decoder, peer.decoder)):
            for own, layer in zip(own_stack.layers, stack, strict=True):
                for kind in ("self_attention", "cross_attention"):
                    if hasattr(own, kind):
                        attention = getattr(layer, kind)
                        for name in ("query", "key", "value", "output"):
                            _set(getattr(attention, name), _projection(getattr(own, kind), name))
                _copy_feed_forward(own, layer.feed_forward.inner, layer.feed_forward.outer)
                for residual, norm in zip(_residuals(own), layer.norms, strict=True):
                    norm.gain.copy_(residual.layer_norm.gain)
                    norm.bias.copy_(residual.layer_norm.bias)
    return peer


def torch_nn(model: Transformer) -> TorchTransformer:
    """`torch.nn.Transformer` with the weights of `model`."""
    peer = TorchTransformer(_supported(model))
    stacks = ((model.encoder, peer.stacks.encoder), (model.decoder, peer.stacks.decoder))
    with torch.no_grad():
        peer.embedding.weight.copy_(model.source_embedding.weight)
        for own_stack, stack in stacks:
            for own, layer in zip(own_stack.layers, stack.layers, strict=True):
                _copy_packed(own.self_attention, layer.self_attn)
                if hasattr(own, "cross_attention"):
                    _copy_packed(own.cross_attention, layer.multihead_attn)
                _copy_feed_forward(own, layer.linear1, layer.linear2)
                norms = [getattr(layer, f"norm{i + 1}") for i in range(len(_residuals(own)))]
                _copy_norms(own, norms)
    return peer


def marian(model: Transformer) -> Marian:
    """MarianMTModel with the weights of `model`, and its sinusoids in the paper's order."""
    peer = Marian(_supported(model))
    inner = peer.model.model
    with torch.no_grad():
        inner.shared.weight.copy_(model.source_embedding.weight)
        positions = sinusoidal_encoding(model.config.max_length, model.config.d_model)
        for own_stack, stack in ((model.encoder, inner.encoder), (model.decoder, inner.decoder)):
            # Marian has all sines first; the paper's order makes it the same function.
            stack.embed_positions.weight.copy_(positions)
            for own, layer in zip(own_stack.layers, stack.layers, strict=True):
                _copy_separate(own.self_attention, layer.self_attn)
                norms = [layer.self_attn_layer_norm, layer.final_layer_norm]
                if hasattr(own, "cross_attention"):
                    _copy_separate(own.cross_attention, layer.encoder_attn)
                    norms.insert(1, layer.encoder_attn_layer_norm)
                _copy_feed_forward(own, layer.fc1, layer.fc2)
                _copy_norms(own, norms)
    return peer


def ours(model: Transformer) -> Transformer:
    """The book's model."""
    return copy.deepcopy(model)


PEERS = {"torch.nn": torch_nn, "marian": marian, "plain": plain}
"""How to make each peer of the training step out of the book's model."""


def _supported(model: Transformer) -> TransformerConfig:
    """The configuration, if every peer has what it asks for."""
    config = model.config
    wanted = {
        "norm": "post",
        "positions": "sinusoidal",
        "activation": "relu",
        "share_embeddings": True,
    }
    width = config.d_model // config.n_heads
    for name, value in {**wanted, "d_k": width, "d_v": width}.items():
        if getattr(config, name) != value:
            raise ValueError(f"{name}={getattr(config, name)!r}: the peers have only {value!r}")
    return config


def _residuals(layer: nn.Module) -> list[Residual]:
    return [part for part in layer.children() if isinstance(part, Residual)]


def _projection(attention: MultiHeadAttention, name: str) -> Tensor:
    return getattr(attention, f"w_{name}").weight


def _set(linear: nn.Linear, weight: Tensor, bias: Tensor | None = None) -> None:
    linear.weight.copy_(weight)
    if bias is None:
        linear.bias.zero_()
    else:
        linear.bias.copy_(bias)


def _copy_packed(own: MultiHeadAttention, attention: nn.MultiheadAttention) -> None:
    """Copy into a module that holds the three input projections as one matrix."""
    parts = [_projection(own, name) for name in ("query", "key", "value")]
    attention.in_proj_weight.copy_(torch.cat(parts))
    attention.in_proj_bias.zero_()
    _set(attention.out_proj, _projection(own, "output"))


def _copy_separate(own: MultiHeadAttention, attention: nn.Module) -> None:
    for name in ("query", "key", "value"):
        _set(getattr(attention, f"{name[0]}_proj"), _projection(own, name))
    _set(attention.out_proj, _projection(own, "output"))


def _copy_feed_forward(own: nn.Module, inner: nn.Linear, outer: nn.Linear) -> None:
    _set(inner, own.feed_forward.inner.weight, own.feed_forward.inner.bias)
    _set(outer, own.feed_forward.outer.weight, own.feed_forward.outer.bias)


def _copy_norms(own: nn.Module, norms: list[nn.LayerNorm]) -> None:
    for residual, norm in zip(_residuals(own), norms, strict=True):
        norm.weight.copy_(residual.layer_norm.gain)
        norm.bias.copy_(residual.layer_norm.bias)
        norm.eps = EPSILON
