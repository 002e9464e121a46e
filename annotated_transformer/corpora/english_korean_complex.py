"""Constructions of two clauses: relative clauses, coordination, contrast, reported clauses. CC0."""

from annotated_transformer.corpora.english_korean_clauses import (
    assemble,
    conjugate,
    object_of,
    object_particle,
    tense_of,
    transitive_verb,
)
from annotated_transformer.corpora.english_korean_derivation import (
    Clause,
    Derivation,
    Word,
    extend_last,
    words,
)
from annotated_transformer.corpora.english_korean_morphology import (
    OBJECT,
    SUBJECT,
    TOPIC,
    adnominal,
)
from annotated_transformer.corpora.english_korean_nouns import Noun
from annotated_transformer.corpora.english_korean_phrases import (
    NounPhrase,
    choose_noun,
    predicates_of,
    subject_phrase,
)
from annotated_transformer.corpora.english_korean_predicates import english_verb
from annotated_transformer.corpora.english_korean_simple import (
    PEOPLE,
    adjective_clause,
    copula_clause,
    describe,
)
from annotated_transformer.corpora.english_korean_verbs import TRANSITIVE_VERBS, Verb

REPORTING = (
    ("think", "thinks", "생각한다"),
    ("believe", "believes", "믿는다"),
    ("say", "says", "말한다"),
)


def _modifying_verb(d: Derivation, verb: Verb, tense: str, agreement: str, marker: int) -> Clause:
    """Return a verb before its noun in Korean; the relative pronoun's node is on it."""
    node = d.node()
    d.uses(verb.english, verb.korean)
    english = [
        Word(text, (node,)) for text, _ in english_verb(verb, tense, agreement, negated=False)
    ]
    korean = [Word(adnominal(verb.korean, tense, verb.irregular), (node, marker))]
    return Clause(english, korean)


def _relative_tense(d: Derivation, verb: Verb, agreement: str) -> str:
    tense = tense_of(d, verb, agreement)
    return "past" if tense == "future" else tense


def with_object_relative(d: Derivation, noun: Noun, verb: Verb) -> NounPhrase:
    """Return "the book that I read", 내가 읽은 책; "the" is aligned to the noun."""
    subject = subject_phrase(d, verb.subjects & PEOPLE, adjective=0.0)
    marker, node = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    d.pairing("object", verb.english, noun.english)
    d.pairing("relative", noun.english)
    modifying = _modifying_verb(
        d, verb, _relative_tense(d, verb, subject.agreement), subject.agreement, marker
    )
    head = words(f"the {noun.english}", node)
    return NounPhrase(
        [*head, *words("that", marker), *subject.english, *modifying.english],
        [*subject.marked(SUBJECT), *modifying.korean, Word(noun.korean, (node,))],
        node,
        "p" if noun.plural_only else "3s",
        noun,
    )


def relative_object(d: Derivation) -> Clause:
    """The book that I read was interesting: 내가 읽은 책은 재미있었다."""
    verb = transitive_verb(d, without="sau")
    noun = choose_noun(d, verb.objects)
    while "goods" not in noun.classes:
        verb = transitive_verb(d, without="sau")
        noun = choose_noun(d, verb.objects)
    if predicates_of(noun) and d.chance(0.4):
        return describe(d, with_object_relative(d, noun, verb), negated=d.chance(0.2))
    return _act_on(d, noun, verb)


def _act_on(d: Derivation, noun: Noun, inner: Verb) -> Clause:
    """Let somebody do something else to what the relative clause names."""
    outer = [
        verb for verb in TRANSITIVE_VERBS if verb.selects(noun) and verb.english != inner.english
    ]
    verb = d.choose(outer)
    subject = subject_phrase(d, verb.subjects & PEOPLE, adjective=0.0)
    target = with_object_relative(d, noun, inner)
    d.pairing("object", verb.english, noun.english)
    tense = tense_of(d, verb, subject.agreement)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2))
    return assemble(
        subject, inflected, (Clause(target.english, target.marked(object_particle(verb))),)
    )


def with_subject_relative(d: Derivation, noun: Noun) -> NounPhrase:
    """Return "the man who sold the car", 자동차를 판 남자; animals take "that"."""
    options = [
        verb
        for verb in TRANSITIVE_VERBS
        if noun.classes & verb.subjects or noun.english in verb.subjects
    ]
    verb = d.choose([verb for verb in options if "s" not in verb.flags])
    marker, node = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    d.pairing("relative", noun.english)
    head = NounPhrase(
        words(f"the {noun.english}", node), [Word(noun.korean, (node,))], node, "3s", noun
    )
    target = object_of(d, verb, head)
    modifying = _modifying_verb(d, verb, _relative_tense(d, verb, "3s"), "3s", marker)
    pronoun = words("who" if "person" in noun.classes else "that", marker)
    return NounPhrase(
        [*head.english, *pronoun, *modifying.english, *target.english],
        [*target.marked(object_particle(verb)), *modifying.korean, *head.korean],
        node,
        "3s",
        noun,
    )


def relative_subject(d: Derivation) -> Clause:
    """I met the man who sold the car: 나는 자동차를 판 남자를 만났다."""
    noun = choose_noun(d, frozenset({"person"} if d.chance(0.75) else {"animal"}))
    if d.chance(0.4):
        return describe(d, with_subject_relative(d, noun), negated=d.chance(0.2))
    verb = d.choose(
        [verb for verb in TRANSITIVE_VERBS if verb.selects(noun) and "person" in verb.subjects]
    )
    subject = subject_phrase(d, PEOPLE & verb.subjects, adjective=0.0)
    while subject.noun == noun:
        subject = subject_phrase(d, PEOPLE & verb.subjects, adjective=0.0)
    target = with_subject_relative(d, noun)
    d.pairing("object", verb.english, noun.english)
    tense = tense_of(d, verb, subject.agreement)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2))
    return assemble(subject, inflected, (Clause(target.english, target.marked(OBJECT)),))


def action(
    d: Derivation,
    tense: str,
    *,
    ending: str = "다",
    negated: bool = False,
    particle: tuple[str, str] = TOPIC,
) -> Clause:
    """Return a short clause with an object, in the given tense."""
    verb = transitive_verb(d, without="p" if tense == "past" else "ep")
    subject = subject_phrase(d, verb.subjects, adjective=0.0)
    if tense == "present" and verb.past == verb.english and subject.agreement != "3s":
        return action(d, tense, ending=ending, negated=negated, particle=particle)
    target = object_of(d, verb, subject)
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated, ending=ending),
        (Clause(target.english, target.marked(object_particle(verb))),),
        particle=particle,
    )


def _joined(d: Derivation, left: Clause, conjunction: str, right: Clause) -> Clause:
    """Join two clauses; the conjunction is expressed by the ending of the first Korean verb."""
    node = d.node()
    korean = extend_last(left.korean, left.korean[-1].text, node)
    english = [*left.english, *words(conjunction, node), *right.english]
    return Clause(english, [*korean, *right.korean])


def conjunction(d: Derivation) -> Clause:
    """He drank tea and she read the book: 그는 차를 마시고 그녀는 책을 읽었다."""
    tense = "present" if d.chance(0.3) else "past"
    return _joined(d, action(d, tense, ending="고"), "and", action(d, tense))


def contrast(d: Derivation) -> Clause:
    """The boy was tired but he read the book: 그 소년은 피곤했지만 그는 책을 읽었다."""
    kind = d.weighted((("action", 0.5), ("adjective", 0.3), ("copula", 0.2)))
    negated = d.chance(0.3)
    if kind == "action":
        left = action(d, "past", ending="지만", negated=negated)
    elif kind == "adjective":
        left = adjective_clause(d, negated=negated, ending="지만")
    else:
        left = copula_clause(d, negated=negated, ending="지만")
    return _joined(d, left, "but", action(d, "past", negated=d.chance(0.4)))


def reported(d: Derivation) -> Clause:
    """She thinks that the book is expensive: 그녀는 책이 비싸다고 생각한다."""
    english, third, korean = d.choose(REPORTING)
    subject = subject_phrase(d, PEOPLE, adjective=0.0)
    kind = d.weighted((("action", 0.4), ("adjective", 0.35), ("copula", 0.25)))
    negated = d.chance(0.3)
    if kind == "action":
        inner = action(d, "past", ending="다고", negated=negated, particle=SUBJECT)
    elif kind == "adjective":
        inner = adjective_clause(d, negated=negated, particle=SUBJECT, ending="다고")
    else:
        inner = copula_clause(d, negated=negated, particle=SUBJECT, ending="다고")
    verb, that = d.node(), d.node()
    d.uses(english, korean)
    said = words(third if subject.agreement == "3s" else english, verb)
    quoted = extend_last(inner.korean, inner.korean[-1].text, that)
    return Clause(
        [*subject.english, *said, *words("that", that), *inner.english],
        [*subject.marked(TOPIC), *quoted, *words(korean, verb)],
    )
