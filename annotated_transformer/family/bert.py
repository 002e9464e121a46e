"""BERT: the encoder alone, which fills gaps from both sides.

Chapter: *Language models*. No layer is new. What is new is what goes in (a
vector for the segment, a LayerNorm over the sum) and what is asked at the end.
Left out: the second task of the paper, whether one text follows the other.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_ids
from annotated_transformer.config import (
    Activation,
    Bias,
    Positions,
    TransformerConfig,
)
from annotated_transformer.family.member import Member
from annotated_transformer.family.names import bert
from annotated_transformer.layers import ACTIVATIONS, Embedding, LayerNorm
from annotated_transformer.masks import padding_mask
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions


@dataclass(frozen=True, kw_only=True)
class BERTConfig(TransformerConfig):
    """The sizes of the paper's model, and what BERT sets otherwise."""

    activation: Activation = "gelu"
    bias: Bias = "all"
    epsilon: float = 1e-12
    positions: Positions = "learned"
    scale_embeddings: bool = False
    n_segments: int = 2
    """Texts that may stand one after the other in a sequence."""


class BERT(Member):
    """Logits of the original token at each position of a text with gaps.

    Source: Devlin et al. 2019, sections 3 and 3.1.
    """

    Config = BERTConfig
    source = "Devlin et al. 2019"
    reference = bert.REFERENCE

    def __init__(self, config: BERTConfig) -> None:
        super().__init__(config)
        d_model = config.d_model
        self.embedding = Embedding(config.vocab_size, d_model, scaled=False)
        self.segments = Embedding(config.n_segments, d_model, scaled=False)
        self.positions = added_positions(config)
        self.embedding_norm = LayerNorm(d_model, config.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = Encoder(config)
        self.head = GapHead(config)

    def encode(
        self,
        ids: Int[Tensor, "batch length"],
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """One vector for each token, made from the tokens on both sides.

        Raises:
            ValueError: ids that are no batch of texts of this vocabulary.
        """
        check_ids("text", ids, self.config.vocab_size, self.config.max_length)
        segments = torch.zeros_like(ids) if segments is None else segments
        x = self.positions(self.embedding(ids) + self.segments(segments))
        x = self.dropout(self.embedding_norm(x))
        return self.encoder(x, padding_mask(ids, self.config.padding_id))

    def forward(
        self,
        ids: Int[Tensor, "batch length"],
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length vocab"]:
        """Logits of the token at each position."""
        return self.head(self.encode(ids, segments), self.embedding.weight)

    def loss(
        self,
        ids: Int[Tensor, "batch length"],
        original: Int[Tensor, "batch length"],
        chosen: Bool[Tensor, "batch length"],
    ) -> Float[Tensor, ""]:
        """Cross-entropy of the original tokens at the chosen positions, in nats."""
        return F.cross_entropy(self(ids)[chosen], original[chosen])


class GapHead(nn.Module):
    """What BERT asks of a vector: which token of the vocabulary stood there."""

    def __init__(self, config: BERTConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_model)
        self.activate = ACTIVATIONS[config.activation]
        self.norm = LayerNorm(config.d_model, config.epsilon)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))

    def forward(
        self,
        x: Float[Tensor, "*batch d_model"],
        embedding: Float[Tensor, "vocab d_model"],
    ) -> Float[Tensor, "*batch vocab"]:
        """The output projection is the embedding, as in the paper's section 3.4."""
        return F.linear(
            self.norm(self.activate(self.dense(x))), embedding, self.bias
        )
