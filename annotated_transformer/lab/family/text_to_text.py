"""What BART and T5 share: a text goes in, a text is written, and each next token is learned.

Chapter: *Text to text*.
"""

from typing import Any, cast

from jaxtyping import Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.checks.tensors import check_ids
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
        config = self.config
        check_ids("target", target, config.vocab_size, config.max_length + 1)
        target_output, padding = target[:, 1:].long(), config.padding_id
        check_learned("targets", target, target_output, padding)
        logits = self(source, target[:, :-1])
        return F.cross_entropy(logits.flatten(0, 1), target_output.flatten(), ignore_index=padding)
