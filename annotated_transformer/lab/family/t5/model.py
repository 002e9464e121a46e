"""T5: every task is a text to read and a text to write.

Chapter: *Text to text*. Nothing is added to the embeddings: how far apart two
tokens stand is a learned number for each head, added to their score. Around
that the layers lose what they can do without. The parts are in parts.py and
distances.py. Left out: dropout inside the attention and the feed-forward
network, and after the last norm.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_sizes
from annotated_transformer.checks.tensors import check_ids, check_memory
from annotated_transformer.config import (
    Bias,
    Norm,
    Positions,
    TransformerConfig,
)
from annotated_transformer.fast.dropout import Dropout
from annotated_transformer.lab.family.t5 import names as t5
from annotated_transformer.lab.family.t5.distances import RelativeBias
from annotated_transformer.lab.family.t5.parts import in_form_of_t5
from annotated_transformer.lab.family.text_to_text import TextToText
from annotated_transformer.layers import Embedding
from annotated_transformer.masks import causal_mask, padding_mask
from annotated_transformer.transformer import Decoder, Encoder


@dataclass(frozen=True, kw_only=True)
class T5Config(TransformerConfig):
    """The sizes of the paper's model, and what T5 sets otherwise.

    Version 1.1 has `gated=True`, `activation="gelu_tanh"` and
    `share_embeddings=False`: the output has a matrix of its own.
    """

    norm: Norm = "pre"
    bias: Bias = "none"
    positions: Positions = "none"
    scale_embeddings: bool = False
    gated: bool = False
    """Whether the feed-forward network has a second product as a gate."""
    n_buckets: int = 32
    """Classes of distances, each with a bias of its own."""
    max_distance: int = 128
    """From here on all distances are one class."""
    max_length: int = 2**15
    """No table of positions ends here; the scores of longer texts fill the memory."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_sizes(n_buckets=self.n_buckets, max_distance=self.max_distance)
        if self.n_buckets < 4 or self.n_buckets % 2:
            raise ValueError(
                f"n_buckets={self.n_buckets} must be even and 4 or more: half for each side"
            )
        if self.max_distance <= self.n_buckets // 2:
            raise ValueError(
                f"max_distance={self.max_distance} must be more than {self.n_buckets // 2}, "
                "the buckets of one distance each"
            )


class T5(TextToText):
    """Logits of the next token of a text that answers another.

    A target begins with the token that starts a text; in published models, it
    is that of padding. Padding at the end of a target is later than all its
    tokens, so that the causal mask hides it.

    Source: Raffel et al. 2020, section 2.1; version 1.1: Shazeer 2020.
    """

    Config = T5Config
    source = "Raffel et al. 2020"
    reference = t5.REFERENCE

    def __init__(self, config: T5Config) -> None:
        super().__init__(config)
        d_model, vocab_size = config.d_model, config.vocab_size
        self.embedding = Embedding(vocab_size, d_model, scaled=False)
        nn.init.normal_(self.embedding.weight)
        sizes = config.n_heads, config.n_buckets, config.max_distance
        self.encoder_bias = RelativeBias(*sizes, both_sides=True)
        self.decoder_bias = RelativeBias(*sizes, both_sides=False)
        self.dropout = Dropout(config.dropout)
        self.encoder = in_form_of_t5(
            Encoder(config), config, gated=config.gated
        )
        self.decoder = in_form_of_t5(
            Decoder(config), config, gated=config.gated
        )
        if not config.share_embeddings:
            self.output = nn.Linear(d_model, vocab_size, bias=False)
            nn.init.normal_(self.output.weight, std=d_model**-0.5)
        self.initialise(config.branch_gain)

    def encode(
        self, source: Int[Tensor, "batch source"]
    ) -> Float[Tensor, "batch source d_model"]:
        """Compute the memory: one vector per source token."""
        x, bias = self._read("source", source, self.encoder_bias)
        mask = padding_mask(source, self.config.padding_id)
        bias = bias.masked_fill(~mask, -math.inf)
        return self.encoder(x, None, attn_bias=bias)

    def decode(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits after each target position; `source` shows padding."""
        x, bias = self._read("target", target, self.decoder_bias)
        check_memory(memory, source, target, self.config.d_model)
        causal = causal_mask(target.size(1), target.device)
        bias = bias.masked_fill(~causal, -math.inf)
        memory_mask = padding_mask(source, self.config.padding_id)
        x = self.decoder(x, memory, None, memory_mask, attn_bias=bias)
        if self.config.share_embeddings:
            return F.linear(x * x.size(-1) ** -0.5, self.embedding.weight)
        return self.output(x)

    def _read(
        self, name: str, ids: Tensor, bias: RelativeBias
    ) -> tuple[Tensor, Tensor]:
        check_ids(name, ids, self.config.vocab_size, self.config.max_length)
        return self.dropout(self.embedding(ids)), bias(ids.size(1))

    @classmethod
    def config_from(
        cls, settings: Mapping[str, Any], origin: Path | str
    ) -> T5Config:
        """Read as `Member.config_from` does; refuse a feed-forward network that is not built."""
        return cls.built(
            t5.form(settings, origin) | cls.reference.fields(settings, origin),
            origin,
        )
