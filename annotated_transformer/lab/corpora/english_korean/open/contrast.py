"""Poor but happy, not a doctor but a teacher, tea, not coffee: 가난하지만 행복하다. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import object_particle
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday import endings
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being, identity
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import HUMAN, said_of
from annotated_transformer.lab.corpora.english_korean.everyday.questions import demonstrative
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.natural import FEELINGS
from annotated_transformer.lab.corpora.english_korean.nouns import Noun
from annotated_transformer.lab.corpora.english_korean.open.joints import with_comma
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    kind_of,
    noun_phrase,
)
from annotated_transformer.lab.corpora.english_korean.verbs import Verb, names

GOOD = names(
    """kind smart brave honest diligent happy healthy strong young rich wise friendly funny
    special polite generous calm confident lucky good beautiful pretty cheap delicious interesting
    useful comfortable fast clean warm quiet safe cute famous new easy cool light soft"""
)
BAD = names(
    """lazy tired hungry thirsty sick busy poor weak bad old foolish rude strange serious unlucky
    expensive small boring slow dirty cold noisy dangerous difficult heavy ugly hot hard dark
    short far long big shy"""
)


def poor_but_happy(d: Derivation) -> Clause:
    """He is poor but happy: 그는 가난하지만 행복하다. The house is old but beautiful."""
    if d.chance(0.6):
        subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.7)
        of = d.lexicon.nouns("man")[0]
    else:
        kinds = ("house", "room", "clothes", "dish", "reading", "vehicle", "city", "pet", "device")
        noun = choose_noun(d, frozenset({d.choose(kinds)}))
        subject, of = known(d, noun, 0.0), noun
    entries = [entry for entry in d.lexicon.predicates_of(of) if entry.english not in FEELINGS]
    first, second = d.choose(entries), d.choose(entries)
    pair = ({first.english} <= BAD and {second.english} <= GOOD) or (
        {first.english} <= GOOD and {second.english} <= BAD
    )
    if not pair or {first.english, second.english} in map(set, word_table("opposites")):
        raise Unfit
    one, but, two, be = d.node(), d.node(), d.node(), d.node()
    extra, degree = d.node(), d.chance(0.12)
    tail = [*words(first.english, one), *words("but", but)]
    tail += words("very", extra) if degree else []
    left = endings.verb(first.korean, first.irregular, one)._replace(kind="adjective")
    right = endings.verb(second.korean, second.irregular, two, be)
    tense = "past" if d.chance(0.3) else "present"
    before = endings.finished(left, tense, "지만")
    before = [*before[:-1], Word(before[-1].text, (one, but))]
    before += words("아주", extra) if degree else []
    verb = EnglishVerb("be", "", "", "", be, [*tail, *words(second.english, two)])
    predicate = Predicate(
        [*before, *right.before], right.stem, right.irregular, "adjective", right.nodes
    )
    said = Said(subject, verb, predicate, (), frozenset(), "quality", "")
    return clause(d, said, How(tense))


def _is(d: Derivation, subject: NounPhrase, noun_of: str) -> Said:
    if noun_of:
        noun = choose_noun(d, frozenset({noun_of}))
        if noun.plural_only or not noun.plural:
            raise Unfit
        return being(d, subject, noun_phrase(d, noun, "a"))
    return identity(d, subject)


def not_but(d: Derivation) -> Clause:
    """He is not my boyfriend, he is my brother: 그는 내 남자 친구가 아니라 내 남동생이다."""
    kind = d.weighted((("person", 0.6), ("thing", 0.4)))
    if kind == "person":
        subject = subject_of(d, frozenset({"own", "kin", "relation"}), pronouns=0.8)
        of = ""
    else:
        subject = demonstrative(d)
        of = d.choose(
            ("pet", "fruit", "wild", "vegetable", "vehicle", "small", "instrument", "drink")
        )
        if subject.agreement == "p":
            raise Unfit
    wrong, right = _is(d, subject, of), _is(d, subject, of)
    nation = [said.english.tail[0].text[0].isupper() for said in (wrong, right)]
    if wrong.korean.stem == right.korean.stem or nation[0] != nation[1]:
        raise Unfit
    no = clause(d, wrong, How("present", "", True), ending="라")
    yes = clause(d, right, How("present"), drop_subject=True)
    but = d.node()
    way = d.weighted(((",", 0.5), ("but", 0.35), (", but", 0.15)))
    korean = [*no.korean, *yes.korean]
    n = len(subject.english)
    if way == ",":
        again = yes.english
        if subject.noun is not None or len(subject.english) > 1 or of:
            text = _pronoun(subject, of)
            again = [*words(text, subject.node), *yes.english[n:]]
        return Clause([*with_comma(no.english), *again], korean)
    left = with_comma(no.english) if way == ", but" else no.english
    be = yes.english[n].nodes
    rest = yes.english[n + 1 :]
    joint = Word("but", (but, *be))
    return Clause([*left, joint, *rest], [*expressing(Clause([], no.korean), but), *yes.korean])


def _pronoun(subject: NounPhrase, of: str) -> str:
    if of:
        return "it"
    if subject.noun is None or subject.agreement == "p":
        raise Unfit
    for gender, text in (("male", "he"), ("female", "she")):
        if gender in subject.noun.classes:
            return text
    raise Unfit


def coffee_not_tea(d: Derivation) -> Clause:
    """I want coffee, not tea: 나는 차가 아니라 커피를 원한다."""
    subject = person(d)
    verb, (first, second) = things_for(d, 2)
    one, two = noun_of(d, first), noun_of(d, second)
    deny = d.node()
    wrong = [Word(w.text, w.nodes) for w in two.marked(("이", "가"))]
    target = [*wrong, *words("아니라", deny), *one.marked(object_particle(verb))]
    english = [*with_comma(one.english), *words("not", deny), *two.english]
    said = said_of(d, subject, verb, (Clause(english, target),))
    how = event_of(d, said, d.choose(("past", "present", "future")))
    return clause(d, said, how)


def noun_of(d: Derivation, noun: Noun) -> NounPhrase:
    """Return "coffee", "apples" or "an apple" as one of several things."""
    if not noun.plural or noun.plural_only:
        return noun_phrase(d, noun, "")
    if d.chance(0.5):
        return noun_phrase(d, noun, "", plural=True)
    return noun_phrase(d, noun, "a")


def things_for(d: Derivation, count: int) -> tuple[Verb, list[Noun]]:
    """Return a verb and so many different things of a kind for it."""
    verb = d.choose([v for v in d.lexicon.transitive if v.english in WITH_THINGS])
    nouns = [choose_noun(d, verb.objects) for _ in range(count)]
    kinds = {kind_of(noun) for noun in nouns}
    if len({noun.korean for noun in nouns}) < count or len(kinds) > 1:
        raise Unfit
    if any(noun.classes & {"city", "place", "kin", "name"} for noun in nouns):
        raise Unfit
    if verb.subjects.isdisjoint(HUMAN):
        raise Unfit
    for noun in nouns:
        d.pairing("object", verb.english, noun.english)
    return verb, nouns


WITH_THINGS = names(
    """want like buy eat drink sell need order see love cook learn study make draw bring find
    lose wash boil prefer hate peel choose collect play"""
)
