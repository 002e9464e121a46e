"""What a derivation of the embedded grammar is made of: choices, words and nodes. CC0.

A node stands for one meaning (the verb, its tense, the noun). Words of both languages carry the
nodes they express, and two words are aligned when they share a node.

A word is aligned to what expresses its meaning: articles to 그 where it is written, else to the
word of the noun; prepositions to the word with their particle; "do not" to 않-, "will" to 것이다;
"be" before an adjective or noun to the predicate; a relative pronoun to the adnominal verb;
conjunctions and "because" to the verb whose ending expresses them; "it" to the noun it stands for;
Korean counters to the counted English noun, unless English counts in cups or pairs. Every word of
either side is aligned. Words are `split(" ")`.
"""

import gc
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from random import Random
from typing import NamedTuple, TypeVar

from annotated_transformer.lab.corpora.english_korean.lexicon import SMALL, Lexicon

T = TypeVar("T")
Feature = tuple[str, ...]


class Word(NamedTuple):
    """One word of either language and the nodes it expresses."""

    text: str
    nodes: tuple[int, ...]


Words = list[Word]


class Unfit(Exception):  # noqa: N818 - it tells of a dead end, not of an error
    """Raised when choices made so far leave nothing sensible to say: derive anew."""


class Derivation:
    """The random choices behind one sentence and what they touched.

    `features` names the pairings that can be held out (`("object", "read", "letter")`) and
    `lexemes` the lexicon entries used. Only `Random.random` is called, whose sequence Python
    guarantees for a seed, so that every machine derives the same corpus.
    """

    def __init__(self, random: Random, lexicon: Lexicon = SMALL) -> None:
        self.random = random
        self.lexicon = lexicon
        self.features: set[Feature] = set()
        self.lexemes: set[tuple[str, str]] = set()
        self._nodes = 0

    def node(self) -> int:
        """Return a node not used before in this derivation."""
        self._nodes += 1
        return self._nodes

    def choose(self, options: Sequence[T]) -> T:
        """Return one of the options, all equally likely; Unfit if there are none."""
        if not options:
            raise Unfit
        return options[int(self.random.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """Return True with the given probability."""
        return self.random.random() < probability

    def weighted(self, options: Iterable[tuple[str, float]]) -> str:
        """Return one of the names, drawn in proportion to its weight."""
        table = list(options)
        remaining = self.random.random() * sum([weight for _, weight in table])
        for name, weight in table:
            remaining -= weight
            if remaining < 0:
                return name
        return table[-1][0]

    def pairing(self, *feature: str) -> None:
        """Note a pairing that may be held out of training."""
        self.features.add(feature)

    def uses(self, english: str, korean: str) -> None:
        """Note a lexicon entry."""
        self.lexemes.add((english, korean))


class Shares:
    """Names that are drawn in proportion to their weights, many times from one long table."""

    def __init__(self, weights: Iterable[tuple[str, float]]) -> None:
        self._names, shares = zip(*weights, strict=True)
        self._ends = [*accumulate(shares)]

    def draw(self, random: Random) -> str:
        """Return one of the names."""
        place = bisect_right(self._ends, random.random() * self._ends[-1])
        return str(self._names[min(place, len(self._names) - 1)])


class Clause(NamedTuple):
    """Words of a phrase or sentence in both languages, each in its own order."""

    english: Words
    korean: Words


def words(text: str, *nodes: int) -> Words:
    """Return the words of a text, all expressing the same nodes."""
    if " " not in text:  # most entries are one word
        return [Word(text, nodes)]
    return [Word(part, nodes) for part in text.split(" ")]


@contextmanager
def without_collector() -> Iterator[None]:
    """Keep Python's cycle collector off: it would search millions of words, which form no cycle."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def single(phrase: Words) -> Words:
    """Return the words one by one: a lexicon entry may be several."""
    result: Words = []
    for word in phrase:
        if " " in word.text:
            result += words(word.text, *word.nodes)
        else:
            result.append(word)
    return result


def extend_last(phrase: Words, text: str, *nodes: int) -> Words:
    """Replace the last word's text and let it express more nodes."""
    return [*phrase[:-1], Word(text, phrase[-1].nodes + nodes)]


def alignment(sentence: Clause) -> tuple[tuple[int, int], ...]:
    """Return pairs (English position, Korean position) of the words that share a node."""
    positions: dict[int, list[int]] = {}
    for j, word in enumerate(sentence.korean):
        for node in word.nodes:
            positions.setdefault(node, []).append(j)
    links = {
        (i, j)
        for i, word in enumerate(sentence.english)
        for node in word.nodes
        for j in positions.get(node, ())
    }
    return tuple(sorted(links))
