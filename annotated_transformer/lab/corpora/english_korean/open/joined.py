"""So, before, after, while, because of: 나는 피곤해서 집에 갔다, 자기 전에, 요리하는 동안. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    _again,
    _main,
    _mood,
    _third,
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import AFTER, BEFORE, WHILE
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, Said, clause
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.open.lexicon import word_table
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase


def _reason(d: Derivation, subject: NounPhrase, tense: str) -> tuple[Said, How]:
    said = (
        _mood(d, subject)
        if d.chance(0.6)
        else state(d, subject)
        if d.chance(0.4)
        else action(d, subject)
    )
    how = How(tense, "", d.chance(0.15))
    if said.kind in ("action", "motion"):
        how = event_of(d, said, tense)._replace(negated=d.chance(0.5))
    return said, how


def so(d: Derivation) -> Clause:
    """I was tired, so I went home: 나는 피곤해서 집에 갔다."""
    subject = person(d)
    past = d.chance(0.65)
    tense = "past" if past else d.choose(("modal", "present", "future"))
    sky = d.chance(0.2)
    node = d.node()
    comma = "," if d.chance(0.6) else ""
    if sky:
        reason = weather_clause(d, "past" if past else "present", "서")
        said, how = _main(d, subject, tense)
        main = clause(d, said, how)
        korean = [*expressing(reason, node), *main.korean]
    else:
        again = _again(d, subject)
        if again is None:
            raise Unfit
        why, why_how = _reason(d, subject, "past" if past else "present")
        reason = clause(d, why, why_how, ending="서", particle=TOPIC)
        said, how = _main(d, again, tense)
        if said.base == why.base:
            raise Unfit
        main = clause(d, said, how, drop_subject=True)
        korean = [*expressing(reason, node), *main.korean]
    last = reason.english[-1]
    left = [*reason.english[:-1], Word(last.text + comma, last.nodes)]
    return Clause([*left, *words("so", node), *main.english], korean)


def timed(d: Derivation) -> Clause:
    """I read a book before I went to bed: 나는 잠자리에 들기 전에 책을 읽었다. While, after."""
    word = d.weighted((("before", 0.4), ("after", 0.35), ("while", 0.25)))
    subject = person(d)
    again = _again(d, subject)
    if again is None:
        raise Unfit
    future = d.chance(0.3) and word != "while"
    if word == "while":
        main_tense, inner_tense = "past", "past progressive"
    else:
        main_tense, inner_tense = ("future", "present") if future else ("past", "past")
    shared = d.chance(0.75)
    other = again if shared else person(d)
    if not shared and (
        other.english[0].text == subject.english[0].text or (_third(other) and _third(subject))
    ):
        raise Unfit
    inner = action(d, other)
    if inner.flags & {"s", "p", "x"} or inner.base in ("become", "live"):
        raise Unfit
    inner_how = How(inner_tense)
    if word == "while":
        event_of(d, inner, "progressive")
    elif (future and inner.base in ("read", "cut")) or inner.base in ("read", "cut", "put on"):
        raise Unfit
    said = action(d, subject)
    how = event_of(d, said, main_tense)
    if said.base == inner.base:
        raise Unfit
    ending = {"before": BEFORE, "after": AFTER, "while": WHILE}[word]
    part = clause(d, inner, inner_how, ending=ending, particle=SUBJECT, drop_subject=shared)
    node = d.node()
    part_korean = expressing(part, node)
    main = clause(d, said, how)
    english = [*words(word, node), *part.english]
    if shared:
        n_topic = len(subject.korean)
        korean = [*main.korean[:n_topic], *part_korean, *main.korean[n_topic:]]
    else:
        korean = [*part_korean, *main.korean]
    if d.chance(0.35) and subject.noun is None:
        last = english[-1]
        comma = "," if d.chance(0.75) else ""
        first = [*english[:-1], Word(last.text + comma, last.nodes)]
        return Clause([*first, *main.english], korean)
    return Clause([*main.english, *english], korean)


def because_of(d: Derivation) -> Clause:
    """We stayed home because of the rain: 우리는 비 때문에 집에 머물렀다."""
    subject = person(d)
    english, korean = d.choose(word_table("because of"))
    if subject.english[0].text in ("you", "he", "she") and english in ("you", "him", "her"):
        raise Unfit
    said, how = _main(d, subject, d.choose(("past", "past", "past", "modal")))
    if "x" in said.flags:
        raise Unfit
    node, why = d.node(), d.node()
    reason = Clause(
        [*words("because of", why), *words(english, node)],
        [*words(korean, node), *words("때문에", why)],
    )
    return clause(d, said, how, time=reason)
