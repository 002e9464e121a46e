"""A decoder that writes all tokens of a translation in one pass.

Chapter: *The cost of n squared*. Paper: its conclusion names "making generation
less sequential". No token of the output is an input: every position starts from
a copy of a source token, may look at all others, and is read out once. Left
out: copies whose number is learned for each source token, distillation from a
model that writes one by one, and later passes that mend the first.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from annotated_transformer.checks import check_count
from annotated_transformer.checks.tensors import (
    check_ids,
    check_memory,
    check_sentences,
)
from annotated_transformer.decoding.hypotheses import Hypothesis, make_hypothesis
from annotated_transformer.fast.precision import in_autocast_dtype
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.lab.checks import check_not_traced
from annotated_transformer.masks import padding_mask
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from annotated_transformer.transformer import Transformer

MORE = 12
"""Output positions beyond those that the source has."""


class AllAtOnce(Transformer):
    """The Transformer without its causal mask, whose decoder is told no target token.

    It has the weights of a `Transformer`. A source of n tokens has n + `MORE`
    output positions, at most `max_length`; the model writes the end of the
    sentence itself, and what stands behind it counts for nothing. So neither
    training nor search has to know the length of the translation.

    Source: Gu et al. 2018, sections 2.2 and 3.1, without their fertilities.
    """

    def decode_hidden(
        self,
        target: Int[Tensor, "batch target"],
        memory: Float[Tensor, "batch source d_model"],
        source: Int[Tensor, "batch source"],
    ) -> Float[Tensor, "batch target d_model"]:
        """Return one vector for each position of the target, whose tokens are not looked at.

        Raises:
            ValueError: as `Transformer` does, or a target with more tokens than
                its source has output positions.
        """
        config = self.config
        check_ids("target", target, config.vocab_size, config.max_length)
        check_memory(memory, source, target, config.d_model)
        real = self.output_positions(source)
        tokens = (target != config.padding_id).sum(dim=1)
        if (short := tokens > real.sum(dim=1)).any():
            row = int(short.nonzero()[0])
            raise ValueError(
                f"the target of row {row} has {tokens[row]} tokens and its source "
                f"{real[row].sum()} output positions"
            )
        copies = spread_copies(source, real.size(1), config.padding_id)
        x = self.target_positions(self.source_embedding(copies))
        hidden = self.decoder(
            self.dropout(in_autocast_dtype(x)),
            memory,
            real[:, None, None].expand(-1, -1, x.size(1), -1),
            padding_mask(source, config.padding_id),
        )
        return hidden[:, : target.size(1)]

    def output_positions(
        self, source: Int[Tensor, "batch source"]
    ) -> Bool[Tensor, "batch position"]:
        """Mark the positions at which each sentence may have an output token."""
        check_not_traced(source, "the source's tokens say how many are written")
        lengths = (source != self.config.padding_id).sum(dim=1, keepdim=True)
        numbers = (lengths + MORE).clamp(max=self.config.max_length)
        positions = torch.arange(int(numbers.max()), device=source.device)
        return positions < numbers


def spread_copies(
    source: Int[Tensor, "batch source"], n_positions: int, padding_id: int = 0
) -> Int[Tensor, "batch n_positions"]:
    """Copy the source's tokens to the output positions, the last one into all that are left.

    Source: Gu et al. 2018, section 3.1, who copy with learned counts or evenly.
    """
    check_sentences(source, padding_id)
    check_count("n_positions", n_positions, least=0)
    lengths = (source != padding_id).sum(dim=1, keepdim=True)
    position = torch.arange(n_positions, device=source.device)
    return source.gather(1, torch.minimum(position, lengths - 1))


def write_at_once(model: AllAtOnce, source: Int[Tensor, "batch source"]) -> list[Hypothesis]:
    """Write the most probable token at every position, up to the first EOS, in one decoder pass.

    A search that writes token by token finds the same translation, because no
    token changes the logits of another; but it needs a pass for each token.

    Raises:
        ValueError: as `Transformer.encode` does.
    """
    with evaluation_mode(model):
        real = model.output_positions(source)
        # Any token will do: only the number of target tokens counts.
        target = source.new_full(real.shape, BOS_ID).masked_fill(~real, model.config.padding_id)
        logits = model.decode(target, model.encode(source), source)
        dtype = torch.promote_types(logits.dtype, torch.float32)
        log_probs = logits.to(dtype).log_softmax(dim=-1)
        log_probs[..., [model.config.padding_id, BOS_ID]] = -torch.inf
        best = log_probs.max(dim=-1)
    hypotheses = []
    for ids, values, limit in zip(
        best.indices.tolist(), best.values.tolist(), real.sum(dim=1).tolist(), strict=True
    ):
        end = ids.index(EOS_ID) + 1 if EOS_ID in ids[:limit] else limit
        hypotheses.append(make_hypothesis(ids[:end], sum(values[:end]), alpha=0.0))
    return hypotheses
