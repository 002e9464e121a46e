"""Constructions of two clauses: relative clauses, coordination, contrast, reported clauses. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import (
    assemble,
    conjugate,
    direct_object,
    is_unclear,
    tense_of,
    transitive_verb,
    with_particle,
)
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    extend_last,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC, adnominal
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    POSSESSIVES,
    NounPhrase,
    choose_noun,
    subject_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import english_verb
from annotated_transformer.lab.corpora.english_korean.states import (
    adjective_clause,
    copula_clause,
    describe,
    opposed_adjectives,
)
from annotated_transformer.lab.corpora.english_korean.verbs import HABITS, Verb

DETERMINERS = {"the", "this", *POSSESSIVES}
PEOPLE = frozenset({"person", "kin"})
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
    """Return the present for habits where the -s or the base shows it, else the past."""
    habitual = verb.english in HABITS and not is_unclear(verb, agreement)
    return "present" if habitual and d.chance(0.3) else "past"


def with_object_relative(
    d: Derivation, noun: Noun, verb: Verb, outer: NounPhrase | None = None
) -> NounPhrase:
    """Return "the book that I read", 내가 읽은 책; "the" is aligned to the noun."""
    subject = subject_phrase(d, verb.subjects & PEOPLE, adjective=0.0)
    if d.lexicon.natural:
        subject = itself(subject, outer)
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
    if noun.classes.isdisjoint({"goods", "thing"}):
        raise Unfit
    if d.lexicon.predicates_of(noun) and d.chance(0.4):
        subject = with_object_relative(d, noun, verb)
        return describe(d, subject, d.choose(d.lexicon.predicates_of(noun)), negated=d.chance(0.2))
    return _act_on(d, noun, verb)


def _act_on(d: Derivation, noun: Noun, inner: Verb) -> Clause:
    """Let somebody do something else to what the relative clause names."""
    outer = [
        verb
        for verb in d.lexicon.transitive
        if verb.selects(noun) and verb.english != inner.english and "person" in verb.subjects
    ]
    verb = d.choose(outer)
    subject = subject_phrase(d, verb.subjects & PEOPLE, adjective=0.0)
    target = with_object_relative(d, noun, inner, subject)
    d.pairing("object", verb.english, noun.english)
    tense = tense_of(d, verb, subject.agreement)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2))
    return assemble(subject, inflected, (with_particle(verb, target),))


def with_subject_relative(d: Derivation, noun: Noun) -> NounPhrase:
    """Return "the man who sold the car", 자동차를 판 남자; animals take "that"."""
    options = [verb for verb in d.lexicon.transitive if verb.is_done_by(noun)]
    verb = d.choose([verb for verb in options if "s" not in verb.flags])
    marker, node = d.node(), d.node()
    d.uses(noun.english, noun.korean)
    d.pairing("relative", noun.english)
    head = NounPhrase(
        words(f"the {noun.english}", node), [Word(noun.korean, (node,))], node, "3s", noun
    )
    target = direct_object(d, verb, head)
    modifying = _modifying_verb(d, verb, _relative_tense(d, verb, "3s"), "3s", marker)
    pronoun = words("who" if "person" in noun.classes else "that", marker)
    return NounPhrase(
        [*head.english, *pronoun, *modifying.english, *target.english],
        [*target.korean, *modifying.korean, *head.korean],
        node,
        "3s",
        noun,
    )


def relative_subject(d: Derivation) -> Clause:
    """I met the man who sold the car: 나는 자동차를 판 남자를 만났다."""
    noun = choose_noun(d, frozenset({"person"} if d.chance(0.75) else {"animal"}))
    if d.chance(0.4):
        subject = with_subject_relative(d, noun)
        return describe(d, subject, d.choose(d.lexicon.predicates_of(noun)), negated=d.chance(0.2))
    verb = d.choose(
        [verb for verb in d.lexicon.transitive if verb.selects(noun) and "person" in verb.subjects]
    )
    subject = subject_phrase(d, PEOPLE & verb.subjects, adjective=0.0)
    if subject.noun == noun:
        raise Unfit
    target = with_subject_relative(d, noun)
    d.pairing("object", verb.english, noun.english)
    tense = tense_of(d, verb, subject.agreement)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=d.chance(0.2))
    return assemble(subject, inflected, (with_particle(verb, target),))


def action(
    d: Derivation,
    verb: Verb,
    tense: str,
    *,
    ending: str = "다",
    negated: bool = False,
    particle: tuple[str, str] = TOPIC,
) -> Clause:
    """Return a short clause with an object, in the given tense."""
    subject = subject_phrase(d, verb.subjects, adjective=0.0)
    if is_unclear(verb, subject.agreement) and not negated:
        raise Unfit
    return assemble(
        subject,
        conjugate(d, verb, tense, subject.agreement, negated=negated, ending=ending),
        (direct_object(d, verb, subject),),
        particle=particle,
    )


def _same_action(d: Derivation, verb: Verb) -> Verb:
    """Return an entry of the same English verb: she wore a hat and he wore a coat."""
    return d.choose([entry for entry in d.lexicon.transitive if entry.english == verb.english])


def _joined(d: Derivation, left: Clause, conjunction: str, right: Clause) -> Clause:
    """Join two clauses; the conjunction is expressed by the ending of the first Korean verb."""
    first = left.english[0].text
    if first == right.english[0].text and first not in DETERMINERS:
        raise Unfit  # one pronoun or name twice
    node = d.node()
    korean = extend_last(left.korean, left.korean[-1].text, node)
    english = [*left.english, *words(conjunction, node), *right.english]
    return Clause(english, [*korean, *right.korean])


def conjunction(d: Derivation) -> Clause:
    """He played the piano and she played soccer: 그는 피아노를 치고 그녀는 축구를 했다."""
    tense = "present" if d.chance(0.3) else "past"
    verb = transitive_verb(d, without="p" if tense == "past" else "ep")
    left = action(d, verb, tense, ending="고")
    return _joined(d, left, "and", action(d, _same_action(d, verb), tense))


def contrast(d: Derivation) -> Clause:
    """I read the book but he did not read the poem: 나는 책을 읽었지만 그는 시를 읽지 않았다."""
    denied_first = d.chance(0.4)
    kind = d.weighted((("action", 0.55), ("adjective", 0.25), ("copula", 0.2)))
    if kind == "adjective":
        left, right = opposed_adjectives(d)
    elif kind == "action":
        verb = transitive_verb(d, without="p")
        left = action(d, verb, "past", ending="지만", negated=denied_first)
        right = action(d, _same_action(d, verb), "past", negated=not denied_first)
    else:
        past = d.chance(0.4)
        left = copula_clause(d, negated=denied_first, past=past, ending="지만")
        right = copula_clause(d, negated=not denied_first, past=past)
    return _joined(d, left, "but", right)


def reported(d: Derivation) -> Clause:
    """She thinks that the book is expensive: 그녀는 책이 비싸다고 생각한다."""
    english, third, korean = d.choose(REPORTING)
    subject = subject_phrase(d, PEOPLE, adjective=0.0)
    kind = d.weighted((("action", 0.4), ("adjective", 0.35), ("copula", 0.25)))
    negated = d.chance(0.3)
    if kind == "action":
        verb = transitive_verb(d, without="p")
        inner = action(d, verb, "past", ending="다고", negated=negated, particle=SUBJECT)
    elif kind == "adjective":
        inner = adjective_clause(d, negated=negated, particle=SUBJECT, ending="다고")
        if d.lexicon.natural and inner.korean[-1].text.startswith("걱정스럽"):
            raise Unfit
    else:
        inner = copula_clause(
            d, negated=negated, past=d.chance(0.4), particle=SUBJECT, ending="다고"
        )
    if inner.english[0].text == subject.english[0].text not in DETERMINERS:
        raise Unfit  # one pronoun or name twice
    verb_node, that = d.node(), d.node()
    d.uses(english, korean)
    said = words(third if subject.agreement == "3s" else english, verb_node)
    quoted = extend_last(inner.korean, inner.korean[-1].text, that)
    return Clause(
        [*subject.english, *said, *words("that", that), *inner.english],
        [*subject.marked(TOPIC), *quoted, *words(korean, verb_node)],
    )
