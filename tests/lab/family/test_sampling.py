"""Choosing a token: the filters by their definitions, the draws by their frequencies."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.family.gpt.sampling import (
    keep_nucleus,
    keep_top_k,
    most_probable,
    sampler,
)

NUMBERS = st.integers(-32, 32).map(lambda n: n / 4)
ROWS = st.lists(NUMBERS, min_size=2, max_size=9, unique=True)


def kept(logits):
    return [i for i, x in enumerate(logits[0].tolist()) if x > -math.inf]


@given(row=ROWS, k=st.integers(1, 12))
def test_top_k_keeps_the_k_highest(row, k):
    logits = torch.tensor([row])
    expected = sorted(sorted(range(len(row)), key=lambda i: -row[i])[:k])
    found = keep_top_k(logits, k)
    assert kept(found) == expected
    assert torch.equal(found[0, expected], logits[0, expected])


@given(row=ROWS, share=st.floats(0.01, 0.99))
def test_a_nucleus_is_the_fewest_that_reach_the_share(row, share):
    """By brute force: take the most probable one after the other until the share is reached."""
    logits = torch.tensor([row], dtype=torch.float64)
    p = logits.softmax(-1)[0].tolist()
    nucleus, total = [], 0.0
    for i in sorted(range(len(p)), key=lambda i: -p[i]):
        if total >= share - 1e-12:
            break
        nucleus.append(i)
        total += p[i]
    found = kept(keep_nucleus(logits, share))
    # Where a sum meets the share to the last digit, either answer is right.
    if abs(total - share) > 1e-9:
        assert found == sorted(nucleus)
    assert most_probable(logits).item() in found


def test_a_nucleus_of_one_is_everything():
    logits = torch.randn(2, 7)
    assert keep_nucleus(logits, 1.0) is logits


def test_draws_come_as_often_as_their_probability_says():
    """20,000 draws of 4 tokens; 5 standard deviations of a frequency are at most 0.018."""
    logits = torch.tensor([[1.0, 0.0, -1.0, 2.0]])
    many = logits.expand(20_000, -1)
    for options, expected in [
        ({}, logits.softmax(-1)),
        ({"temperature": 0.5}, (2 * logits).softmax(-1)),
        ({"top_k": 2}, torch.tensor([[1.0, -math.inf, -math.inf, 2.0]]).softmax(-1)),
        ({"nucleus": 0.6}, torch.tensor([[0.0, 0.0, 0.0, 1.0]])),
    ]:
        drawn = sampler(seed=3, **options)(many)
        found = torch.bincount(drawn, minlength=4) / 20_000
        assert (found - expected[0]).abs().max() < 0.018, options


def test_a_seed_fixes_the_draws():
    logits = torch.randn(50, 9)
    assert torch.equal(sampler(seed=4)(logits), sampler(seed=4)(logits))
    assert not torch.equal(sampler(seed=4)(logits), sampler(seed=5)(logits))


def test_one_token_at_the_top_is_greedy():
    logits = torch.randn(20, 9)
    assert torch.equal(sampler(top_k=1)(logits), most_probable(logits))
    assert torch.equal(sampler(nucleus=1e-6)(logits), most_probable(logits))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"temperature": 0.0}, "temperature=0.0 must be a positive"),
        ({"temperature": float("nan")}, "temperature=nan must be a positive"),
        ({"top_k": 0}, "top_k=0 must be a positive"),
        ({"nucleus": 0.0}, "nucleus=0.0 must be above 0"),
        ({"nucleus": 1.5}, "nucleus=1.5 must be a number from 0 to 1"),
    ],
)
def test_settings_that_mean_nothing_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        sampler(**options)
