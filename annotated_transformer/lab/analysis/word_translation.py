"""Which target tokens stand for a source word: counts of Model 1, and what can be told from them.

Model 1 supposes that each source word comes from one token of the target, or from none of them, and
that nothing but the two says which:

    P(words | tokens) = product over words w of  sum over tokens k of  t(w | k) / (number of k)

The sum over all alignments is exact, so that its EM is a few lines: every word shares itself out
over the tokens beside it in proportion to t(w | k), and t is what these shares add up to.

Source: Brown et al. 1993, section 4.1; read from the target to the source.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from annotated_transformer.decoding.doubt import Coverage
from annotated_transformer.text import words_of

Pair = tuple[Sequence[str], Collection[int]]
"""The words of a source in lower case, and the ids of its target."""
ROUNDS = 10
"""Of EM."""
LEAST_SHARE = 0.005
"""A token with a smaller share of a word does not stand for it."""
COMMON = 0.06
"""A token that more targets have stands for no word: particles and endings."""
LEAST_SEEN = 30
"""Pairs of the second half that a word must be in."""
TRANSLATED = 0.98
"""Share of them whose target must have one of the word's tokens."""
BY_CHANCE = 0.1
"""Share of all targets that may have one."""


def pair_of(source: str, target_ids: Sequence[int]) -> Pair:
    """Return a pair as the functions here take it."""
    return [word.lower() for word in words_of(source)], sorted(set(target_ids))


def token_shares(pairs: Sequence[Pair], rounds: int = ROUNDS) -> Mapping[str, Mapping[int, float]]:
    """Return for each word the share of it that each token has, most first, by EM.

    What a word has from no token, which makes the shares add up to 1, is left out.
    """
    numbers: dict[str, int] = {}
    words, tokens, positions = [], [], []
    none = 1 + max(max(ids, default=0) for _, ids in pairs)
    position = 0
    for source, ids in pairs:
        beside = [*ids, none]
        for word in source:
            number = numbers.setdefault(word, len(numbers))
            words += [number] * len(beside)
            tokens += beside
            positions += [position] * len(beside)
            position += 1
    together = np.array(words, np.int64) * (none + 1) + np.array(tokens, np.int64)
    kinds, kind = np.unique(together, return_inverse=True)
    word_of, token_of, at = kinds // (none + 1), kinds % (none + 1), np.array(positions)
    given = np.ones(len(kinds))  # t(w | k), at first the same for all
    for _ in range(rounds):
        share = given[kind]
        share /= np.bincount(at, weights=share)[at]
        counts = np.bincount(kind, weights=share)
        given = counts / np.bincount(token_of, weights=counts)[token_of]
    part = counts / np.bincount(word_of, weights=counts)[word_of]
    found: dict[str, dict[int, float]] = {word: {} for word in numbers}
    names = list(numbers)
    for i in np.lexsort((-part, word_of)):
        if token_of[i] != none:
            found[names[word_of[i]]][int(token_of[i])] = float(part[i])
    return found


def coverage_of(first: Sequence[Pair], second: Sequence[Pair]) -> Coverage:
    """Return the words whose translation can be told by its tokens.

    Their tokens come from the first half of a corpus. The second half says which words keep to
    them: at least `TRANSLATED` of its targets have one of the tokens where the source has the word,
    and of all its targets at most `BY_CHANCE` have one.
    """
    holders: dict[int, set[int]] = defaultdict(set)
    seen: dict[str, list[int]] = defaultdict(list)
    for number, (source, ids) in enumerate(second):
        for token in ids:
            holders[token].add(number)
        for word in set(source):
            seen[word].append(number)
    tokens: dict[str, frozenset[int]] = {}
    for word, parts in token_shares(first).items():
        chosen = [
            token
            for token, part in parts.items()
            if part >= LEAST_SHARE and len(holders[token]) < COMMON * len(second)
        ]
        with_one = set[int]().union(*(holders[token] for token in chosen))
        kept_to = sum(number in with_one for number in seen[word])
        if (
            len(seen[word]) >= LEAST_SEEN
            and kept_to >= TRANSLATED * len(seen[word])
            and len(with_one) <= BY_CHANCE * len(second)
        ):
            tokens[word] = frozenset(chosen)
    return Coverage(tokens)
