"""What a decoder learns that may look ahead: two equal runs, one of them without the causal mask.

    python -m experiments.leaking_mask

In training and validation the run without it reads, at each position, the very token that it has to
predict. Translations are written as always, token by token, where there is nothing ahead to read.
"""

from typing import Any
from unittest.mock import patch

import torch
from torch import Tensor

from annotated_transformer import Transformer, TransformerConfig, causal_mask
from experiments.variants import Variant, compare, parser


def everything(length: int, device: torch.device | None = None) -> Tensor:
    """The mask that hides nothing, in the shape of the causal one."""
    return torch.ones_like(causal_mask(length, device))


def no_causal_mask() -> Any:
    """Take the causal mask away from every `Transformer` while the block runs."""
    return patch("annotated_transformer.transformer.causal_mask", everything)


def looks_ahead() -> bool:
    """Whether a model's first logits change with its last target token."""
    torch.manual_seed(0)
    model = Transformer(TransformerConfig.tiny(vocab_size=9)).eval()
    source, target = torch.tensor([[4, 5, 2]]), torch.tensor([[1, 6, 7]])
    other = torch.tensor([[1, 6, 8]])
    return not torch.equal(model(source, target)[:, 0], model(source, other)[:, 0])


def main() -> None:
    """Carry out both runs and write their record."""
    given = parser("leaking_mask", __doc__.partition("\n")[0]).parse_args()
    with no_causal_mask():
        leaks = looks_ahead()
    if looks_ahead() or not leaks:
        raise RuntimeError("the two variants are not what they are called")
    variants = [
        Variant({"causal_mask": True}),
        Variant({"causal_mask": False}, around=no_causal_mask),
    ]
    compare("leaking_mask", variants, given)


if __name__ == "__main__":
    main()
