"""BERT: the encoder alone, which fills gaps from both sides.

Chapter: *Language models*. No layer is new. What is new is what goes in (a
vector for the segment, a LayerNorm over the sum) and what is asked at the end.
Left out: the second task of the paper, whether one text follows the other.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.lab.checks import check_gaps
from annotated_transformer.lab.family.bert import names as bert
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.reader import Reader, ReaderConfig
from annotated_transformer.layers import ACTIVATIONS, LayerNorm


@dataclass(frozen=True, kw_only=True)
class BERTConfig(ReaderConfig):
    """Sizes and options of BERT."""


class BERT(Member):
    """Logits of the original token at each position of a text with gaps.

    Source: Devlin et al. 2019, sections 3 and 3.1.
    """

    Config: ClassVar[type[ReaderConfig]] = BERTConfig
    source = "Devlin et al. 2019"
    reference = bert.REFERENCE

    def __init__(self, config: ReaderConfig) -> None:
        super().__init__(config)
        self.reader = Reader(config)
        self.head = GapHead(config) if config.fills_gaps else None
        self.initialise(config.branch_gain)

    def forward(
        self,
        ids: Int[Tensor, "batch length"],
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length vocab"]:
        """Return logits of the token at each position.

        Raises:
            ValueError: the model was read from a file of the encoder alone.
        """
        if self.head is None:
            raise ValueError(
                "this model has no head that fills gaps, as its file was of the encoder alone; "
                "model.reader(ids) gives the vectors of the tokens"
            )
        return self.head(
            self.reader(ids, segments), self.reader.embedding.weight
        )

    def check_batch(self, ids: Any, original: Any, chosen: Any) -> None:
        """Refuse texts that do not belong together: see `check_gaps`."""
        sizes = self.config.vocab_size, self.config.max_length
        check_gaps(ids, original, chosen, *sizes)

    def loss(
        self,
        ids: Int[Tensor, "batch length"],
        original: Int[Tensor, "batch length"],
        chosen: Bool[Tensor, "batch length"],
    ) -> Float[Tensor, ""]:
        """Return the cross-entropy of the original tokens at the chosen positions, in nats."""
        return F.cross_entropy(self(ids)[chosen], original[chosen])

    @classmethod
    def fitted(
        cls, config: ReaderConfig, tensors: Mapping[str, Tensor]
    ) -> ReaderConfig:
        """Leave out the head that fills gaps, if the file has none."""
        head = cls.reference.source("head.bias")[0].removesuffix("bias")
        fills_gaps = any(name.startswith(head) for name in tensors)
        return replace(config, fills_gaps=fills_gaps)


class GapHead(nn.Module):
    """What is asked of a vector: which token of the vocabulary stood there."""

    def __init__(self, config: ReaderConfig) -> None:
        super().__init__()
        self.dense = nn.Linear(config.d_model, config.d_embedding)
        self.activate = ACTIVATIONS[config.activation]
        self.norm = LayerNorm(config.d_embedding, config.epsilon)
        self.output: nn.Linear | None = None
        if config.share_embeddings:
            self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        else:
            self.output = nn.Linear(config.d_embedding, config.vocab_size)

    def forward(
        self,
        x: Float[Tensor, "*batch d_model"],
        embedding: Float[Tensor, "vocab d_embedding"],
    ) -> Float[Tensor, "*batch vocab"]:
        """Return logits; if shared, the output projection is the embedding (section 3.4)."""
        x = self.norm(self.activate(self.dense(x)))
        if self.output is not None:
            return self.output(x)
        return F.linear(x, embedding, self.bias)
