"""Texts spoilt on purpose: what BART and T5 learn to mend.

Chapter: *Text to text*. A text is a list of token ids, without the tokens that
begin, end or fill up. The draws come from PyTorch's generator; how many tokens
are hidden is no draw, but `rate` times the length, rounded, at least one and
never all.
"""

from collections.abc import Sequence

import torch

from annotated_transformer.checks import check_factor
from annotated_transformer.lab.checks import check_share

Ids = Sequence[int]


def mask_tokens(
    text: Ids,
    *,
    mask_id: int,
    rate: float = 0.3,
    generator: torch.Generator | None = None,
) -> list[int]:
    """Replace some tokens by the mask, each by itself: the length stays.

    Raises:
        ValueError: a rate that leaves nothing to read or to write, or a text
            of less than two tokens.

    Source: Lewis et al. 2020, section 2.2, "Token Masking".
    """
    places = set(_draw(len(text), _budget(text, rate), generator))
    return [mask_id if i in places else token for i, token in enumerate(text)]


def infill(
    text: Ids,
    *,
    mask_id: int,
    rate: float = 0.3,
    mean: float = 3.0,
    generator: torch.Generator | None = None,
) -> list[int]:
    """Replace some spans by one mask each: how many tokens are missing is hidden too.

    The lengths of the spans are draws of a Poisson distribution, until they sum
    to the number of tokens to hide; the last is cut to it. A span of length 0
    is a mask put in where nothing is missing.

    Raises ValueError as `mask_tokens` does, and for a mean below 1.

    Source: Lewis et al. 2020, section 2.2, "Text Infilling".
    """
    budget = _budget(text, rate, mean)
    spans: list[int] = []
    expected = torch.tensor(float(mean))
    while sum(spans) < budget:
        length = torch.poisson(expected, generator).long().item()
        spans.append(min(int(length), budget - sum(spans)))
    # Kept tokens and spans stand in a row; all orders are equally probable.
    n = len(text) - budget + len(spans)
    lengths = dict(zip(_draw(n, len(spans), generator), spans, strict=True))
    found, read = [], 0
    for place in range(n):
        found.append(mask_id if place in lengths else text[read])
        read += lengths.get(place, 1)
    return found


def hide_spans(
    text: Ids,
    *,
    sentinels: Sequence[int],
    rate: float = 0.15,
    mean: float = 3.0,
    generator: torch.Generator | None = None,
) -> tuple[list[int], list[int]]:
    """Replace spans by sentinels; the target says what they were: (source, target).

    The target is: first sentinel, first span, second sentinel, second span and
    so on, then the next sentinel as the end. There is one span for each `mean`
    hidden tokens, rounded, no two side by side. The authors' program always
    ends a text on a span; here all places are equally probable.

    Raises ValueError as `infill` does, and for too few sentinels, or one of
    them in the text.

    Source: Raffel et al. 2020, sections 3.1.4 and 3.3.4.
    """
    budget = _budget(text, rate, mean)
    n_visible = len(text) - budget
    n = min(max(1, round(budget / mean)), n_visible + 1)
    if n >= len(sentinels):
        raise ValueError(
            f"{len(sentinels)} sentinels are too few for {n} spans and the end"
        )
    if found := set(text) & set(sentinels):
        raise ValueError(f"the text has the sentinel {min(found)} already")
    # Cut the hidden tokens into n spans, and put each into a gap of its own
    # before, between or after the kept ones.
    cuts = [0, *(1 + i for i in _draw(budget - 1, n - 1, generator)), budget]
    gaps = _draw(n_visible + 1, n, generator)
    source, target, read = [], [], 0
    for number, gap in enumerate(gaps):
        start, stop = gap + cuts[number], gap + cuts[number + 1]
        source += [*text[read:start], sentinels[number]]
        target += [sentinels[number], *text[start:stop]]
        read = stop
    return [*source, *text[read:]], [*target, sentinels[n]]


def fill_spans(source: Ids, target: Ids, *, sentinels: Ids) -> list[int]:
    """Restore the text that `hide_spans` made source and target of."""
    spans: dict[int, list[int]] = {}
    known, at = set(sentinels), -1
    for token in target:
        if token in known:
            at = token
        spans.setdefault(at, []).append(token)
    return [t for s in source for t in (spans[s][1:] if s in known else [s])]


def _budget(text: Ids, rate: float, mean: float = 1.0) -> int:
    """Return how many tokens to hide: at least one, and never all."""
    check_share("rate", rate)
    if not 0 < rate < 1:
        raise ValueError(
            f"rate={rate} must be above 0 and below 1: something to write, something to read"
        )
    if len(text) < 2:
        raise ValueError(
            f"a text of {len(text)} tokens cannot be hidden in part; expected 2 or more"
        )
    check_factor("mean", mean)
    if mean < 1:
        raise ValueError(f"mean={mean}: spans have a mean length of 1 or more")
    return min(max(1, round(rate * len(text))), len(text) - 1)


def _draw(n: int, k: int, generator: torch.Generator | None) -> list[int]:
    """Draw k of the numbers 0 ... n - 1, in ascending order."""
    return sorted(torch.randperm(n, generator=generator)[:k].tolist())
