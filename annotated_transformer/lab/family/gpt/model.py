"""GPT: what is left of the decoder without a source, which writes from left to right.

Chapter: *Language models*. Without cross-attention a decoder layer is an
encoder layer, and the causal mask is what makes it a decoder. No layer is new.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from annotated_transformer.checks import check_count, check_flag
from annotated_transformer.checks.tensors import check_ids
from annotated_transformer.config import (
    Activation,
    Bias,
    Norm,
    Positions,
    TransformerConfig,
)
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.checks import check_learned
from annotated_transformer.lab.family.gpt import names as gpt
from annotated_transformer.lab.family.member import Member
from annotated_transformer.lab.family.reference import size
from annotated_transformer.layers import Embedding
from annotated_transformer.masks import causal_mask
from annotated_transformer.transformer import Encoder
from annotated_transformer.variants import added_positions


@dataclass(frozen=True, kw_only=True)
class GPTConfig(TransformerConfig):
    """The sizes of the paper's model, and what GPT-2 sets otherwise."""

    norm: Norm = "pre"
    activation: Activation = "gelu_tanh"
    bias: Bias = "all"
    epsilon: float = 1e-5
    positions: Positions = "learned"
    scale_embeddings: bool = False
    padded: bool = True
    """Whether `padding_id` fills up texts; GPT-2 has no such token."""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_flag("padded", self.padded)


class GPT(Member):
    """Logits of the next token after each position of a text.

    Texts shorter than others of a batch are filled up at their ends, where no
    token of theirs can see it.

    Source: Radford et al. 2019, section 2.3; the decoder alone: Liu et al. 2018.
    """

    Config = GPTConfig
    source = "Radford et al. 2019"
    reference = gpt.REFERENCE

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        self.embedding = Embedding(
            config.vocab_size, config.d_model, scaled=False
        )
        self.positions = added_positions(config)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = Encoder(config)
        if not config.share_embeddings:
            self.output = nn.Linear(
                config.d_model, config.vocab_size, bias=False
            )
        self.initialise(config.branch_gain)

    def forward(
        self, ids: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length vocab"]:
        """Return logits after each position; none sees a later one.

        Raises:
            ValueError: ids that are no batch of texts of this vocabulary.
        """
        shared = self.config.share_embeddings
        output = self.embedding if shared else self.output
        return F.linear(self.hidden(ids), output.weight)

    def hidden(
        self, ids: Int[Tensor, "batch length"]
    ) -> Float[Tensor, "batch length d_model"]:
        """Return one vector for each token, made from those up to it."""
        check_ids("text", ids, self.config.vocab_size, self.config.max_length)
        x = self.dropout(self.positions(self.embedding(ids)))
        return self.encoder(x, causal_mask(ids.size(1), ids.device)[None, None])

    def check_batch(self, ids: Any) -> None:
        """Refuse texts in which there is nothing to learn."""
        padding = self.config.padding_id if self.config.padded else -100
        check_learned("texts", ids, self.config, padding)

    def loss(self, ids: Int[Tensor, "batch length"]) -> Float[Tensor, ""]:
        """Return the cross-entropy of each token after the first, in nats.

        Padding is not counted.
        """
        return F.cross_entropy(
            self(ids[:, :-1]).flatten(0, 1),
            ids[:, 1:].flatten(),
            ignore_index=self.config.padding_id if self.config.padded else -100,
        )

    def generate(
        self,
        prompt: Int[Tensor, "batch length"],
        n_tokens: int,
        choose: Callable[[Tensor], Tensor],
    ) -> Int[Tensor, "batch longer"]:
        """Return the prompt and `n_tokens` more, each chosen from the logits of the next.

        Args:
            prompt: texts of the same length, to go on with.
            n_tokens: how many tokens to write after each.
            choose: from logits (batch, vocab) to ids (batch,), such as
                `sampler(temperature=0.8)`.

        Raises:
            ValueError: `n_tokens` is no whole number, 0 or more.
        """
        check_count("n_tokens", n_tokens, least=0)
        ids = prompt
        with evaluation_mode(self):
            for _ in range(n_tokens):
                chosen = choose(self(ids)[:, -1])
                ids = torch.cat([ids, chosen[:, None]], dim=1)
        return ids.clone()  # one that training may read

    @classmethod
    def config_from(
        cls, settings: Mapping[str, Any], origin: Path | str
    ) -> GPTConfig:
        """Read as all members do; an inner width that is not given is 4 d_model."""
        fields = cls.reference.fields(settings, origin)
        inner, padding = settings.get("n_inner"), settings.get("pad_token_id")
        fields["d_ff"] = (
            4 * size(settings, "n_embd", origin) if inner is None else inner
        )
        fields |= {} if padding is None else {"padding_id": padding}
        fields["padded"] = padding is not None
        return cls.built(fields, origin)
