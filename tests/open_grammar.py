"""Sentences of one construction of the open lexicon, and what tests ask of the rules' sentences.

A construction is named as in `OPEN`, with or without the "open_" that all its names begin with.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from random import Random

from annotated_transformer.lab.corpora.english_korean.derivation import Clause
from annotated_transformer.lab.corpora.english_korean.morphology import final_consonant
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN
from annotated_transformer.lab.corpora.english_korean.splits import sentence_of

Texts = tuple[str, str]
"""An English sentence and its Korean."""


def texts(pair: Clause) -> Texts:
    """Return the two sides of a sentence as texts."""
    return (
        " ".join(word.text for word in pair.english),
        " ".join(word.text for word in pair.korean),
    )


def clauses(name: str, *, seed: int) -> Iterator[Clause]:
    """Derive sentences by a rule of `OPEN`, without end."""
    random, (rule, _) = Random(seed), OPEN[name if name in OPEN else f"open_{name}"]
    while True:
        yield sentence_of(random, rule, open_lexicon())[1]


def derived(name: str, *, seed: int, count: int = 400) -> list[Clause]:
    """Derive so many sentences by a rule of `OPEN`."""
    return _derived(name, seed, count)


@lru_cache(maxsize=64)  # of all rules they would be millions of words
def _derived(name: str, seed: int, count: int) -> list[Clause]:
    return [*islice(clauses(name, seed=seed), count)]


def sentences(name: str, *, seed: int, count: int = 400) -> list[Texts]:
    """Return these sentences as texts, English and Korean."""
    return [texts(pair) for pair in derived(name, seed=seed, count=count)]


def korean_of(name: str, english: str, *, seed: int, most: int) -> str | None:
    """Return the Korean of an English sentence, or None if a rule derives it not soon enough."""
    pairs = map(texts, islice(clauses(name, seed=seed), most))
    return next((korean for said, korean in pairs if said == english), None)


def check_said(pairs: Iterable[Texts], english: str, korean: str) -> None:
    """Check that some English matches its pattern, and the Korean of each of those its own."""
    found = [pair for pair in pairs if re.search(english, pair[0])]
    assert found
    for pair in found:
        assert re.search(korean, pair[1]), pair


def check_written(pairs: Iterable[Texts]) -> None:
    """Check that no sign of the tables is left, spaces are single, and 을 and 를 fit."""
    for english, korean in pairs:
        assert not re.search(r"[{}/+=@_|]|(?<!\d):|OWN|WAS|  |^ | $", english + korean), (
            english,
            korean,
        )
        for word in korean.split():
            if re.search(r"[가-힣](을|를)$", word) and len(word) > 2:
                assert bool(final_consonant(word[:-1])) == word.endswith("을"), korean
