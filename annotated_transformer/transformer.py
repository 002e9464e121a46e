"""Encoder, decoder, and the whole model.

Paper: section 3.1 and Figure 1. Chapter: *The whole model*. Faithful by default: LayerNorm after
each residual sum and none at the end of a stack; "pre" moves it inside and adds a final one.
"""

from collections import Counter

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.layers import (
    Dropout,
    Embedding,
    FeedForward,
    LayerNorm,
    Residual,
)
from annotated_transformer.masks import causal_mask, padding_mask
from annotated_transformer.positions import (
    LearnedPositions,
    NoPositions,
    SinusoidalPositions,
)
from annotated_transformer.variants.relative import (
    LinearBiasAttention,
    RotaryAttention,
)

_Added = SinusoidalPositions | LearnedPositions | NoPositions


def _embedding(config: TransformerConfig) -> Embedding:
    return Embedding(
        config.vocab_size, config.d_model, scaled=config.scale_embeddings
    )


def _attention(config: TransformerConfig) -> MultiHeadAttention:
    return MultiHeadAttention(
        config.d_model, config.n_heads, config.d_k, config.d_v
    )


def _self_attention(config: TransformerConfig) -> MultiHeadAttention:
    """Source and target positions have no common count, so relative ones are not for the cross."""
    kinds = {"rotary": RotaryAttention, "alibi": LinearBiasAttention}
    attention = kinds.get(config.positions, MultiHeadAttention)
    return attention(config.d_model, config.n_heads, config.d_k, config.d_v)


def _residual(config: TransformerConfig) -> Residual:
    return Residual(config.d_model, config.dropout, config.norm)


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each in its residual connection.

    Source: section 3.1, "Encoder".
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _self_attention(config)
        self.feed_forward = FeedForward(
            config.d_model, config.d_ff, config.activation
        )
        self.residuals = nn.ModuleList(_residual(config) for _ in range(2))

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "#batch 1 #source source"],
    ) -> Float[Tensor, "batch source d_model"]:
        """Let every source token look at every other."""
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, y, mask))
        x = self.residuals[1](x, self.feed_forward)
        return x


class DecoderLayer(nn.Module):
    """Masked self-attention, attention over the memory, then the feed-forward network.

    Source: section 3.1, "Decoder".
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = _self_attention(config)
        self.cross_attention = _attention(config)
        self.feed_forward = FeedForward(
            config.d_model, config.d_ff, config.activation
        )
        self.residuals = nn.ModuleList(_residual(config) for _ in range(3))

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "#batch 1 target target"],
        memory_mask: Bool[Tensor, "#batch 1 1 source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """Look back at the target so far, then across at the source."""
        x = self.residuals[0](x, lambda y: self.self_attention(y, y, y, mask))
        x = self.residuals[1](
            x, lambda y: self.cross_attention(y, memory, memory, memory_mask)
        )
        x = self.residuals[2](x, self.feed_forward)
        return x


class Encoder(nn.Module):
    """A stack of encoder layers; pre-LN ends it with one more LayerNorm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.n_layers)
        )
        self.final_norm = (
            LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()
        )

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "#batch 1 #source source"],
    ) -> Float[Tensor, "batch source d_model"]:
        """Embedded source to memory."""
        for layer in self.layers:
            x = layer(x, mask)
        return self.final_norm(x)


class Decoder(nn.Module):
    """A stack of decoder layers; pre-LN ends it with one more LayerNorm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            DecoderLayer(config) for _ in range(config.n_layers)
        )
        self.final_norm = (
            LayerNorm(config.d_model) if config.norm == "pre" else nn.Identity()
        )

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "#batch 1 target target"],
        memory_mask: Bool[Tensor, "#batch 1 1 source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """Embedded target and memory to the vectors that the output projection reads."""
        for layer in self.layers:
            x = layer(x, memory, mask, memory_mask)
        return self.final_norm(x)


class Transformer(nn.Module):
    """The model of the paper: source and target token ids in, next-token logits out.

    Masks are derived from the ids, so padding cannot be forgotten.

    Source: Figure 1; weight sharing: section 3.4; dropout: section 5.4.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        kinds: dict[str, type[_Added]] = {
            "sinusoidal": SinusoidalPositions,
            "learned": LearnedPositions,
        }
        positions = kinds.get(config.positions, NoPositions)
        self.source_embedding = _embedding(config)
        self.target_embedding = (
            self.source_embedding
            if config.share_embeddings
            else _embedding(config)
        )
        self.source_positions = positions(config.max_length, config.d_model)
        self.target_positions = positions(config.max_length, config.d_model)
        self.dropout = Dropout(config.dropout)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self._initialise()

    def _initialise(self) -> None:
        """Glorot-uniform projections, zero biases; the output starts as an embedding does."""
        for name, module in self.named_modules():
            if isinstance(module, nn.Linear):
                in_branch = name.endswith(
                    ("w_value", "w_output", "inner", "outer")
                )
                gain = self.config.branch_gain if in_branch else 1.0
                nn.init.xavier_uniform_(module.weight, gain)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        nn.init.normal_(self.output.weight, std=self.config.d_model**-0.5)
        if self.config.share_embeddings:
            self.output.weight = self.source_embedding.weight

    def forward(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits for the token after each target position, given the source and what is before.

        Args:
            source: ids, each row ended by end-of-sentence and filled up with padding.
            target: ids fed to the decoder, each row begun by begin-of-sentence.

        Raises:
            ValueError: ids that are not those of a batch of sentences, an id outside the
                vocabulary, more tokens than `config.max_length`, or not one target per source.
        """
        return self.decode(target, self.encode(source), source)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> Float[Tensor, "batch source d_model"]:
        """The memory: one vector per source token, in the light of all the others."""
        self._check_ids("source", source)
        x = self._embed(source, self.source_embedding, self.source_positions)
        return self.encoder(x, padding_mask(source, self.config.padding_id))

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Logits after each target position; `source` tells which memory rows are padding."""
        return self.output(self.decode_hidden(target, memory, source))

    def decode_hidden(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """What `decode` hands to the output projection: one vector for each target position."""
        self._check_ids("target", target)
        if len(memory) != len(target):
            raise ValueError(
                f"{len(target)} targets for {len(memory)} sources; expected as many"
            )
        padding_id = self.config.padding_id
        causal = causal_mask(target.size(1), target.device)
        x = self._embed(target, self.target_embedding, self.target_positions)
        return self.decoder(
            x,
            memory,
            padding_mask(target, padding_id) & causal,
            padding_mask(source, padding_id),
        )

    def _embed(
        self,
        ids: Int[Tensor, "batch length"],
        embedding: nn.Module,
        positions: nn.Module,
    ) -> Float[Tensor, "batch length d_model"]:
        """What enters a stack: tokens plus positions, and dropout."""
        x = positions(embedding(ids))
        # Autocast converts what enters a product of matrices; what starts in its number format
        # stays in it between the products too, and is converted only once.
        if torch.is_autocast_enabled(x.device.type):
            x = x.to(torch.get_autocast_dtype(x.device.type))
        return self.dropout(x)

    def _check_ids(self, name: str, ids: Tensor) -> None:
        if ids.dim() != 2 or not ids.size(1) or ids.is_floating_point():
            raise ValueError(
                f"the {name} has shape {tuple(ids.shape)} and dtype {ids.dtype}; expected whole "
                "numbers, (batch, length), of one token or more; one sentence is ids[None]"
            )
        if ids.size(1) > self.config.max_length:
            raise ValueError(
                f"the {name} has {ids.size(1)} tokens, more than max_length="
                f"{self.config.max_length}: shorten it, or train with a larger max_length"
            )

    def count_parameters(self) -> dict[str, int]:
        """Number of trainable values by part, shared ones once, and their "total"."""
        counts: Counter[str] = Counter()
        for name, parameter in self.named_parameters():
            counts[_part(name)] += parameter.numel()
        return {**counts, "total": counts.total()}


def _part(name: str) -> str:
    """Name of the part a parameter belongs to: decoder.layers.3.residuals.0... -> decoder.norms."""
    words = name.split(".")
    if words[0] not in ("encoder", "decoder"):
        return words[0]
    kind = words[3] if words[1] == "layers" else words[1]
    return (
        f"{words[0]}.{'norms' if kind in ('residuals', 'final_norm') else kind}"
    )


def count_parameters(config: TransformerConfig) -> dict[str, int]:
    """What `Transformer(config).count_parameters()` says, without allocating the model."""
    with torch.device("meta"):
        return Transformer(config).count_parameters()
