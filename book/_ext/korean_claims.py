"""What a claim says, in Korean.

The package computes "4.2 times (4.0 to 4.6, three rounds)" or "in two of three seeds"
(`annotated_transformer/lab/evidence/words.py`). These few forms are turned here; the sentence of a
claim is looked up. A form, a unit or a sentence that is not known is an error, so none stays
English unseen.
"""

import re
from functools import cache

from korean_words import CLAIMS, Words, words_of

NUMBERS = {
    word: value
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
}
NUMBERS |= {"eleven": 11, "twelve": 12}
COUNTS = ("한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉", "열", "열한", "열두")
NOUNS = {"seed": " 시드", "round": " 회", "run": " 번"}
UNITS = {
    "": "{}",
    "%": "{}%",
    "times": "{}배",
    "points": "{}포인트",
    "nats": "{} nat",
    "BLEU": "{} BLEU",
    "chrF": "{} chrF",
    "tokens": "{}토큰",
    "updates": "{}스텝",
    "milliseconds": "{}ms",
    "on 100 objects": "객체 100개에 {}",
}
NONE = "none"
ALONE = {"never": "한 번도 없음", "in the one run": "실행 한 번에서"}
NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
SPAN = re.compile(
    rf"(?P<low>{NUMBER})(?P<sign>%?)(?: to (?P<high>{NUMBER})%?)?(?: (?P<unit>[^(;]+?))?"
)
COUNT = re.compile(r"in (?:each of (?P<all>\S+)|(?P<some>\S+) of (?P<of>\S+)) (?P<noun>[a-z]+?)s?")
WHOLE = re.compile(
    r"(?P<middle>[^(;]+?)(?:; (?P<missing>\S+) never)?"
    r"(?: \((?:(?P<span>[^;,]*(?:,\d[^;,]*)*)(?:; (?P<never>\S+) never)?, )?"
    r"(?P<number>\S+) (?P<noun>[a-z]+?)s?\))?"
)


@cache
def _sentences() -> Words:
    return words_of(CLAIMS)


def sentence(says: str) -> str:
    """Return the sentence of a claim in Korean. Raises ValueError if it has none."""
    if (korean := _sentences().find(says)) is None:
        raise ValueError(f"no Korean in book/ko/outputs/{CLAIMS}.yml for the claim {says!r}")
    return korean


def in_korean(told: str) -> str:
    """Return what a claim says in Korean. Raises ValueError for a form that is not known."""
    if told in ALONE:
        return ALONE[told]
    if found := COUNT.fullmatch(told):
        return count(found)
    if found := WHOLE.fullmatch(told):
        behind = []
        if found["span"]:
            behind.append(span(found["span"]))
        if missing := found["missing"] or found["never"]:
            behind.append(f"{repeats(missing, 'run')}은 없음")
        if found["number"]:
            behind.append(repeats(found["number"], found["noun"]))
        return span(found["middle"]) + (f"({', '.join(behind)})" if behind else "")
    raise ValueError(f"no Korean for what a claim says: {told!r}")


def count_alone(told: str) -> str:
    """Return a count that stands outside of a sentence, where none needs its own negation."""
    found = COUNT.fullmatch(told)
    return in_korean(told) + (" 아님" if found and found["some"] == NONE else "")


def shown_alone(text: str) -> str:
    """Return a claim that an output shows by itself: its sentence, its number and its count."""
    says, _, number = text.rpartition(": ")
    number, _, repeated = number.partition(", in ")
    return ": ".join([sentence(says), in_korean(number)]) + (
        f", {count_alone(f'in {repeated}')}" if repeated else ""
    )


def count(found: re.Match[str]) -> str:
    """Return in how many of the rounds or seeds: 세 시드 모두에서, 다섯 회 가운데 네 회에서.

    None is 어느 시드에서도: the Korean sentence around it is a negative one.
    """
    if found["all"]:
        return f"{repeats(found['all'], found['noun'])} 모두에서"
    if found["some"] == NONE:
        of = repeats(found["of"], found["noun"])
        return f"{of} 가운데 어느{NOUNS[found['noun']]}에서도"
    some, of = (repeats(found[name], found["noun"]) for name in ("some", "of"))
    return f"{of} 가운데 {some}에서"


def repeats(number: str, noun: str) -> str:
    """Return a number of rounds, seeds or runs."""
    value = NUMBERS.get(number)
    if noun not in NOUNS or (value is None and not number.replace(",", "").isdigit()):
        raise ValueError(f"no Korean for {number} {noun}: see NOUNS and NUMBERS")
    if value is None:
        return number + NOUNS[noun].strip()
    return COUNTS[value - 1] + NOUNS[noun]


def span(text: str) -> str:
    """Return a number or two with their unit: 4.0~4.6배."""
    found = SPAN.fullmatch(text)
    if found is None:
        raise ValueError(f"no Korean for the number {text!r}")
    unit = found["sign"] or found["unit"] or ""
    if unit not in UNITS:
        raise ValueError(f"no Korean for the unit {unit!r}: see UNITS")
    numbers = found["low"]
    if found["high"] is not None:
        to = "에서 " if "-" in found["low"] + found["high"] else "~"
        numbers += to + found["high"]
    return UNITS[unit].format(numbers)
