"""It takes ten minutes to get there, how long does it take to learn Korean: 걸린다. CC0."""

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Unfit,
    Word,
    Words,
    words,
)
from annotated_transformer.lab.corpora.english_korean.morphology import attach
from annotated_transformer.lab.corpora.english_korean.open.deeds import deed
from annotated_transformer.lab.corpora.english_korean.open.numerals import numeral
from annotated_transformer.lab.corpora.english_korean.phrases import pronoun
from annotated_transformer.lab.corpora.english_korean.verbs import names

LONG = (
    ("an hour", "한 시간이"),
    ("an hour", "한 시간이"),
    ("half an hour", "삼십 분이"),
    ("a few minutes", "몇 분이"),
    ("a few hours", "몇 시간이"),
    ("a week", "일주일이"),
    ("a month", "한 달이"),
    ("a year", "일 년이"),
    ("a long time", "오랜 시간이"),
    ("a long time", "오랜 시간이"),
    ("all day", "하루 종일"),
    ("two days", "이틀이"),
    ("three days", "사흘이"),
)
GOALS = (
    *(
        ("there", "거기"),
        ("there", "거기"),
        ("school", "학교"),
        ("work", "직장"),
        ("Seoul", "서울"),
    ),
    *(("Busan", "부산"), ("the station", "역"), ("the airport", "공항"), ("the hospital", "병원")),
    *(
        ("the park", "공원"),
        ("the beach", "해변"),
        ("the office", "사무실"),
        ("the library", "도서관"),
    ),
    *(("my house", "우리 집"), ("the hotel", "호텔"), ("the bus stop", "버스 정류장")),
    *(("the museum", "박물관"), ("the city", "도시"), ("the store", "가게"), ("New York", "뉴욕")),
    *(("Korea", "한국"), ("Japan", "일본"), ("Jeju", "제주"), ("the bank", "은행"), ("home", "집")),
)
BY = (
    *(
        ("by bus", "버스로"),
        ("by car", "자동차로"),
        ("by train", "기차로"),
        ("by subway", "지하철로"),
    ),
    *(
        ("on foot", "걸어서"),
        ("by taxi", "택시로"),
        ("by plane", "비행기로"),
        ("by bike", "자전거로"),
    ),
)
FAR = names("Korea,Japan,Jeju,New York")


def _duration(d: Derivation, *, short: bool) -> Clause:
    """Return "ten minutes", 십 분이."""
    node, own = d.node(), d.node()
    if d.chance(0.3):
        rows = [
            row for row in LONG if not short or row[0].split(" ")[-1] in ("hour", "minutes", "time")
        ]
        english, korean = d.choose(rows)
        return Clause(words(english, node), words(korean, node))
    kind = d.choose(
        ("minutes", "minutes", "hours")
        if short
        else ("hours", "hours", "minutes", "years", "months", "days")
    )
    if kind == "minutes":
        number = d.choose((2, 3, 5, 10, 10, 15, 20, 20, 30, 30, 40, 45, 50))
    else:
        most = {"hours": 4 if short else 12, "years": 6, "months": 8, "days": 9}[kind]
        number = 2 + int(d.random.random() * most)
    if kind == "days" and number < 4:
        raise Unfit
    counter = {"minutes": "분", "hours": "시간", "years": "년", "months": "개월", "days": "일"}[
        kind
    ]
    typed, counted = numeral(d, number, counter, node, own, is_sino=kind != "hours")
    about = d.node()
    head = words("about", about) if d.chance(0.15) else []
    spoken = words("약", about) if head else []
    last = counted[-1]
    marked = Word(attach(last.text, ("이", "가")), last.nodes)
    return Clause([*head, *typed, *words(kind, own)], [*spoken, *counted[:-1], marked])


SOMEBODY = (
    *(("me", "나는", 0), ("me", "나는", 0), ("us", "우리는", 4), ("him", "그는", 2)),
    *(("her", "그녀는", 3), ("you", "너는", 1)),
)


def _way(d: Derivation, to: int) -> tuple[Clause, bool]:
    """Return "to get to school by bus", 학교까지 버스로 가는, and whether it is far."""
    goal, korean_goal = d.choose(GOALS)
    here = "get" if d.chance(0.7) else "go"
    by, korean_by = d.choose(BY) if d.chance(0.25) else ("", "")
    if by and (goal in FAR) != (by == "by plane"):
        raise Unfit
    way, there = d.node(), d.node()
    to_word = [] if goal in ("there", "home") else words("to", there)
    english: Words = [*words(f"to {here}", to), *to_word, *words(goal, there)]
    korean: Words = words(korean_goal + "까지", there)
    if by:
        english, korean = [*english, *words(by, way)], [*korean, *words(korean_by, way)]
    return Clause(english, [*korean, Word("가는", (to,))]), goal in FAR


def it_takes(d: Derivation) -> Clause:
    """It takes ten minutes to get there: 거기까지 가는 데 십 분이 걸린다."""
    to, take, how_long, whom = d.node(), d.node(), d.node(), d.node()
    getting, asked, past = d.chance(0.55), d.chance(0.35), d.chance(0.35)
    named = d.chance(0.3 if getting else 0.6)
    me, topic, index = d.choose(SOMEBODY) if named else ("", "", 1)
    if asked and me in ("me", "us"):
        raise Unfit
    if getting:
        way, far = _way(d, to)
        unit = "far" if far else "near"
    else:
        unit = "m" if d.chance(0.6) else "y"
        made = deed(d, pronoun(d, index), unit, 0.0)
        if any(w.text in ("you", "your") for w in made.base) and me != "you":
            raise Unfit
        way = Clause([*words("to", to), *made.base], made.before("present"))
    rest, doing_korean = way.english, [*way.korean, Word("데", (to,))]
    whose = words(me, whom) if me else []
    told = words(topic, whom) if me else []
    if asked:
        do = "did" if past else "does"
        head = [*words("how long", how_long), *words(f"{do} it take", take), *whose]
        last = [*words("얼마나", how_long), *words("걸렸니" if past else "걸리니", take)]
        return Clause([*head, *rest], [*told, *doing_korean, *last])
    time = _duration(d, short=unit in ("near", "m"))
    said = {word.text for word in time.english}
    if (unit == "y" and said & {"minutes", "hours", "hour", "day"}) or (
        unit == "far" and "minutes" in said
    ):
        raise Unfit
    takes, taken = ("took", "걸렸다") if past else ("takes", "걸린다")
    if not past and d.chance(0.12):
        takes, taken = "will take", "걸릴 것이다"
    english = [*words("it", take), *words(takes, take), *whose, *time.english, *rest]
    return Clause(english, [*told, *doing_korean, *time.korean, *words(taken, take)])
