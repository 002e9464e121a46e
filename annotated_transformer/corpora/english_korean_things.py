"""Constructions of things and people: existence, place, number, giving, tools, company. CC0."""

from annotated_transformer.corpora.english_korean_adverbs import POSITIONS, TOOLS
from annotated_transformer.corpora.english_korean_clauses import (
    EMPTY,
    assemble,
    conjugate,
    object_noun,
    object_of,
    object_particle,
    realise,
    tense_of,
    time_of,
    transitive_verb,
)
from annotated_transformer.corpora.english_korean_derivation import Clause, Derivation, Word, words
from annotated_transformer.corpora.english_korean_morphology import (
    DATIVE,
    OBJECT,
    SUBJECT,
    TOWARDS,
    WITH,
)
from annotated_transformer.corpora.english_korean_nouns import Noun, nouns
from annotated_transformer.corpora.english_korean_phrases import (
    NounPhrase,
    choose_noun,
    counted,
    definite,
    is_countable,
    noun_phrase,
    object_phrase,
    subject_phrase,
)
from annotated_transformer.corpora.english_korean_predicates import MODALS, be, modal_form
from annotated_transformer.corpora.english_korean_verbs import (
    DATIVE_VERBS,
    INTRANSITIVE_VERBS,
    TRANSITIVE_VERBS,
)

# What is found where, by the English preposition of the position.
FOUND = {
    "on": ("paper", "reading", "fragile", "fruit", "toy", "hat"),
    "under": ("pet", "small", "toy", "foot"),
    "in": ("small", "fruit", "toy", "paper", "clothes"),
    "behind": ("pet", "little", "bicycle"),
    "next to": ("pet", "little", "container"),
    "in front of": ("pet", "adult", "bicycle"),
}


def position(d: Derivation) -> tuple[Clause, Noun]:
    """Return "under the table", 탁자 아래에, and a noun for what is there."""
    preposition, korean, classes = d.choose(POSITIONS)
    place = choose_noun(d, classes)
    phrase = noun_phrase(d, place, "the")
    node = d.node()
    found = choose_noun(d, frozenset(FOUND[preposition]))
    d.pairing("position", preposition, place.english)
    there = Clause(
        [*words(preposition, node), *phrase.english], [*phrase.korean, *words(korean, node)]
    )
    return there, found


def existential(d: Derivation) -> Clause:
    """There are two dogs under the table: 탁자 아래에 개 두 마리가 있다."""
    there, found = position(d)
    if is_countable(found) and (found.plural_only or d.chance(0.5)):
        phrase = counted(d, found, adjective=0.15)
    else:
        phrase = noun_phrase(d, found, "a", adjective=0.2)
    was, negated = d.chance(0.35), False
    verb = d.node()
    english = words("there " + be("past" if was else "present", phrase.agreement), verb)
    korean = words("있었다" if was else "있다", verb)
    del negated
    return Clause(
        [*english, *phrase.english, *there.english],
        [*there.korean, *phrase.marked(SUBJECT), *korean],
    )


def location(d: Derivation) -> Clause:
    """The cat is under the table: 그 고양이는 탁자 아래에 있다."""
    there, found = position(d)
    subject = definite(d, found)
    was, negated = d.chance(0.4), d.chance(0.25)
    verb, not_node = d.node(), d.node()
    english = words(be("past" if was else "present", subject.agreement), verb)
    english += words("not", not_node) if negated else []
    verdict = ("없" if negated else "있") + ("었다" if was else "다")
    korean = [Word(verdict, (verb, not_node) if negated else (verb,))]
    return assemble(subject, Clause(english, korean), (there,))


def counting(d: Derivation) -> Clause:
    """She bought three books: 그녀는 책 세 권을 샀다. Two dogs slept: 개 두 마리가 잤다."""
    if d.chance(0.3):
        return _counted_subject(d)
    verb = transitive_verb(d, without="sp")
    noun = choose_noun(d, verb.objects)
    while not is_countable(noun) or "place" in noun.classes:
        verb = transitive_verb(d, without="sp")
        noun = choose_noun(d, verb.objects)
    subject = subject_phrase(d, verb.subjects)
    d.pairing("object", verb.english, noun.english)
    target = counted(d, noun)
    tense = tense_of(d, verb, subject.agreement)
    negated = d.chance(0.1)
    time = time_of(d, verb, tense, 0.3)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated),
        (Clause(target.english, target.marked(object_particle(verb))),),
        time=time,
    )


def _counted_subject(d: Derivation) -> Clause:
    """A counted subject is new to the reader, hence 이/가."""
    if d.chance(0.4):
        verb = d.choose(INTRANSITIVE_VERBS)
        complements: tuple[Clause, ...] = (EMPTY,)
        subject = counted(d, choose_noun(d, verb.subjects - {"kin"}))
    else:
        verb = transitive_verb(d, without="sp")
        subject = counted(d, choose_noun(d, verb.subjects - {"kin"}))
        target = object_of(d, verb, subject)
        complements = (Clause(target.english, target.marked(object_particle(verb))),)
    tense = "future" if d.chance(0.25) else "past"
    time = time_of(d, verb, tense, 0.3)
    inflected = conjugate(d, verb, tense, "p", negated=False)
    return assemble(subject, inflected, complements, particle=SUBJECT, time=time)


def dative(d: Derivation) -> Clause:
    """I gave the book to my friend: 나는 내 친구에게 책을 주었다."""
    verb = d.choose(DATIVE_VERBS)
    subject = subject_phrase(d, verb.subjects)
    noun = choose_noun(d, verb.objects)
    while noun.classes & {"furniture", "natural", "opening"} and "plant" not in noun.classes:
        noun = choose_noun(d, verb.objects)
    d.pairing("give", verb.english, noun.english)
    target = counted(d, noun) if is_countable(noun) and d.chance(0.2) else object_phrase(d, noun)
    receiver_noun = choose_noun(d, frozenset({"person", "kin"}))
    while receiver_noun == subject.noun:
        receiver_noun = choose_noun(d, frozenset({"person", "kin"}))
    receiver, node = definite(d, receiver_noun), d.node()
    to = Clause([*words("to", node), *receiver.english], receiver.marked(DATIVE, node))
    tense = tense_of(d, verb, subject.agreement)
    time = time_of(d, verb, tense, 0.25)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2)),
        (Clause(target.english, target.marked(OBJECT)), to),
        time=time,
    )


def instrument(d: Derivation) -> Clause:
    """She cut the bread with a knife: 그녀는 칼로 빵을 잘랐다."""
    tool, verbs = d.choose(TOOLS)
    verb = d.choose([entry for entry in TRANSITIVE_VERBS if entry.english in verbs])
    subject = subject_phrase(d, verb.subjects)
    target = object_phrase(d, object_noun(d, verb, subject))
    entry = d.choose(nouns(tool))
    means = noun_phrase(d, entry, d.choose(("a", "the", "this", "my")), adjective=0.3)
    node = d.node()
    by = Clause([*words("with", node), *means.english], means.marked(TOWARDS, node))
    tense = tense_of(d, verb, subject.agreement)
    time = time_of(d, verb, tense, 0.2)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2)),
        (Clause(target.english, target.marked(object_particle(verb))), by),
        time=time,
    )


def coordinate(d: Derivation, left: NounPhrase, right: NounPhrase) -> NounPhrase:
    """Join two noun phrases: "bread and milk", 빵과 우유; "and" is expressed by 와/과."""
    node = d.node()
    return NounPhrase(
        [*left.english, *words("and", node), *right.english],
        [*left.marked(WITH, node), *right.korean],
        node,
        "p",
        left.noun,
    )


def coordination(d: Derivation) -> Clause:
    """The boy and the girl ate bread and cheese: 그 소년과 그 소녀는 빵과 치즈를 먹었다."""
    verb = transitive_verb(d, without="p")
    subject = subject_phrase(d, verb.subjects)
    joint_subject = d.chance(0.5)
    if joint_subject and subject.noun:
        other = choose_noun(d, verb.subjects)
        while other == subject.noun:
            other = choose_noun(d, verb.subjects)
        subject = coordinate(d, subject, definite(d, other, adjective=0.0))
        target = object_phrase(d, object_noun(d, verb, subject))
    else:
        first = object_noun(d, verb, subject)
        options = [
            noun for noun in nouns(*sorted(verb.objects)) if noun not in (first, subject.noun)
        ]
        target = object_phrase(d, first)
        if options:
            second = d.choose(options)
            d.pairing("object", verb.english, second.english)
            bare = _like(target, second)
            target = coordinate(d, target, noun_phrase(d, second, bare))
    tense = tense_of(d, verb, subject.agreement)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.1)),
        (Clause(target.english, target.marked(object_particle(verb))),),
        time=time_of(d, verb, tense, 0.2),
    )


def _like(phrase: NounPhrase, noun: Noun) -> str:
    """Return the determiner that makes the second of two nouns parallel to the first."""
    if noun.classes & {"city", "study", "sport"}:
        return ""
    if phrase.english[0].text in ("a", "an") or phrase.english[0].text == "the":
        return "the" if phrase.english[0].text == "the" else "a" if noun.plural else ""
    return "the"


def modal(d: Derivation) -> Clause:
    """I want to buy a car: 나는 자동차를 사고 싶다."""
    verb = transitive_verb(d, without="sp")
    subject = subject_phrase(d, verb.subjects)
    target = object_of(d, verb, subject)
    kind = d.choose(MODALS)
    d.uses(verb.english, verb.korean)
    d.pairing("modal", kind, verb.english)
    tense = "past" if kind != "must" and d.chance(0.35) else "present"
    negated = kind != "must" and d.chance(0.35)
    form = modal_form(verb, kind, tense, subject.agreement, negated, subject.first_person)
    return assemble(
        subject,
        realise(d, form),
        (Clause(target.english, target.marked(object_particle(verb))),),
    )
