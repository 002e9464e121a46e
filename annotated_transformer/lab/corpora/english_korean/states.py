"""Constructions without an action: copula, adjectives, comparison. CC0."""

from annotated_transformer.lab.corpora.english_korean.adjectives import Adjective
from annotated_transformer.lab.corpora.english_korean.clauses import assemble, realise
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    extend_last,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    SUBJECT,
    THAN,
    TOPIC,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS, WORRIED, has_feelings
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.phrases import (
    PRONOUNS,
    NounPhrase,
    choose_noun,
    definite,
    kind_of,
    noun_phrase,
    pronoun,
    subject_phrase,
)
from annotated_transformer.lab.corpora.english_korean.predicates import adjective_form, be

# Who can be said to have a profession, and what may be said of the professional.
ADULTS = frozenset({"adult", "relation", "kin"})
LASTING = frozenset(
    {"kind", "smart", "brave", "honest", "famous", "diligent", "lazy", "poor", "healthy", "young"}
)
DESCRIBED = (
    *("goods", "person", "animal", "place") * 2,
    *("study", "shown", "kin", "name", "pronoun"),
)
# Pronouns, names and kin take the adjectives of this noun.
STAND_IN = "man"


def copula(d: Derivation) -> Clause:
    """I am a student: 나는 학생이다."""
    return copula_clause(d, negated=False, past=d.chance(0.4))


def copula_negation(d: Derivation) -> Clause:
    """I am not a student: 나는 학생이 아니다."""
    return copula_clause(d, negated=True, past=d.chance(0.4))


def copula_clause(
    d: Derivation,
    *,
    negated: bool,
    past: bool,
    particle: tuple[str, str] = TOPIC,
    ending: str = "다",
) -> Clause:
    """Say what somebody is or was: a profession, or somebody's friend."""
    subject = subject_phrase(d, ADULTS, adjective=0.15)
    complement = _role(d, subject)
    verb, not_node = d.node(), d.node()
    english = [*subject.english, *words(be("past" if past else "present", subject.agreement), verb)]
    english += words("not", not_node) if negated else []
    korean = _is(complement, verb, past=past, ending=ending)
    if negated:
        verdict = Word(_is_not(past=past, ending=ending), (verb, not_node))
        korean = [*complement.marked(SUBJECT), verdict]
    return Clause([*english, *complement.english], [*subject.marked(particle), *korean])


def _role(d: Derivation, subject: NounPhrase) -> NounPhrase:
    """Return "a doctor", "doctors" or "my friend"."""
    plural = subject.agreement == "p" and subject.english[0].text != "you"
    if d.chance(0.1):
        noun = d.choose(d.lexicon.nouns("friend", "neighbor", "teacher"))
        own = {"I": "my", "he": "his", "she": "her", "we": "our"}.get(subject.english[0].text)
        determiner = d.choose([word for word in ("my", "his", "her", "our") if word != own])
    else:
        noun, determiner = d.choose(d.lexicon.nouns("job")), "" if plural else "a"
    if noun == subject.noun or subject.english[0].text == determiner:
        raise Unfit
    d.pairing("copula", noun.english)
    return noun_phrase(d, noun, determiner, plural=plural, adjective=0.3, among=LASTING)


def _is(complement: NounPhrase, verb: int, *, past: bool, ending: str) -> Words:
    """Return the noun with 이다: 학생이다, 의사였다, quoted 학생이라고."""
    suffix = "었" + ending if past else "라고" if ending == "다고" else ending
    return extend_last(complement.korean, with_copula(complement.korean[-1].text, suffix), verb)


def _is_not(*, past: bool, ending: str) -> str:
    """Return 아니다, quoted 아니라고."""
    return "아니었" + ending if past else "아니" + ("라고" if ending == "다고" else ending)


def adjective(d: Derivation) -> Clause:
    """The soup was hot: 수프는 뜨거웠다."""
    return adjective_clause(d, negated=d.chance(0.3))


def described_phrase(d: Derivation) -> tuple[NounPhrase, Adjective]:
    """Return a definite phrase and an adjective that describes it.

    Half of them start from the noun and half from the adjective, so that both are frequent.
    """
    kind = d.choose((*DESCRIBED, *["adjective"] * len(DESCRIBED)))
    if kind == "adjective":
        entry = d.choose(d.lexicon.adjectives)
        return definite(d, choose_noun(d, entry.classes), adjective=0.0), entry
    if kind == "pronoun":
        return pronoun(d, int(d.random.random() * len(PRONOUNS))), d.choose(predicates(d, None))
    noun = choose_noun(d, frozenset({kind}))
    entry = d.choose(predicates(d, noun))
    return definite(d, noun, adjective=0.0), entry


def predicates(d: Derivation, noun: Noun | None) -> tuple[Adjective, ...]:
    """Return the adjectives that may be said of a noun, or of a pronoun's person."""
    if noun is None or noun.classes & {"name", "kin"}:
        (noun,) = d.lexicon.nouns(STAND_IN)
    return d.lexicon.predicates_of(noun)


def adjective_clause(
    d: Derivation, *, negated: bool, particle: tuple[str, str] = TOPIC, ending: str = "다"
) -> Clause:
    """Say how something is or was."""
    subject, entry = described_phrase(d)
    return describe(d, subject, entry, negated=negated, particle=particle, ending=ending)


def describe(
    d: Derivation,
    subject: NounPhrase,
    entry: Adjective,
    *,
    negated: bool,
    particle: tuple[str, str] = TOPIC,
    ending: str = "다",
) -> Clause:
    """Say an adjective of the subject, perhaps with "very"."""
    tense = "past" if d.chance(0.5) else "present"
    degree = ("very", "아주") if not negated and d.chance(0.25) else None
    form = adjective_form(
        entry, tense, subject.agreement, negated=negated, degree=degree, ending=ending
    )
    note(d, entry, subject)
    if d.lexicon.natural and _is_shown(entry, subject):
        raise Unfit
    return assemble(subject, realise(d, form), (), particle=particle)


def _is_shown(entry: Adjective, subject: NounPhrase) -> bool:
    """Whether it is a feeling of somebody else, which this construction cannot say."""
    if entry.english not in FEELINGS or not has_feelings(subject):
        return False
    return not subject.first_person or entry.korean == WORRIED


def note(d: Derivation, entry: Adjective, subject: NounPhrase) -> None:
    """Note the adjective and the pairing (predicate, adjective, noun)."""
    d.uses(entry.english, entry.korean)
    if subject.noun:
        d.pairing("predicate", entry.english, subject.noun.english)


def opposed_adjectives(d: Derivation) -> tuple[Clause, Clause]:
    """The coat is expensive / the hat is not expensive: one adjective, affirmed and denied."""
    subject, other, entry = _compared(d)
    tense = "past" if d.chance(0.5) else "present"
    denied_first = d.chance(0.4)
    left = adjective_form(entry, tense, subject.agreement, negated=denied_first, ending="지만")
    right = adjective_form(entry, tense, other.agreement, negated=not denied_first)
    return (
        assemble(subject, realise(d, left), ()),
        assemble(other, realise(d, right), ()),
    )


def _compared(d: Derivation) -> tuple[NounPhrase, NounPhrase, Adjective]:
    """Return two things of a kind and an adjective that can be said of both."""
    subject, entry = described_phrase(d)
    if subject.noun is None or not kind_of(subject.noun) or not entry.comparative:
        raise Unfit
    if d.lexicon.natural and _is_shown(entry, subject):
        raise Unfit
    others = [
        noun
        for noun in d.lexicon.nouns(*sorted(entry.classes))
        if noun != subject.noun and kind_of(noun) == kind_of(subject.noun)
    ]
    if not others:
        raise Unfit
    note(d, entry, subject)
    return subject, definite(d, d.choose(others), adjective=0.0), entry


def comparison(d: Derivation) -> Clause:
    """The dog is bigger than the cat: 그 개는 그 고양이보다 더 크다."""
    subject, other, entry = _compared(d)
    tense = "past" if d.chance(0.3) else "present"
    form = adjective_form(entry, tense, subject.agreement, negated=False, degree=("more", "더"))
    verb, than = realise(d, form), d.node()
    auxiliary, more, described = verb.english
    english = [auxiliary, more, described]
    if not entry.comparative.startswith("more "):
        english = [auxiliary, Word(entry.comparative, more.nodes + described.nodes)]
    english += [*words("than", than), *other.english]
    korean = [*subject.marked(TOPIC), *other.marked(THAN, than), *verb.korean]
    return Clause([*subject.english, *english], korean)
