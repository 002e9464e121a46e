"""The words of the open lexicon: those of the large one and the tables `words/open_*.txt`. CC0."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.adjectives import (
    adjectives_of,
    attributives_of,
)
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, words
from annotated_transformer.lab.corpora.english_korean.large import (
    large_lexicon,
    phrases,
)
from annotated_transformer.lab.corpora.english_korean.lexicon import Lexicon
from annotated_transformer.lab.corpora.english_korean.natural import ODD
from annotated_transformer.lab.corpora.english_korean.nouns import nouns_of
from annotated_transformer.lab.corpora.english_korean.verbs import (
    Motion,
    Verb,
    motions_of,
    verbs_of,
)

# What people say most: `words/common_TOPIC.txt`.
TOPICS = (
    *("home", "friends", "feelings", "food", "travel", "work", "school", "world"),
    *("questions", "clauses", "relatives", "amounts", "stories", "chat", "services"),
)
# 연못으로 뛰어가다: on foot one goes (으)로 a place.
ON_FOOT = frozenset({"run", "walk"})


def _spaced(texts: frozenset[str], names: frozenset[str]) -> frozenset[str]:
    """Return classes and nouns; those of several words have "_" for a space in the tables."""
    return frozenset(
        text.replace("_", " ") if text.replace("_", " ") in names else text for text in texts
    )


def _mended(verb: Verb) -> Verb:
    """Return the verb; 두르다 is 둘렀다, which the large lexicon has wrong."""
    return verb._replace(irregular="르") if verb.korean == "두르" else verb


@cache
def open_lexicon() -> Lexicon:
    """Return the large lexicon with the words of the open tables added."""
    large = large_lexicon()
    nouns = (*large.all_nouns, *nouns_of("open_nouns"), *nouns_of("open_daily_nouns"))
    names = frozenset(noun.english for noun in nouns)

    def added(heading: str) -> tuple[Verb, ...]:
        return tuple(
            verb._replace(
                subjects=_spaced(verb.subjects, names), objects=_spaced(verb.objects, names)
            )
            for verb in verbs_of("open_verbs", heading)
        )

    return replace(
        large,
        all_nouns=nouns,
        transitive=(*map(_mended, large.transitive), *added("transitive")),
        dative=(*large.dative, *added("dative")),
        phrasal=(*large.phrasal, *added("intransitive")),
        states=(*large.states, *added("have")),
        motion=tuple(
            Motion(verb, preposition, "로" if verb.english in ON_FOOT else particle)
            for verb, preposition, particle in (*large.motion, *motions_of("open_verbs"))
        ),
        adjectives=(
            *large.adjectives,
            *(
                entry._replace(classes=_spaced(entry.classes, names))
                for entry in adjectives_of("open_adjectives")
            ),
        ),
        attributives=(
            *large.attributives,
            *(
                entry._replace(classes=_spaced(entry.classes, names))
                for entry in attributives_of("open_adjectives")
            ),
        ),
        natural=True,
        odd=ODD,
        deeds=(
            *tables.rows("open_daily", "deeds"),
            *(row for topic in TOPICS for row in tables.rows(f"common_{topic}", "deeds", (4,))),
        ),
        _nouns={},
        _modifiers={},
        _predicates={},
        _single={},
    )


def open_phrases() -> Iterator[tuple[str, Clause]]:
    """Yield the set phrases: those of the open tables, and the others of the large lexicon."""
    own = dict(phrases("open_phrases"))
    for topic in TOPICS:
        for row in tables.rows(f"common_{topic}", "phrases", (2,)):
            english, korean = (words(field, 0) for field in row)
            own.setdefault(row[0], Clause(english, korean))
    yield from own.items()
    yield from ((english, clause) for english, clause in phrases() if english not in own)


word_table = partial(tables.rows, "open_tables")
"""The lines under a heading of `words/open_tables.txt`, each with its fields."""
