"""How a Korean sentence is typed: shares of the levels, what is left out, short forms, marks."""

from collections import Counter
from random import Random

import pytest

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation
from annotated_transformer.lab.corpora.english_korean.korean_surface import (
    ASKED,
    SHARES,
    SHORTENED,
    STATED,
    WITHOUT_SUBJECT,
    set_phrases,
    typed,
    ways,
)

N = 4_000


def drawn(korean: str, *, asked: bool = False) -> Counter[str]:
    chooser = Derivation(Random(5))
    return Counter(typed(chooser, korean, asked=asked) for _ in range(N))


def share(forms: Counter[str], *ends: str) -> float:
    return sum(n for form, n in forms.items() if form.endswith(ends)) / N


def test_the_levels_have_their_shares_and_some_statements_a_mark() -> None:
    forms = drawn("그는 집에 갔다")
    bare = Counter[str]()
    for form, n in forms.items():
        bare[form.removesuffix(".")] += n
    ends = {"plain": "갔다", "formal": "갔습니다", "polite": "갔어요", "casual": "갔어"}
    assert {form.split(" ")[-1] for form in bare} == {*ends.values()}
    for level, wanted in SHARES.items():
        assert share(bare, ends[level]) == pytest.approx(wanted, abs=0.03)
    assert share(forms, ".") == pytest.approx(STATED, abs=0.03)


def test_only_a_mark_tells_a_question_in_speech_so_it_is_there() -> None:
    forms = drawn("너는 학생이니", asked=True)
    assert {*forms} == {
        *("너는 학생이니", "너는 학생이니?", "너는 학생이야?"),
        *("학생입니까", "학생입니까?", "학생이에요?", "학생이야?"),
    }
    stiff = share(forms, "이니", "이니?", "니까", "니까?")
    assert share(forms, "이니", "니까") / stiff == pytest.approx(1 - ASKED, abs=0.03)


def test_i_is_left_out_where_one_speaks() -> None:
    forms = drawn("나는 배고프다")
    assert {form.removesuffix(".") for form in forms} == {
        *("나는 배고프다", "난 배고프다", "저는 배고픕니다", "전 배고픕니다", "배고픕니다"),
        *("저는 배고파요", "전 배고파요", "배고파요", "나는 배고파", "난 배고파", "배고파"),
    }
    spoken_forms = 1 - share(forms, "다", "다.") + share(forms, "습니다", "픕니다", "픕니다.")
    without = sum(n for form, n in forms.items() if " " not in form) / N
    assert without / spoken_forms == pytest.approx(WITHOUT_SUBJECT["나는 "], abs=0.03)


def test_words_have_other_forms_and_only_those() -> None:
    forms = {form.removesuffix(".") for form in drawn("그는 민수에게 책을 줬다")}
    assert "그는 민수한테 책을 주었다" in forms
    assert {form.split(" ")[1] for form in forms} == {"민수에게", "민수한테"}
    count = drawn("아주 크다")
    other = sum(n for form, n in count.items() if form.startswith(("매우", "굉장히"))) / N
    assert other == pytest.approx(SHORTENED, abs=0.03)


@pytest.mark.parametrize(
    ("plain", "asked", "expected"),
    [
        (
            "나는 배고프다",
            False,
            ("나는 배고프다", "저는 배고픕니다", "저는 배고파요", "나는 배고파"),
        ),
        (
            "어떻게 지내니",
            True,
            ("어떻게 지내니", "어떻게 지냅니까", "어떻게 지내요?", "어떻게 지내?"),
        ),
        ("안녕", False, ("안녕",)),
    ],
)
def test_a_set_phrase_is_said_at_each_level(
    plain: str, asked: bool, expected: tuple[str, ...]
) -> None:
    assert ways(plain, asked=asked) == expected


def test_a_set_phrase_stands_once_in_its_table() -> None:
    korean = [phrase for phrase, _ in set_phrases()]
    assert len(korean) == len({*korean}) > 250
