"""The large lexicon and its constructions: everyday words and sentences besides those of the small.

The words stand in the tables of `words/`, in the format of the small tables. CC0.
"""

from collections.abc import Iterator
from functools import cache

from annotated_transformer.lab.corpora.english_korean.adjectives import (
    ADJECTIVES,
    ATTRIBUTIVES,
    adjectives_of,
    attributives_of,
)
from annotated_transformer.lab.corpora.english_korean.adverbs import (
    NUMBERS,
    POSITIONS,
    adverbials_of,
)
from annotated_transformer.lab.corpora.english_korean.derivation import Clause, Word
from annotated_transformer.lab.corpora.english_korean.everyday import (
    amounts,
    calendar,
    compound,
    everyday,
    joining,
    naming,
    questions,
    thoughts,
    weather,
)
from annotated_transformer.lab.corpora.english_korean.lexicon import Lexicon
from annotated_transformer.lab.corpora.english_korean.nouns import NOUNS, nouns_of
from annotated_transformer.lab.corpora.english_korean.splits import Rule
from annotated_transformer.lab.corpora.english_korean.tables import lines_of
from annotated_transformer.lab.corpora.english_korean.verbs import (
    DATIVE_VERBS,
    INTRANSITIVE_VERBS,
    MOTION_VERBS,
    TRANSITIVE_VERBS,
    motions_of,
    names,
    verbs_of,
)

# Construction, rule and share of the everyday part (relative weights).
EVERYDAY: dict[str, tuple[Rule, float]] = {
    "everyday_statement": (everyday.statement, 30),
    "everyday_yes_no": (everyday.yes_no, 9),
    "everyday_imperative": (everyday.imperative, 7),
    "everyday_adverbial_question": (questions.adverbial_question, 5),
    "everyday_where": (questions.where_is, 2.5),
    "everyday_what": (questions.what, 3.5),
    "everyday_what_simple": (questions.what_simple, 1.2),
    "everyday_who": (questions.who, 2.5),
    "everyday_identity_question": (questions.who_is, 2),
    "everyday_how_many": (amounts.how_many, 1.5),
    "everyday_what_time": (amounts.what_time, 0.8),
    "everyday_how_much": (amounts.how_much, 0.7),
    "everyday_whose": (amounts.whose, 0.8),
    "everyday_weather": (weather.weather, 2.5),
    "everyday_date": (calendar.date, 1.2),
    "everyday_age": (calendar.age, 1.3),
    "everyday_origin": (calendar.origin, 1.3),
    "everyday_color": (calendar.color, 1.2),
    "everyday_pain": (calendar.pain, 1.2),
    "everyday_feature": (calendar.feature, 0.8),
    "everyday_birthday": (calendar.birthday, 0.4),
    "everyday_existence": (calendar.there_is, 2.5),
    "everyday_this": (naming.this_is, 3),
    "everyday_name": (naming.name, 0.6),
    "everyday_favorite": (naming.favorite, 1),
    "everyday_look": (naming.looking, 1.2),
    "everyday_mine": (naming.mine, 0.8),
    "everyday_ordering": (naming.ordering, 0.8),
    "everyday_directions": (naming.directions, 0.6),
    "everyday_because": (compound.because, 3.5),
    "everyday_condition": (compound.condition, 4.5),
    "everyday_sequence": (compound.sequence, 3),
    "everyday_relative": (joining.relative, 3),
    "everyday_two": (joining.two_statements, 2),
    "everyday_thought": (thoughts.thought, 3.5),
}
PHRASE = "everyday_phrase"
NEAR = (
    "near",
    "근처에",
    names("station school hospital park beach river library market airport"),
)


@cache
def large_lexicon() -> Lexicon:
    """Return the small lexicon with the words of the tables added."""
    return Lexicon(
        all_nouns=(*NOUNS, *nouns_of("nouns")),
        transitive=(*TRANSITIVE_VERBS, *verbs_of("verbs", "transitive")),
        intransitive=INTRANSITIVE_VERBS,
        dative=(*DATIVE_VERBS, *verbs_of("verbs", "dative")),
        motion=(*MOTION_VERBS, *motions_of("verbs")),
        adjectives=(*ADJECTIVES, *adjectives_of("adjectives")),
        attributives=(*ATTRIBUTIVES, *attributives_of("adjectives")),
        phrasal=verbs_of("verbs", "intransitive"),
        states=verbs_of("verbs", "have"),
        positions=(*POSITIONS, NEAR, NEAR),
        places=("the",) * 14 + ("a",) * 4 + ("this", "my", "our", "your"),
        possessives=("my", "my", "your", "his", "her", "our", "their"),
        numbers=(*NUMBERS, *adverbials_of("times", "more numbers")),
    )


def phrases(name: str = "phrases") -> Iterator[tuple[str, Clause]]:
    """Yield the set phrases of a table, in which every word is aligned to every word."""
    for line in lines_of(name):
        english, korean = line.split(" | ")
        yield (
            english,
            Clause(
                [Word(text, (0,)) for text in english.split(" ")],
                [Word(text, (0,)) for text in korean.split(" ")],
            ),
        )
