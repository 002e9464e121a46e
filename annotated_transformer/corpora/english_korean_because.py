"""The *because* construction, in which "it" must be resolved to be translated. CC0.

The reason comes first in Korean and its subject is the noun that "it" stands for:

* The animal did not cross the street because it was too tired:
  그 동물이 너무 피곤해서 길을 건너지 않았다 (antecedent: the subject).
* The animal did not cross the street because it was too wide:
  길이 너무 넓어서 그 동물은 건너지 않았다 (antecedent: the object).

Neither Korean sentence repeats a noun. The adjective decides: it describes animals or things, and
those that could describe both ("big", of an animal and a box) are not used of a reason.
"""

from functools import cache
from typing import NamedTuple

from annotated_transformer.corpora.english_korean_adjectives import Adjective, adjective
from annotated_transformer.corpora.english_korean_clauses import (
    object_particle,
    realise,
)
from annotated_transformer.corpora.english_korean_derivation import (
    Clause,
    Derivation,
    extend_last,
    words,
)
from annotated_transformer.corpora.english_korean_morphology import SUBJECT, TOPIC
from annotated_transformer.corpora.english_korean_nouns import Noun, nouns
from annotated_transformer.corpora.english_korean_phrases import (
    NounPhrase,
    noun_phrase,
    predicates_of,
    subject_phrase,
)
from annotated_transformer.corpora.english_korean_predicates import (
    Form,
    adjective_form,
    modal_form,
    verb_form,
)
from annotated_transformer.corpora.english_korean_verbs import TRANSITIVE_VERBS, Verb

# Verb, its subjects, then the adjectives that keep the subject, or the object, from it, and those
# of the subject, or the object, that lead to it.
REASONS_TABLE = """
cross | animal | tired sick sleepy weak lazy slow | wide deep dangerous slippery | strong hungry | safe
climb | animal | tired sick sleepy lazy fat | steep slippery dangerous high tall | brave hungry | safe low
enter | animal | tired sick sleepy lazy fat | dark narrow dangerous | tired sleepy hungry | warm quiet bright
eat | animal | full sick sleepy | hot salty bitter spicy hard | hungry | delicious sweet fresh soft
drink | animal | full sick sleepy | hot cold bitter dirty | thirsty | delicious sweet fresh
carry | worker | tired sick weak lazy | heavy | strong healthy | light
catch | cat,fox,wolf | slow tired lazy fat sleepy | fast | hungry |
buy | person | | expensive heavy dirty | | cheap beautiful pretty light
wear | person | | dirty heavy big small | | warm pretty soft
read | person | | long boring difficult | | interesting easy short
visit | person | | noisy dangerous | | quiet beautiful famous
lift | person | | heavy | | light
"""
# Who fails to catch something wants to: "did not" would be untrue of it.
ONLY_UNABLE = "catch"


class Reason(NamedTuple):
    """What may keep somebody from an action, or lead to it."""

    verb: str
    subjects: frozenset[str]
    subject_hinders: tuple[str, ...]
    object_hinders: tuple[str, ...]
    subject_leads: tuple[str, ...]
    object_leads: tuple[str, ...]

    def adjectives(self, antecedent: str, *, hinders: bool) -> tuple[str, ...]:
        """Adjectives of the subject or of the object that hinder or lead."""
        if antecedent == "subject":
            return self.subject_hinders if hinders else self.subject_leads
        return self.object_hinders if hinders else self.object_leads


def _parse(line: str) -> Reason:
    verb, subjects, *reasons = (field.strip() for field in line.split("|"))
    return Reason(verb, frozenset(subjects.split(",")), *(tuple(r.split()) for r in reasons))


REASONS = tuple(_parse(line) for line in REASONS_TABLE.strip().splitlines())


@cache
def objects_with_reason(
    verb: str, adjectives: tuple[str, ...]
) -> tuple[tuple[Verb, Noun, Adjective], ...]:
    """Every object of the verb together with each of the adjectives that describes it."""
    return tuple(
        (entry, noun, described)
        for entry in TRANSITIVE_VERBS
        if entry.english == verb
        for noun in nouns(*sorted(entry.objects))
        if not noun.plural_only
        for described in predicates_of(noun)
        if described.english in adjectives
    )


def because_subject(d: Derivation) -> Clause:
    """The animal did not cross the street because it was too tired."""
    return _because(d, "subject")


def because_object(d: Derivation) -> Clause:
    """The animal did not cross the street because it was too wide."""
    return _because(d, "object")


def _because(d: Derivation, antecedent: str) -> Clause:
    hinders = d.chance(0.65)
    reason = d.choose([r for r in REASONS if r.adjectives(antecedent, hinders=hinders)])
    adjectives = reason.adjectives(antecedent, hinders=hinders)
    noun = d.choose(nouns(*sorted(reason.subjects)))
    if antecedent == "subject":
        subject = _singular(d, noun)
        described = adjective(d.choose(adjectives), noun)
        verb = d.choose([entry for entry in TRANSITIVE_VERBS if entry.english == reason.verb])
        target = _singular(d, _other_object(d, verb, noun))
        it = subject
    else:
        verb, thing, described = d.choose(objects_with_reason(reason.verb, adjectives))
        while thing == noun:
            verb, thing, described = d.choose(objects_with_reason(reason.verb, adjectives))
        subject = _agent(d, reason, noun)
        target = it = _singular(d, thing)
    if it.noun is None or target.noun is None:
        raise ValueError("the antecedent of 'it' and the object are nouns")
    d.pairing("object", verb.english, target.noun.english)
    d.pairing("it", it.noun.english)
    d.pairing("reason", described.english, it.noun.english)
    d.uses(described.english, described.korean)
    degree = ("too", "너무") if hinders else ("very", "아주")
    why = realise(d, adjective_form(described, "past", "3s", False, degree, "서"))
    done = realise(d, _main_verb(d, verb, subject, hinders=hinders))
    return _order(d, subject, done, target, why, verb, antecedent=antecedent)


def _order(
    d: Derivation,
    subject: NounPhrase,
    done: Clause,
    target: NounPhrase,
    why: Clause,
    verb: Verb,
    *,
    antecedent: str,
) -> Clause:
    because, it_node = d.node(), d.node()
    english = [
        *subject.english,
        *done.english,
        *target.english,
        *words("because", because),
        *words("it", it_node),
        *why.english,
    ]
    reason = extend_last(why.korean, why.korean[-1].text, because)
    if antecedent == "subject":
        rest = target.marked(object_particle(verb))
        return Clause(english, [*subject.marked(SUBJECT, it_node), *reason, *rest, *done.korean])
    rest = subject.marked(TOPIC)
    return Clause(english, [*target.marked(SUBJECT, it_node), *reason, *rest, *done.korean])


def _main_verb(d: Derivation, verb: Verb, subject: NounPhrase, *, hinders: bool) -> Form:
    d.uses(verb.english, verb.korean)
    if not hinders:
        return verb_form(verb, "past", subject.agreement, False)
    if verb.english == ONLY_UNABLE or d.chance(0.4):
        return modal_form(verb, "can", "past", subject.agreement, True, subject.first_person)
    d.pairing("negated", "past", verb.english)
    return verb_form(verb, "past", subject.agreement, True)


def _singular(d: Derivation, noun: Noun) -> NounPhrase:
    return noun_phrase(d, noun, "this" if d.chance(0.12) else "the")


def _agent(d: Derivation, reason: Reason, noun: Noun) -> NounPhrase:
    """Return people of every kind, where no animal is meant; else the animal."""
    if "person" in reason.subjects:
        return subject_phrase(d, frozenset({"person", "kin"}), adjective=0.0)
    return _singular(d, noun)


def _other_object(d: Derivation, verb: Verb, subject: Noun) -> Noun:
    options = [noun for noun in nouns(*sorted(verb.objects)) if noun != subject]
    return d.choose([noun for noun in options if not noun.plural_only])
