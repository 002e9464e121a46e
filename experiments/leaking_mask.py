"""What a decoder learns that may look ahead: two equal runs, one of them without the causal mask.

    python -m experiments.leaking_mask

In training and validation the run without it reads, at each position, the very token that it has to
predict. Translations are written as always, token by token: a position is computed once, when there
is nothing ahead of it to read, so both models then compute as with the mask.
"""

from typing import Any

from torch import nn

from annotated_transformer import Transformer, TransformerConfig
from experiments.variants import Comparison, Variant


class LookingAhead(Transformer):
    """The Transformer, except that each target position may attend to the later ones too."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.decoder.register_forward_pre_hook(_without_causal_mask)


def _without_causal_mask(_decoder: nn.Module, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    x, memory, mask, *others = arguments
    if mask is None:  # a search, which computes the newest position alone
        return arguments
    # The last position may attend to all that is not padding, and now all others may too.
    return x, memory, mask[..., -1:, :].expand_as(mask), *others


VARIANTS = [Variant({"causal_mask": True}), Variant({"causal_mask": False}, model=LookingAhead)]
STUDY = Comparison("experiments.leaking_mask", __doc__, VARIANTS)


if __name__ == "__main__":
    STUDY.main()
