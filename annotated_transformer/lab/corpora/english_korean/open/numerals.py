"""Numbers in words and digits, native and Sino-Korean. CC0.

Things, people, hours and years of age are counted in native numbers below a hundred (고양이 세
마리, 스물한 살), money, minutes, floors and dates in Sino-Korean ones (삼백 원). Digits below a
hundred are read so too; longer ones stay digits, as Korean writes them, with their counter joined:
250원.
"""

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, Words, words

_WORDS = """
one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
twenty thirty forty fifty sixty seventy eighty ninety
한 두 세 네 다섯 여섯 일곱 여덟 아홉
열 스물 서른 마흔 쉰 예순 일흔 여든 아흔
일 이 삼 사 오 육 칠 팔 구
"""
_FIRST, _TEENS, _TENS, _NATIVE_ONES, _NATIVE_TENS, _SINO = (
    line.split(" ") for line in _WORDS.strip().splitlines()
)
ONES = ("", *_FIRST, *_TEENS)
TENS = ("", "", *_TENS)
NATIVE_ONES = ("", *_NATIVE_ONES)
NATIVE_TENS = ("", *_NATIVE_TENS)
SINO_ONES = ("", *_SINO)
SINO_UNITS = ("", "십", "백", "천")
SPELLED = 100
"""From here on a number in digits stays in digits."""


def english(number: int, *, hyphen: bool = True, conjunction: bool = False) -> str:
    """Return a number below 10,000 in words: two hundred (and) fifty, twenty-one."""
    thousands, rest = divmod(number, 1_000)
    hundreds, small = divmod(rest, 100)
    parts = [f"{ONES[thousands]} thousand"] if thousands else []
    parts += [f"{ONES[hundreds]} hundred"] if hundreds else []
    if small and parts and conjunction:
        parts.append("and")
    if small >= 20:
        ten, one = divmod(small, 10)
        joint = "-" if hyphen else " "
        parts.append(TENS[ten] + (joint + ONES[one] if one else ""))
    elif small:
        parts.append(ONES[small])
    return " ".join(parts)


def sino(number: int) -> str:
    """Return a number below 100,000,000 in Sino-Korean: 이백오십, 천, 만 오천."""
    above, below = divmod(number, 10_000)
    if above:
        head = "만" if above == 1 else sino(above) + "만"
        return f"{head} {sino(below)}" if below else head
    text = ""
    for place, digit in enumerate(reversed(str(number))):
        value = int(digit)
        if value:
            one = "" if value == 1 and place else SINO_ONES[value]
            text = one + SINO_UNITS[place] + text
    return text


def native(number: int) -> str:
    """Return a number before a native counter: 세, 스무, 스물한; Sino-Korean from 100 on."""
    if number >= 100:
        return sino(number)
    ten, one = divmod(number, 10)
    if number == 20:
        return "스무"
    return NATIVE_TENS[ten] + NATIVE_ONES[one]


def numeral(
    d: Derivation, number: int, counter: str, node: int, counter_node: int, *, is_sino: bool = False
) -> tuple[Words, Words]:
    """Return the number as it is typed, and in Korean with its counter."""
    if d.chance(0.5):
        if number >= SPELLED:
            typed = f"{number:,}" if d.chance(0.5) else str(number)
            return words(typed, node), words(typed + counter, node, counter_node)
        text = str(number)
    else:
        text = english(number, hyphen=d.chance(0.75), conjunction=d.chance(0.3))
        if text in ("one hundred", "one thousand") and d.chance(0.5):
            text = "a" + text.removeprefix("one")
    korean = sino(number) if is_sino else native(number)
    return words(text, node), [*words(korean, node), *words(counter, counter_node)]


def some_number(d: Derivation, most: int) -> int:
    """Draw a number up to `most`, mostly a small one."""
    kind = d.weighted(
        (
            ("few", 0.45),
            ("teens", 0.15),
            ("tens", 0.2 * (most > 20)),
            ("hundreds", 0.2 * (most > 100)),
        )
    )
    if kind == "few":
        return 2 + int(d.random.random() * 9)
    if kind == "teens":
        return min(most, 11 + int(d.random.random() * 10))
    if kind == "tens":
        return min(most, 20 + int(d.random.random() * 80))
    if d.chance(0.5):
        return 100 * (1 + int(d.random.random() * 10))
    return 100 + int(d.random.random() * 900)
