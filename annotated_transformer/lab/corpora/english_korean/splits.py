"""How sentences are derived and shared out among the splits, whatever the lexicon. CC0."""

from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from random import Random
from typing import Any, NamedTuple

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Feature,
    Unfit,
    Words,
    alignment,
    single,
)
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.lab.corpora.english_korean.lexicon import Lexicon

SIZES = {"train": 60_000, "valid": 1_000, "test": 1_000, "compositional": 1_000}
SEED = 1706_03762
ASKED = frozenset({"and you", "why", "when", "where", "how", "who", "what"})  # with no such ending
Rule = Callable[[Derivation], Clause]
Typing = Callable[..., Words]


class Derived(NamedTuple):
    """A pair with the pairings and lexicon entries that its derivation used."""

    pair: SentencePair  #: The sentence and its translation.
    features: frozenset[Feature]  #: The pairings of constructions and words in it.
    lexemes: frozenset[tuple[str, str]]  #: The entries of the lexicon in it.


def sentence_of(random: Random, rule: Rule, lexicon: Lexicon) -> tuple[Derivation, Clause]:
    """Derive until the choices fit together."""
    while True:
        d = Derivation(random, lexicon)
        try:
            sentence = rule(d)
        except Unfit:
            continue
        return d, Clause(single(sentence.english), single(sentence.korean))


def pair_of(sentence: Clause, construction: str) -> SentencePair:
    """The sentence as text, with its alignment."""
    return SentencePair(
        source=" ".join(word.text for word in sentence.english),
        target=" ".join(word.text for word in sentence.korean),
        alignment=alignment(sentence),
        construction=construction,
    )


def check_single(source: str, target: str, pair: SentencePair) -> None:
    """RuntimeError if the pair is a second translation of the source."""
    if target != pair.target:
        raise RuntimeError(f"{source!r} has two translations: {target}, {pair}")


def split_for(
    random: Random, splits: dict[str, list[Derived]], sizes: Mapping[str, int] = SIZES
) -> str:
    """Draw the split of a meaning that is new: rarely valid or test, until they are full."""
    number = random.random()
    share = sizes["valid"] / 100_000
    for split, limit in (("valid", share), ("test", 2 * share)):
        if number < limit and len(splits[split]) < sizes[split]:
            return split
    return "train"


def typed_phrases(
    random: Random,
    phrases: Iterable[tuple[str, Clause]],
    construction: str,
    typed: Typing,
    is_question: Callable[[Words], bool],
    *,
    draws: int,
    copies: int,
) -> list[Derived]:
    """Return every set phrase in the ways it may be typed; each is there several times."""
    found = []
    for english, sentence in phrases:
        asked = is_question(sentence.korean) or english in ASKED
        forms = {}
        for _ in range(draws):
            way = typed(Derivation(random), sentence.english, asked=asked)
            pair = pair_of(Clause(way, sentence.korean), construction)
            forms[pair.source] = Derived(pair, frozenset(), frozenset())
        found += [item for item in forms.values() for _ in range(copies)]
    return found


def shuffle(items: list[Any], random: Random) -> None:
    """Shuffle in place (Fisher and Yates) by `Random.random` alone."""
    for last in range(len(items) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        items[last], items[other] = items[other], items[last]


def compositional(
    candidates: list[Derived], train: list[Derived], random: Random, meaning: Callable[[str], str]
) -> list[Derived]:
    """Choose candidates whose words all occur in training, with all pairings equally often."""

    def words_of(pair: SentencePair) -> list[str]:
        return [*meaning(pair.source).split(" "), *pair.target.split(" ")]

    known = {word for derived in train for word in words_of(derived.pair)}
    fit = [derived for derived in candidates if known.issuperset(words_of(derived.pair))]
    shuffle(fit, random)
    by_pairing: dict[Feature, list[Derived]] = {}
    for derived in fit:
        by_pairing.setdefault(min(derived.features & HELD_OUT), []).append(derived)
    in_turn = zip_longest(*(by_pairing[pairing] for pairing in sorted(by_pairing)))
    chosen = [derived for turn in in_turn for derived in turn if derived is not None]
    return chosen[: SIZES["compositional"]]
