"""Encoder, decoder, and the whole model.

Paper: section 3.1 and Figure 1. Chapter: *The whole model*. Faithful by
default: LayerNorm after each residual sum and none at the end of a stack; "pre"
moves it inside and adds a final one. minimal.py is the same model without
anything else.
"""

import copy
from collections import Counter
from collections.abc import Sequence

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from annotated_transformer import layers, variants
from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.checks import check_config
from annotated_transformer.checks.state import Tied, without_numbers
from annotated_transformer.checks.tensors import check_ids, check_memory
from annotated_transformer.config import TransformerConfig
from annotated_transformer.fast.attention import LayerCache
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.fast.linear import Linear
from annotated_transformer.fast.precision import in_autocast_dtype
from annotated_transformer.masks import causal_mask, padding_mask


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network, each with its residual.

    Source: section 3.1, "Encoder".
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = variants.self_attention(config)
        self.feed_forward = layers.feed_forward(config)
        self.after_attention = layers.residual(config)
        self.after_feed_forward = layers.residual(config)

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "*#heads #source #source"] | None,
        *,
        attn_bias: Float[Tensor, "*#heads #source #source"] | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Let every source token look at every other."""
        x = self.after_attention(
            x,
            lambda y: self.self_attention(y, y, y, mask, attn_bias=attn_bias),
        )
        return self.after_feed_forward(x, self.feed_forward)


class DecoderLayer(nn.Module):
    """Masked self-attention, attention over the memory, feed-forward network.

    Source: section 3.1, "Decoder".
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = variants.self_attention(config)
        self.cross_attention = variants.cross_attention(config)
        self.feed_forward = layers.feed_forward(config)
        self.after_attention = layers.residual(config)
        self.after_cross_attention = layers.residual(config)
        self.after_feed_forward = layers.residual(config)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"] | None,
        mask: Bool[Tensor, "*#heads #target _"] | None,
        memory_mask: Bool[Tensor, "*#heads #target #source"] | None,
        cache: LayerCache | None = None,
        *,
        attn_bias: Float[Tensor, "*#heads #target _"] | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Look back at the target so far, then across at the source."""
        own, cross = cache or (None, None)
        x = self.after_attention(
            x,
            lambda y: self.self_attention(
                y, y, y, mask, own, attn_bias=attn_bias
            ),
        )
        x = self.after_cross_attention(
            x,
            lambda y: self.cross_attention(
                y, memory, memory, memory_mask, cross
            ),
        )
        return self.after_feed_forward(x, self.feed_forward)


class Encoder(nn.Module):
    """A stack of encoder layers; pre-LN ends it with one more LayerNorm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config, TransformerConfig)
        self.layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.n_layers)
        )
        self.final_norm = layers.final_norm(config)

    def forward(
        self,
        x: Float[Tensor, "batch source d_model"],
        mask: Bool[Tensor, "*#heads #source #source"] | None,
        *,
        attn_bias: Float[Tensor, "*#heads #source #source"] | None = None,
    ) -> Float[Tensor, "batch source d_model"]:
        """Turn embedded source into memory; `attn_bias` is added to scores."""
        for layer in self.layers:
            x = layer(x, mask, attn_bias=attn_bias)
        return self.final_norm(x)


class Decoder(nn.Module):
    """A stack of decoder layers; pre-LN ends it with one more LayerNorm."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config, TransformerConfig)
        self.layers = nn.ModuleList(
            DecoderLayer(config) for _ in range(config.n_layers)
        )
        self.final_norm = layers.final_norm(config)

    def forward(
        self,
        x: Float[Tensor, "batch target d_model"],
        memory: Float[Tensor, "batch source d_model"] | None,
        mask: Bool[Tensor, "*#heads #target _"] | None,
        memory_mask: Bool[Tensor, "*#heads #target #source"] | None,
        cache: Sequence[LayerCache] | None = None,
        *,
        attn_bias: Float[Tensor, "*#heads #target _"] | None = None,
    ) -> Float[Tensor, "batch target d_model"]:
        """Turn embedded target and memory into what the output layer reads.

        A search gives the newest tokens alone and a cache for each layer; keys
        and values of the memory are in it too.
        """
        for number, layer in enumerate(self.layers):
            layer_cache = cache[number] if cache else None
            x = layer(
                x, memory, mask, memory_mask, layer_cache, attn_bias=attn_bias
            )
        return self.final_norm(x)


class Transformer(Tied):
    """The model of the paper: source and target ids in, next-token logits out.

    Masks are derived from the ids, so padding cannot be forgotten.

    Source: Figure 1; weight sharing: section 3.4; dropout: section 5.4.
    """

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        check_config(config, TransformerConfig)
        self.config = config
        scaled = config.scale_embeddings
        self.source_embedding = layers.Embedding(
            config.vocab_size, config.d_model, scaled=scaled
        )
        # Shared is the weight, not the module: torch.func gives each module
        # its weights back, and would give a module with two names its last.
        self.target_embedding = copy.deepcopy(self.source_embedding)
        if not config.share_embeddings:
            self.target_embedding = layers.Embedding(
                config.vocab_size, config.d_model, scaled=scaled
            )
        self.source_positions = variants.added_positions(config)
        self.target_positions = variants.added_positions(config)
        self.dropout = Dropout(config.dropout)
        self.encoder = Encoder(config)
        self.decoder = Decoder(config)
        self.output: nn.Linear = Linear(
            config.d_model, config.vocab_size, bias=False
        )
        # Each sublayer draws its own weights; the output starts as an embedding.
        for module in self.modules():
            if isinstance(module, MultiHeadAttention | layers.FeedForward):
                module.initialise(self.config.branch_gain)
        nn.init.normal_(self.output.weight, std=self.config.d_model**-0.5)
        if self.config.share_embeddings:
            self.target_embedding.weight = self.output.weight = (
                self.source_embedding.weight
            )

    def forward(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch target"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Return the logits of the token after each target position.

        Args:
            source: ids, each row ended by end-of-sentence, then padding.
            target: ids fed to the decoder, each row begun by begin-of-sentence.

        Raises:
            ValueError: ids that are not those of a batch of sentences, an id
                outside the vocabulary, more tokens than `config.max_length`, or
                not one target per source.
        """
        return self.decode(target, self.encode(source), source)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> Float[Tensor, "batch source d_model"]:
        """Compute the memory: one vector per source token."""
        check_ids(
            "source", source, self.config.vocab_size, self.config.max_length
        )
        x = self.source_positions(self.source_embedding(source))
        mask = padding_mask(source, self.config.padding_id)
        return self.encoder(self.dropout(in_autocast_dtype(x)), mask)

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits after each target position; `source` shows the padding."""
        return self.output(self.decode_hidden(target, memory, source))

    def decode_hidden(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """Compute what `decode` projects: one vector per target position."""
        check_ids(
            "target", target, self.config.vocab_size, self.config.max_length
        )
        check_memory(memory, source, target, self.config.d_model)
        x = self.target_positions(self.target_embedding(target))
        mask = padding_mask(target, self.config.padding_id)
        mask = mask & causal_mask(target.size(1), target.device)
        memory_mask = padding_mask(source, self.config.padding_id)
        return self.decoder(
            self.dropout(in_autocast_dtype(x)), memory, mask, memory_mask
        )

    def count_parameters(self) -> dict[str, int]:
        """Count the trainable values by part, shared ones once, and their "total"."""
        counts: Counter[str] = Counter()
        for name, parameter in self.named_parameters():
            counts[_part(name)] += parameter.numel()
        return {**counts, "total": counts.total()}


def _part(name: str) -> str:
    """Name the part of a parameter: decoder.norms for decoder.layers.3.after_attention..."""
    words = name.split(".")
    if words[0] not in ("encoder", "decoder"):
        return words[0]
    kind = words[3] if words[1] == "layers" else words[1]
    norms = kind.startswith(("after_", "final_norm"))
    return f"{words[0]}.{'norms' if norms else kind}"


def count_parameters(config: TransformerConfig) -> dict[str, int]:
    """Return `Transformer(config).count_parameters()`, without the model's memory."""
    with without_numbers():
        return Transformer(config).count_parameters()
