"""Who and what everyday sentences are about. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import MEASURES
from annotated_transformer.lab.corpora.english_korean.counting import counted
from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Unfit, words
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import POSSESSIVE_OF
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    ANIMATE,
    PRONOUNS,
    NounPhrase,
    choose_noun,
    noun_phrase,
    possessive,
    pronoun,
)
from annotated_transformer.lab.corpora.english_korean.things import coordinate

PEOPLE = frozenset({"person", "kin", "adult", "own"})
# How often each of PRONOUNS is the subject.
SHARES = (("0", 0.4), ("1", 0.2), ("2", 0.14), ("3", 0.14), ("4", 0.07), ("5", 0.05))
BARE = frozenset({"city", "name", "study", "sport"})
OWNED = frozenset(
    {"relation", "pet", "clothes", "device", "vehicle", "container", "small", "house"}
)


def subject_of(d: Derivation, classes: frozenset[str], *, pronouns: float = 0.5) -> NounPhrase:
    """Return a subject of one of the classes; people are mostly pronouns, kin and names."""
    human = not classes.isdisjoint(PEOPLE)
    kind = d.weighted(
        (
            ("pronoun", pronouns * human),
            ("kin", 0.16 if classes & {"kin", "own"} else 0.0),
            ("name", 0.12 * human),
            ("noun", 0.22 if classes - {"kin", "own"} or not human else 0.0),
        )
    )
    if human and d.chance(0.05):
        return _two(d)
    if kind == "pronoun":
        return pronoun(d, int(d.weighted(SHARES)))
    if kind in ("kin", "name"):
        noun = d.choose(d.lexicon.nouns(kind))
        return noun_phrase(d, noun, owner(d, noun) if kind == "kin" else "")
    if human and d.chance(0.06):
        node = d.node()
        return NounPhrase(words("everyone", node), words("모든 사람", node), node, "3s")
    return known(d, choose_noun(d, classes - {"kin", "own"}))


def _two(d: Derivation) -> NounPhrase:
    """Return two people: Tom and Anna, my friend and I."""
    kinds = ("name", "kin", "relation")
    first = known(d, choose_noun(d, frozenset({d.choose(kinds)})), 0.0)
    if d.chance(0.35):
        return coordinate(d, first, pronoun(d, 0))._replace(first_person=True, noun=first.noun)
    second = known(d, choose_noun(d, frozenset({d.choose(kinds)})), 0.0)
    if first.noun == second.noun:
        raise Unfit
    return coordinate(d, first, second)


def known(d: Derivation, noun: Noun, adjective: float = 0.06) -> NounPhrase:
    """Return something that speaker and hearer know: the, my, your, this, that, these."""
    if noun.classes & BARE:
        return noun_phrase(d, noun, "")
    if "kin" in noun.classes:
        return noun_phrase(d, noun, owner(d, noun))
    owned = not noun.classes.isdisjoint(OWNED)
    countable = bool(noun.plural) and not noun.plural_only
    determiner = d.weighted(
        (
            ("the", 0.5),
            ("own", 0.3 * owned),
            ("this", 0.09 * (not noun.plural_only)),
            ("that", 0.06 * (not noun.plural_only)),
            ("these", 0.02 * bool(noun.plural)),
            ("those", 0.02 * bool(noun.plural)),
            ("all", 0.06 * countable),
        )
    )
    if determiner == "own":
        return noun_phrase(d, noun, owner(d, noun), adjective=adjective)
    if determiner == "all":
        return noun_phrase(d, noun, "the", plural=True, adjective=adjective)
    plural = determiner in ("these", "those") and countable
    return noun_phrase(d, noun, determiner, plural=plural, adjective=adjective)


def owner(d: Derivation, noun: Noun) -> str:
    """Return a possessive; of husbands, wives and sweethearts that of one person."""
    own = possessive(d)
    if own in ("our", "their") and noun.english in SINGLE:
        return "my"
    return own


SINGLE = frozenset({"husband", "wife", "boyfriend", "girlfriend"})


def some(d: Derivation, noun: Noun, adjective: float = 0.12) -> NounPhrase:
    """Return a direct object: known, new, counted or of a kind."""
    if noun.classes & (BARE | {"kin", "place", "sight"}):
        return known(d, noun, adjective)
    if not noun.plural and d.chance(0.2):
        measured = a_measure(d, noun)
        if measured is not None:
            return measured
    kind = d.weighted((("known", 0.36), ("new", 0.34), ("kind", 0.2), ("counted", 0.1)))
    if kind == "known":
        return known(d, noun, adjective)
    if kind == "counted" and noun.counter and noun.plural and not noun.plural_only:
        return counted(d, noun, adjective=0.05)
    return _new(d, noun, kind, adjective)


def _new(d: Derivation, noun: Noun, kind: str, adjective: float) -> NounPhrase:
    """Return something not spoken of before: a book, books, many books, milk, some milk."""
    if not noun.plural or noun.plural_only:
        determiner = d.weighted((("", 0.79), ("some", 0.15), ("more", 0.06)))
        return noun_phrase(d, noun, determiner, adjective=adjective)
    if kind == "kind":
        determiner = d.weighted(
            (("", 0.7), ("some", 0.15), ("many", 0.1), ("a lot of", 0.05), ("more", 0.05))
        )
        return noun_phrase(d, noun, determiner, plural=True, adjective=adjective)
    return noun_phrase(d, noun, "a", adjective=adjective)


def a_measure(d: Derivation, noun: Noun) -> NounPhrase | None:
    """Return "a cup of coffee", 커피 한 잔, of what is measured."""
    options = [(english, korean) for english, _, korean, of in MEASURES if noun.english in of]
    if "drink" in noun.classes:
        options.append(("glass", "잔"))
    if not options:
        return None
    english, korean = d.choose(options)
    node, one, measure = d.node(), d.node(), d.node()
    phrase = [*words("a", one), *words(f"{english} of", measure), *words(noun.english, node)]
    counted_out = [*words(noun.korean, node), *words("한", one), *words(korean, measure)]
    return NounPhrase(phrase, counted_out, node, "3s", noun)


def it(d: Derivation, *, plural: bool = False) -> NounPhrase:
    """Return "it" or "them", of things."""
    node = d.node()
    english, korean = ("them", "그것들") if plural else ("it", "그것")
    return NounPhrase(words(english, node), words(korean, node), node, "p" if plural else "3s")


def object_pronoun(d: Derivation, subject: NounPhrase) -> NounPhrase:
    """Return "me", "you", "him" ..., not the subject itself."""
    index = int(d.weighted(SHARES))
    nominative = PRONOUNS[index][0]
    own = subject.english[0].text
    if nominative == own or {nominative, own} in ({"I", "we"}, {"he", "they"}, {"she", "they"}):
        raise Unfit
    return pronoun(d, index, is_object=True)


def own_possessive(subject: NounPhrase) -> str:
    """Return the possessive of the subject itself: my of I, her of my mother."""
    if subject.noun is None:
        return POSSESSIVE_OF.get(subject.english[0].text, "")
    for gender, word in (("male", "his"), ("female", "her")):
        if gender in subject.noun.classes and subject.agreement == "3s":
            return word
    raise Unfit


def is_animate(noun: Noun) -> bool:
    """Whether the noun is a person or an animal."""
    return not noun.classes.isdisjoint(ANIMATE)
