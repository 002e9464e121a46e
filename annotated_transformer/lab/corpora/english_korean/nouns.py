"""Nouns of the embedded corpus, with plural, Korean counter and semantic classes. CC0.

One noun a line: English, plural ("-" for what English does not count), Korean, Korean counter
("-" if it is never counted here) and its classes; "_" is a space. A verb lists the classes it
selects and an adjective those it describes, so that people read books and dogs do not.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.tables import sections, spaced, word_rows


class Noun(NamedTuple):
    """A noun: `plural` is "" for mass nouns, `counter` "" for what is never counted."""

    english: str
    plural: str
    korean: str
    counter: str
    classes: frozenset[str]

    @property
    def name(self) -> str:
        """What verbs and adjectives call it; "" where that is the name of a class (a job)."""
        return "" if "unnamed" in self.classes else self.english

    @property
    def plural_only(self) -> bool:
        """Whether English has only a plural (shoes)."""
        return self.english == self.plural


def nouns_of(name: str) -> tuple[Noun, ...]:
    """Read a table of nouns, each of which has the classes of its heading, too."""
    nouns = []
    for heading in sections(name):
        for english, plural, korean, counter, *own in word_rows(name, heading, range(4, 20)):
            classes = frozenset(own) | frozenset(heading.split())
            several, counted = spaced(plural).strip("-"), counter.strip("-")
            nouns.append(Noun(spaced(english), several, spaced(korean), counted, classes - {"-"}))
    return tuple(nouns)


NOUNS = nouns_of("small_nouns")
