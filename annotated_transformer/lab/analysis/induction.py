"""Heads that continue a repetition: texts that repeat, two scores per head, and when they form.

Chapter: *Reading attention*. A text of random tokens that begins again can be foretold from the
second period on. An induction head looks at what followed the current token when it occurred
before; it needs an earlier head that tells each token what stood before it. Left out:
repetitions that are not exact.
"""

from collections.abc import Mapping, Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn import functional as F

from annotated_transformer.inspection import evaluation_mode, record_attention
from annotated_transformer.lab.family.gpt.model import GPT

FIRST_TOKEN = 1
"""Token 0 fills up; all others are drawn."""


def repeated_texts(
    periods: Sequence[int], length: int, vocab_size: int, generator: torch.Generator
) -> Int[Tensor, "text length"]:
    """Draw a text for each period: this many different random tokens, again and again.

    No token occurs twice in a period, so that one occurrence says all there is to know.

    Raises:
        ValueError: a period is below 2, has more tokens than the vocabulary, or does not come again
            within the length.
    """
    limit = min(vocab_size - FIRST_TOKEN, length - 1)
    for period in periods:
        if not 2 <= period <= limit:
            raise ValueError(
                f"a period of {period} tokens: expected 2 to {limit} of "
                f"{vocab_size - FIRST_TOKEN} tokens in a text of {length}"
            )
    rows = []
    for period in periods:
        drawn = torch.randperm(vocab_size - FIRST_TOKEN, generator=generator)
        place = torch.arange(length) % period
        rows.append(drawn[:period][place] + FIRST_TOKEN)
    return torch.stack(rows)


def foretold(periods: Sequence[int], length: int) -> Bool[Tensor, "text length"]:
    """Mark the tokens that have occurred before, whose successor is therefore known."""
    return torch.arange(length) >= torch.tensor(periods)[:, None]


def set_loss(periods: Sequence[int], length: int) -> float:
    """Return the loss of a model that knows the text's tokens but not their order.

    In a period of p different tokens each is as likely as another: log p nats.
    """
    known = foretold(periods, length - 1).sum(1)
    logs = torch.tensor(periods, dtype=torch.float64).log()
    return float((known * logs).sum() / known.sum())


def repeat_losses(
    model: GPT, ids: Int[Tensor, "text length"], periods: Sequence[int]
) -> tuple[float, float]:
    """Return the loss of the next token, in nats: where it is new, and where it is foretold."""
    with evaluation_mode(model):
        logits = model(ids[:, :-1])
    losses = F.cross_entropy(logits.mT, ids[:, 1:], reduction="none")
    known = foretold(periods, ids.size(1) - 1)
    return losses[~known].mean().item(), losses[known].mean().item()


def induction_scores(
    model: GPT, ids: Int[Tensor, "text length"], periods: Sequence[int]
) -> dict[str, Float[Tensor, "heads 2"]]:
    """Return each head's weight on the previous token, and on what followed the same token before.

    The shares of weight, 0 to 1, by the name of the attention: in column 0 that on the token
    before, a mean over all rows but the first; in column 1 that on the tokens after the earlier
    occurrences of the row's own, a mean over the rows that have one.

    Source: Olsson et al. 2022 (prefix matching).
    """
    with evaluation_mode(model), record_attention(model) as record:
        model(ids)
    length = ids.size(1)
    row, column = torch.arange(length)[:, None], torch.arange(length)
    previous = (column == row - 1).expand(len(ids), -1, -1)
    period = torch.tensor(periods)[:, None, None]
    follows = (column >= 1) & (column <= row)
    successor = follows & ((row + 1 - column) % period == 0)
    return {
        name: torch.stack([_share(weights, previous), _share(weights, successor)], dim=1)
        for name, weights in record.items()
    }


def _share(
    weights: Float[Tensor, "text heads query key"], marked: Bool[Tensor, "text query key"]
) -> Float[Tensor, " heads"]:
    """Average the weight on the marked keys over the rows that have one."""
    given = (weights * marked[:, None]).sum(dim=(0, 2, 3))
    return given / marked.any(-1).sum()


def formation(curve: Mapping[int, float], part: float = 0.5) -> int | None:
    """Return the step at which a score forms, or None if it never does.

    The rule: the first step of the unbroken end of the curve that lies above a part of the way from
    its first value to its highest, half of it by default. A score that never rises by 0.3 does not
    form.

    Raises:
        ValueError: the curve is empty.
    """
    if not curve:
        raise ValueError("the curve is empty: there is no step to name")
    steps = sorted(curve)
    first, highest = curve[steps[0]], max(curve.values())
    limit = first + part * (highest - first)
    below = [step for step in steps if curve[step] <= limit]
    later = [step for step in steps if step > max(below)]
    return later[0] if later and highest - first >= 0.3 else None
