"""The body: my ankle hurts, she hurt her wrist, he has curly hair. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import (
    own_possessive,
    subject_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import OBJECT, SUBJECT, attach
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase

HURTING = EnglishVerb("hurt", "hurts", "hurt", "hurting", 0, [])
HAVING = EnglishVerb("have", "has", "had", "having", 0, [])


def body(d: Derivation) -> Clause:
    """My ankle hurts: 나는 발목이 아프다. She hurt her wrist: 그녀는 손목을 다쳤다."""
    subject = subject_of(d, frozenset({"own", "kin", "name"}), pronouns=0.75)
    node = d.node()
    if d.chance(0.35):
        return _features(d, subject, node)
    english, korean = d.choose(word_table("body"))
    part = d.node()
    whose = own_possessive(subject)
    if not whose:
        raise Unfit
    if d.chance(0.55) and subject.noun is None:
        own = [Word(whose, (subject.node,)), *words(english, part)]
        named = NounPhrase(own, subject.korean, subject.node, "3s")
        verb = HURTING._replace(node=node)
        before = words(attach(korean, SUBJECT), part)
        predicate = Predicate(before, "아프", "", "adjective", (node,))
        asked = own[0].text == "your" and d.chance(0.3)
        how = How("present", "", not asked and d.chance(0.12))
        said = Said(named, verb, predicate)
        return clause(d, said, how, ending="니" if asked else "다", asked=asked)
    own = [Word(whose, (subject.node,)), *words(english, part)]
    complement = Clause(own, words(attach(korean, OBJECT), part))
    predicate = Predicate([], "다치", "", "verb", (node,))
    verb = HURTING._replace(node=node)
    negated = d.chance(0.3)
    # "I hurt my arm" and "they hurt": the past, as its meaning is.
    return clause(d, Said(subject, verb, predicate, (complement,)), How("past", "", negated))


def _features(d: Derivation, subject: NounPhrase, node: int) -> Clause:
    """Return "he has curly hair", 그는 머리가 곱슬곱슬하다."""
    english, korean = d.choose(word_table("bodies"))
    if "tail" in english or "long n" in english:
        subject = subject_of(d, frozenset({"pet", "wild"}), pronouns=0.0)
    first, stem = korean.split(" ")
    own = d.node()
    verb = HAVING._replace(node=node, tail=words(english, own))
    predicate = Predicate([Word(first, (own,))], stem, "", "adjective", (own, node))
    asked = d.chance(0.12)
    how = How("past" if d.chance(0.15) else "present", "", not asked and d.chance(0.12))
    return clause(
        *(d, Said(subject, verb, predicate), how), ending="니" if asked else "다", asked=asked
    )
