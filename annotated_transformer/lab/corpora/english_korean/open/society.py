"""The tables of people, work and places, and what their lines say. CC0."""

from functools import partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.morphology import TOPIC
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

society_rows = partial(tables.rows, "open_society")
"""The lines under a heading of `words/open_society.txt`, each with its fields."""


def korean_of(heading: str) -> dict[str, str]:
    """Return the first two fields of the lines under a heading: English, Korean."""
    return {row[0]: row[1] for row in society_rows(heading)}


def part(d: Derivation, english: str, korean: str) -> Clause:
    """Return a fixed phrase, all of whose words express one meaning."""
    node = d.node()
    return Clause(words(english, node), words(korean, node))


def phrase(d: Derivation, english: str, korean: str, agreement: str = "3s") -> NounPhrase:
    """Return a fixed noun phrase."""
    node = d.node()
    return NounPhrase(words(english, node), words(korean, node), node, agreement)


def verb_of(forms: str, node: int) -> EnglishVerb:
    """Return the verb of a line: "be injured", or four forms and what follows them."""
    if forms.startswith("be "):
        return EnglishVerb("be", "", "", "", node, words(forms.removeprefix("be "), node))
    if forms.startswith("go home"):
        return EnglishVerb("go", "goes", "went", "going", node, words("home", node))
    base, third, past, ing, *rest = forms.split(" ")
    tail: Words = words(" ".join(rest), node) if rest else []
    return EnglishVerb(base, third, past, ing, node, tail)


def said(
    d: Derivation,
    subject: NounPhrase,
    forms: str,
    korean: str,
    irregular: str = "-",
    *,
    complements: tuple[Clause, ...] = (),
) -> Said:
    """Return what a line of a table says of the subject; A marks what Korean says of a state."""
    node = d.node()
    predicate = endings.verb(korean, irregular.strip("A-"), node)
    if irregular == "A":
        predicate = predicate._replace(kind="adjective")
    return Said(subject, verb_of(forms, node), predicate, complements)


def told(
    d: Derivation,
    what: Said,
    tense: str,
    *,
    asked: float = 0.12,
    denied: float = 0.1,
    particle: tuple[str, str] = TOPIC,
    time: Clause = Clause([], []),  # noqa: B008 - it is never changed
    modal: str = "",
) -> Clause:
    """Say it, ask it or deny it."""
    question = d.chance(asked)
    how = How(tense, modal, not question and d.chance(denied))
    return clause(
        *(d, what, how),
        ending="니" if question else "다",
        asked=question,
        particle=particle,
        time=time,
    )
