"""Model 1 against all alignments written out, and what it tells of words in a small language."""

import itertools
import math
import random
from collections import Counter, defaultdict

import pytest

from annotated_transformer.lab.analysis import word_translation
from annotated_transformer.lab.analysis.word_translation import coverage_of, pair_of, token_shares

PAIRS = [
    (["green", "house"], [5, 6]),
    (["house"], [6, 8]),
    (["a", "green", "house", "green"], [5, 6, 7]),
    (["a", "tree"], [7, 9]),
]
NONE = None


def by_enumeration(rounds):
    """EM over every alignment of every pair, weighted by its probability."""
    t = defaultdict(lambda: 1.0)
    for _ in range(rounds):
        counts = Counter()
        for words, ids in PAIRS:
            beside = [*ids, NONE]
            weights = {
                alignment: math.prod(t[w, k] for w, k in zip(words, alignment, strict=True))
                for alignment in itertools.product(beside, repeat=len(words))
            }
            whole = sum(weights.values())
            for alignment, weight in weights.items():
                for pair in zip(words, alignment, strict=True):
                    counts[pair] += weight / whole
        sums = Counter()
        for (_, token), count in counts.items():
            sums[token] += count
        t = defaultdict(float, {(w, k): c / sums[k] for (w, k), c in counts.items()})
    words = Counter()
    for (word, _), count in counts.items():
        words[word] += count
    return {(w, k): c / words[w] for (w, k), c in counts.items() if k is not NONE}


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_the_shares_are_those_of_all_alignments(rounds):
    found = {
        (word, token): share
        for word, parts in token_shares(PAIRS, rounds).items()
        for token, share in parts.items()
    }
    expected = by_enumeration(rounds)
    assert found.keys() == expected.keys()
    for key, share in expected.items():
        assert found[key] == pytest.approx(share, abs=1e-9)


def test_the_tokens_of_a_word_come_most_first():
    for parts in token_shares(PAIRS).values():
        assert list(parts.values()) == sorted(parts.values(), reverse=True)


NOUNS = {"cat": [10], "dog": [11], "house": [12, 13], "tree": [14]}
VERBS = {"sees": [20], "likes": [21, 22]}


def language(seed, size=3_000):
    """Pairs in which each noun has its tokens, *the* has none, and *well* is often forgotten."""
    draw = random.Random(seed)
    pairs = []
    for _ in range(size):
        first, verb, second = (draw.choice(list(each)) for each in (NOUNS, VERBS, NOUNS))
        ids = [draw.choice(NOUNS[first]), draw.choice(VERBS[verb]), draw.choice(NOUNS[second]), 1]
        words = ["the", first, verb, "the", second]
        if draw.random() < 0.3:
            words.append("well")
            ids += [30] * (draw.random() < 0.5)
        pairs.append((words, sorted(set(ids))))
    return pairs


def test_what_always_has_its_tokens_can_be_told_and_what_has_not_cannot(monkeypatch):
    # Of six nouns and verbs each is in many targets; in a corpus no word is in a tenth of them.
    monkeypatch.setattr(word_translation, "COMMON", 0.9)
    monkeypatch.setattr(word_translation, "BY_CHANCE", 0.9)
    found = coverage_of(language(1), language(2)).tokens
    assert found == {word: frozenset(ids) for word, ids in (NOUNS | VERBS).items()}


@pytest.mark.parametrize(
    ("name", "value"), [("COMMON", 0.001), ("BY_CHANCE", 0.001), ("LEAST_SEEN", 10**6)]
)
def test_each_limit_can_refuse_every_word(monkeypatch, name, value):
    for limit in ("COMMON", "BY_CHANCE"):
        monkeypatch.setattr(word_translation, limit, 0.9)
    monkeypatch.setattr(word_translation, name, value)
    assert coverage_of(language(1), language(2)).tokens == {}


def test_a_pair_has_words_in_lower_case_and_each_id_once():
    assert pair_of("The (Green) house!", [7, 5, 7]) == (["the", "green", "house"], [5, 7])
