"""When, how and with whom: adverbials of everyday language. CC0."""

from annotated_transformer.lab.corpora.english_korean.adverbs import (
    DAYS,
    FUTURE_TIMES,
    HABITUAL_TIMES,
    PAST_TIMES,
    Adverbial,
    adverbials_of,
)
from annotated_transformer.lab.corpora.english_korean.clauses import EMPTY, adverbial
from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    Word,
    words,
)
from annotated_transformer.lab.corpora.english_korean.everyday.sayings import Said
from annotated_transformer.lab.corpora.english_korean.tables import pairs

MONTHS = pairs("times", "months")
SEASONS = pairs("times", "seasons")
HOURS = pairs("times", "hours")

ANY = (
    *adverbials_of("times", "any"),
    *(Adverbial(f"in {english}", korean + "에") for english, korean in MONTHS.items()),
    *(Adverbial(f"in {english}", korean + "에") for english, korean in SEASONS.items()),
    *(Adverbial(f"on {day} morning", f"{korean} 아침에") for day, korean in DAYS.items()),
    *(Adverbial(f"on {day} evening", f"{korean} 저녁에") for day, korean in DAYS.items()),
)
PAST = (
    *PAST_TIMES,
    *adverbials_of("times", "past"),
    *(Adverbial(f"last {day}", f"지난 {korean}에") for day, korean in DAYS.items()),
)
FUTURE = (
    *FUTURE_TIMES,
    *adverbials_of("times", "future"),
    *(Adverbial(f"next {day}", f"다음 {korean}에") for day, korean in DAYS.items()),
)
HABIT = (
    *HABITUAL_TIMES,
    *adverbials_of("times", "habit"),
    *(Adverbial(f"every {day}", f"{korean}마다") for day, korean in DAYS.items()),
)
NOW = adverbials_of("times", "now")
STATE_PRESENT = adverbials_of("times", "lasting")
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
