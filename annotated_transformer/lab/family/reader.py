"""The encoder as BERT and ELECTRA use it: what is added up before its first layer."""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from annotated_transformer.checks import (
    check_flag,
    check_positive,
    follow,
    settle_numbers,
)
from annotated_transformer.checks.tensors import check_ids
from annotated_transformer.config import (
    Activation,
    Bias,
    Positions,
    TransformerConfig,
)
from annotated_transformer.lab.checks import check_same_shape
from annotated_transformer.layers import Embedding, LayerNorm
from annotated_transformer.masks import padding_mask
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions


@dataclass(frozen=True, kw_only=True)
class ReaderConfig(TransformerConfig):
    """The paper's sizes, and what BERT sets otherwise."""

    activation: Activation = "gelu"
    bias: Bias = "all"
    epsilon: float = 1e-12
    positions: Positions = "learned"
    scale_embeddings: bool = False
    n_segments: int = 2
    """Texts that may stand one after the other in a sequence."""
    d_embedding: int = None  # type: ignore[assignment]
    """Width of the embeddings; None becomes d_model."""
    fills_gaps: bool = True
    """Whether a head asks which token stood at a place; files of an encoder alone have none."""

    def __post_init__(self) -> None:
        settle_numbers(self)
        check_positive("d_model", self.d_model)
        follow(self, "d_embedding", lambda: self.d_model)
        check_flag("fills_gaps", self.fills_gaps)
        check_positive("n_segments", self.n_segments)
        check_positive("d_embedding", self.d_embedding)
        super().__post_init__()


class Reader(nn.Module):
    """Token, segment and position are added up and normalised; then the encoder.

    Source: Devlin et al. 2019, section 3 and figure 2.
    """

    def __init__(self, config: ReaderConfig) -> None:
        super().__init__()
        self.config, width = config, config.d_embedding
        self.segment_limits = config.n_segments, config.max_length
        self.embedding = Embedding(config.vocab_size, width, scaled=False)
        self.segments = Embedding(config.n_segments, width, scaled=False)
        # The heads of the layers are as wide as before.
        d_k, d_v = int(config.d_k), int(config.d_v)
        self.positions = added_positions(
            replace(config, d_model=width, d_k=d_k, d_v=d_v)
        )
        self.embedding_norm = LayerNorm(width, config.epsilon)
        self.dropout = nn.Dropout(config.dropout)
        self.project: nn.Module = nn.Identity()
        if width != config.d_model:
            self.project = nn.Linear(width, config.d_model)
        self.encoder = Encoder(config)

    def forward(
        self,
        ids: Int[Tensor, "batch length"],
        segments: Int[Tensor, "batch length"] | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """Return one vector for each token, made from the tokens on both sides.

        Without `segments`, all tokens are of the first.

        Raises:
            ValueError: ids that are no batch of texts of this vocabulary.
        """
        check_ids("text", ids, self.config.vocab_size, self.config.max_length)
        if segments is None:
            segments = torch.zeros_like(ids)
        check_ids("text's segments", segments, *self.segment_limits)
        check_same_shape("the segments", segments, "the text", ids)
        x = self.positions(self.embedding(ids) + self.segments(segments))
        x = self.project(self.dropout(self.embedding_norm(x)))
        return self.encoder(x, self.mask(ids))

    def mask(
        self, ids: Int[Tensor, "batch length"]
    ) -> Bool[Tensor, "batch 1 #length length"]:
        """Let every token see every real one, on both sides."""
        return padding_mask(ids, self.config.padding_id)
