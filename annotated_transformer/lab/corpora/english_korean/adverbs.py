"""Adverbials, numbers, measures and positions of the embedded corpus. CC0.

A Korean and an English phrase of the same number of words are aligned word by word; otherwise
every word is aligned to every word (`last week` to 지난주에).
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.tables import listed, pairs, rows


class Adverbial(NamedTuple):
    """A fixed phrase of one or two words in both languages."""

    english: str
    korean: str


def adverbials_of(name: str, heading: str) -> tuple[Adverbial, ...]:
    """Read the adverbials below a heading of a table."""
    return tuple(Adverbial(*row) for row in rows(name, heading, (2,)))


SMALL = "small_adverbs"
DAYS = pairs(SMALL, "days")
ON_A_DAY = tuple(Adverbial(f"on {day}", korean + "에") for day, korean in DAYS.items())
PAST_TIMES = (*adverbials_of(SMALL, "past"), *ON_A_DAY)
FUTURE_TIMES = (*adverbials_of(SMALL, "future"), *ON_A_DAY)
HABITUAL_TIMES = (
    *adverbials_of(SMALL, "habitual"),
    *(Adverbial(f"on {day}s", korean + "마다") for day, korean in DAYS.items()),
)
NOW = (Adverbial("now", "지금"),)
# Between subject and verb in English.
FREQUENCIES = adverbials_of(SMALL, "frequencies")
MANNERS = adverbials_of(SMALL, "manners")
# By a vehicle, with (으)로.
BY_VEHICLE = adverbials_of(SMALL, "by vehicle")
NUMBERS = adverbials_of(SMALL, "numbers")
# Containers that measure a mass noun: singular, plural, Korean, the nouns measured.
MEASURES = tuple(
    (one, several, korean, listed(of)) for one, several, korean, of in rows(SMALL, "measures", (4,))
)
Position = tuple[str, str, frozenset[str]]
# English preposition, Korean noun of place with 에, the classes of things it is used with.
POSITIONS: tuple[Position, ...] = tuple(
    (english, korean, listed(classes))
    for english, korean, classes in rows(SMALL, "positions", (3,))
)
# Tool, and the English verbs done with it.
TOOLS = tuple((tool, listed(verbs)) for tool, verbs in rows(SMALL, "tools", (2,)))
