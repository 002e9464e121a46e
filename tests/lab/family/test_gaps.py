"""Gaps: who is chosen, what they become, and what is refused."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.family.bert.gaps import make_gaps

FIRST, MASK, VOCAB = 4, 3, 50


def texts(rows=2000, columns=20):
    ids = torch.randint(FIRST, VOCAB, (rows, columns))
    ids[:, 15:] = 0
    return ids


def gaps(ids, **options):
    return make_gaps(ids, mask_id=MASK, vocab_size=VOCAB, first_id=FIRST, **options)


def test_shares_are_those_of_the_paper():
    """30,000 tokens: 5 standard deviations of a share of the 4,500 chosen are at most 0.03."""
    ids = texts()
    found, chosen = gaps(ids)
    real = ids >= FIRST
    # A text of 15 tokens has none chosen with probability 0.85^15; then one is: 0.15 + 0.0058.
    assert abs(chosen[real].double().mean() - (0.15 + 0.85**15 / 15)) < 0.011
    hidden = (found == MASK) & chosen
    changed = (found != ids) & chosen & ~hidden
    assert abs(hidden.sum() / chosen.sum() - 0.8) < 0.03
    assert abs(changed.sum() / chosen.sum() - 0.1 * (1 - 1 / (VOCAB - FIRST))) < 0.025
    assert found[changed].min() >= FIRST
    assert found[changed].max() < VOCAB


@given(
    seed=st.integers(0, 2**31), rate=st.floats(0.01, 0.99), hidden=st.floats(0, 1), data=st.data()
)
def test_only_chosen_tokens_change_and_every_text_has_a_gap(seed, rate, hidden, data):
    random = data.draw(st.floats(0, 1 - hidden))
    draws = torch.Generator().manual_seed(seed)
    lengths = data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4))
    ids = torch.zeros(len(lengths), max(lengths), dtype=torch.long)
    for row, length in enumerate(lengths):
        ids[row, :length] = torch.randint(FIRST, VOCAB, (length,), generator=draws)
    before = ids.clone()
    found, chosen = gaps(ids, rate=rate, hidden=hidden, random=random, generator=draws)
    assert torch.equal(ids, before)
    assert chosen.any(dim=1).all()
    assert not chosen[ids < FIRST].any()
    assert torch.equal(found[~chosen], ids[~chosen])
    assert ((found == MASK) | (found >= FIRST) | (ids < FIRST)).all()


def test_all_may_be_hidden():
    ids = texts(50)
    found, chosen = gaps(ids, hidden=1.0, random=0.0)
    assert (found[chosen] == MASK).all()


@pytest.mark.parametrize(
    ("ids", "options", "message"),
    [
        (texts(2), {"rate": 0}, "rate=0 must be above 0 and below 1"),
        (texts(2), {"rate": 1}, "rate=1 must be above 0 and below 1"),
        (texts(2), {"hidden": 0.9, "random": 0.2}, "hidden=0.9 and random=0.2"),
        (texts(2), {"random": -0.1}, "random=-0.1"),
        (torch.zeros(0, 5, dtype=torch.long), {}, r"an empty batch, \(0, 5\)"),
        (torch.tensor([[5, 6], [0, 0]]), {}, "text 1 has no token that may be chosen"),
        (torch.tensor([[MASK, MASK]]), {}, "text 0 has no token"),
    ],
)
def test_what_makes_no_exercise_is_refused(ids, options, message):
    with pytest.raises(ValueError, match=message):
        gaps(ids, **options)
