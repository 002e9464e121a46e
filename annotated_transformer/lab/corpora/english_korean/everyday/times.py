"""When, how and with whom: adverbials of everyday language. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import (
    DAYS,
    FUTURE_TIMES,
    HABITUAL_TIMES,
    PAST_TIMES,
    Adverbial,
    parse_adverbials,
)
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import Said

MONTHS = {
    "January": "일월",
    "February": "이월",
    "March": "삼월",
    "April": "사월",
    "May": "오월",
    "June": "유월",
    "July": "칠월",
    "August": "팔월",
    "September": "구월",
    "October": "시월",
    "November": "십일월",
    "December": "십이월",
}

SEASONS = {"spring": "봄", "summer": "여름", "fall": "가을", "autumn": "가을", "winter": "겨울"}

HOURS = {
    "one": "한",
    "two": "두",
    "three": "세",
    "four": "네",
    "five": "다섯",
    "six": "여섯",
    "seven": "일곱",
    "eight": "여덟",
    "nine": "아홉",
    "ten": "열",
    "eleven": "열한",
    "twelve": "열두",
}

ANY = (
    *parse_adverbials("""
in the morning | 아침에
in the afternoon | 오후에
in the evening | 저녁에
at night | 밤에
at noon | 정오에
today | 오늘
on the weekend | 주말에
after school | 방과 후에
after work | 퇴근 후에
before dinner | 저녁 식사 전에
after dinner | 저녁 식사 후에
before breakfast | 아침 식사 전에
after lunch | 점심 식사 후에
"""),
    *(Adverbial(f"in {english}", korean + "에") for english, korean in MONTHS.items()),
    *(Adverbial(f"in {english}", korean + "에") for english, korean in SEASONS.items()),
    *(Adverbial(f"on {day} morning", f"{korean} 아침에") for day, korean in DAYS.items()),
    *(Adverbial(f"on {day} evening", f"{korean} 저녁에") for day, korean in DAYS.items()),
)

PAST = (
    *PAST_TIMES,
    *parse_adverbials("""
yesterday | 어제
yesterday | 어제
yesterday | 어제
yesterday morning | 어제 아침에
yesterday evening | 어제 저녁에
last weekend | 지난 주말에
last winter | 지난겨울에
last spring | 지난봄에
two days ago | 이틀 전에
three days ago | 사흘 전에
a week ago | 일주일 전에
two weeks ago | 이 주 전에
a month ago | 한 달 전에
a year ago | 일 년 전에
two years ago | 이 년 전에
three years ago | 삼 년 전에
an hour ago | 한 시간 전에
a long time ago | 오래전에
the day before yesterday | 그저께
this afternoon | 오늘 오후에
"""),
    *(Adverbial(f"last {day}", f"지난 {korean}에") for day, korean in DAYS.items()),
)

FUTURE = (
    *FUTURE_TIMES,
    *parse_adverbials("""
tomorrow | 내일
tomorrow | 내일
tomorrow | 내일
tomorrow morning | 내일 아침에
tomorrow evening | 내일 저녁에
tomorrow afternoon | 내일 오후에
this weekend | 이번 주말에
this week | 이번 주에
this afternoon | 오늘 오후에
this evening | 오늘 저녁에
this summer | 이번 여름에
next weekend | 다음 주말에
next summer | 다음 여름에
the day after tomorrow | 모레
soon | 곧
later | 나중에
"""),
    *(Adverbial(f"next {day}", f"다음 {korean}에") for day, korean in DAYS.items()),
)

HABIT = (
    *HABITUAL_TIMES,
    *parse_adverbials("""
every day | 매일
every day | 매일
every evening | 매일 저녁
every night | 매일 밤
every month | 매달
every weekend | 주말마다
every summer | 여름마다
on weekends | 주말마다
twice a week | 일주일에 두 번
once a week | 일주일에 한 번
"""),
    *(Adverbial(f"every {day}", f"{korean}마다") for day, korean in DAYS.items()),
)

NOW = parse_adverbials("""
now | 지금
right now | 지금
at the moment | 지금
today | 오늘
""")

STATE_PRESENT = parse_adverbials("""
now | 지금
today | 오늘
these days | 요즘
""")

FREQUENT = parse_adverbials("""
always | 항상
often | 자주
sometimes | 가끔
usually | 보통
""")

TABLES = {
    "past": PAST,
    "past progressive": PAST,
    "future": FUTURE,
    "going": FUTURE,
    "present": HABIT,
    "progressive": NOW,
    "state": STATE_PRESENT,
}


def clock(d: Derivation, *, preposition: str = "at") -> Clause:
    """Return "at seven o'clock", 일곱 시에."""
    english, korean = d.choose(tuple(HOURS.items()))
    at, number, hour = d.node(), d.node(), d.node()
    head = words(preposition, at) if preposition else []
    if d.chance(0.2):
        return Clause(
            [*head, *words("half past", hour), *words(english, number)],
            [Word(korean, (number,)), Word("시", (hour,)), Word("반에", (hour, at))],
        )
    tail = words("o'clock", hour) if d.chance(0.5) else []
    last = (hour, at) if tail else (number, at)
    return Clause(
        [*head, *words(english, number), *tail], [Word(korean, (number,)), Word("시에", last)]
    )


def time_for(d: Derivation, said: Said, tense: str, probability: float) -> Clause:
    """Perhaps return a time that suits the tense."""
    if not d.chance(probability):
        return EMPTY
    lasting = said.kind in ("quality", "place", "state", "identity")
    if tense == "present":
        if said.kind in ("state", "identity") or said.flags & {"s", "e"}:
            return EMPTY
        if lasting:
            return adverbial(d, STATE_PRESENT)
    if not lasting and "progressive" not in tense:
        if d.chance(0.5 if "c" in said.flags else 0.08):
            return clock(d)
        if d.chance(0.25):
            return adverbial(d, ANY)
    return adverbial(d, TABLES[tense])
