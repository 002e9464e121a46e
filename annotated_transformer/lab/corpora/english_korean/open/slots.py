"""What fills the slots of the sentences in `patterns`: nouns, names, sums, hours, times. CC0.

Each takes the sentence's subject and the particle that the Korean has behind the slot.
"""

from collections.abc import Callable
from functools import partial

from annotated_transformer.lab.corpora.english_korean import tables
from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS, Adverbial
from annotated_transformer.lab.corpora.english_korean.clauses import adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    known,
    object_pronoun,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import MONTHS
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    TOWARDS,
    WITH,
    attach,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.open import whens
from annotated_transformer.lab.corpora.english_korean.open.amounts import MONEY, SUMS
from annotated_transformer.lab.corpora.english_korean.open.numerals import english as number_name
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, sino
from annotated_transformer.lab.corpora.english_korean.open.wheres import fixed, scene_of
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)

Both = tuple[Words, Words]
Slot = Callable[[Derivation, NounPhrase, str], Both]
Slots = Callable[[str], Slot]
PARTICLES = {"는": TOPIC, "가": SUBJECT, "를": OBJECT, "와": WITH, "로": TOWARDS}
COPULAS = {"다": "다", "이다": "다", "였다": "었다", "니": "니"}
SMALL = frozenset({"small", "device", "container", "toy", "jewel"})
OWNED = SMALL | {"reading", "body", "vehicle"}
SHOPS = frozenset({"shop", "restaurant", "hospital", "library", "museum", "bank", "hotel", "cafe"})
PLACES = frozenset({"school", "station", "park", "river", "beach", "airport", "church", "library"})

rows = partial(tables.rows, "open_patterns")
"""The lines under a heading of `words/open_patterns.txt`, each with its fields."""


def marked(korean: Words, particle: str, *, subject_form: str = "") -> Words:
    """Return the Korean with a particle or the copula of a pattern."""
    *head, last = korean
    if not particle:
        return korean
    if particle == "가" and subject_form:
        return [*head, last._replace(text=subject_form)]
    if particle in COPULAS:
        return [*head, last._replace(text=with_copula(last.text, COPULAS[particle]))]
    if particle in PARTICLES:
        return [*head, last._replace(text=attach(last.text, PARTICLES[particle]))]
    return [*head, last._replace(text=last.text + particle)]


def _noun(
    classes: frozenset[str],
    determiners: tuple[str, ...],
    *,
    many: bool = False,
    simple: bool = False,
) -> Slot:
    """Return a slot for a noun with one of the determiners; simple: of one word."""

    def slot(d: Derivation, _: NounPhrase, particle: str) -> Both:
        noun = choose_noun(d, classes)
        determiner = d.choose(determiners)
        if simple and " " in noun.english + noun.korean:
            raise Unfit
        if not many and (not noun.plural or noun.plural_only):
            raise Unfit
        plural = many and bool(noun.plural)
        share = 0.25 if determiner == "a" and len(determiners) > 1 else 0.0
        phrase = noun_phrase(d, noun, determiner, plural=plural, adjective=share)
        return phrase.english, marked([*phrase.korean, *phrase.after], particle)

    return slot


def _fixed(heading: str) -> Slot:
    def slot(d: Derivation, _: NounPhrase, particle: str) -> Both:
        found = adverbial(d, tuple(Adverbial(*row) for row in rows(f"{heading} words")))
        return found.english, marked(found.korean, particle)

    return slot


def _named(names: dict[str, str]) -> Slot:
    def slot(d: Derivation, _: NounPhrase, particle: str) -> Both:
        english, korean = d.choose(tuple(names.items()))
        node = d.node()
        return words(english, node), marked(words(korean, node), particle)

    return slot


def _whom(d: Derivation, subject: NounPhrase, particle: str) -> Both:
    """Return somebody else; a pronoun only where it has a particle."""
    if particle in ("에게", "를", "와") and d.chance(0.5):
        other = object_pronoun(d, subject)
    else:
        other = known(d, choose_noun(d, frozenset({d.choose(("kin", "relation", "name"))})), 0.0)
    if other.agreement == "p" or (other.noun is not None and other.noun == subject.noun):
        raise Unfit
    return other.english, marked(other.korean, particle)


def _sum(d: Derivation, _: NounPhrase, particle: str) -> Both:
    unit, counter = d.choose(MONEY)
    node, money = d.node(), d.node()
    typed, korean = numeral(d, d.choose(SUMS), counter, node, money, is_sino=True)
    return [*typed, *words(unit, money)], marked(korean, particle)


def _number(d: Derivation, _: NounPhrase, particle: str) -> Both:
    number, node = d.choose((2, 3, 4, 5, 7, 8, 10, 12, 15, 20, 25, 30, 35, 40)), d.node()
    typed = str(number) if d.chance(0.5) else number_name(number)
    return words(typed, node), marked(words(sino(number), node), particle)


def _hour(d: Derivation, _: NounPhrase, particle: str) -> Both:
    found = whens.hour(d, particle, d.node())
    return found.english, found.korean


SLOTS: dict[str, Slot] = {
    "whom": _whom,
    "thing": _noun(OWNED, ("the", "the", "this", "my", "your")),
    "things": _noun(OWNED, ("the", "these", "those"), many=True),
    "one": _noun(OWNED, ("a", "a")),
    "a": _noun(SMALL, ("a",), simple=True),
    "small": _noun(SMALL, ("",), simple=True),
    "goods": _noun(frozenset({"body", "reading", "toy", "fruit", "sweet"}), ("",), many=True),
    "device": _noun(frozenset({"device"}), ("",), simple=True),
    "fruits": _noun(frozenset({"fruit"}), ("",), many=True),
    "this": _noun(frozenset({"body"}), ("this",)),
    "clothes": _noun(frozenset({"body"}), ("the", "this", "my")),
    "shop": _noun(SHOPS, ("",)),
    "where": _noun(PLACES, ("the",)),
    "job": _noun(frozenset({"job"}), ("a",)),
    "jobs": _noun(frozenset({"job"}), ("",), many=True),
    "study": _noun(frozenset({"study"}), ("",), many=True),
    "city": _noun(frozenset({"city"}), ("",), many=True),
    "month": _named(MONTHS),
    "day": _named(DAYS),
    "sum": _sum,
    "number": _number,
    "hour": _hour,
    "scene": lambda d, subject, _: scene_of(d, subject),
    "habit": lambda d, _, __: whens.on_a_day(d, habitual=True),
    "times": lambda d, _, __: whens.times_a(d),
    "long": lambda d, _, __: whens.lasting(d, "동안"),
    "past": lambda d, _, __: fixed(d, "when past"),
    "future": lambda d, _, __: fixed(d, "when future"),
    **{name: _fixed(name) for name in ("people", "grade", "now", "night", "meal", "whole", "week")},
    **{name: _fixed(name) for name in ("adj", "adjp", "taste", "air", "whose", "box")},
}
