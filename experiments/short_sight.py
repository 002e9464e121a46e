"""What cheaper attentions lose: equal runs with windows and with linear attention.

    python -m experiments.short_sight

Encoder and decoder look at their own sentence through a window of w tokens on each side (in the
decoder w back), or by linear attention; attention over the memory stays as it is. Weights, their
initial values and updates are as many and the same in every run. The sentences are short, so each
form is computed by its definition, with all n^2 weights, and its cost is not measured here.

Chapter: *The cost of n squared*.
"""

from collections.abc import Callable
from functools import partial

from torch import Tensor

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.attention import ScaledDotProductAttention
from annotated_transformer.fast.attention import biased
from annotated_transformer.lab.variants.linear import linear_attention_weights
from annotated_transformer.lab.variants.window import window_mask
from annotated_transformer.transformer import DecoderLayer, EncoderLayer
from experiments.variants import Comparison, Variant

WINDOWS = (2, 4, 8)


class WindowedAttention(ScaledDotProductAttention):
    """Attention to keys at most `window` positions away.

    The last query stands at the last key: a greedy search asks with the newest token alone, and has
    the keys of all before it.
    """

    def __init__(self, window: int) -> None:
        super().__init__()
        self.window = window

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        attn_bias: Tensor | None = None,
    ) -> Tensor:
        """The mask of the model, and that of the window."""
        near = window_mask(key.size(-2), self.window, device=key.device)[-query.size(-2) :]
        near = near if mask is None else mask & near
        return super().forward(query, key, value, near, attn_bias)


class LinearAttention(ScaledDotProductAttention):
    """Attention whose weights are products of features."""

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        mask: Tensor | None = None,
        attn_bias: Tensor | None = None,
    ) -> Tensor:
        """The definition, with the mask of the model."""
        weights = linear_attention_weights(query, key)
        _, mask = biased(weights, mask, attn_bias)
        return linear_attention_weights(query, key, mask) @ value


def with_attention(
    config: TransformerConfig, *, make: Callable[[], ScaledDotProductAttention]
) -> Transformer:
    """The Transformer of this seed, whose self-attentions attend in another way."""
    model = Transformer(config)
    for layer in model.modules():
        if isinstance(layer, EncoderLayer | DecoderLayer):
            layer.self_attention.attend = make()
    return model


def variants() -> list[Variant]:
    """All that is compared; full attention comes first."""
    ways: dict[str, Callable[[], ScaledDotProductAttention]] = {
        "full": ScaledDotProductAttention,
        **{f"window {w}": partial(WindowedAttention, w) for w in WINDOWS},
        "linear": LinearAttention,
    }
    return [
        Variant({"self_attention": name}, model=partial(with_attention, make=make))
        for name, make in ways.items()
    ]


STUDY = Comparison("experiments.short_sight", __doc__, variants())


if __name__ == "__main__":
    STUDY.main()
