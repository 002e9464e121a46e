"""Korean forms for the embedded corpus: particles and plain-style (해라체) conjugation.

A Hangul syllable is one code point, `0xAC00 + 588 * initial + 28 * vowel + final`, so every rule
below is arithmetic on the last syllable of a word. Irregular stems carry the letter that names
their class in Korean grammar: ㅂ (돕다), ㄷ (걷다), ㅅ (짓다), 르 (부르다). The stems in ㅡ (쓰다)
and in ㄹ (만들다) lose that letter without exception and need no mark. Released as CC0.
"""

from functools import cache

FIRST_SYLLABLE, LAST_SYLLABLE = 0xAC00, 0xD7A3
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
FINALS = "\0ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
NO_FINAL = FINALS[0]

TOPIC = ("은", "는")
SUBJECT = ("이", "가")
OBJECT = ("을", "를")
WITH = ("과", "와")
TOWARDS = ("으로", "로")
DATIVE = ("에게", "에게")
AT = ("에", "에")
FROM = ("에서", "에서")
THAN = ("보다", "보다")

# What fuses with the 어 of an ending when the stem ends in that vowel.
FUSED_VOWELS = {"ㅗ": "ㅘ", "ㅜ": "ㅝ", "ㅣ": "ㅕ", "ㅚ": "ㅙ"}
ABSORBING_VOWELS = "ㅏㅓㅐㅔㅕ"
BRIGHT_VOWELS = "ㅏㅑㅗ"


@cache
def _letters(syllable: str) -> tuple[int, str, str]:
    """Initial (as its index), vowel and final of one Hangul syllable."""
    code = ord(syllable)
    if not FIRST_SYLLABLE <= code <= LAST_SYLLABLE:
        raise ValueError(f"expected a Hangul syllable, got {syllable!r}")
    initial, rest = divmod(code - FIRST_SYLLABLE, 588)
    return initial, VOWELS[rest // 28], FINALS[rest % 28]


def _syllable(initial: int, vowel: str, final: str = NO_FINAL) -> str:
    code = FIRST_SYLLABLE + 588 * initial + 28 * VOWELS.index(vowel) + FINALS.index(final)
    return chr(code)


def final_consonant(word: str) -> str:
    """Final consonant letter of a word's last syllable, or an empty string after a vowel."""
    return _letters(word[-1])[2].strip(NO_FINAL)


def with_final(word: str, final: str) -> str:
    """Give the word's last syllable this final consonant."""
    initial, vowel, _ = _letters(word[-1])
    return word[:-1] + _syllable(initial, vowel, final)


def attach(word: str, particle: tuple[str, str]) -> str:
    """Join the particle's form for words that end in a consonant, or the one for vowels.

    (으)로 takes its short form after ㄹ as well: 연필로.
    """
    final = final_consonant(word)
    after_consonant = bool(final) and not (particle is TOWARDS and final == "ㄹ")
    return word + particle[0 if after_consonant else 1]


def with_copula(noun: str, ending: str) -> str:
    """Join 이다 to a noun: present "다", past "었다", quotative "라고".

    이 is left out after a vowel (의사다, 의사였다).
    """
    if final_consonant(noun):
        return noun + "이" + ending
    return noun + ending.replace("었", "였")


@cache
def infinitive(stem: str, irregular: str = "") -> str:
    """Stem with 아/어, by vowel harmony and contraction (가, 마셔, 도와, 불러): base of past, -서.

    The pasts are these with ㅆ: 갔다, 마셨다, 도왔다, 불렀다.
    """
    initial, vowel, final = _letters(stem[-1])
    harmonic = "아" if vowel in BRIGHT_VOWELS else "어"
    if irregular == "르":
        bright = _letters(stem[-2])[1] in BRIGHT_VOWELS
        return with_final(stem[:-1], "ㄹ") + ("라" if bright else "러")
    if irregular == "ㅂ":
        return with_final(stem, NO_FINAL) + ("와" if stem == "돕" else "워")
    if irregular == "ㅅ":
        return with_final(stem, NO_FINAL) + harmonic
    if irregular == "ㄷ":
        return with_final(stem, "ㄹ") + harmonic
    return stem + harmonic if final != NO_FINAL else _contracted(stem, initial, vowel)


def _contracted(stem: str, initial: int, vowel: str) -> str:
    """Infinitive of a regular stem that ends in a vowel."""
    if stem.endswith("하"):
        return stem[:-1] + "해"
    if vowel == "ㅡ":
        before = stem[-2:-1].strip()
        bright = bool(before) and _letters(before)[1] in BRIGHT_VOWELS
        return stem[:-1] + _syllable(initial, "ㅏ" if bright else "ㅓ")
    if vowel in ABSORBING_VOWELS:
        return stem
    if vowel in FUSED_VOWELS:
        return stem[:-1] + _syllable(initial, FUSED_VOWELS[vowel])
    return stem + "어"  # 쉬어


def before_eu(stem: str, irregular: str, final: str) -> str:
    """Stem with an ending of the shape (으) + final consonant: 읽을, 살, 도울, 걸을, 지을."""
    if irregular == "ㅂ":
        return with_final(stem, NO_FINAL) + with_final("우", final)
    if irregular == "ㄷ":
        return with_final(stem, "ㄹ") + with_final("으", final)
    if irregular == "ㅅ":
        return with_final(stem, NO_FINAL) + with_final("으", final)
    if final_consonant(stem) in ("", "ㄹ"):
        return with_final(stem, final)
    return stem + with_final("으", final)


@cache
def present(stem: str) -> str:
    """Plain present of a verb: -ㄴ다 after a vowel or ㄹ (간다, 만든다), else -는다 (읽는다)."""
    if final_consonant(stem) in ("", "ㄹ"):
        return with_final(stem, "ㄴ") + "다"
    return stem + "는다"


@cache
def past(stem: str, irregular: str = "") -> str:
    """Plain past: 읽었다, 갔다, 도왔다."""
    return past_stem(stem, irregular) + "다"


@cache
def past_stem(stem: str, irregular: str = "") -> str:
    """Past stem, before 다 or 지만: 읽었, 갔."""
    return with_final(infinitive(stem, irregular), "ㅆ")


@cache
def adnominal(stem: str, tense: str, irregular: str = "", *, is_adjective: bool = False) -> str:
    """Form before a noun. Verbs: 읽는, 읽은, 읽을; adjectives in the present: 큰, 맛있는.

    `tense` is "present", "past" or "future".
    """
    if tense == "future":
        return before_eu(stem, irregular, "ㄹ")
    if tense == "past" or (is_adjective and not stem.endswith("있")):
        return before_eu(stem, irregular, "ㄴ")
    if final_consonant(stem) == "ㄹ":
        stem = with_final(stem, NO_FINAL)
    return stem + "는"


def without_rieul(stem: str) -> str:
    """Return the stem as before 니 and 는, which a final ㄹ does not survive: 사니, 만드니."""
    return with_final(stem, NO_FINAL) if final_consonant(stem) == "ㄹ" else stem
