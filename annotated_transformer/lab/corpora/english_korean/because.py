"""The *because* construction, in which "it" must be resolved to be translated. CC0.

The reason comes first in Korean and its subject is the noun that "it" stands for:

* The animal did not cross the street because it was too tired:
  그 동물이 너무 피곤해서 길을 건너지 못했다 (antecedent: the subject).
* The animal did not cross the street because it was too wide:
  길이 너무 넓어서 그 동물은 그곳을 건너지 못했다 (antecedent: the object).

Who does not do it because of a hindrance is unable to (못했다), unless the adjective is one that
only takes the wish away (않았다). The object is taken up by 그것 or, of a place, by 그곳.

Neither Korean sentence repeats a noun. The adjective decides: it describes animals or things, and
those that could describe both ("big", of an animal and a box) are not used of a reason.
"""

from functools import cache
from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.adjectives import Adjective
from annotated_transformer.lab.corpora.english_korean.clauses import object_particle, realise
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    extend_last,
    words,
)
from annotated_transformer.lab.corpora.english_korean.lexicon import Lexicon
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC, attach
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    noun_phrase,
    subject_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import (
    Form,
    adjective_form,
    modal_form,
    verb_form,
)
from annotated_transformer.lab.corpora.english_korean.tables import listed, rows
from annotated_transformer.lab.corpora.english_korean.verbs import Verb

# Who fails to catch something wants to: "did not" would be untrue of it.
ONLY_UNABLE = "catch"
# What takes the wish away rather than the power: 지루해서 보지 않았다.
UNWILLING = frozenset({"boring", "noisy", "sad"})


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


REASONS = tuple(
    Reason(verb, listed(subjects), *(tuple(adjectives.split()) for adjectives in reasons))
    for verb, subjects, *reasons in rows("reasons", "reasons", (6,))
)
"""Verb, its subjects, then the adjectives that keep the subject, or the object, from it, and those
of the subject, or the object, that lead to it."""


@cache
def objects_with_reason(
    lexicon: Lexicon, verb: str, agent: Noun, adjectives: tuple[str, ...]
) -> tuple[tuple[Verb, Noun, Adjective], ...]:
    """Every object the agent may have with the verb, and each adjective that describes it."""
    return tuple(
        (entry, noun, described)
        for entry in lexicon.transitive
        if entry.english == verb and entry.is_done_by(agent)
        for noun in lexicon.nouns(*sorted(entry.objects))
        if noun != agent and not noun.plural_only
        for described in lexicon.predicates_of(noun)
        if described.english in adjectives
    )


@cache
def objects_of(lexicon: Lexicon, verb: str, agent: Noun) -> tuple[tuple[Verb, Noun], ...]:
    """Every object the agent may have with the verb."""
    return tuple(
        (entry, noun)
        for entry in lexicon.transitive
        if entry.english == verb and entry.is_done_by(agent)
        for noun in lexicon.nouns(*sorted(entry.objects))
        if noun != agent and not noun.plural_only
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
    noun = d.choose(d.lexicon.nouns(*sorted(reason.subjects)))
    if antecedent == "subject":
        subject = _singular(d, noun)
        known = {entry.english for entry in d.lexicon.predicates_of(noun)}
        fitting = [english for english in adjectives if english in known]
        if not fitting:
            raise Unfit
        described = d.lexicon.adjective(d.choose(fitting), noun)
        verb, thing = d.choose(objects_of(d.lexicon, reason.verb, noun))
        target = _singular(d, thing)
    else:
        verb, thing, described = d.choose(
            objects_with_reason(d.lexicon, reason.verb, noun, adjectives)
        )
        subject = _agent(d, reason, noun)
        target = _singular(d, thing)
    antecedent_noun = noun if antecedent == "subject" else thing
    d.pairing("object", verb.english, thing.english)
    d.pairing("it", antecedent_noun.english)
    d.pairing("reason", described.english, antecedent_noun.english)
    d.uses(described.english, described.korean)
    degree = ("too", "너무") if hinders else ("very", "아주")
    why = realise(
        d, adjective_form(described, "past", "3s", negated=False, degree=degree, ending="서")
    )
    unable = hinders and described.english not in UNWILLING
    done = realise(d, _main_verb(d, verb, subject, hinders=hinders, unable=unable))
    because, it_node = d.node(), d.node()
    reason_why = [*words("because", because), *words("it", it_node), *why.english]
    english = [*subject.english, *done.english, *target.english, *reason_why]
    reason_ko = extend_last(why.korean, why.korean[-1].text, because)
    if antecedent == "subject":
        first, rest = subject, target.marked(object_particle(verb))
    else:
        first, rest = target, [*subject.marked(TOPIC), Word(taken_up(thing, verb), (target.node,))]
    shared = d.lexicon.natural and antecedent == "subject"  # the topic of both clauses
    marked = first.marked(TOPIC if shared else SUBJECT, it_node)
    return Clause(english, [*marked, *reason_ko, *rest, *done.korean])


def taken_up(noun: Noun, verb: Verb) -> str:
    """Return the pronoun that stands for the object in the main clause, with its particle."""
    return attach("그곳" if "place" in noun.classes else "그것", object_particle(verb))


def _main_verb(
    d: Derivation, verb: Verb, subject: NounPhrase, *, hinders: bool, unable: bool
) -> Form:
    d.uses(verb.english, verb.korean)
    if not hinders:
        return verb_form(verb, "past", subject.agreement, negated=False)
    if verb.english == ONLY_UNABLE or d.chance(0.4):
        return modal_form(verb, "can", "past", subject.agreement, negated=True, first_person=False)
    d.pairing("negated", "past", verb.english)
    return verb_form(verb, "past", subject.agreement, negated=True, unable=unable)


def _singular(d: Derivation, noun: Noun) -> NounPhrase:
    """Return the noun with "the" or "this", where it takes one."""
    if noun.classes & {"city", "sport"}:
        return noun_phrase(d, noun, "")
    return noun_phrase(d, noun, "this" if d.chance(0.12) else "the")


def _agent(d: Derivation, reason: Reason, noun: Noun) -> NounPhrase:
    """Return people of every kind, where no animal is meant; else the animal."""
    if "person" in reason.subjects:
        return subject_phrase(d, frozenset({"person", "kin"}), adjective=0.0)
    return _singular(d, noun)
