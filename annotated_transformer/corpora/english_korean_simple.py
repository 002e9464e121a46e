"""Constructions of one clause: copula, adjectives, verbs, negation, places, counters. CC0."""

from annotated_transformer.corpora.english_korean_clauses import (
    EMPTY,
    assemble,
    conjugate,
    frequency_of,
    manner_of,
    object_of,
    object_particle,
    realise,
    tense_of,
    time_of,
    transitive_verb,
    usual_place,
)
from annotated_transformer.corpora.english_korean_derivation import (
    Clause,
    Derivation,
    Word,
    extend_last,
    words,
)
from annotated_transformer.corpora.english_korean_morphology import (
    SUBJECT,
    THAN,
    TOPIC,
    with_copula,
)
from annotated_transformer.corpora.english_korean_nouns import Noun, nouns
from annotated_transformer.corpora.english_korean_phrases import (
    NounPhrase,
    choose_noun,
    definite,
    noun_phrase,
    predicates_of,
    subject_phrase,
)
from annotated_transformer.corpora.english_korean_predicates import (
    adjective_form,
    be,
)

PEOPLE = frozenset({"person", "kin"})
LIVING = frozenset({"person", "kin", "animal"})
DESCRIBED = frozenset({"goods", "animal", "person", "place", "reading", "clothes", "food", "drink"})


def copula(d: Derivation) -> Clause:
    """I am a student: 나는 학생이다."""
    return copula_clause(d, negated=False)


def copula_negation(d: Derivation) -> Clause:
    """I am not a student: 나는 학생이 아니다."""
    return copula_clause(d, negated=True)


def copula_clause(
    d: Derivation, *, negated: bool, particle: tuple[str, str] = TOPIC, ending: str = "다"
) -> Clause:
    """Say what somebody is or was: a profession, or somebody's friend."""
    subject = subject_phrase(d, PEOPLE, adjective=0.1)
    tense = "past" if d.chance(0.4) else "present"
    noun = d.choose(nouns("job"))
    while noun == subject.noun:
        noun = d.choose(nouns("job"))
    d.pairing("copula", noun.english)
    relation = "relation" in noun.classes and d.chance(0.5) and subject.agreement != "p"
    plural = subject.agreement == "p" and subject.english[0].text != "you"
    determiner = d.choose(("my", "his", "her", "our")) if relation else "" if plural else "a"
    complement = noun_phrase(d, noun, determiner, plural=plural, adjective=0.3)
    verb = d.node()
    not_node = d.node()
    english = [*subject.english, *words(be(tense, subject.agreement), verb)]
    english += words("not", not_node) if negated else []
    english += complement.english
    topic = subject.marked(particle)
    if negated:
        stem = "아니었" if tense == "past" else "아니"
        verdict = stem + (
            ("라고" if tense == "present" else "다고") if ending == "다고" else ending
        )
        korean = [*complement.marked(SUBJECT), Word(verdict, (verb, not_node))]
    else:
        last = complement.korean[-1].text
        suffix = "었" + ending if tense == "past" else "라고" if ending == "다고" else ending
        korean = extend_last(complement.korean, with_copula(last, suffix), verb)
    return Clause(english, [*topic, *korean])


def adjective(d: Derivation) -> Clause:
    """The soup was hot: 수프는 뜨거웠다."""
    return adjective_clause(d, negated=d.chance(0.3))


def described_phrase(d: Derivation) -> NounPhrase:
    """Return a definite phrase whose noun some adjective describes."""
    classes = frozenset({d.choose(("goods", "person", "animal", "place"))})
    noun = choose_noun(d, classes)
    while not predicates_of(noun):
        noun = choose_noun(d, classes)
    return definite(d, noun, adjective=0.0)


def adjective_clause(
    d: Derivation, *, negated: bool, particle: tuple[str, str] = TOPIC, ending: str = "다"
) -> Clause:
    """Say how something is or was."""
    subject = described_phrase(d)
    return Clause(*describe(d, subject, negated=negated, particle=particle, ending=ending))


def describe(
    d: Derivation,
    subject: NounPhrase,
    *,
    negated: bool,
    particle: tuple[str, str] = TOPIC,
    ending: str = "다",
) -> Clause:
    """Say an adjective of the subject, perhaps with "very"."""
    if subject.noun is None:
        raise ValueError("an adjective is chosen by the subject's noun; a pronoun has none")
    entry = d.choose(predicates_of(subject.noun))
    d.uses(entry.english, entry.korean)
    d.pairing("predicate", entry.english, subject.noun.english)
    tense = "past" if d.chance(0.5) else "present"
    degree = ("very", "아주") if not negated and d.chance(0.25) else None
    form = adjective_form(entry, tense, subject.agreement, negated, degree, ending)
    return assemble(subject, realise(d, form), (), particle=particle)


def comparison(d: Derivation) -> Clause:
    """The dog is bigger than the cat: 그 개는 그 고양이보다 더 크다."""
    subject = described_phrase(d)
    noun = subject.noun
    options = [entry for entry in predicates_of(noun) if entry.comparative] if noun else []
    if noun is None or not options:
        return comparison(d)
    entry = d.choose(options)
    others = [other for other in nouns(*sorted(entry.classes)) if other != noun]
    kinds = [other for other in others if _kind(other) == _kind(noun)]
    if not kinds:
        return comparison(d)
    other = noun_phrase(d, d.choose(kinds), "the")
    d.uses(entry.english, entry.korean)
    d.pairing("predicate", entry.english, noun.english)
    tense = "past" if d.chance(0.3) else "present"
    form = adjective_form(entry, tense, subject.agreement, False, ("more", "더"))
    verb, than = realise(d, form), d.node()
    auxiliary, more, described = verb.english
    english = [auxiliary, more, described]
    if not entry.comparative.startswith("more "):
        english = [auxiliary, Word(entry.comparative, more.nodes + described.nodes)]
    english += [*words("than", than), *other.english]
    korean = [*subject.marked(TOPIC), *other.marked(THAN, than), *verb.korean]
    return Clause([*subject.english, *english], korean)


def _kind(noun: Noun) -> frozenset[str]:
    return noun.classes & {
        "person",
        "animal",
        "food",
        "drink",
        "reading",
        "clothes",
        "thing",
        "place",
    }


def transitive(d: Derivation, *, negated: bool = False) -> Clause:
    """She read the letter: 그녀는 편지를 읽었다."""
    verb = transitive_verb(d)
    subject = subject_phrase(d, verb.subjects)
    tense = tense_of(d, verb, subject.agreement)
    if negated and verb.flags & {"e"} and tense == "present":
        tense = "past"
    return _with_object(d, subject, verb, tense, negated=negated)


def _with_object(d, subject, verb, tense, *, negated):  # type: ignore[no-untyped-def]
    target = object_of(d, verb, subject)
    complements = [Clause(target.english, target.marked(object_particle(verb)))]
    everyone = subject.noun is None or "animal" not in subject.noun.classes
    extra = d.weighted((("none", 0.6), ("manner", 0.15), ("place", 0.25 * everyone)))
    if extra == "manner":
        complements.append(manner_of(d, verb, 0.0 if negated else 1.0))
    if extra == "place":
        complements.append(usual_place(d, verb, 1.0))
    often = EMPTY if negated else frequency_of(d, verb, tense, 0.15)
    time = EMPTY if often.english else time_of(d, verb, tense, 0.35)
    inflected = conjugate(d, verb, tense, subject.agreement, negated=negated)
    return assemble(
        subject,
        inflected,
        tuple(complements),
        time=time,
        before_verb=often,
        time_first=bool(time.english) and d.chance(0.25),
    )


def negation(d: Derivation) -> Clause:
    """She did not read the letter: 그녀는 편지를 읽지 않았다."""
    return transitive(d, negated=True)
