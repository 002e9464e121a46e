"""What the tables of clauses say: English verbs with their forms, Korean predicates. CC0.

A line of `words/open_clauses.txt` that has a verb gives its base, past, -ing form and what follows
it in English, then the Korean before the ending and how the stem conjugates ("-" if regularly, "A"
if like an adjective).
"""

from functools import partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import person
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

clause_table = partial(tables.rows, "open_clauses")
"""The lines under a heading of `words/open_clauses.txt`, each with its fields."""

SELF = {"I": "my", "you": "your", "he": "his", "she": "her", "we": "our", "they": "their"}


def third_of(base: str) -> str:
    """Return the third person singular of a verb: goes, tries, has."""
    if base == "have":
        return "has"
    if base.endswith("y") and base[-2] not in "aeiou":
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "sh", "ch", "x", "o", "z")) else "s")


def predicate(korean: str, irregular: str, *nodes: int) -> Predicate:
    """Return the Korean predicate of a line; "A" says that it is an adjective."""
    made = endings.verb(korean, irregular.strip("A-"), *nodes)
    return made._replace(kind="adjective") if "A" in irregular else made


def verb_of(
    d: Derivation, forms: str, korean: str, irregular: str
) -> tuple[EnglishVerb, Predicate]:
    """Return both verbs of a line: "meet met meeting Tom", 톰을 만나."""
    base, past, ing, *rest = forms.split(" ")
    node, own = d.node(), d.node()
    tail = [Word(text, (own,)) for text in rest]
    verb = EnglishVerb(base, third_of(base), past, ing, node, tail)
    made = predicate(korean, irregular, node)
    if tail:
        before = [word._replace(nodes=(own,)) for word in made.before]
        nodes = (node,) if before else (node, own)
        made = made._replace(before=before, nodes=nodes)
    return verb, made


def said_by(d: Derivation, subject: NounPhrase, forms: str, korean: str, irregular: str) -> Said:
    """Return what a line says of the subject."""
    verb, made = verb_of(d, forms, korean, irregular)
    return Said(subject, verb, made, (), frozenset(), "action", forms)


def be_said(d: Derivation, subject: NounPhrase, english: str, made: Predicate) -> Said:
    """Return "the subject is ENGLISH" with a Korean predicate whose first node is that of it."""
    be = d.node()
    tail = words(english, made.nodes[0])
    made = made._replace(nodes=(*made.nodes, be))
    return Said(subject, EnglishVerb("be", "", "", "being", be, tail), made, (), kind="quality")


def phrase_of(d: Derivation, english: str, korean: str, agreement: str = "3s") -> NounPhrase:
    """Return a phrase that both languages say as a whole."""
    node = d.node()
    return NounPhrase(words(english, node), words(korean, node), node, agreement)


def somebody(d: Derivation) -> NounPhrase:
    """Return a person other than "everyone"."""
    found = person(d)
    if found.english[0].text == "everyone":
        raise Unfit
    return found


def drawn_how(
    d: Derivation, tenses: tuple[str, ...] = ("present", "present", "past"), *, asked: bool = False
) -> How:
    """Return one of the tenses, sometimes denied."""
    return How(d.choose(tenses), "", not asked and d.chance(0.15))


def as_copula(phrase: NounPhrase, node: int) -> Predicate:
    """Return "to be the phrase": its Korean with 이다."""
    last = phrase.korean[-1]
    return Predicate(list(phrase.korean[:-1]), last.text, "", "copula", (*last.nodes, node))


def to_be(d: Derivation, subject: NounPhrase, phrase: NounPhrase) -> Said:
    """Return that the subject is the phrase."""
    be = d.node()
    verb = EnglishVerb("be", "", "", "being", be, list(phrase.english))
    return Said(subject, verb, as_copula(phrase, be), (), kind="identity")


def said_so(
    d: Derivation, said: Said, how: How, *, asked: bool = False, **more: Clause | bool
) -> Clause:
    """Return the sentence, a question if it is asked."""
    return clause(d, said, how, ending="니" if asked else "다", asked=asked, **more)  # type: ignore[arg-type]


def opened_last(phrase: Words, particle: str, *nodes: int) -> Words:
    """Return the words with a particle on the last."""
    last = phrase[-1]
    return [*phrase[:-1], Word(last.text + particle, (*last.nodes, *nodes))]
