"""How a visitor types a Korean sentence: speech level, what is left out, short forms, marks. CC0.

    나는 밥을 먹었다      저는 밥을 먹었습니다.    밥을 먹었어요    난 밥을 먹었어
    너는 학생이니        학생입니까?           학생이에요?     너는 학생이야?

The meaning stays, so that all of these have one translation. In 해요체 and 해체 only the mark tells
a question from a statement, so it stands there always.
"""

from collections.abc import Mapping
from functools import cache

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation
from annotated_transformer.lab.corpora.english_korean.everyday.surface import ASKING
from annotated_transformer.lab.corpora.english_korean.speech_levels import (
    FAMILIAR,
    LEVELS,
    Level,
    spoken,
)
from annotated_transformer.lab.corpora.english_korean.tables import rows

SHARES: Mapping[Level, float] = {"plain": 0.35, "formal": 0.2, "polite": 0.3, "casual": 0.15}
"""Shares of the speech levels, of the sentences that can have them."""
TABLE = "korean_phrases"
WITHOUT_SUBJECT = {"너는 ": 0.5, "나는 ": 0.2}
"""How often a question does without *you* and a statement without *I*, where one speaks."""
SHORTENED = 0.15
"""Share of the words that are typed in another of their forms."""
ASKED, STATED = 0.5, 0.2
"""Shares of questions and statements that end with a mark, where none is needed."""


def typed(d: Derivation, korean: str, *, asked: bool) -> str:
    """Return a plain sentence in one of the ways in which it may be typed."""
    level = _drawn(d)
    form = spoken(_without_subject(d, korean, level, asked=asked), level)
    words = [_other_form(d, word) for word in form.split(" ")]
    return " ".join(words) + _mark(d, words[-1], asked=asked)


def ways(korean: str, *, asked: bool) -> tuple[str, ...]:
    """Return a set phrase at each speech level, with the mark that tells a question."""
    forms = [spoken(korean, level) for level in LEVELS]
    return tuple(
        dict.fromkeys(f"{form}?" if asked and not form.endswith(ASKING) else form for form in forms)
    )


def set_phrases() -> tuple[tuple[str, str], ...]:
    """Return what is said in Korean alone, such as a greeting, with its written English."""
    return tuple((korean, english) for korean, english in rows(TABLE, "phrases", (2,)))


def _drawn(d: Derivation) -> Level:
    name = d.weighted(SHARES.items())
    return next(level for level in LEVELS if level == name)


def _without_subject(d: Derivation, korean: str, level: Level, *, asked: bool) -> str:
    subject = "너는 " if asked else "나는 "
    rest = korean.removeprefix(subject)
    if level == "plain" or rest == korean or not d.chance(WITHOUT_SUBJECT[subject]):
        return korean
    return korean if any(word.startswith(FAMILIAR) for word in rest.split(" ")) else rest


@cache
def _forms(heading: str) -> dict[str, tuple[str, ...]]:
    found = rows(TABLE, heading, (2,))
    return {word: tuple(each.strip() for each in others.split(",")) for word, others in found}


def _other_form(d: Derivation, word: str) -> str:
    if not d.chance(SHORTENED):
        return word
    if word in _forms("whole words"):
        return d.choose(_forms("whole words")[word])
    for ending, (other,) in _forms("endings").items():
        if word.endswith(ending) and word != ending:
            return word.removesuffix(ending) + other
    for syllable, (other,) in _forms("syllables").items():
        if syllable in word:
            return word.replace(syllable, other)
    return word


def _mark(d: Derivation, last: str, *, asked: bool) -> str:
    if asked:
        return "?" if not last.endswith(ASKING) or d.chance(ASKED) else ""
    return "." if d.chance(STATED) else ""
