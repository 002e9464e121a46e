"""The numbers of an English text and of its Korean, compared by what they are worth.

Korean counts by ten thousands (65 million is 6,500만), writes fractions with digits (a third is
3분의 1) and takes digits where English has a word (twelve heads, 헤드 12개). Digits of the English
must be in the Korean; what the Korean has in digits the English must have in digits or words.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise

NOT_PROSE = re.compile(
    r"\{[\w:]+\}`[^`]+`|\$\$?[^$]+\$\$?|\]\([^)]*\)|<[^>]+>|^ *:\w+:.*$|`[^`]*`", re.MULTILINE
)
DIGITS = r"\d[\d,]*(?:\.\d+)?(?:e-?\d+)?"
ENGLISH = re.compile(rf"(?<![\w.])({DIGITS})(?:[ -](thousand|million|billion|trillion)\b)?")
SCALE = "(?:[천백]?[만억조](?!큼)|천|백)"
PART = re.compile(rf"({DIGITS})({SCALE}?)")
KOREAN = re.compile(rf"(?<![\w.])(?:{DIGITS}{SCALE} )*{DIGITS}{SCALE}?")
FRACTION = re.compile(r"(?<![\w.])(\d[\d,]*)분의 (\d[\d,]*)")
SCALES = {"thousand": 3, "million": 6, "billion": 9, "trillion": 12}
KOREAN_SCALES = {"백": 2, "천": 3, "만": 4, "억": 8, "조": 12}
ROWS = {
    (0, 1): """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen""",
    (20, 10): "twenty thirty forty fifty sixty seventy eighty ninety",
    (1, 1): "first second third fourth fifth sixth seventh eighth ninth tenth",
}
WORDS = {
    word: first + step * place
    for (first, step), row in ROWS.items()
    for place, word in enumerate(row.split())
} | {"once": 1, "twice": 2, "both": 2, "half": 2, "dozen": 12}
WORDS |= {"a": 1, "an": 1, "unit": 1, "single": 1, "no": 0, "none": 0, "nothing": 0}
TIMES = {"hundred": 100} | {word: 10**power for word, power in SCALES.items()}
# A fraction in words: a half, two thirds, nine tenths, a hundredth.
PARTS = re.compile(
    r"\b(?:hal(?:f|ves)|third|quarter|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|sixteenth|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|hundredth|thousandth|millionth)s?\b|\d/\d",
    re.IGNORECASE,
)


def value(digits: str) -> Decimal:
    """Return what a number in digits is worth."""
    return Decimal(digits.replace(",", ""))


def english_numbers(text: str) -> dict[Decimal, str]:
    """Return the numbers that a text has in digits, and how they are written."""
    found = {}
    for match in ENGLISH.finditer(text):
        found[value(match[1]).scaleb(SCALES.get(match[2], 0)).normalize()] = match[0]
    return found


def korean_numbers(text: str) -> dict[Decimal, str]:
    """The same of a Korean text, its fractions left out."""
    found = {}
    for match in KOREAN.finditer(FRACTION.sub(" ", text)):
        parts = [
            value(digits).scaleb(sum(KOREAN_SCALES[each] for each in scale))
            for digits, scale in PART.findall(match[0])
        ]
        # 2억 1,800만 is one number, 3만 2개 are two.
        falling = all(a > b for a, b in pairwise(parts)) and match[0][-1] in KOREAN_SCALES
        for number in [sum(parts, Decimal())] if falling else parts:
            found[number.normalize()] = match[0]
    return found


def in_words(text: str) -> set[Decimal]:
    """Return the numbers that a text has in words: fifty, twenty-five, a thousand."""
    found: set[Decimal] = set()
    total = last = 0
    for word in [*re.findall(r"[a-z]+?(?=s?\b)", text.lower()), "."]:
        if word in TIMES:
            total = (total or 1) * TIMES[word]
        elif word in WORDS and (last or (total >= 20 and total % 10 == 0 and WORDS[word] < 10)):
            total += WORDS[word]
        else:
            if total:
                found.add(Decimal(total).normalize())
            total = WORDS.get(word, 0)
        found |= {Decimal(WORDS[word]).normalize()} if word in WORDS else set()
        last = TIMES.get(word, 0)
    return found


def unequal_numbers(english: str, korean: str) -> Iterator[str]:
    """Yield a sentence for each number that one of the two has in its prose and the other not."""
    here, there = (NOT_PROSE.sub(" ", text) for text in (english, korean))
    a, b = english_numbers(here), korean_numbers(there)
    # 63 of "65, not 63 million" may be a million times as much.
    powers = {0} | {power for word, power in SCALES.items() if f" {word}" in here}
    parts = {value(x).normalize() for match in FRACTION.finditer(there) for x in match.groups()}
    # 3만 is 30,000, and also: only 3.
    only = {x: x.scaleb(-4).normalize() for x, written in b.items() if written.endswith("만")}
    there_too = {*b, *parts, *only.values()}
    for x, written in a.items():
        if not {x.scaleb(power).normalize() for power in powers} & there_too:
            yield f"number {written} is not in the Korean"
    known = {x.scaleb(power).normalize() for x in a for power in powers} | in_words(here)
    for x, written in b.items():
        if x not in known and only.get(x) not in known:
            yield f"number {written} is not in the English"
    for match in FRACTION.finditer(there):
        if not PARTS.search(here) and not {value(x).normalize() for x in match.groups()} <= set(a):
            yield f"number {match[0]} is not in the English"
