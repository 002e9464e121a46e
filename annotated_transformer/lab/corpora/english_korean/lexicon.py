"""The words of the embedded corpus, and how the grammar finds those of a class. CC0."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TypeVar

from annotated_transformer.lab.corpora.english_korean.adjectives import (
    ADJECTIVES,
    ATTRIBUTIVES,
    Adjective,
    Attributive,
)
from annotated_transformer.lab.corpora.english_korean.adverbs import (
    NUMBERS,
    POSITIONS,
    Adverbial,
    Position,
)
from annotated_transformer.lab.corpora.english_korean.nouns import NOUNS, Noun
from annotated_transformer.lab.corpora.english_korean.verbs import (
    DATIVE_VERBS,
    INTRANSITIVE_VERBS,
    MOTION_VERBS,
    TRANSITIVE_VERBS,
    Motion,
    Verb,
)

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The nouns, verbs and adjectives that a derivation may use; look-ups are kept."""

    all_nouns: tuple[Noun, ...] = NOUNS
    transitive: tuple[Verb, ...] = TRANSITIVE_VERBS
    intransitive: tuple[Verb, ...] = INTRANSITIVE_VERBS
    dative: tuple[Verb, ...] = DATIVE_VERBS
    motion: tuple[Motion, ...] = MOTION_VERBS
    adjectives: tuple[Adjective, ...] = ADJECTIVES
    attributives: tuple[Attributive, ...] = ATTRIBUTIVES
    phrasal: tuple[Verb, ...] = ()
    states: tuple[Verb, ...] = ()
    possessives: tuple[str, ...] = ("my", "his", "her", "our", "their")
    numbers: tuple[Adverbial, ...] = NUMBERS
    places: tuple[str, ...] = ("the",)
    positions: tuple[Position, ...] = POSITIONS
    natural: bool = False
    odd: frozenset[tuple[str, str]] = frozenset()
    deeds: tuple[tuple[str, ...], ...] = ()
    """`phrasal` are verbs whose object is fixed (have breakfast), `states` those that Korean says
    with an adjective (have: 있다); only the everyday constructions use them. `natural` asks for the
    Korean of `natural.py`; `odd` are adjectives and nouns (English) that do not go together;
    `deeds` are verbs with all that belongs to them, in the form of `everyday/deeds.py`."""
    _nouns: dict[Hashable, tuple[Noun, ...]] = field(default_factory=dict)
    _modifiers: dict[Noun, tuple[Adjective | Attributive, ...]] = field(default_factory=dict)
    _predicates: dict[Noun, tuple[Adjective, ...]] = field(default_factory=dict)
    _single: dict[str, bool] = field(default_factory=dict)

    def nouns(self, *classes: str) -> tuple[Noun, ...]:
        """Nouns that belong to one of the classes or are named among them, in lexicon order."""
        found = self._nouns.get(classes)
        if found is None:
            chosen = set(classes)
            found = self._nouns[classes] = tuple(
                noun for noun in self.all_nouns if noun.name in chosen or noun.classes & chosen
            )
        return found

    def modifiers_of(self, noun: Noun) -> tuple[Adjective | Attributive, ...]:
        """Adjectives that may stand before the noun."""
        if noun not in self._modifiers:
            entries: tuple[Adjective | Attributive, ...] = (*self.adjectives, *self.attributives)
            self._modifiers[noun] = tuple(
                entry
                for entry in entries
                if entry.describes(noun)
                and entry.english not in PREDICATES_ONLY
                and (entry.english, noun.english) not in self.odd
            )
        return self._modifiers[noun]

    def predicates_of(self, noun: Noun) -> tuple[Adjective, ...]:
        """Adjectives that may be said of the noun."""
        if noun not in self._predicates:
            self._predicates[noun] = tuple(
                entry
                for entry in self.adjectives
                if entry.describes(noun) and (entry.english, noun.english) not in self.odd
            )
        return self._predicates[noun]

    def is_single(self, word: str) -> bool:
        """Whether a verb or adjective is the same in Korean of all things, so that "it" will do."""
        found = self._single.get(word)
        if found is None:
            korean = {verb.korean for verb in self.transitive if verb.english == word}
            korean |= {entry.korean for entry in self.adjectives if entry.english == word}
            found = self._single[word] = len(korean) == 1
        return found

    def adjective(self, english: str, noun: Noun) -> Adjective:
        """The entry of an adjective that describes the noun; ValueError if there is none."""
        for entry in self.predicates_of(noun):
            if entry.english == english:
                return entry
        raise ValueError(f"no adjective {english!r} in the lexicon describes {noun.english!r}")


PREDICATES_ONLY = frozenset(
    [
        "full",
        "sorry",
        "glad",
        "fine",
        "okay",
        "free",
        "bored",
        "scared",
        "worried",
        "upset",
        "far",
        "near",
        "proud",
        "afraid",
    ]
)
"""Adjectives that English does not put before a noun in this sense: "a full puppy"."""
SMALL = Lexicon()
"""The lexicon of the live recipe and of the experiments."""
