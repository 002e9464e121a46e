"""Adverbials, numbers, measures and positions of the embedded corpus. CC0.

A Korean and an English phrase of the same number of words are aligned word by word; otherwise
every word is aligned to every word (`last week` to 지난주에).
"""

from typing import NamedTuple


class Adverbial(NamedTuple):
    """A fixed phrase of one or two words in both languages."""

    english: str
    korean: str


def parse_adverbials(table: str) -> tuple[Adverbial, ...]:
    """Read a table of adverbials."""
    rows = (line.split(" | ") for line in table.strip().splitlines())
    return tuple(Adverbial(english, korean) for english, korean in rows)


DAYS = {
    "Monday": "월요일",
    "Tuesday": "화요일",
    "Wednesday": "수요일",
    "Thursday": "목요일",
    "Friday": "금요일",
    "Saturday": "토요일",
    "Sunday": "일요일",
}
ON_A_DAY = tuple(Adverbial(f"on {day}", korean + "에") for day, korean in DAYS.items())
PAST_TIMES = (
    *parse_adverbials("""
yesterday | 어제
last night | 어젯밤에
last week | 지난주에
last month | 지난달에
last year | 작년에
last summer | 지난여름에
this morning | 오늘 아침에
"""),
    *ON_A_DAY,
)
FUTURE_TIMES = (
    *parse_adverbials("""
tomorrow | 내일
tonight | 오늘 밤
next week | 다음 주에
next month | 다음 달에
next year | 내년에
"""),
    *ON_A_DAY,
)
HABITUAL_TIMES = (
    *parse_adverbials("""
every day | 매일
every morning | 매일 아침
every week | 매주
every year | 매년
"""),
    *(Adverbial(f"on {day}s", korean + "마다") for day, korean in DAYS.items()),
)
NOW = (Adverbial("now", "지금"),)
# Between subject and verb in English.
FREQUENCIES = parse_adverbials("""
always | 항상
often | 자주
sometimes | 가끔
usually | 보통
""")
MANNERS = parse_adverbials("""
slowly | 천천히
quickly | 빨리
quietly | 조용히
carefully | 조심스럽게
""")
# By a vehicle, with (으)로.
BY_VEHICLE = parse_adverbials("""
by bus | 버스
by train | 기차
by car | 자동차
by taxi | 택시
by subway | 지하철
by ship | 배
by bicycle | 자전거
""")
NUMBERS = parse_adverbials("""
two | 두
three | 세
four | 네
five | 다섯
six | 여섯
seven | 일곱
eight | 여덟
nine | 아홉
ten | 열
""")
# Containers that measure a mass noun: singular, plural, Korean, the nouns measured.
MEASURES = (
    ("cup", "cups", "잔", frozenset({"coffee", "tea"})),
    ("glass", "glasses", "잔", frozenset({"water", "milk", "juice", "wine"})),
    ("bottle", "bottles", "병", frozenset({"water", "milk", "juice", "wine"})),
    ("bowl", "bowls", "그릇", frozenset({"rice", "soup"})),
    ("slice", "slices", "조각", frozenset({"bread", "cheese", "meat"})),
)
Position = tuple[str, str, frozenset[str]]
# English preposition, Korean noun of place with 에, the classes of things it is used with.
POSITIONS: tuple[Position, ...] = (
    ("on", "위에", frozenset({"surface"})),
    ("under", "아래에", frozenset({"surface", "tree", "bridge"})),
    ("in", "안에", frozenset({"container"})),
    ("behind", "뒤에", frozenset({"door", "tree", "built", "driven", "hill"})),
    ("next to", "옆에", frozenset({"furniture", "vehicle", "built", "tree", "river", "container"})),
    ("in front of", "앞에", frozenset({"built", "vehicle", "mirror", "door"})),
)
# Tool, Korean tool, and the English verbs done with it.
TOOLS = (
    ("knife", frozenset({"cut"})),
    ("pencil", frozenset({"write", "draw"})),
    ("camera", frozenset({"take"})),
)
