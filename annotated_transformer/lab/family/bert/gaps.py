"""Gaps in texts: which tokens are hidden, and by what.

Chapter: *Language models*. Hiding is what makes a text that nobody labelled an
exercise with an answer.
"""

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from annotated_transformer.checks import check_id
from annotated_transformer.lab.checks import check_share


def make_gaps(
    ids: Int[Tensor, "batch length"],
    *,
    mask_id: int,
    vocab_size: int,
    first_id: int = 0,
    rate: float = 0.15,
    hidden: float = 0.8,
    random: float = 0.1,
    generator: torch.Generator | None = None,
) -> tuple[Int[Tensor, "batch length"], Bool[Tensor, "batch length"]]:
    """Make gaps in a text; return the text and where they are: (ids, chosen).

    Each token is chosen with probability `rate`; if none of a text is, one of
    it at random. A chosen token becomes the mask, another token, or stays as
    it is, with the probabilities `hidden`, `random` and what is left to 1.

    Args:
        ids: texts; tokens below `first_id`, such as padding, are never chosen.
        mask_id: the token that stands for a gap; nor is it chosen.
        vocab_size: another token is one of `first_id` ... `vocab_size - 1`.
        first_id: the first id that is not special.
        rate: share of the tokens that are asked for.
        hidden: share of these that become the mask.
        random: share of these that become another token.
        generator: of the draws.

    Raises:
        ValueError: a rate of 0 or 1 or outside of that, shares that are none,
            an empty batch, or a text without a token that may be chosen.

    Source: Devlin et al. 2019, section 3.1, "Masked LM" and appendix A.1.
    """
    check_shares(rate, hidden, random)
    may = may_be_chosen(ids, first_id, mask_id)
    draw = torch.rand(ids.shape, generator=generator).masked_fill(~may, 2.0)
    # The lowest draw of a text is chosen in any case: every text has a gap.
    chosen = (draw < rate) | (draw == draw.amin(dim=1, keepdim=True))
    fate = torch.rand(ids.shape, generator=generator)
    other = torch.randint(first_id, vocab_size, ids.shape, generator=generator)
    gaps = ids.masked_fill(chosen & (fate < hidden), mask_id)
    swapped = chosen & (fate >= hidden) & (fate < hidden + random)
    return torch.where(swapped, other, gaps), chosen


def may_be_chosen(
    ids: Int[Tensor, "batch length"], first_id: int, mask_id: int
) -> Bool[Tensor, "batch length"]:
    """Mark the tokens that are words; every text has to have one."""
    check_id("first_id", first_id)
    check_id("mask_id", mask_id)
    if not ids.numel():
        raise ValueError(f"an empty batch, {tuple(ids.shape)}, has no tokens")
    may = (ids >= first_id) & (ids != mask_id)
    if not may.any(dim=1).all():
        row = int((~may.any(dim=1)).nonzero()[0])
        raise ValueError(f"text {row} has no token that may be chosen")
    return may


def check_shares(rate: float, hidden: float, random: float) -> None:
    """Raise ValueError unless some tokens are chosen, some are not, and shares are shares."""
    for name, share in (("rate", rate), ("hidden", hidden), ("random", random)):
        check_share(name, share)
    if not 0 < rate < 1:
        raise ValueError(
            f"rate={rate} must be above 0 and below 1: some tokens must be asked for, others read"
        )
    if hidden + random > 1:
        raise ValueError(
            f"hidden={hidden} and random={random} must be shares of one whole"
        )
