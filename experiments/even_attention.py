"""Equal runs with even weights in the decoder's cross-attention from the first update on.

    python -m experiments.even_attention

Each key that the mask allows gets the same weight, so a target position reads the mean of what the
source holds: in the last layer's cross-attention, or in that of every layer. The values and the
output projection are learned as always; the projections of queries and keys have a gradient of 0.
Whether a model needs the weights is a question about training; `interventions` asks what becomes
of a model that was trained with weights of its own. Chapter: *Reading attention*.

Source: the uniform weights of Wiegreffe and Pinter 2019, section 3.1.
"""

from collections.abc import Sequence
from typing import cast

from torch import Tensor

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.attention import ScaledDotProductAttention
from annotated_transformer.transformer import DecoderLayer
from experiments.variants import Comparison, Variant

WHERE = ("nowhere", "last layer", "every layer")
"""Which cross-attentions have even weights."""


class EvenAttention(ScaledDotProductAttention):
    """The mean of the values that the mask allows; queries and keys do not matter."""

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        attn_bias: Tensor | None = None,
    ) -> Tensor:
        """Equal scores make equal weights; the gradient of the queries is 0, and there is one."""
        return super().forward(0 * query, key, value, mask, attn_bias)


class EvenInLastLayer(Transformer):
    """The Transformer with even weights in the cross-attention of its last layer."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        _make_even(cast("Sequence[DecoderLayer]", self.decoder.layers)[-1:])


class EvenInEveryLayer(Transformer):
    """The Transformer with even weights in all its cross-attentions."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        _make_even(cast("Sequence[DecoderLayer]", self.decoder.layers)[:])


def _make_even(layers: Sequence[DecoderLayer]) -> None:
    for layer in layers:
        layer.cross_attention.attend = EvenAttention()


MODELS = (Transformer, EvenInLastLayer, EvenInEveryLayer)
VARIANTS = [Variant({"even": where}, model=m) for where, m in zip(WHERE, MODELS, strict=True)]
STUDY = Comparison("experiments.even_attention", __doc__, VARIANTS)


if __name__ == "__main__":
    STUDY.main()
