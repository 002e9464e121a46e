"""Spoilt texts: exact counts, the original rebuilt, every place possible."""

from collections import Counter
from itertools import pairwise

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.family.noise import (
    fill_spans,
    hide_spans,
    infill,
    mask_tokens,
)

MASK = 3
SENTINELS = range(1_000, 800, -1)
TEXTS = st.lists(st.integers(10, 60), min_size=2, max_size=60)
RATES = st.floats(0.01, 0.99)
MEANS = st.floats(1, 8)
SEEDS = st.integers(0, 2**31)


def drawn(seed):
    return torch.Generator().manual_seed(seed)


def budget_of(text, rate):
    return min(max(1, round(rate * len(text))), len(text) - 1)


def in_order(part, whole):
    rest = iter(whole)
    return all(token in rest for token in part)


@given(TEXTS, RATES, SEEDS)
def test_masked_tokens_are_as_many_as_the_rate_says_and_the_others_stay(text, rate, seed):
    found = mask_tokens(text, mask_id=MASK, rate=rate, generator=drawn(seed))
    assert len(found) == len(text)
    assert found.count(MASK) == budget_of(text, rate)
    assert all(new in (MASK, old) for new, old in zip(found, text, strict=True))


@given(TEXTS, RATES, MEANS, SEEDS)
def test_infilling_hides_exactly_its_budget_and_keeps_the_rest_in_order(text, rate, mean, seed):
    found = infill(text, mask_id=MASK, rate=rate, mean=mean, generator=drawn(seed))
    kept = [token for token in found if token != MASK]
    assert len(kept) == len(text) - budget_of(text, rate)
    assert in_order(kept, text)
    assert MASK in found


def test_a_span_of_length_zero_is_a_mask_where_nothing_is_missing(monkeypatch):
    lengths = iter([0, 2, 0, 5])
    monkeypatch.setattr(
        torch, "poisson", lambda mean, generator: torch.tensor(float(next(lengths)))
    )
    text = list(range(10, 20))
    found = infill(text, mask_id=MASK, rate=0.4, generator=drawn(0))
    assert found.count(MASK) == 4  # spans of 0, 2, 0 and, cut from 5, 2 tokens
    assert len(found) == 6 + 4


def test_the_lengths_of_infilled_spans_have_their_mean():
    text = list(range(10, 10_010))
    found = infill(text, mask_id=MASK, rate=0.3, mean=3.0, generator=drawn(0))
    assert 3_000 / found.count(MASK) == pytest.approx(3.0, rel=0.05)


@given(TEXTS, RATES, MEANS, SEEDS)
def test_source_and_target_of_t5_rebuild_the_text(text, rate, mean, seed):
    source, target = hide_spans(
        text, sentinels=SENTINELS, rate=rate, mean=mean, generator=drawn(seed)
    )
    assert fill_spans(source, target, sentinels=SENTINELS) == text
    hidden = budget_of(text, rate)
    spans = min(max(1, round(hidden / mean)), len(text) - hidden + 1)
    assert len(target) == hidden + spans + 1
    assert len(source) == len(text) - hidden + spans
    # The sentinels come in order, the last of the target ends it, no two of the source touch.
    assert [t for t in source if t in SENTINELS] == list(SENTINELS[:spans])
    assert [t for t in target if t in SENTINELS] == list(SENTINELS[: spans + 1])
    assert target[0] == SENTINELS[0]
    assert target[-1] == SENTINELS[spans]
    assert not any(a in SENTINELS and b in SENTINELS for a, b in pairwise(source))


def test_every_way_to_hide_two_spans_is_equally_probable():
    """Of six tokens three are hidden in two spans: 2 ways to cut, 6 pairs of 4 gaps."""
    generator = drawn(0)
    counts = Counter(
        tuple(
            hide_spans(range(10, 16), sentinels=SENTINELS, rate=0.5, mean=1.5, generator=generator)[
                0
            ]
        )
        for _ in range(2_400)
    )
    assert len(counts) == 12
    assert all(150 < n < 250 for n in counts.values())


@pytest.mark.parametrize("spoil", [mask_tokens, infill])
def test_the_same_seed_gives_the_same_text(spoil):
    text = list(range(10, 50))
    one, two, other = (spoil(text, mask_id=MASK, generator=drawn(s)) for s in (1, 1, 2))
    assert one == two
    assert one != other


def all_ways(text, **options):
    yield lambda: mask_tokens(text, mask_id=MASK, **options)
    yield lambda: infill(text, mask_id=MASK, **options)
    yield lambda: hide_spans(text, sentinels=SENTINELS, **options)


@pytest.mark.parametrize("rate", [0, 1, -0.1, 1.5, float("nan")])
def test_a_rate_that_leaves_nothing_to_do_is_refused(rate):
    for spoil in all_ways([10, 11, 12], rate=rate):
        with pytest.raises(ValueError, match=f"rate={rate} must be (above 0 and below 1|a number)"):
            spoil()


@pytest.mark.parametrize("text", [[], [10]])
def test_a_text_too_short_to_be_hidden_in_part_is_refused(text):
    for spoil in all_ways(text):
        with pytest.raises(ValueError, match=f"a text of {len(text)} tokens"):
            spoil()


@pytest.mark.parametrize("mean", [0.0, 0.5, float("inf")])
def test_a_mean_that_no_spans_have_is_refused(mean):
    for spoil in list(all_ways([10, 11, 12], mean=mean))[1:]:
        with pytest.raises(ValueError, match=f"mean={mean}(: spans have a mean| must be a)"):
            spoil()


def test_too_few_sentinels_and_one_in_the_text_are_refused():
    text = list(range(10, 40))
    with pytest.raises(ValueError, match="2 sentinels are too few for 2 spans and the end"):
        hide_spans(text, sentinels=[90, 91], rate=0.2)
    with pytest.raises(ValueError, match="the text has the sentinel 12 already"):
        hide_spans(text, sentinels=[90, 91, 12], rate=0.2)
