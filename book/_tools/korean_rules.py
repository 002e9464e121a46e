"""The style and the terms of the Korean edition, as rules over what stands in `book/ko/NAME.md`.

A unit is read as the builder of the pages reads it: what is tested are the sentences that a reader
sees, with a sign in place of each formula, each piece of code and each role. So a rule sees what
stands next to a number that is made at build time, and never looks into code. `broken` yields a
sentence for each thing that is against a rule, with the words and what to do about it.
"""

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache

import extensions  # noqa: F401
from korean_lines import (
    BUILT,
    END,
    FORMULA,
    HANGUL,
    NUMBERED,
    SHOWN,
    SIGN,
    Line,
    lines,
    lines_of_figure,
)
from korean_units import FOLDER
from web_fonts import FONTS, KOREAN_REGULAR, has


def shown(text: str, found: re.Match[str]) -> str:
    """Return what was found and a little around it, as it can be searched for."""
    start = max(0, found.start() - 12)
    around = text[start : found.end() + 4].strip()
    return "".join(SHOWN.get(sign, sign) for sign in around)


# --- endings and words ---

POLITE = re.compile(
    r"(?:[가-힣]*(?:[습읍]니[다까]|십시오|하시오|으시오|세요|에요|예요|해요|어요|아요|여요|지요|군요|네요|까요|"
    rf"돼요|워요|와요)|{HANGUL}+죠){END}"
)
WITH_FINAL_B = re.compile(rf"({HANGUL})니[다까]{END}")
ADDRESS = re.compile(rf"(?<!{HANGUL})(?:당신|여러분){HANGUL}*")
PRONOUN = re.compile(rf"(?<!{HANGUL})(?:그것은|그것들|그들의|그녀){HANGUL}*")
PASSIVE = re.compile(
    r"(?:(?:되어|되여|보여|쓰여|놓여|나뉘어|불려|읽혀|잊혀|닫혀|열려|담겨|쌓여|모여|풀려)"
    rf"(?:지(?!만)|진|져|졌|질|짐))(?!만){HANGUL}*"
)
BOTH_FORMS = re.compile(
    r"을\(를\)|를\(을\)|은\(는\)|는\(은\)|이\(가\)|가\(이\)|과\(와\)|와\(과\)|\(으\)로|\(이\)(?:다|라|며|고|나)"
)
PLURAL = re.compile(
    rf"(?:모든|여러|많은|몇몇|두|세|네|다섯|여섯|여덟|\d+개의) (?:{HANGUL}+의 )?"
    rf"(?!아들|사람들){HANGUL}{{2,}}들(?:은|이|을|의|과|에|로|도)?{END}"
)
SEMICOLON = re.compile(r";(?=\s)")
DASH = re.compile(r"(?<=\S)\s*(?:—|―| -- )\s*(?=\S)")
COLON = re.compile(r"(?:(?<=[가-힣])다|하라|보라|까|하자|보자)\s?:(?=\s+[가-힣])")
STRAIGHT = re.compile(r"\"[^\"]*[가-힣][^\"]*\"|(?<!\w)'[^']*[가-힣][^']*'")
LITERAL = re.compile(
    rf"\*\*|(?<!\w)\*(?=\S)[^*]*{HANGUL}[^*]*\*|\{{(?:{'|'.join(BUILT)}|cite:[pt])\}}"
)


def polite(line: Line) -> Iterator[str]:
    """Refuse 합니다체 and 해요체: the book is written in 해라체."""
    for found in POLITE.finditer(line.own):
        yield f"‘{found[0]}’: 해라체(~다, ~하라)로 쓴다"
    for found in WITH_FINAL_B.finditer(line.own):
        if final(found[1]) == "ㅂ" and found[1] not in "습읍":
            yield f"‘{found[0]}’: 해라체(~다)로 쓴다"


def words(line: Line) -> Iterator[str]:
    """Refuse words and forms that only translations have."""
    for rule, fix in (
        (ADDRESS, "생략한다"),
        (PRONOUN, "가리키는 말을 되풀이하거나 생략한다"),
        (PASSIVE, "이중 피동을 풀어 쓴다(되다, 보이다)"),
        (PLURAL, "수량이나 ‘모든’, ‘여러’가 있으면 ‘들’을 뺀다"),
        (BOTH_FORMS, "하나만 쓰거나, 받침을 타지 않는 조사를 쓴다"),
    ):
        for found in rule.finditer(line.own):
            yield f"‘{shown(line.own, found)}’: {fix}"


def signs(line: Line) -> Iterator[str]:
    """Refuse signs that join clauses, straight quotation marks, and markup that does not work."""
    if not re.search(HANGUL, line.text):
        return
    for rule, fix in (
        (SEMICOLON, "쌍반점 대신 문장을 끊는다"),
        (DASH, "긴 줄표 대신 문장을 끊는다"),
        (COLON, "문장 뒤의 쌍점 대신 마침표로 끊는다"),
        (STRAIGHT, "둥근따옴표 “ ” 또는 ‘ ’를 쓴다"),
        (LITERAL, "표시가 글자로 남는다. 닫는 ** 앞이 괄호나 따옴표나 $이면 그것을 ** 밖에 둔다"),
    ):
        for found in rule.finditer(line.text):
            yield f"‘{shown(line.text, found)}’: {fix}"


def italics(line: Line) -> Iterator[str]:
    """Refuse Hangul in italics, which nobody can read."""
    for text in line.slanted:
        if re.search(HANGUL, text):
            yield f"‘{text}’: 한글은 기울이지 않는다. **굵게** 또는 따옴표로"


# --- particles ---

# The form after a final consonant, and after a vowel.
PAIRS = {"은": "는", "이": "가", "을": "를", "과": "와", "으로": "로"}
ANY = "은|는|이|가|을|를|과|와|으로|로"
CLOSING = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
AFTER_NUMBER = re.compile(rf"{NUMBERED}(?:\([^)]*\))?((?:{ANY})(?:서|써|는|도|의)?){END}")
DIGITS = "영일이삼사오육칠팔구"
LETTERS = dict(zip("lmn", "엘엠엔", strict=True)) | {"r": ""}
AFTER_LETTER = re.compile(rf"{FORMULA}([A-Za-z])({ANY}){END}")
AFTER_DIGIT = re.compile(rf"(?<![A-Za-z_])[\d,.]*(\d)(%?)({ANY}){END}")
BRACKETED = re.compile(rf"(?<={HANGUL})\([^()가-힣]*\)(?={HANGUL})")
# Only these forms are always wrong after such a syllable: 작가, 결과, 사이 and 경로 are nouns.
AFTER_SYLLABLE = re.compile(rf"({HANGUL}+)(을|를|와|으로|은){END}")
NO_PARTICLE = re.compile(
    "(?:.*(?:마을|가을|노을|고을|나을|지을|이을|부을|그을|저을|모을|겨을|나은|지은|이은|부은|그은|저은|모은|낮은|"
    "깨달은|으로|스스로))"
)
ALONE = "를|을|의|에|에서|으로|에게|까지|부터|처럼|과|와"
SPACED = re.compile(rf"(?:(?<={HANGUL})|(?<=[\w)”’])|(?<={SIGN})) ({ALONE})(?=[ .!?]|$)")
SPACED_AFTER_SIGN = re.compile(rf"(?:[A-Za-z0-9%)]|{SIGN}) ({ANY}|의|에|에서)(?=[ .!?]|$)")


def final(syllable: str) -> str:
    """Return the consonant that closes a syllable, or nothing."""
    return CLOSING[(ord(syllable) - ord("가")) % len(CLOSING)].strip()


def fits(syllable: str, particle: str) -> bool:
    """Say whether a particle has the form that it takes after a syllable."""
    closed = final(syllable)
    if particle in ("으로", "로"):
        return (closed not in ("", "ㄹ")) == (particle == "으로")
    return bool(closed) == (particle in PAIRS)


def particles(line: Line) -> Iterator[str]:
    """Refuse particles of the wrong form, and those whose form a number of the build decides."""
    text = BRACKETED.sub("", line.own)
    for found in AFTER_NUMBER.finditer(text):
        yield (
            f"‘{shown(text, found)}’: 번호는 빌드할 때 정해진다. "
            "에, 에서, 의, 도, 만, 부터, 처럼을 쓰거나 명사를 넣는다"
        )
    for found in AFTER_LETTER.finditer(text):
        sound = LETTERS.get(found[1].lower(), "비")
        if sound and not fits(sound, found[2]):
            yield f"‘${found[1]}${found[2]}’: {other(found[2])} (글자를 읽는 소리를 따른다)"
    for found in AFTER_DIGIT.finditer(text):
        sound = "트" if found[2] else DIGITS[int(found[1])]
        if not fits(sound, found[3]):
            yield f"‘{found[0]}’: {other(found[3])} (수를 읽는 소리를 따른다)"
    for found in AFTER_SYLLABLE.finditer(text):
        if not NO_PARTICLE.fullmatch(found[0]) and not fits(found[1][-1], found[2]):
            yield f"‘{found[0]}’: {other(found[2])}"
    for rule in (SPACED, SPACED_AFTER_SIGN):
        for found in rule.finditer(text):
            yield f"‘{shown(text, found)}’: 조사는 앞말에 붙여 쓰고, 낱말이면 ‘ ’로 싼다"


def other(particle: str) -> str:
    """Return what to write in place of a particle."""
    pairs = PAIRS | {vowel: closed for closed, vowel in PAIRS.items()}
    return f"맞는 조사는 ‘{pairs[particle]}’"


# --- terms ---


@cache
def terms() -> tuple[re.Pattern[str], dict[str, str]]:
    """Return a pattern for the words in use, and for each refused form what takes its place."""
    table = tomllib.loads((FOLDER / "_terms.toml").read_text(encoding="utf-8"))
    used = {word for term in table["term"] for word in term["korean"]}
    refused = dict(table["spelling"])
    for term in table["term"]:
        instead = ", ".join(term["korean"])
        refused |= dict.fromkeys(term["refused"], f"{instead} ({term['english']})")
        refused |= {word.replace(" ", ""): word for word in term["korean"] if " " in word}
    longest = sorted(used, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest))), refused


def against_terms(line: Line) -> Iterator[str]:
    """Refuse a form for which the table of terms has another."""
    used, refused = terms()
    spans = [found.span() for found in used.finditer(line.own)]
    for form, instead in refused.items():
        for found in re.finditer(rf"(?<!{HANGUL}){re.escape(form)}", line.own):
            if not any(start <= found.start() and found.end() <= end for start, end in spans):
                yield f"‘{shown(line.own, found)}’: {instead}"


RULES: tuple[Callable[[Line], Iterator[str]], ...] = (
    polite,
    words,
    signs,
    italics,
    particles,
    against_terms,
)


@cache
def drawn(style: str) -> set[int]:
    """Return the characters that the faces of the pages have in a weight."""
    korean = KOREAN_REGULAR if style == "Regular" else FONTS / f"AnnotatedSansKR-{style}.otf"
    return has(korean) | has(FONTS / f"AnnotatedSans-{style}.otf")


def not_drawn(text: str) -> Iterator[str]:
    """Refuse characters that no face of the pages has: a reader would see a box."""
    for character in sorted(set(text) - {"\n"}):
        lacking = [style for style in ("Regular", "Bold") if ord(character) not in drawn(style)]
        if lacking:
            yield (
                f"‘{character}’(U+{ord(character):04X}): 글꼴에 없다({', '.join(lacking)}). "
                "다른 글자를 쓰거나 book/_tools/make_font.py에 더한다"
            )


def broken(text: str, *, figure: bool = False, glossary: bool = False) -> Iterator[str]:
    """Yield a sentence for each thing in the Korean of a unit that is against a rule.

    A glossary names the forms that are not used, so that they are found.
    """
    yield from not_drawn(text)
    for line in lines_of_figure(text) if figure else lines(text):
        for rule in RULES:
            if not (glossary and rule is against_terms):
                yield from rule(line)
