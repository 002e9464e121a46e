"""Relative clauses about people, and two statements side by side. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import being, state
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import told
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, Said, clause
from annotated_transformer.lab.corpora.english_korean.phrases import (
    NounPhrase,
    choose_noun,
    noun_phrase,
)


def relative(d: Derivation) -> Clause:
    """The girl who lives here is my friend: 여기에서 사는 소녀는 내 친구다."""
    noun = choose_noun(d, frozenset({"adult", "little", "job"}))
    node, who = d.node(), d.node()
    d.pairing("relative", noun.english)
    doer = NounPhrase(words("who", who), words(noun.korean, node), node, "3s", noun)
    said = action(d, doer)
    if "OWN" in said.base:
        raise Unfit
    how = event_of(d, said, d.choose(("present", "past", "past", "progressive")))
    how = how._replace(negated=d.chance(0.12))
    part = clause(d, said, how, ending="는", drop_subject=True)
    subject = NounPhrase(
        [*words(f"the {noun.english}", node), *part.english],
        [*expressing(part, who), *words(noun.korean, node)],
        node,
        "3s",
        noun,
    )
    if d.lexicon.natural and any(word.text == "some" for word in part.english):
        raise Unfit  # "any", if the main clause is denied
    return told(d, state(d, subject) if d.chance(0.7) else action(d, subject))


def two_statements(d: Derivation) -> Clause:
    """My name is Anna and I am a student: 내 이름은 안나고 나는 학생이다."""
    word = "and" if d.chance(0.7) else "but"
    left = _name(d) if d.chance(0.2) else _statement(d)
    right = _statement(d)
    if left.subject.english[0].text == right.subject.english[0].text or "R" in left.flags:
        raise Unfit  # 늦었다 would lose its past before 고
    tense = "present" if left.kind == "name" else d.choose(("present", "present", "past"))
    ending = "고" if word == "and" else "지만"
    first = clause(d, left, _how(d, left, tense), ending=ending)
    second = clause(d, right, _how(d, right, tense))
    node = d.node()
    return Clause(
        [*first.english, *words(word, node), *second.english],
        [*expressing(first, node), *second.korean],
    )


def _statement(d: Derivation) -> Said:
    return state(d, person(d)) if d.chance(0.65) else action(d, person(d))


def _how(d: Derivation, said: Said, tense: str) -> How:
    how = How(tense) if said.kind not in ("action", "motion") else event_of(d, said, tense)
    return how._replace(negated=d.chance(0.12))


def _name(d: Derivation) -> Said:
    own, node = d.node(), d.node()
    subject = NounPhrase(
        [*words("my", own), *words("name", node)],
        [Word("내", (own,)), Word("이름", (node,))],
        node,
        "3s",
    )
    name = noun_phrase(d, d.choose(d.lexicon.nouns("name")), "")
    return being(d, subject, name)._replace(kind="name")
