"""Constructions of things and people: existence, place, number, giving, tools, company. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import TOOLS
from annotated_transformer.lab.corpora.english_korean.clauses import (
    assemble,
    conjugate,
    direct_object,
    is_unclear,
    object_noun,
    realise,
    tense_of,
    time_of,
    transitive_verb,
    with_particle,
)
from annotated_transformer.lab.corpora.english_korean.counting import counted, is_countable
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    DATIVE,
    OBJECT,
    SUBJECT,
    TOWARDS,
    WITH,
)
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    definite,
    kind_of,
    noun_phrase,
    object_phrase,
    possessive,
    subject_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import MODALS, be, modal_form
from annotated_transformer.lab.corpora.english_korean.verbs import (
    COUNTED_BY,
    TRANSITIVE_VERBS,
    Verb,
)

# What is found where, by the English preposition of the position.
FOUND = {
    "on": ("paper", "reading", "fragile", "fruit", "toy", "hat"),
    "under": ("pet", "small", "toy", "foot"),
    "in": ("small", "fruit", "toy", "paper", "clothes"),
    "behind": ("pet", "little", "bicycle"),
    "next to": ("pet", "little", "container"),
    "in front of": ("pet", "adult", "bicycle"),
    "near": ("shop", "bank", "restaurant", "hotel", "school", "pet"),
}


def position(d: Derivation) -> tuple[Clause, Noun]:
    """Return "under the table", 탁자 아래에, and a noun for what is there."""
    preposition, korean, classes = d.choose(d.lexicon.positions)
    place = choose_noun(d, classes)
    phrase = noun_phrase(d, place, "the")
    node = d.node()
    found = choose_noun(d, frozenset(FOUND[preposition]))
    if found == place:
        raise Unfit
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
    was = d.chance(0.35)
    verb = d.node()
    english = words("there " + be("past" if was else "present", phrase.agreement), verb)
    korean = words("있었다" if was else "있다", verb)
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
    verb = d.choose([entry for entry in d.lexicon.transitive if entry.english in COUNTED_BY])
    noun = object_noun(d, verb)
    if not is_countable(noun):
        raise Unfit
    subject = subject_phrase(d, verb.subjects)
    tense = tense_of(d, verb, subject.agreement, timed=True)
    target = counted(d, noun)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.1)),
        (with_particle(verb, target),),
        time=time_of(d, verb, tense, 1.0 if is_unclear(verb, subject.agreement) else 0.3),
    )


def _counted_subject(d: Derivation) -> Clause:
    """Say what a number of people or animals do; they are new to the reader, hence 이/가."""
    verb = d.choose(d.lexicon.intransitive) if d.chance(0.4) else transitive_verb(d, without="sp")
    subject = counted(d, choose_noun(d, verb.subjects - {"kin"}))
    complements = (direct_object(d, verb, subject),) if verb in d.lexicon.transitive else ()
    tense = "future" if d.chance(0.25) else "past"
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=False),
        complements,
        particle=SUBJECT,
        time=time_of(d, verb, tense, 1.0 if is_unclear(verb, "p") else 0.3),
    )


def dative(d: Derivation) -> Clause:
    """I gave the book to my friend: 나는 내 친구에게 책을 주었다."""
    verb = d.choose(d.lexicon.dative)
    subject = subject_phrase(d, verb.subjects)
    noun = choose_noun(d, verb.objects)
    receiver_noun = choose_noun(d, frozenset({"person", "kin"}))
    if receiver_noun == subject.noun or "furniture" in noun.classes:
        raise Unfit
    d.pairing("give", verb.english, noun.english)
    target = counted(d, noun) if is_countable(noun) and d.chance(0.2) else object_phrase(d, noun)
    receiver, node = definite(d, receiver_noun), d.node()
    preposition = "for" if "f" in verb.flags else "to"
    to = Clause([*words(preposition, node), *receiver.english], receiver.marked(DATIVE, node))
    tense = tense_of(d, verb, subject.agreement)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2)),
        (Clause(target.english, target.marked(OBJECT)), to),
        time=time_of(d, verb, tense, 0.25),
    )


def instrument(d: Derivation) -> Clause:
    """She cut the bread with a knife: 그녀는 칼로 빵을 잘랐다."""
    tool, verbs = d.choose(TOOLS)
    verb = d.choose([entry for entry in TRANSITIVE_VERBS if entry.english in verbs])
    subject = subject_phrase(d, verb.subjects)
    target = object_phrase(d, object_noun(d, verb, subject))
    entry = d.choose(d.lexicon.nouns(tool))
    means = noun_phrase(d, entry, d.choose(("a", "the", "this", "my")), adjective=0.3)
    node = d.node()
    by = Clause([*words("with", node), *means.english], means.marked(TOWARDS, node))
    tense = tense_of(d, verb, subject.agreement, timed=True)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2)),
        (with_particle(verb, target), by),
        time=time_of(d, verb, tense, 1.0 if is_unclear(verb, subject.agreement) else 0.2),
    )


def coordinate(d: Derivation, left: NounPhrase, right: NounPhrase) -> NounPhrase:
    """Join two noun phrases: "bread and milk", 빵과 우유; "and" is expressed by 와/과."""
    if left.after or right.after:
        raise Unfit
    node = d.node()
    return NounPhrase(
        [*left.english, *words("and", node), *right.english],
        [*left.marked(WITH, node), *right.korean],
        node,
        "p",
        left.noun,
        right.subject_form if d.lexicon.natural else "",  # 안나와 내가
    )


def coordination(d: Derivation) -> Clause:
    """The boy and the girl ate bread and cheese: 그 소년과 그 소녀는 빵과 치즈를 먹었다."""
    verb = transitive_verb(d, without="p")
    if d.chance(0.5):
        subject = _two_subjects(d, verb)
        target = direct_object(d, verb, subject)
    else:
        subject = subject_phrase(d, verb.subjects)
        target = with_particle(verb, _two_objects(d, verb, subject))
    tense = tense_of(d, verb, subject.agreement, timed=True)
    unclear = is_unclear(verb, subject.agreement)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.1)),
        (target,),
        time=time_of(d, verb, tense, 1.0 if unclear else 0.2),
    )


def _two_subjects(d: Derivation, verb: Verb) -> NounPhrase:
    """Return two nouns, two names or two relatives that do it."""
    kind = d.weighted((("noun", 0.6), ("name", 0.25), ("kin", 0.15)))
    if kind == "noun":
        first, second = (choose_noun(d, verb.subjects - {"kin"}) for _ in "ab")
        determiner = "the"
    elif kind == "name" and "person" in verb.subjects:
        first, second = (d.choose(d.lexicon.nouns("name")) for _ in "ab")
        determiner = ""
    elif kind == "kin" and "kin" in verb.subjects:
        first, second = (d.choose(d.lexicon.nouns("kin")) for _ in "ab")
        determiner = possessive(d)
    else:
        raise Unfit
    if first == second or kind_of(first) != kind_of(second):
        raise Unfit
    return coordinate(d, noun_phrase(d, first, determiner), noun_phrase(d, second, determiner))


def _two_objects(d: Derivation, verb: Verb, subject: NounPhrase) -> NounPhrase:
    """Return two objects of a kind, with parallel determiners."""
    first, second = object_noun(d, verb, subject), object_noun(d, verb, subject)
    if first == second or kind_of(first) != kind_of(second):
        raise Unfit
    style = d.choose(("the", "a", ""))
    return coordinate(d, _styled(d, first, style), _styled(d, second, style))


def _styled(d: Derivation, noun: Noun, style: str) -> NounPhrase:
    """Return the noun with "the" or "a", or bare, as far as it can be."""
    if noun.classes & {"city", "study", "sport"}:
        return noun_phrase(d, noun, "")
    if "kin" in noun.classes:
        return noun_phrase(d, noun, possessive(d))
    if "place" in noun.classes or style == "the":
        return noun_phrase(d, noun, "the")
    if style == "a":
        return noun_phrase(d, noun, "a" if noun.plural and not noun.plural_only else "")
    return noun_phrase(d, noun, "", plural=bool(noun.plural))


def modal(d: Derivation) -> Clause:
    """I want to buy a car: 나는 자동차를 사고 싶다."""
    verb = transitive_verb(d, without="spx")
    subject = subject_phrase(d, verb.subjects)
    animal = subject.noun is not None and "animal" in subject.noun.classes
    kind = "can" if animal else d.choose(MODALS)
    d.uses(verb.english, verb.korean)
    d.pairing("modal", kind, verb.english)
    tense = "past" if kind != "must" and d.chance(0.35) else "present"
    negated = kind != "must" and d.chance(0.35)
    form = modal_form(
        verb,
        kind,
        tense,
        subject.agreement,
        negated=negated,
        first_person=subject.first_person,
    )
    return assemble(subject, realise(d, form), (direct_object(d, verb, subject),))
