"""Long sentences: clauses of which each has a reason, a time or a relative clause of its own. CC0.

Korean says the topic first, then what goes before the main clause, and joins with 고 and 지만.
"""

from typing import NamedTuple

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.compound import (
    _again,
    _third,
    event_of,
    expressing,
    person,
)
from annotated_transformer.lab.corpora.english_korean.everyday.conditions import state
from annotated_transformer.lab.corpora.english_korean.everyday.endings import AFTER, BEFORE, WHEN
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import How, clause
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known
from annotated_transformer.lab.corpora.english_korean.everyday.times import TABLES, time_for
from annotated_transformer.lab.corpora.english_korean.everyday.weather import weather_clause
from annotated_transformer.lab.corpora.english_korean.morphology import DATIVE, SUBJECT, TOPIC
from annotated_transformer.lab.corpora.english_korean.natural import itself
from annotated_transformer.lab.corpora.english_korean.open.joints import (
    arranged,
    doing,
    happening,
    joined,
    mood,
    with_comma,
)
from annotated_transformer.lab.corpora.english_korean.open.lists import chain
from annotated_transformer.lab.corpora.english_korean.open.relatives import sister_who
from annotated_transformer.lab.corpora.english_korean.open.telling import hearer_of
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase


class Part(NamedTuple):
    """A clause that goes with a main one: its conjunction and what both languages say."""

    word: str
    english: Words
    korean: Words
    same: bool


def part_of(d: Derivation, subject: NounPhrase, *, past: bool, words_of: tuple[str, ...]) -> Part:
    """Return "because I was tired", 피곤해서, for a main clause about the subject."""
    word = d.choose(words_of)
    tense = "past" if past else "present"
    ending = {"because": "서", "when": WHEN, "although": "지만", "after": AFTER}.get(word, "면")
    ending = BEFORE if word == "before" else ending
    kinds = (
        ("mood", "mood", "event", "wish", "kin")
        if word == "because"
        else ("mood", "event", "thing")
    )
    kind = "sky" if word not in ("after", "before") and d.chance(0.25) else d.choose(kinds)
    if word in ("after", "before"):
        kind = d.choose(("event", "event", "thing"))
    same = kind in ("mood", "event", "wish")
    node = d.node()
    if kind == "sky":
        part = weather_clause(d, tense, ending)
    elif kind == "kin":
        noun = d.choose(d.lexicon.nouns("kin", "relation"))
        if noun == subject.noun:
            raise Unfit
        part = joined(d, mood(d, known(d, noun, 0.0), degree=True), How(tense), ending)
    elif kind == "thing":
        if word == "although":
            raise Unfit
        part = joined(d, happening(d), How(tense), ending)
    else:
        other = _again(d, subject)
        if other is None:
            raise Unfit
        if kind == "mood":
            said, how = mood(d, other, degree=word == "because"), How(tense)
        elif kind == "wish":
            said, how = doing(d, other), How(tense, d.choose(("want", "want", "have")))
        else:
            said = doing(d, other, "spx")
            how = event_of(d, said, tense)._replace(negated=word == "because" and d.chance(0.4))
        part = joined(d, said, how, ending, drop_subject=True)
    return Part(word, [*words(word, node), *part.english], expressing(part, node), same)


ANY = ("because", "because", "because", "when", "although", "after", "before")


def complexed(
    d: Derivation,
    subject: NounPhrase,
    *,
    past: bool,
    ending: str = "다",
    particle: tuple[str, str] = TOPIC,
    words_of: tuple[str, ...] = ANY,
    first: float = 0.3,
    shifted: bool = False,
) -> Clause:
    """Return a main clause with another one: I went home because I was tired.

    `shifted` allows a "could" that Korean says in the present after 말했다.
    """
    part = part_of(d, subject, past=past, words_of=words_of)
    said = doing(d, subject, "xp")
    tense = "past" if past else "future"
    how = event_of(d, said, tense)._replace(negated=d.chance(0.2))
    if not past and part.word == "because" and d.chance(0.5):
        how = How("present", d.choose(("want", "have", "can", "must")))
        if "s" in said.flags:
            raise Unfit
    if said.base in {word.text for word in part.english}:
        raise Unfit
    timed = not how.modal and part.word not in ("before", "after")
    time = time_for(d, said, how.tense, 0.3) if timed else EMPTY
    main = clause(d, said, how, ending=ending, particle=particle, time=time)
    if shifted and part.word == "because" and "s" not in said.flags and d.chance(0.3):
        able = How("past", "can", d.chance(0.7))
        main = joined(d, said, able, ending, korean_tense="present", particle=particle)
    korean = arranged(subject, part.korean, main, same=part.same)
    if d.chance(first):
        if part.same and subject.noun is not None:
            raise Unfit
        return Clause([*with_comma(part.english), *main.english], korean)
    return Clause([*main.english, *part.english], korean)


def _other(d: Derivation, subject: NounPhrase) -> NounPhrase:
    other = person(d)
    if other.english[0].text == subject.english[0].text or (_third(other) and _third(subject)):
        raise Unfit
    return other


def long_two(d: Derivation) -> Clause:
    """Join two sentences, one or both with a part: and, but."""
    subject = person(d)
    other = _other(d, subject)
    word = "and" if d.chance(0.55) else "but"
    past = d.chance(0.7)
    ending = "고" if word == "and" else "지만"
    kind = d.weighted((("both", 0.35), ("first", 0.3), ("second", 0.35)))
    if kind == "second":
        left = _plain(d, subject, past=past, ending=ending)
    else:
        left = complexed(d, subject, past=past, ending=ending)
    if kind == "first":
        right = _plain(d, other, past=past, ending="다")
    else:
        right = complexed(d, other, past=past, first=0.0)
    node = d.node()
    comma = d.chance(0.7)
    english = with_comma(left.english) if comma else left.english
    if left.korean[-1].text.endswith("것이고"):
        raise Unfit
    return Clause(
        [*english, *words(word, node), *right.english], [*expressing(left, node), *right.korean]
    )


def _plain(d: Derivation, subject: NounPhrase, *, past: bool, ending: str) -> Clause:
    """Return a clause of one verb: an action or, more often, what is the case."""
    if d.chance(0.45):
        said = state(d, subject)
        if "R" in said.flags:
            raise Unfit
        return clause(
            d, said, How("past" if past else "present", "", d.chance(0.15)), ending=ending
        )
    said = doing(d, subject, "xp")
    tense = "past" if past else "future"
    time = time_for(d, said, tense, 0.3)
    return clause(d, said, event_of(d, said, tense), ending=ending, time=time)


def long_chain(d: Derivation) -> Clause:
    """Yesterday I went home and slept because I was tired; after I got up, I did this and that."""
    subject = person(d)
    past = d.chance(0.75)
    part = part_of(d, subject, past=past, words_of=(*ANY, "after", "when"))
    tense = "past" if past else "future"
    timed = part.word in ("because", "although")
    made = chain(d, subject, 2 if d.chance(0.65) else 3, tense, timed=False)
    if {word.text for word in part.english[2:]} & {"eat", "ate", "go", "went", "came", "took"}:
        raise Unfit
    korean = arranged(subject, part.korean, made, same=part.same)
    if part.word != "because" or d.chance(0.2):
        if part.same and subject.noun is not None:
            raise Unfit
        return Clause([*with_comma(part.english), *made.english], korean)
    if timed and d.chance(0.5):
        time = adverbial(d, TABLES[tense])
        english = with_comma(time.english) if d.chance(0.3) else time.english
        return Clause([*english, *made.english, *part.english], [*time.korean, *korean])
    return Clause([*made.english, *part.english], korean)


# Who thinks or says it: English with "I", with "she", in the past; Korean in both tenses.
REPORTS = (
    ("think", "thinks", "thought", "생각한다", "생각했다"),
    ("believe", "believes", "believed", "믿는다", "믿었다"),
    ("say", "says", "said", "말한다", "말했다"),
)


def long_report(d: Derivation) -> Clause:
    """I think that he went home because he was sick: 나는 그가 아파서 집에 갔다고 생각한다."""
    subject = person(d)
    other = itself(person(d), subject)
    if other.english[0].text == subject.english[0].text:
        raise Unfit
    telling = d.chance(0.4)
    verb, that = d.node(), d.node()
    inner = complexed(
        d,
        other,
        past=True,
        ending="다고",
        particle=SUBJECT,
        words_of=("because", "because", "when"),
        first=0.0,
        shifted=telling,
    )
    with_that = d.chance(0.65)
    quoted = expressing(inner, that if with_that else verb)
    rest = [*(words("that", that) if with_that else []), *inner.english]
    if telling:
        hearer = hearer_of(d, subject)
        if hearer.noun is not None and hearer.noun in (subject.noun, other.noun):
            raise Unfit
        english = [*words("told", verb), *hearer.english]
        korean = [*subject.marked(TOPIC), *hearer.marked(DATIVE), *quoted, *words("말했다", verb)]
        return Clause([*subject.english, *english, *rest], korean)
    base, third, past, now, then = d.choose(REPORTS)
    was = d.chance(0.25)
    form = past if was else third if subject.agreement == "3s" else base
    korean = [*subject.marked(TOPIC), *quoted, *words(then if was else now, verb)]
    return Clause([*subject.english, *words(form, verb), *rest], korean)


def long_relative(d: Derivation) -> Clause:
    """My sister, who lives in Busan, is coming because she wants to see us: 부산에 사는 ..."""
    subject = sister_who(d)
    past = d.chance(0.6)
    part = part_of(
        d, subject, past=past, words_of=("because", "because", "when", "after", "before")
    )
    said = doing(d, subject, "xp")
    tense = "past" if past else d.choose(("future", "going", "going"))
    how = event_of(d, said, tense)
    timed = part.word not in ("before", "after")
    time = time_for(d, said, tense, 0.4) if timed else EMPTY
    main = clause(d, said, how, time=time)
    korean = arranged(subject, part.korean, main, same=part.same)
    return Clause([*main.english, *part.english], korean)


def so_another(d: Derivation) -> Clause:
    """He was sick, so I called the doctor: 그가 아파서 나는 의사에게 전화했다."""
    subject = person(d)
    other = _other(d, subject)
    past = d.chance(0.75)
    tense = "past" if past else "present"
    if d.chance(0.65):
        why, how = mood(d, other, degree=True), How(tense, "", d.chance(0.1))
    else:
        why = doing(d, other, "spx")
        how = event_of(d, why, tense)._replace(negated=d.chance(0.6))
    reason = joined(d, why, how, "서")
    said = doing(d, subject, "xp")
    if said.base == why.base:
        raise Unfit
    main_how = event_of(d, said, "past" if past else "future")._replace(negated=d.chance(0.25))
    main = clause(d, said, main_how, time=time_for(d, said, main_how.tense, 0.2))
    node = d.node()
    left = with_comma(reason.english) if d.chance(0.7) else reason.english
    return Clause(
        [*left, *words("so", node), *main.english], [*expressing(reason, node), *main.korean]
    )
