"""What a search proposes: translations with their scores (Wu et al. 2016)."""

import math
from dataclasses import dataclass

from annotated_transformer.checks import check_count, check_number
from annotated_transformer.tokenizer import EOS_ID


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """One translation that a search proposes, and what the model thinks of it."""

    ids: tuple[int, ...]
    """Token ids, without beginning and end of sentence."""
    log_probability: float
    """Natural logarithm, summed over the tokens; a finished hypothesis includes its EOS."""
    score: float
    """`log_probability` divided by the length penalty; greedy search uses no penalty."""
    finished: bool
    """Whether it ends in EOS; if not, the maximum length cut it off and it is only a prefix."""


def length_penalty(length: int, alpha: float) -> float:
    """Return the divisor of a log probability, `((5 + length) / 6) ** alpha`.

    `length` counts output tokens, EOS included. alpha = 0 compares plain log
    probabilities; larger values favour longer translations.

    Raises:
        ValueError: a length below 1, or an alpha that is negative or no finite number.

    Source: Wu et al. 2016, equation 14.
    """
    # Asked for every prefix in each step of a search: what is usual is seen at once.
    if type(length) is not int or type(alpha) is not float or not (length > 0 <= alpha < math.inf):
        length = check_count("length", length)
        alpha = check_number("alpha", alpha)
    return float(((5 + length) / 6) ** alpha)


def make_hypothesis(ids: list[int], log_probability: float, alpha: float) -> Hypothesis:
    """Make a hypothesis of output tokens; the last of them is EOS if it is finished."""
    finished = ids[-1] == EOS_ID
    return Hypothesis(
        ids=tuple(ids[:-1] if finished else ids),
        log_probability=log_probability,
        score=log_probability / length_penalty(len(ids), alpha),
        finished=finished,
    )
