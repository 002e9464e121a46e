"""Numbers, comparison, this and that, and denials of the open lexicon: what each rule means."""

import re

import pytest
from open_grammar import sentences

# Of every sentence: a pattern of the English, and what the Korean then is.
MEANINGS = {
    "open_better_than_that_one": (r"than (?:this|that) one$", r"(?:이|저)(?:것|곳)보다 .*더 "),
    "open_older_than_you": (r"than (?:me|you|him|her)$", r"(?:나|너|그|그녀)보다 .*더 "),
    "open_bigger_than_busan": (r" than [A-Za-z ]+$", r"^[^ ]+[은는] [^ ]+보다 (?:훨씬 )?더 "),
    "open_as_a": (r" as \w+ as an? \w+$", r"만큼 "),
    "open_smartest_girl": (r" the (?:most \w+|\w+est) \w+", r"가장 .*(?:누구니|다)$"),
    "open_that_one": (r"(?:this|that) one", r"(?:이것|저것)[을를이과에]"),
    "open_which_one": (r"^(?:who|which|which one) is ", r"^(?:누가|어느 것이) .*더 .*니$"),
    "open_days_in_a_week": (r"\ban? (?:week|day|year|hour|minute)\b", r"(?:은|는) .*[다니]$"),
    "open_has_parts": (r"\b(?:has|have|had)\b", r"에는 .*있|(?:쪽|층)[이인]"),
    "open_age_of_things": (r" years old$", r"년 (?:됐|되었)다$|년 됐다$"),
    "open_lengths": (r"(?:tall|high|long|wide|deep)$", r"(?:키가|높이가|길이가|너비가|깊이가) "),
    "open_saw_in_the_tree": (r"\b(?:saw|see) \S+.* (?:in|at|on) the", r"에서 .*마리 봤"),
    "open_number_done": (r" (?:\w+-?\w*|\d+) ", r"[가-힣]+ [가-힣 ]+[을를] [가-힣]"),
    "open_people_on": (r" people (?:on|in|at) the ", r"에 사람이 .*명 있"),
    "open_meeting_at": (r" (?:is|starts) at \d", r"[은는] .*[시분]에 (?:있다|시작한다)$"),
    "open_no_one_likes_him": (r"^(?:nobody|no one) ", r"^아무도 .*(?:않|못|모르|몰랐|모른|모를)"),
    "open_not_raining_when": (r"^it was .*ing when ", r"때 (?:비|눈)가?이? ?오고 있"),
    "open_hundreds_of": (r"(?:of|hundred) \w+ (?:in|on|at) the ", r"에 .*(?:수[십백천]|약 백) "),
    "open_that_man": (
        r"(?:this|that) (?:man|woman|boy|girl)",
        r"^(?:이|저) (?:남자|여자|소년|소녀)[은는]",
    ),
    "open_four_apples": (r"^\S+.* and \S+ ", r"[과와] "),
}


@pytest.mark.parametrize("name", sorted(MEANINGS))
def test_a_rule_says_the_same_in_both_languages(name: str) -> None:
    english, korean = MEANINGS[name]
    for source, target in sentences(name, seed=7):
        assert re.search(english, source), (source, target)
        assert re.search(korean, target), (source, target)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("open_as_a", "지 않"),
        ("open_older_than_you", "지 않"),
        ("open_not_raining_when", "있지 않"),
        ("open_that_man", "아니다"),
    ],
)
def test_a_denial_is_denied_in_korean(name: str, refused: str) -> None:
    found = sentences(name, seed=7)
    assert {" not " in source for source, _ in found} == {True, False}
    assert all((" not " in source) == (refused in target) for source, target in found)


def test_this_one_is_near_and_that_one_is_there() -> None:
    for source, target in sentences("open_better_than_that_one", seed=7):
        assert ("than this one" in source) == bool(re.search("이[것곳]보다", target))


def test_exact_pairs_can_be_derived() -> None:
    known = {
        "open_days_in_a_week": ("there are seven days in a week", "일주일은 칠 일이다"),
        "open_bigger_than_busan": ("Seoul is bigger than Busan", "서울은 부산보다 더 크다"),
        "open_no_one_likes_him": ("no one likes him", "아무도 그를 좋아하지 않는다"),
        "open_that_man": ("that man is my father", "저 남자는 우리 아버지다"),
    }
    for name, pair in known.items():
        assert pair in sentences(name, seed=7, count=3_000), name
