"""What BART and T5 share: a text goes in, a text is written, and each next token is learned.

Chapter: *Text to text*.
"""

from typing import Any, cast

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.decoding.prefixes import EncoderDecoder
from annotated_transformer.lab.checks import check_learned
from annotated_transformer.lab.family.member import Member


class TextToText(Member):
    """A member that the searches of decoding/ can ask for its texts."""

    def forward(
        self, source: Int[Tensor, "batch source"], target: Int[Tensor, "batch target"]
    ) -> Float[Tensor, "batch target vocab"]:
        """Return logits of the token after each target position."""
        model = cast("EncoderDecoder", self)
        return model.decode(target, model.encode(source), source)

    def check_batch(self, source: Any, target: Any, **_: Any) -> None:
        """Refuse targets in which there is nothing to learn."""
        check_learned("targets", target, self.config, self.config.padding_id)

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
        logits = self(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target_output.flatten(), ignore_index=padding)
