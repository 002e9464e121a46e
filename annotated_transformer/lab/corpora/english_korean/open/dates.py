"""The clock, durations, years, dates, floors and pages. CC0."""

from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.everyday.frames import action, intransitive
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import (
    EnglishVerb,
    How,
    Said,
    clause,
)
from annotated_transformer.lab.corpora.english_korean.everyday.subjects import known, subject_of
from annotated_transformer.lab.corpora.english_korean.everyday.times import HOURS, MONTHS
from annotated_transformer.lab.corpora.english_korean.morphology import (
    OBJECT,
    TOPIC,
    TOWARDS,
    with_copula,
)
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, sino
from annotated_transformer.lab.corpora.english_korean.phrases import NounPhrase, pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names


def _clock_time(d: Derivation, preposition: int) -> Clause:
    """Return "7:30", 일곱 시 삼십 분; "at 8 pm", 오후 여덟 시."""
    hour_name, korean_hour = d.choose(tuple(HOURS.items()))
    hour = list(HOURS).index(hour_name) + 1
    node = d.node()
    half_day = d.node()
    day = d.weighted((("", 0.55), ("am", 0.2), ("pm", 0.25)))
    text: Words
    if d.chance(0.6):
        minute = d.choose((5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55))
        text = words(f"{hour}:{minute:02}", node)
        korean = [*words(f"{korean_hour} 시", node), *words(f"{sino(minute)} 분", node)]
    else:
        if not day:
            raise Unfit  # what `times.clock` says
        text = words(str(hour), node)
        korean = words(f"{korean_hour} 시", node)
    if day:
        spelled = d.choose({"am": ("am", "a.m."), "pm": ("pm", "p.m.")}[day])
        text = [*text, *words(spelled, half_day)]
        korean = [*words("오전" if day == "am" else "오후", half_day), *korean]
    last = korean[-1]
    return Clause(text, [*korean[:-1], Word(last.text, (*last.nodes, preposition))])


def clock(d: Derivation) -> Clause:
    """It is 7:30: 일곱 시 삼십 분이다. I get up at 6 am: 나는 오전 여섯 시에 일어난다."""
    at = d.node()
    time = _clock_time(d, at)
    if d.chance(0.3):
        be, own = d.node(), d.node()
        last = time.korean[-1]
        ending = with_copula(last.text, "다")
        korean = [*time.korean[:-1], Word(ending, (*last.nodes, be, own))]
        return Clause([*words("it", own), *words("is", be), *time.english], korean)
    said = action(d)
    if "c" not in said.flags:
        raise Unfit
    last = time.korean[-1]
    when = Clause(
        [*words("at", at), *time.english], [*time.korean[:-1], Word(last.text + "에", last.nodes)]
    )
    how = How(d.choose(("present", "past", "future", "going")))
    if how.tense == "present" and "e" in said.flags:
        raise Unfit
    return clause(d, said, how, time=when)


LASTING = names("work,study,sleep,wait,read,walk,rest,run,swim,exercise,cook,dance,talk,play")


def duration(d: Derivation) -> Clause:
    """I slept for 8 hours: 나는 여덟 시간 동안 잤다. She worked for 45 minutes: 사십오 분 동안."""
    said = intransitive(d)
    if said.base not in LASTING or any(part.english for part in said.complements):
        raise Unfit
    unit, counter, most, is_sino = d.choose(
        (
            ("minutes", "분", 59, True),
            ("hours", "시간", 12, False),
            ("days", "일", 30, True),
            ("years", "년", 40, True),
            ("months", "개월", 11, True),
        )
    )
    if unit in ("days", "years", "months") and said.base not in ("work", "study", "wait"):
        raise Unfit
    number = 2 + int(d.random.random() * (most - 1))
    if (unit, number) in (("hours", 2), ("hours", 3), ("years", 2)):
        raise Unfit  # in the tables of `ways`
    node, own, during = d.node(), d.node(), d.node()
    typed, korean = numeral(d, number, counter, node, own, is_sino=is_sino)
    time = Clause(
        [*words("for", during), *typed, *words(unit, own)], [*korean, *words("동안", during)]
    )
    how = How(d.choose(("past", "past", "future")))
    return clause(d, said._replace(complements=(EMPTY,)), how, time=time)


def year(d: Derivation) -> Clause:
    """I was born in 1999: 나는 1999년에 태어났다. We moved in 2015."""
    number = str(1950 + int(d.random.random() * 80))
    node, inside = d.node(), d.node()
    time = Clause(
        [*words("in", inside), *words(number, node)], words(f"{number}년에", node, inside)
    )
    if d.chance(0.4):
        subject = subject_of(d, frozenset({"own", "kin", "relation", "name"}))
        be = d.node()
        was = "was" if subject.agreement in ("1s", "3s") else "were"
        english = [*subject.english, *words(was, be), *words("born", be), *time.english]
        return Clause(english, [*subject.marked(TOPIC), *time.korean, *words("태어났다", be)])
    said = action(d, pronoun(d, d.choose((0, 0, 2, 3, 4, 5))))
    if said.base not in EVENTS:
        raise Unfit
    return clause(d, said, How("past" if int(number) < 2025 else "future"), time=time)


EVENTS = names("move,graduate,get married,build,travel,visit,buy,sell,become,retire,quit OWN job")


def floor(d: Derivation) -> Clause:
    """My office is on the third floor: 내 사무실은 삼 층에 있다."""
    place = d.choose(d.lexicon.nouns("room", "shop", "restaurant", "gym", "library"))
    if place.english in ("elevator", "garage", "house", "apartment", "basement", "attic"):
        raise Unfit
    subject = known(d, place, 0.0)
    ordinal, number = d.choose(ORDINALS)
    on, node, own, be = (d.node() for _ in range(4))
    there = Clause(
        [*words("on the", on), *words(ordinal, node), *words("floor", own)],
        [*words(sino(number), node), *words("층에", own, on)],
    )
    exists = Predicate([], "있", "", "adjective", (be,))
    said = Said(subject, EnglishVerb("be", "", "", "", be, []), exists, (there,), kind="place")
    asked = d.chance(0.15)
    return clause(d, said, How("present"), ending="니" if asked else "다", asked=asked)


ORDINALS = (
    *(("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5), ("sixth", 6)),
    *(("seventh", 7), ("tenth", 10), ("2nd", 2), ("3rd", 3), ("4th", 4), ("5th", 5)),
)


def month_day(d: Derivation) -> Clause:
    """Today is May 3: 오늘은 오월 삼일이다. My birthday is on March 12."""
    month, korean_month = d.choose(tuple(MONTHS.items()))
    day = 1 + int(d.random.random() * 31)
    if day > (29 if month == "February" else 30):
        day = 28
    node, own, be = d.node(), d.node(), d.node()
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(day if day in (11, 12, 13) else day % 10, "th")
    suffix = "th" if day in (11, 12, 13) else suffix
    typed = f"{day}{suffix}" if d.chance(0.5) else str(day)
    date = [*words(month, node), *words(typed, own)]
    korean = [*words(korean_month, node), *words(sino(day) + "일", own)]
    who = d.choose(("today", "birthday", "birthday", "tomorrow"))
    *first, last = korean
    predicate = Predicate(first, last.text, "", "copula", (*last.nodes, be))
    subject_node, mine = d.node(), d.node()
    if who == "birthday":
        determiner, whose = d.choose((("my", "내"), ("his", "그의"), ("her", "그녀의")))
        subject = NounPhrase(
            [*words(determiner, mine), *words("birthday", subject_node)],
            [*words(whose, mine), *words("생일", subject_node)],
            *(subject_node, "3s"),
        )
        on = words("on", own) if d.chance(0.6) else []
        tail = [*on, *date]
    else:
        korean_day = {"today": "오늘", "tomorrow": "내일"}[who]
        subject = NounPhrase(
            words(who, subject_node), words(korean_day, subject_node), subject_node, "3s"
        )
        tail = date
    said = Said(subject, EnglishVerb("be", "", "", "", be, tail), predicate, kind="identity")
    return clause(d, said, How("present"))


def numbered_page(d: Derivation) -> Clause:
    """Read page 35: 삼십오 쪽을 읽어라. Please go to room 12: 십이 호실로 가 줘."""
    kind, korean = d.choose((("page", "쪽"), ("room", "호실"), ("chapter", "장")))
    number = 2 + int(d.random.random() * 98)
    node, own, verb = d.node(), d.node(), d.node()
    text = [*words(kind, own), *words(str(number), node)]
    place = [*words(sino(number), node), *words(korean, own)]
    if kind == "room":
        phrase = NounPhrase(text, place, own, "3s")
        polite = d.node()
        english = [*words("please", polite), *words("go to", verb), *text]
        korean_words = [*phrase.marked(TOWARDS), *words("가 줘", verb, polite)]
        return Clause(english, korean_words)
    phrase = NounPhrase(text, place, own, "3s")
    base, command = d.choose((("open", "펴라"), ("read", "읽어라"), ("look at", "봐라")))
    if base == "open" and kind == "chapter":
        raise Unfit
    return Clause([*words(base, verb), *text], [*phrase.marked(OBJECT), *words(command, verb)])
