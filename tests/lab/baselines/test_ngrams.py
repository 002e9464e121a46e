"""Counts against the formula written out, and as probabilities."""

import math
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.baselines.ngrams import NGrams

TEXTS = [[0, 2, 3, 1], [0, 2, 4, 1], [0, 5, 3, 1], [0, 2, 3, 3, 1]]
V, D = 6, 0.75


def bigram_by_hand(token, before):
    """Kneser-Ney with bigrams, from the definition: counts, then how many contexts a token had."""
    bigrams = Counter((a, b) for text in TEXTS for a, b in pairwise(text))
    kinds = len(bigrams)
    contexts = {w: sum(b == w for _, b in bigrams) for w in range(V)}
    seen = sum(n > 0 for n in contexts.values())
    unigram = max(contexts[token] - D, 0) / kinds + D * seen / kinds / V
    count = sum(n for (a, _), n in bigrams.items() if a == before)
    if not count:
        return unigram
    followers = sum(a == before for a, _ in bigrams)
    return max(bigrams[before, token] - D, 0) / count + D * followers / count * unigram


@pytest.mark.parametrize("before", range(V))
def test_bigrams_are_the_formula(before):
    model = NGrams(TEXTS, 2, V)
    for token in range(V):
        assert math.isclose(model.probability(token, [before]), bigram_by_hand(token, before))


@given(
    texts=st.lists(st.lists(st.integers(2, 6), max_size=6), min_size=1, max_size=8),
    order=st.integers(1, 5),
    before=st.lists(st.integers(0, 6), max_size=6),
    discount=st.floats(0.05, 0.95),
)
def test_after_any_context_the_probabilities_sum_to_one(texts, order, before, discount):
    model = NGrams([[0, *text, 1] for text in texts], order, 7, discount)
    total = sum(model.probability(token, before) for token in range(7))
    assert math.isclose(total, 1)
    assert all(model.probability(token, before) > 0 for token in range(7))


def test_only_the_last_tokens_count():
    model = NGrams(TEXTS, 3, V)
    assert model.probability(3, [0, 5, 2, 4]) == model.probability(3, [2, 4])
    assert model.probability(3, [0, 2]) != model.probability(3, [5, 2])


def test_a_word_of_one_context_says_little_elsewhere():
    """ "Francisco" follows "San" alone: rare contexts, however frequent it is."""
    texts = [[0, 2, 3, 1]] * 50 + [[0, 4, 5, 1], [0, 6, 5, 1], [0, 7, 5, 1]]
    model = NGrams(texts, 2, 9)
    assert model.probability(5, [8]) > model.probability(3, [8])
    assert model.probability(3, [2]) > 0.9


def test_perplexity_counts_every_token_but_the_begin():
    model = NGrams(TEXTS, 2, V)
    text = [0, 2, 3, 1]
    product = math.prod(model.probability(b, [a]) for a, b in pairwise(text))
    assert math.isclose(model.perplexity([text]), product ** (-1 / 3))
    assert model.perplexity(TEXTS) < V


@pytest.mark.parametrize(
    ("texts", "order", "discount", "message"),
    [
        (TEXTS, 0, 0.75, "order=0 must be at least 1"),
        (TEXTS, 2, 1.0, "discount=1.0 must be between 0 and 1"),
        ([], 2, 0.75, "no text to count in"),
    ],
)
def test_what_cannot_be_counted_is_refused(texts, order, discount, message):
    with pytest.raises(ValueError, match=message):
        NGrams(texts, order, V, discount)
