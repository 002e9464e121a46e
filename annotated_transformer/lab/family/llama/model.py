"""LLaMA: GPT with what has replaced the paper's parts in most language models since.

Chapter: *Language models*. The parts are RMSNorm, a gated feed-forward network
(SwiGLU), rotary positions, heads that share keys and values, and no bias
anywhere. Left out: the cache of a search, and the ways to stretch rotations
other than the linear one.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.fast.linear import Linear
from annotated_transformer.lab.family.gpt.model import GPT
from annotated_transformer.lab.family.llama import names as llama
from annotated_transformer.lab.family.llama.config import LLaMAConfig
from annotated_transformer.lab.family.t5.parts import GatedFeedForward, RMSNorm
from annotated_transformer.lab.variants.grouped import grouped_attention
from annotated_transformer.transformer import Encoder, EncoderLayer
from annotated_transformer.variants.rotary import rotate


class RotaryGroupedAttention(MultiHeadAttention):
    """Causal attention of one text: queries and keys are turned, keys and values shared.

    The pairs that are turned are component i and the one half a head further,
    as in the published weights; the paper of the rotations turns neighbours.
    Scores do not know the difference, because both orders are one permutation
    of queries and keys alike.

    Source: Su et al. 2024; Ainslie et al. 2023.
    """

    def __init__(self, config: LLaMAConfig) -> None:
        d_model, width = config.d_model, config.d_k
        super().__init__(d_model, config.n_heads, width, config.d_v)
        self.n_groups = config.n_groups
        self.rope_base, self.stretch = config.rope_base, config.stretch
        self.w_key = Linear(d_model, config.n_groups * width, bias=False)
        self.w_value = Linear(d_model, config.n_groups * config.d_v, bias=False)

    def forward(  # type: ignore[override]
        self,
        query: Float[Tensor, "batch length d_model"],
        key: Float[Tensor, "batch length d_model"],
        value: Float[Tensor, "batch length d_model"],
        mask: Bool[Tensor, "*#heads #length #length"] | None = None,
        *,
        attn_bias: Float[Tensor, "*#heads #length #length"] | None = None,
    ) -> Float[Tensor, "batch length d_model"]:
        """Attend within a text.

        Raises:
            ValueError: numbers to add to the scores, which are not built here,
                or what `grouped_attention` refuses.
        """
        if attn_bias is not None:
            raise ValueError("attn_bias is not built here: LLaMA has none")

        def split(y: Tensor, number: int) -> Tensor:
            return y.unflatten(-1, (number, -1)).transpose(1, 2)

        heads = grouped_attention(
            self.turned(split(self.w_query(query), self.n_heads)),
            self.turned(split(self.w_key(key), self.n_groups)),
            split(self.w_value(value), self.n_groups),
            mask,
        )
        return self.w_output(heads.transpose(1, 2).flatten(-2))

    def turned(
        self, x: Float[Tensor, "batch heads length d_k"]
    ) -> Float[Tensor, "batch heads length d_k"]:
        """Put partners side by side, and turn each pair by its position."""
        side_by_side = x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)
        places = torch.arange(x.size(-2), dtype=torch.float64, device=x.device)
        return rotate(side_by_side, places / self.stretch, self.rope_base)


class LLaMA(GPT):
    """Logits of the next token, by the parts that came after the paper.

    Source: Touvron et al. 2023, section 2.2.
    """

    Config = LLaMAConfig
    source = "Touvron et al. 2023"
    reference = llama.REFERENCE

    def __init__(self, config: LLaMAConfig) -> None:
        super().__init__(config)
        in_form_of_llama(self.encoder, config)
        self.initialise(config.branch_gain)

    @classmethod
    def config_from(
        cls, settings: Mapping[str, Any], origin: Path | str
    ) -> LLaMAConfig:
        """Read as all members do, and the rotations from under either of their keys."""
        fields = cls.reference.fields(settings, origin)
        fields |= llama.rotation(settings, origin)
        width, padding = settings.get("head_dim"), settings.get("pad_token_id")
        fields |= {} if width is None else {"d_k": width, "d_v": width}
        fields |= {} if padding is None else {"padding_id": padding}
        fields["padded"] = padding is not None
        fields["n_groups"] = settings.get("num_key_value_heads")
        return cls.built(fields, origin)


def in_form_of_llama(encoder: Encoder, config: LLaMAConfig) -> None:
    """Put LLaMA's parts into a stack in place of the paper's."""
    for layer in encoder.layers:
        assert isinstance(layer, EncoderLayer)
        layer.self_attention = RotaryGroupedAttention(config)
        layer.feed_forward = GatedFeedForward(
            config.d_model, config.d_ff, config.activation
        )
        for around in (layer.after_attention, layer.after_feed_forward):
            norm = RMSNorm(config.d_model, config.epsilon)
            around.register_module("layer_norm", norm)
    encoder.final_norm = RMSNorm(config.d_model, config.epsilon)
