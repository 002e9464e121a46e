"""Adjectives of the embedded corpus. CC0.

One adjective a line: English, comparative ("more" if it is formed with that word, "-" if it is not
compared here), Korean stem, irregular class, and the noun classes or nouns it describes. As with
verbs, one English adjective may fill several lines: hot soup is 뜨겁다, a hot room is 덥다.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.tables import listed, spaced, word_rows


class Adjective(NamedTuple):
    """An adjective that can be a predicate, with the classes it describes."""

    english: str
    comparative: str
    korean: str
    irregular: str
    classes: frozenset[str]

    def describes(self, noun: Noun) -> bool:
        """Whether the adjective is sensible of the noun."""
        return noun.name in self.classes or bool(noun.classes & self.classes)


class Attributive(NamedTuple):
    """An adjective used only before its noun, with its one Korean form."""

    english: str
    korean: str
    classes: frozenset[str]

    def describes(self, noun: Noun) -> bool:
        """Whether the adjective is sensible of the noun."""
        return noun.name in self.classes or bool(noun.classes & self.classes)


def adjectives_of(name: str) -> tuple[Adjective, ...]:
    """Read the adjectives of a table."""
    return tuple(
        Adjective(
            english,
            f"more {english}" if comparative == "more" else comparative.strip("-"),
            spaced(korean),
            irregular.strip("-"),
            listed(classes),
        )
        for english, comparative, korean, irregular, classes in word_rows(name, "adjective", (5,))
    )


def attributives_of(name: str) -> tuple[Attributive, ...]:
    """Read the attributive adjectives of a table: English, Korean form, classes."""
    return tuple(
        Attributive(english, spaced(korean), listed(classes))
        for english, korean, classes in word_rows(name, "attributive", (3,))
    )


ADJECTIVES = adjectives_of("small_adjectives")
ATTRIBUTIVES = attributives_of("small_adjectives")
