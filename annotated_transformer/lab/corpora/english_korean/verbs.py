"""Verbs of the embedded corpus, with their forms and what they select. CC0.

One verb a line: English base, past and -ing form ("_" stands for the space of a phrasal verb),
Korean stem, irregular class ("-" if regular), classes of its subjects, classes of its objects and
flags. One English verb may fill several lines with different objects, as "wear" does: 입다 for a
coat, 쓰다 for a hat, 신다 for shoes. No object is named by two lines of one verb (tested), so the
object decides the Korean verb.

Flags: "s" stative, never progressive; "e" event, never in the simple present; "p" present only;
"x" neither progressive nor wished for; "u" uses its object up; "m" goes with an adverb of manner;
"a" takes its object with 에 (산에 올라가다), "d" with 에게, "w" with 와/과; "n" is a success or a
power, so that its negation is 못하다 (찾지 못했다; 찾지 않았다 would mean that nobody looked). Of
the intransitive verbs, "i" is done indoors, "o" outdoors, "k" where people work, "w" in water.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.tables import (
    Row,
    listed,
    rows,
    spaced,
    word_rows,
)


def names(text: str) -> frozenset[str]:
    """Return the words of a text, or its parts between commas if it has any."""
    parts = text.split(",") if "," in text else text.split()
    return frozenset(" ".join(part.split()) for part in parts)


# Actions that are done to several things at once, and those whose object keeps a habit's present.
COUNTED_BY = names(
    """read write buy sell eat drink bake make wash cut find lose hide choose bring borrow collect
    draw plant meet invite help catch break fix throw"""
)
HABITS = names("read write sell bake cook make wear play drive ride collect draw")
# Where people usually do it.
PLACES_OF = {verb: tuple(places.split(",")) for verb, places in rows("small_verbs", "places", (2,))}


class Verb(NamedTuple):
    """A verb of both languages with the classes it selects."""

    english: str
    past: str
    ing: str
    korean: str
    irregular: str
    subjects: frozenset[str]
    objects: frozenset[str]
    flags: frozenset[str]

    @property
    def third(self) -> str:
        """Third person singular of the simple present."""
        head, *rest = self.english.split()
        if head == "have":
            head = "has"
        elif head.endswith(("s", "sh", "ch", "x", "o")):
            head += "es"
        elif head.endswith("y") and head[-2] not in "aeiou":
            head = head[:-1] + "ies"
        else:
            head += "s"
        return " ".join([head, *rest])

    def is_done_by(self, noun: Noun) -> bool:
        """Whether the noun is a subject this verb goes with."""
        return noun.name in self.subjects or bool(noun.classes & self.subjects)

    def selects(self, noun: Noun) -> bool:
        """Whether the noun is an object this verb goes with."""
        return noun.name in self.objects or bool(noun.classes & self.objects)


class Motion(NamedTuple):
    """A verb whose complement is a place, with the preposition ("" for the noun's own)."""

    verb: Verb
    preposition: str
    particle: str


def _verb(row: Row) -> Verb:
    english, past, ing, korean, irregular, subjects, objects, flags = (*row, "")[:8]
    return Verb(
        english=spaced(english),
        past=spaced(past),
        ing=spaced(ing),
        korean=spaced(korean),
        irregular=irregular.strip("-"),
        subjects=listed(subjects),
        objects=listed(objects),
        flags=frozenset(flags),
    )


def verbs_of(name: str, heading: str) -> tuple[Verb, ...]:
    """Read the verbs below a heading of a table."""
    return tuple(_verb(row) for row in word_rows(name, heading, (7, 8)))


def motions_of(name: str) -> tuple[Motion, ...]:
    """Read the verbs of motion of a table.

    Their objects are the places; after them stand the English preposition ("-": the noun's own)
    and the Korean particle.
    """
    return tuple(
        Motion(_verb(row[:7] + row[9:]), row[7].strip("-"), row[8])
        for row in word_rows(name, "motion", (9, 10))
    )


TRANSITIVE_VERBS = verbs_of("small_verbs", "transitive")
INTRANSITIVE_VERBS = verbs_of("small_verbs", "intransitive")
DATIVE_VERBS = verbs_of("small_verbs", "dative")
MOTION_VERBS = motions_of("small_verbs")
