"""Sentences of one construction of the open lexicon, for the tests of its rules."""

from functools import lru_cache
from random import Random

from annotated_transformer.lab.corpora.english_korean.derivation import Clause
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN
from annotated_transformer.lab.corpora.english_korean.splits import sentence_of


def derived(name: str, *, seed: int, count: int = 400) -> list[Clause]:
    """Derive so many sentences by a rule of `OPEN`."""
    return _derived(name, seed, count)


@lru_cache(maxsize=64)  # of all rules they would be millions of words
def _derived(name: str, seed: int, count: int) -> list[Clause]:
    random, rule = Random(seed), OPEN[name][0]
    return [sentence_of(random, rule, open_lexicon())[1] for _ in range(count)]


def sentences(name: str, *, seed: int, count: int = 400) -> list[tuple[str, str]]:
    """Return these sentences as texts, English and Korean."""
    return [
        (" ".join(word.text for word in pair.english), " ".join(word.text for word in pair.korean))
        for pair in derived(name, seed=seed, count=count)
    ]
