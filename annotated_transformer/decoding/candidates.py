"""What may be written next: the log probability of each token, and the best few of them."""

import math

import torch
from jaxtyping import Float, Int
from torch import Tensor

from annotated_transformer.decoding.prefixes import EncoderDecoder, Prefixes
from annotated_transformer.fast.largest import largest
from annotated_transformer.tokenizer import BOS_ID, EOS_ID


def next_log_probs(
    model: EncoderDecoder,
    prefixes: Prefixes,
    tokens: Int[Tensor, "sentence prefix"],
    length: int,
    min_length: int,
) -> Float[Tensor, "sentence prefix vocab"]:
    """Write the tokens and return the log probability of each next one, in float32 or better.

    PAD and BOS are never written, so they get -inf. So does EOS while the output, which this
    step makes `length` tokens long, would end below `min_length`.
    """
    logits = prefixes.step(tokens)
    log_probs = logits.to(torch.promote_types(logits.dtype, torch.float32)).log_softmax(dim=-1)
    for token in (model.config.padding_id, BOS_ID, *([EOS_ID] if length < min_length else [])):
        log_probs[..., token] = -math.inf
    if not (log_probs.amax(dim=-1) > -math.inf).all():  # a NaN fails the comparison too
        raise ValueError(
            f"the model's logits after {length - 1} tokens leave no token to choose: "
            "they are NaN or infinite, or all probability is on PAD and BOS"
        )
    return log_probs


def best_tokens(
    log_probs: Float[Tensor, "sentence prefix vocab"], k: int
) -> list[list[list[tuple[int, float]]]]:
    """Return each prefix's k best tokens with their log probabilities, by ascending id.

    Of equal tokens those with the lowest ids are taken. `largest` alone picks among them
    arbitrarily, so that the result of a tie would depend on the batch and the device. It is asked
    for k + 1 tokens: only if the last two are equal can there be a tie for place k, and then
    all tokens are sorted.
    """
    vocab = log_probs.size(-1)
    values, tokens = largest(log_probs, min(k + 1, vocab))
    if k < vocab and (values[..., k] == values[..., k - 1]).any():
        tokens = log_probs.sort(dim=-1, descending=True, stable=True).indices
    tokens = tokens[..., :k].sort(dim=-1).values
    values = log_probs.gather(-1, tokens)
    return [
        [
            [(token, value) for token, value in zip(*row, strict=True) if value > -math.inf]
            for row in zip(*sentence, strict=True)
        ]
        for sentence in zip(tokens.tolist(), values.tolist(), strict=True)
    ]
