"""When, how long, how often and until when: by Friday, since Monday, three times a day. CC0."""

from collections.abc import Callable
from functools import partial

from annotated_transformer.lab.corpora.english_korean.adverbs import DAYS
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.times import HOURS
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral, sino
from annotated_transformer.lab.corpora.english_korean.open.wheres import daily, fixed

PARTS = (
    *(("in the morning", "아침"), ("in the afternoon", "오후"), ("in the evening", "저녁")),
    *(("at night", "밤"), ("pm", "오후"), ("am", "오전")),
)
HALVES = {"아침": (5, 11), "오후": (1, 11), "저녁": (5, 9), "밤": (8, 11), "오전": (1, 11)}
# English singular and plural, Korean counter, and whether it takes 한, 두 (else 일, 이).
UNITS = (
    *(("minute", "minutes", "분", False), ("hour", "hours", "시간", True)),
    *(("week", "weeks", "주", False), ("month", "months", "개월", False)),
    *(("year", "years", "년", False), ("day", "days", "일", False)),
)
PERIODS = (("day", "하루"), ("week", "일주일"), ("month", "한 달"), ("year", "일 년"))
TIMES = (("once", "한"), ("twice", "두"))


def when(d: Derivation, tense: str, flags: str = "") -> Clause:
    """Return a time that suits the tense and the deed: "d" lasts, "b" has a deadline, "c" an hour.

    The deeds are those of `[deeds]` in `words/open_daily.txt`.
    """
    deadline = "b" in flags and tense in LATER
    lasts, now = "d" in flags, "progressive" in tense
    if now:
        return fixed(d, "when now")
    kind = d.weighted(
        (
            *(("any", 0.3), ("clock", 0.34 if "c" in flags else 0.1), ("day", 0.1)),
            *(("past", 0.4 * (tense == "past")), ("future", 0.3 * (tense in LATER))),
            *(("habit", 0.3 * (tense == "present")), ("times", 0.3 * (tense == "present"))),
            ("long", 0.15 * (lasts and tense == "present")),
            *(
                ("lasting", 0.2 * (lasts and tense in ONCE)),
                ("until", 0.12 * lasts),
                ("from", 0.1 * lasts),
            ),
            ("whole", 0.15 * (lasts and tense == "past")),
            *(("deadline", 0.5 * deadline), ("ago", 0.2 * (tense == "past"))),
            ("in", 0.12 * (tense in LATER)),
        )
    )
    if kind in LISTED:
        return fixed(d, LISTED[kind])
    if kind == "day":
        return on_a_day(d, habitual=tense in ("present", "usual"))
    return MADE[kind](d)


# The times that stand in a table; the others are made.
LISTED = {
    "any": "when",
    "past": "when past",
    "future": "when future",
    "habit": "habits",
    "whole": "when whole",
}
LATER = frozenset({"future", "going", "modal"})
ONCE = LATER | {"past"}


def hour(d: Derivation, ending: str, node: int) -> Clause:
    """Return "six", 여섯 시에, "six in the morning", 아침 여섯 시에, with another ending 까지."""
    english, korean = d.choose(tuple(HOURS.items()))
    number, part, oclock = d.node(), d.node(), d.node()
    if d.chance(0.25):
        minute = d.choose((5, 10, 15, 20, 30, 30, 40, 45, 50))
        text = f"{list(HOURS).index(english) + 1}:{minute:02}"
        last = [*words(f"{sino(minute)}", number), Word("분" + ending, (number, node))]
        return Clause(words(text, number), [*words(f"{korean} 시", number), *last])
    if d.chance(0.45):
        text, before = d.choose(PARTS)
        earliest, latest = HALVES[before]
        if not earliest <= list(HOURS).index(english) + 1 <= latest:
            raise Unfit
        return Clause(
            [*words(english, number), *words(text, part)],
            [*words(before, part), *words(korean, number), Word("시" + ending, (number, node))],
        )
    tail = words("o'clock", oclock) if d.chance(0.4) else []
    nodes = (oclock, node) if tail else (number, node)
    return Clause(
        [*words(english, number), *tail], [*words(korean, number), Word("시" + ending, nodes)]
    )


def at(d: Derivation) -> Clause:
    """Return "at six in the morning", 아침 여섯 시에; "around six", 여섯 시쯤."""
    node = d.node()
    english = d.weighted((("at", 0.8), ("around", 0.1), ("at about", 0.1)))
    ending = "에" if english == "at" else "쯤"
    time = hour(d, ending, node)
    return Clause([*words(english, node), *time.english], time.korean)


def by(d: Derivation) -> Clause:
    """Return "by Friday", 금요일까지, "by ten o'clock", 열 시까지."""
    if d.chance(0.65):
        return fixed(d, "deadlines")
    node = d.node()
    time = hour(d, "까지", node)
    return Clause([*words("by", node), *time.english], time.korean)


def from_to(d: Derivation) -> Clause:
    """Return "from nine to five", 아홉 시부터 다섯 시까지."""
    first, last = d.node(), d.node()
    if d.chance(0.3):
        (left, before), (right, after) = (d.choose(tuple(DAYS.items())) for _ in range(2))
    else:
        (left, before), (right, after) = (d.choose(tuple(HOURS.items())) for _ in range(2))
        before, after = before + " 시", after + " 시"
    if left == right:
        return until(d)
    joint = d.choose(("to", "to", "until"))
    return Clause(
        [*words(f"from {left}", first), *words(f"{joint} {right}", last)],
        [*words(before + "부터", first), *words(after + "까지", last)],
    )


def until(d: Derivation) -> Clause:
    """Return "until six o'clock", 여섯 시까지, "until midnight", 자정까지."""
    if d.chance(0.55):
        return fixed(d, "until")
    node = d.node()
    time = hour(d, "까지", node)
    return Clause([*words("until", node), *time.english], time.korean)


def on_a_day(d: Derivation, *, habitual: bool) -> Clause:
    """Return "on Friday morning", 금요일 아침에, "on Fridays", 금요일마다, "this Friday"."""
    english, korean = d.choose(tuple(DAYS.items()))
    node, on = d.node(), d.node()
    if habitual:
        if d.chance(0.5):
            return Clause(words(f"on {english}s", node), words(korean + "마다", node))
        return Clause(words(f"every {english}", node), words(korean + "마다", node))
    part, after = d.choose((("", ""), ("morning", "아침"), ("afternoon", "오후"), ("night", "밤")))
    if not part:
        return Clause([*words("on", on), *words(english, node)], [Word(korean + "에", (node, on))])
    half = d.node()
    return Clause(
        [*words("on", on), *words(english, node), *words(part, half)],
        [*words(korean, node), Word(after + "에", (half, on))],
    )


def times_a(d: Derivation) -> Clause:
    """Return "three times a day", 하루에 세 번, "every two hours", 두 시간마다."""
    node, often, own = d.node(), d.node(), d.node()
    if d.chance(0.15):
        one, several, counter, native = d.choose(UNITS)
        if one in ("day", "year"):
            return times_a(d)
        number = 2 + int(d.random.random() * 9)
        typed, korean = numeral(d, number, counter, node, own, is_sino=not native)
        last = korean[-1]
        ending = [*korean[:-1], Word(last.text + "마다", (*last.nodes, often))]
        return Clause([*words("every", often), *typed, *words(several, own)], ending)
    english, korean_period = d.choose(PERIODS)
    *first, last_word = korean_period.split(" ")
    period = [*words(" ".join(first), own)] if first else []
    period = [*period, Word(last_word + "에", (own,))]
    if d.chance(0.55):
        word, korean_word = d.choose(TIMES)
        head, count = words(word, node), [*words(korean_word, node), *words("번", node)]
    else:
        typed, count = numeral(d, 3 + int(d.random.random() * 4), "번", node, often)
        head = [*typed, *words("times", often)]
    return Clause([*head, *words(f"a {english}", own)], [*period, *count])


def lasting(d: Derivation, ending: str) -> Clause:
    """Return "for three hours", 세 시간 동안 or, with 째, 세 시간째."""
    node, own, during = d.node(), d.node(), d.node()
    one, several, counter, native = d.choose(UNITS)
    number = 1 + int(d.random.random() * 10)
    if one in ("year", "month") and d.chance(0.4):
        number += 10 + int(d.random.random() * 30)
    if one == "day":
        return _days(d, ending)
    if one == "minute":
        number *= 5
    if number == 1:
        text = "an" if one == "hour" else "a"
        typed, korean = words(text, node), words("한" if native else "일", node)
        korean = [*korean, *words(counter, own)]
        if one == "week":
            korean = words("일주일", node, own)
        elif one == "month":
            korean = [*words("한", node), *words("달", own)]
        several = one
    else:
        typed, korean = numeral(d, number, counter, node, own, is_sino=not native)
    head = [*words("for", during), *typed, *words(several, own)]
    if ending == "동안":
        return Clause(head, [*korean, *words(ending, during)])
    last = korean[-1]
    return Clause(head, [*korean[:-1], Word(last.text + ending, (*last.nodes, during))])


DAYS_LONG = (
    *(("two", "이틀"), ("three", "사흘"), ("four", "나흘"), ("five", "닷새"), ("ten", "열흘")),
    ("a few", "며칠"),
)


def _days(d: Derivation, ending: str) -> Clause:
    english, korean = d.choose(DAYS_LONG)
    node, during = d.node(), d.node()
    head = [*words("for", during), *words(f"{english} days", node)]
    if ending == "동안":
        return Clause(head, [*words(korean, node), *words(ending, during)])
    return Clause(head, [Word(korean + ending, (node, during))])


def hours_a_day(d: Derivation) -> Clause:
    """Return "for two hours every day", 매일 두 시간 동안."""
    number, node, own, during, habit = 2 + int(d.random.random() * 6), *(d.node() for _ in range(4))
    typed, korean = numeral(d, number, "시간", node, own)
    often, every = d.choose(
        (
            ("every day", "매일"),
            ("every night", "매일 밤"),
            ("a day", "하루에"),
            ("a week", "일주일에"),
        )
    )
    if often.startswith("a "):
        english = [*typed, *words("hours", own), *words(often, habit)]
        return Clause(english, [*words(every, habit), *korean])
    english = [*words("for", during), *typed, *words("hours", own), *words(often, habit)]
    return Clause(english, [*words(every, habit), *korean, *words("동안", during)])


def since(d: Derivation) -> Clause:
    """Return "since Monday", 월요일부터, "since 2015", 2015년부터."""
    node, own = d.node(), d.node()
    if d.chance(0.3):
        year = str(1970 + int(d.random.random() * 56))
        korean = [Word(f"{year}년부터", (node, own))]
        return Clause([*words("since", own), *words(year, node)], korean)
    english, start = d.choose(daily("starts"))
    *first, last = start.split(" ")
    before = words(" ".join(first), node) if first else []
    return Clause(
        [*words("since", own), *words(english, node)], [*before, Word(last + "부터", (node, own))]
    )


def away(d: Derivation, ending: str) -> Clause:
    """Return "ten minutes ago", 십 분 전에, "in two hours", 두 시간 후에."""
    node, own, side = d.node(), d.node(), d.node()
    _, several, counter, native = d.choose(UNITS)
    number = 2 + int(d.random.random() * 9)
    if counter == "일" and number < 5:
        korean = words({2: "이틀", 3: "사흘", 4: "나흘"}[number], node, own)
        typed = words({2: "two", 3: "three", 4: "four"}[number], node)
    else:
        typed, korean = numeral(d, number, counter, node, own, is_sino=not native)
    amount = [*typed, *words(several, own)]
    english = [*amount, *words("ago", side)] if ending == "전에" else [*words("in", side), *amount]
    return Clause(english, [*korean, *words(ending, side)])


MADE: dict[str, Callable[[Derivation], Clause]] = {
    "clock": at,
    "times": times_a,
    "long": hours_a_day,
    "until": until,
    "deadline": by,
    "from": from_to,
    "lasting": partial(lasting, ending="동안"),
    "ago": partial(away, ending="전에"),
    "in": partial(away, ending="후에"),
}
