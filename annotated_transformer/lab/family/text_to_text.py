"""What BART and T5 share: a text goes in, a text is written, and each next token is learned.

Chapter: *Text to text*.
"""

from typing import Any, cast

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks.tensors import is_traced
from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.lab.family.member import Member


class TextToText(Member):
    """A member that the searches of decoding/ can ask for its texts."""

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits of the token after each target position."""
        model = cast("EncoderDecoder", self)
        return model.decode(target, model.encode(source), source)

    def loss(
        self,
        source: Int[Tensor, "batch source"],
        target: Int[Tensor, "batch target"],
        **options: Any,
    ) -> Float[Tensor, ""]:
        """Return the cross-entropy of each token of the target but the first, in nats.

        The first is only read: it says that a text begins.

        Raises:
            ValueError: no target has a token after the first.
        """
        target_output, padding = target[:, 1:], self.config.padding_id
        if not is_traced(target_output) and not (target_output != padding).any():
            raise ValueError(
                f"targets of shape {tuple(target.shape)} have nothing to learn: each has to "
                "begin with the token that starts a text, and go on"
            )
        logits = self(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target_output.flatten(), ignore_index=padding)
