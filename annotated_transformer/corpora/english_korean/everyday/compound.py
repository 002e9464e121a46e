"""Two clauses of everyday language: because, if, when, and, but, think. CC0."""

from annotated_transformer.corpora.english_korean.clauses import EMPTY
from annotated_transformer.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.corpora.english_korean.everyday.conditions import quality, result, state
from annotated_transformer.corpora.english_korean.everyday.everyday import UNCLEAR
from annotated_transformer.corpora.english_korean.everyday.frames import HUMAN, action
from annotated_transformer.corpora.english_korean.everyday.sayings import How, Said, clause
from annotated_transformer.corpora.english_korean.everyday.subjects import subject_of
from annotated_transformer.corpora.english_korean.everyday.times import time_for
from annotated_transformer.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.corpora.english_korean.phrases import NounPhrase, pronoun


def _person(d: Derivation) -> NounPhrase:
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


def _event(d: Derivation, said: Said, tense: str) -> How:
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
    how = _event(d, said, tense)
    return said, how._replace(negated=d.chance(0.3))


def because(d: Derivation) -> Clause:
    """I slept because I was tired: 나는 피곤해서 잤다. I was at home because it rained."""
    subject = _person(d)
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
        other = _person(d)
        if other.english[0].text == subject.english[0].text or (_third(other) and _third(subject)):
            raise Unfit
        reason = _reason(d, other, why_tense, same=False)
    node = d.node()
    english_reason = [*words("because", node), *reason.english]
    reason_korean = _expressing(reason, node)
    main = clause(d, said, how, drop_subject=False)
    if sky or again is None:
        return Clause([*main.english, *english_reason], [*reason_korean, *main.korean])
    n_topic = len(subject.korean)
    korean = [*main.korean[:n_topic], *reason_korean, *main.korean[n_topic:]]
    return Clause([*main.english, *english_reason], korean)


def _third(phrase: NounPhrase) -> bool:
    return phrase.noun is not None or phrase.english[0].text in ("he", "she", "they")


def _expressing(part: Clause, node: int) -> list[Word]:
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
        how = _event(d, said, tense)._replace(negated=d.chance(0.5))
    return clause(d, said, how, ending="서", particle=SUBJECT, drop_subject=same)


def condition(d: Derivation) -> Clause:
    """If it rains, I will stay home: 비가 오면 나는 집에 머무를 것이다. When I was young ..."""
    word = d.weighted((("if", 0.55), ("when", 0.45)))
    past = word == "when" and d.chance(0.6)
    subject = _person(d)
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
        other = again or _person(d)
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
    part_korean = _expressing(part, node)
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
    subject = _person(d)
    first, second = action(d, subject), action(d, subject)
    word = d.weighted((("and", 0.7), ("but", 0.3)))
    tense = "past" if d.chance(0.65) else "future" if word == "and" else "present"
    if first.base == second.base:
        raise Unfit
    how = _event(d, first, tense)
    other = _event(d, second, tense)
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
        [*left.english, *words(word, node), *english], [*_expressing(left, node), *right.korean]
    )


# What leads to the next action: 일어나서 아침을 먹었다.
LEADING = frozenset(
    """get up,wake up,go home,come home,go to bed,stand up,sit down,go shopping,meet,make,buy,
bake,cook""".replace("\n", "").split(",")
)
REPORTS = (
    *(("think", "thinks", "thought", "생각하"), ("think", "thinks", "thought", "생각하")),
    *(("say", "says", "said", "말하"), ("believe", "believes", "believed", "믿")),
    *(("hear", "hears", "heard", "듣"), ("know", "knows", "knew", "알고_있")),
)


def thought(d: Derivation) -> Clause:
    """I think he is a doctor: 나는 그가 의사라고 생각한다."""
    subject = _person(d)
    english, third, past, stem = d.choose(REPORTS[:4])
    other = _person(d)
    if other.english[0].text == subject.english[0].text:
        raise Unfit
    said = state(d, other) if d.chance(0.55) else action(d, other)
    how = How(d.choose(("present", "past")), "", d.chance(0.2))
    if said.kind in ("action", "motion"):
        tense = d.choose(("past", "future", "progressive", "present"))
        how = _event(d, said, tense)._replace(negated=d.chance(0.2))
    inner = clause(d, said, how, ending="다고", particle=SUBJECT)
    was = d.chance(0.2)
    denied = stem == "생각하" and d.chance(0.2)
    verb, that = d.node(), d.node()
    form = past if was else third if subject.agreement == "3s" else english
    with_that = d.chance(0.45)
    quoted = _expressing(inner, that if with_that else verb)
    last = {
        "생각하": ("생각한다", "생각했다"),
        "말하": ("말한다", "말했다"),
        "믿": ("믿는다", "믿었다"),
    }
    said_so = words(form, verb)
    ending = words(last[stem][was], verb)
    if denied:
        deny = d.node()
        do = "did" if was else "does" if subject.agreement == "3s" else "do"
        said_so = [*words(f"{do} not", deny), *words(english, verb)]
        ending = [*words("생각하지", verb), *words("않았다" if was else "않는다", deny)]
    return Clause(
        [
            *subject.english,
            *said_so,
            *(words("that", that) if with_that else []),
            *inner.english,
        ],
        [*subject.marked(TOPIC), *quoted, *ending],
    )
