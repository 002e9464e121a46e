"""Two clauses of everyday language: because, if, when, and, but, think. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import (
    quality,
    result,
    state,
)
from annotated_transformer.lab.corpora.english_korean.everyday.everyday import UNCLEAR
from annotated_transformer.lab.corpora.english_korean.everyday.frames import HUMAN, action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, Said, clause
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import time_for
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun


def person(d: Derivation) -> NounPhrase:
    """Return somebody."""
    return subject_of(d, HUMAN, pronouns=0.7)


def _again(d: Derivation, subject: NounPhrase) -> NounPhrase | None:
    """Return the pronoun that takes a subject up: I, he of Minsu, she of my mother.

    Korean says the subject once, so both are aligned to it.
    """
    if subject.noun is None:
        return None if subject.english[0].text == "everyone" else subject
    if subject.agreement == "3s":
        for gender, index in (("male", 2), ("female", 3)):
            if gender in subject.noun.classes:
                taken_up = pronoun(d, index)
                return taken_up._replace(
                    english=words(taken_up.english[0].text, subject.node), node=subject.node
                )
    return None


def event_of(d: Derivation, said: Said, tense: str) -> How:
    """Return the tense, if the verb can have it."""
    if said.flags & {"p"} and tense != "present":
        raise Unfit
    if said.base in UNCLEAR and tense in ("present", "past"):
        raise Unfit
    if said.flags & {"s", "e", "x"} and "progressive" in tense:
        raise Unfit
    if tense == "present" and "e" in said.flags:
        raise Unfit
    return How(tense)


def _main(d: Derivation, subject: NounPhrase, tense: str) -> tuple[Said, How]:
    """Return what the main clause says in this tense (or a wish or duty, in the present)."""
    said = action(d, subject)
    if tense == "modal":
        if said.flags & {"s", "p", "x"}:
            raise Unfit
        return said, How("present", d.choose(("want", "can", "have", "must")), d.chance(0.3))
    how = event_of(d, said, tense)
    return said, how._replace(negated=d.chance(0.3))


def because(d: Derivation) -> Clause:
    """I slept because I was tired: 나는 피곤해서 잤다. I was at home because it rained."""
    subject = person(d)
    sky = d.chance(0.15)
    past = d.chance(0.6)
    again = None if sky or d.chance(0.25) else _again(d, subject)
    tense = "past" if past else d.choose(("modal", "present", "future"))
    said, how = _main(d, subject, tense)
    why_tense = "past" if past else "present"
    if sky:
        reason = weather_clause(d, why_tense, "서")
    elif again is not None:
        reason = _reason(d, again, why_tense, same=True)
    else:
        other = person(d)
        if other.english[0].text == subject.english[0].text or (_third(other) and _third(subject)):
            raise Unfit
        reason = _reason(d, other, why_tense, same=False)
    node = d.node()
    english_reason = [*words("because", node), *reason.english]
    reason_korean = expressing(reason, node)
    main = clause(d, said, how, drop_subject=False)
    if sky or again is None:
        return Clause([*main.english, *english_reason], [*reason_korean, *main.korean])
    n_topic = len(subject.korean)
    korean = [*main.korean[:n_topic], *reason_korean, *main.korean[n_topic:]]
    return Clause([*main.english, *english_reason], korean)


def _third(phrase: NounPhrase) -> bool:
    return phrase.noun is not None or phrase.english[0].text in ("he", "she", "they")


def expressing(part: Clause, node: int) -> list[Word]:
    """Return the Korean with a conjunction on its last word."""
    last = part.korean[-1]
    return [*part.korean[:-1], Word(last.text, (*last.nodes, node))]


MOODS = frozenset(
    [
        "tired",
        "hungry",
        "thirsty",
        "busy",
        "sick",
        "sleepy",
        "happy",
        "sad",
        "bored",
        "late",
        "angry",
        "lonely",
        "full",
        "poor",
        "rich",
        "healthy",
        "worried",
        "scared",
        "upset",
        "free",
        "strong",
        "weak",
        "young",
        "lazy",
        "nervous",
    ]
)


def _mood(d: Derivation, subject: NounPhrase) -> Said:
    """Return a state that makes people act."""
    said = result(d, subject) if d.chance(0.12) else quality(d, subject)
    if said.base not in MOODS:
        raise Unfit
    return said


def _reason(d: Derivation, subject: NounPhrase, tense: str, *, same: bool) -> Clause:
    said = (
        _mood(d, subject)
        if d.chance(0.6)
        else state(d, subject)
        if d.chance(0.5)
        else action(d, subject)
    )
    how = How(tense, "", d.chance(0.2))
    if said.kind in ("action", "motion"):
        how = event_of(d, said, tense)._replace(negated=d.chance(0.5))
    return clause(d, said, how, ending="서", particle=SUBJECT, drop_subject=same)


def condition(d: Derivation) -> Clause:
    """If it rains, I will stay home: 비가 오면 나는 집에 머무를 것이다. When I was young ..."""
    word = d.weighted((("if", 0.55), ("when", 0.45)))
    past = word == "when" and d.chance(0.6)
    subject = person(d)
    sky = d.chance(0.25)
    again = None if sky or d.chance(0.3) else _again(d, subject)
    if past:
        tense = "past" if d.chance(0.7) else "past progressive"
    else:
        tense = d.choose(("future", "future", "present", "modal"))
    said, how = _main(d, subject, tense)
    inner_tense = "past" if past else "present"
    ending = "때" if word == "when" else "면"
    if sky:
        part = weather_clause(d, inner_tense, ending)
    else:
        other = again or person(d)
        if again is None and (
            other.english[0].text == subject.english[0].text or (_third(other) and _third(subject))
        ):
            raise Unfit
        inner = _inner(d, other)
        inner_how = How(inner_tense, "", d.chance(0.12))
        if inner.kind in ("action", "motion"):
            if "p" in inner.flags and past:
                raise Unfit
            if inner.base in UNCLEAR:
                raise Unfit
        part = clause(
            d, inner, inner_how, ending=ending, particle=SUBJECT, drop_subject=again is not None
        )
    node = d.node()
    part_korean = expressing(part, node)
    english = [*words(word, node), *part.english]
    main = clause(d, said, how)
    if again is None:
        korean = [*part_korean, *main.korean]
    else:
        n_topic = len(subject.korean)
        korean = [*main.korean[:n_topic], *part_korean, *main.korean[n_topic:]]
    if d.chance(0.55):
        if again is not None and subject.noun is not None:
            raise Unfit  # "when he was young, Minsu": the pronoun would come first
        last = english[-1]
        comma = [*english[:-1], Word(last.text + ",", last.nodes)]
        return Clause([*comma, *main.english], korean)
    return Clause([*main.english, *english], korean)


def _inner(d: Derivation, subject: NounPhrase) -> Said:
    """Return what a condition says: a mood, an action or a state."""
    kind = d.weighted((("mood", 0.35), ("action", 0.5), ("state", 0.15)))
    if kind == "mood":
        return _mood(d, subject)
    return action(d, subject) if kind == "action" else state(d, subject)


def sequence(d: Derivation) -> Clause:
    """I ate dinner and watched TV: 나는 저녁을 먹고 텔레비전을 봤다."""
    subject = person(d)
    first, second = action(d, subject), action(d, subject)
    word = d.weighted((("and", 0.7), ("but", 0.3)))
    tense = "past" if d.chance(0.65) else "future" if word == "and" else "present"
    if first.base == second.base:
        raise Unfit
    how = event_of(d, first, tense)
    other = event_of(d, second, tense)
    negated = word == "but"
    repeated = negated or (tense != "future" and d.chance(0.3))
    follows = first.kind == "motion" or first.base in LEADING
    ending = "지만" if word == "but" else "서" if follows else "고"
    left = clause(d, first, how, ending=ending)
    right = clause(
        *(d, second, other._replace(negated=negated)),
        drop_subject=True,
        time=time_for(d, second, tense, 0.15) if tense != "present" else EMPTY,
    )
    node = d.node()
    english = right.english
    if not repeated:
        if tense == "future":  # one "will" for both, which Korean says with the second verb
            n = len(subject.english)
            will, english = english[n], english[n + 1 :]
            left = Clause(
                [*left.english[:n], Word("will", will.nodes), *left.english[n + 1 :]],
                clause(d, first, How("present"), ending=ending).korean,
            )
        else:
            english = english[len(subject.english) :]
    elif subject.noun is not None:
        raise Unfit
    return Clause(
        [*left.english, *words(word, node), *english], [*expressing(left, node), *right.korean]
    )


# What leads to the next action: 일어나서 아침을 먹었다.
LEADING = frozenset(
    """get up,wake up,go home,come home,go to bed,stand up,sit down,go shopping,meet,make,buy,
bake,cook""".replace("\n", "").split(",")
)
