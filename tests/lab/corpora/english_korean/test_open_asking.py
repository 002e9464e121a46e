"""Questions that visitors ask: what the English pattern of each rule is in Korean."""

import re

import pytest
from open_grammar import derived, korean_of, sentences

from annotated_transformer.lab.corpora.english_korean.everyday.surface import is_question
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_phrases

# Rule, pattern of the English, what the Korean then matches from its beginning to its end.
MEANINGS = (
    ("what_is_in", r"what is .*", r".* 무엇이 있니"),
    ("what_is_in", r"what was .*", r".* 무엇이 있었니"),
    ("who_is_there", r"who is the \w+ (in|at|on) .*", r".*에 있는 \S+[은는] 누구니"),
    ("who_is_there", r"who is the \w+ \w+ing .*", r".*고 있는 \S+[은는] 누구니"),
    ("who_is_there", r"do you know the .*", r"너는 .*는 \S+[을를] 아니"),
    ("why_so", r"why (is|are|am|was|were) .* so .*", r".*[은는] 왜 그렇게 .*니"),
    ("why_thing", r"why (is|are|was|were) .*", r".*[은는] 왜 (?!그렇게).*니"),
    ("what_time_start", r"what time .* (start|begin)", r".*[은는] 몇 시에 시작.*니"),
    ("what_time_start", r"what time .* (end|finish)", r".*[은는] 몇 시에 끝.*니"),
    ("what_time_start", r"what time .* close", r".*[은는] 몇 시에 문을 닫.*니"),
    ("what_time_start", r"when .*", r".*[은는] 언제 .*니"),
    ("when_is", r"when is .*'s birthday", r".*의 생일은 언제니"),
    ("when_is", r"when was .*", r".*[은는] 언제였니"),
    ("is_not", r"isn't .* your .*", r".*[은는] 네 .*[이가] 아니니"),
    ("still", r".*", r".*[은는] 아직도 .*(다|니)"),
    ("tag", r".* (aren't|isn't|don't|doesn't|didn't|won't) \w+", r"\S+[은는] .*지 그렇지 않니"),
    ("tag", r".* not .*, (are|is|do|does|did|were|was|will) \w+", r"\S+[은는] .*지 맞니"),
    ("tag", r".*, right", r"\S+[은는] .*지 맞니"),
    ("doing_later", r"what (is|are) .* doing tonight", r".*[은는] 오늘 밤에 무엇을 할 거니"),
    ("which_color", r"\w+ color do you like", "너는 어떤 색을 좋아하니"),
    ("which_color", r".* like (best|most|the most)", r".*[은는] 어떤 \S+[을를] 가장 좋아하니"),
    ("nearest", r"where is the (nearest|closest) .*", r"가장 가까운 .*[은는] 어디에 있니"),
    ("nearest", r"(is|are) there .*", r"이 근처에 .*[이가] 있니"),
    ("get_to", r"how (do|can) (I|we) get to .*", r".*에 어떻게 갈 수 있니"),
    ("get_to", r"how far .*", r"여기에서 .*까지 얼마나 머니"),
    ("get_to", r"how long .*", r".*까지 가는 데 얼마나 걸리니"),
    ("where_buy", r"where can (I|we) buy .*", r".*[을를] 어디에서 살 수 있니"),
    ("could_i_have", r".* have (a|an) .*", r".*[을를] 줄 수 있니"),
    ("could_i_have", r".* have some .*", r".*[을를] 좀 줄 수 있니"),
    ("okay_if", r"is it (okay|OK|all right) if I .*", r"(?!나는|내가).* 괜찮니"),
    ("any_of_it", r".* have any .*", r".*[이가] 있니"),
    ("any_of_it", r".* speak any .*", r".*[를을] 조금이라도 하니"),
    ("price_of_one", r"how much .*", r".*[은는] 얼마니"),
    ("price_of_one", r"how much is a cup of .*", r".* 한 잔은 얼마니"),
)
SAID = {
    "who_is_there": ("who is the woman in the garden", "정원에 있는 여자는 누구니"),
    "when_is": ("when is your mother's birthday", "네 어머니의 생일은 언제니"),
    "is_not": ("isn't he your friend", "그는 네 친구가 아니니"),
    "still": ("are you still hungry", "너는 아직도 배고프니"),
    "which_color": ("which color do you like", "너는 어떤 색을 좋아하니"),
    "nearest": ("where is the nearest bank", "가장 가까운 은행은 어디에 있니"),
    "could_i_have": ("could I have some water, please", "물을 좀 줄 수 있니"),
    "price_of_one": ("how much is a cup of tea", "차 한 잔은 얼마니"),
    "what_is_in": ("what is in the box", "상자 안에 무엇이 있니"),
    "what_time_start": ("what time does the movie start", "영화는 몇 시에 시작하니"),
}


COUNT = 600
STATED = ("still", "nearest")
"""Rules that say something besides."""


@pytest.mark.parametrize("name", sorted({name for name, *_ in MEANINGS} - set(STATED)))
def test_a_question_is_asked_in_korean(name: str) -> None:
    for pair in derived(name, seed=7, count=COUNT):
        assert is_question(pair.korean), pair


@pytest.mark.parametrize(("name", "pattern", "korean"), MEANINGS)
def test_what_a_question_means(name: str, pattern: str, korean: str) -> None:
    pairs = sentences(name, seed=7, count=COUNT)
    found = {said: told for said, told in pairs if re.fullmatch(pattern, said)}
    assert found
    assert not {s: told for s, told in found.items() if not re.fullmatch(korean, told)}


@pytest.mark.parametrize(("name", "pair"), SAID.items())
def test_what_a_visitor_asks_can_be_derived(name: str, pair: tuple[str, str]) -> None:
    assert korean_of(name, pair[0], seed=11, most=12_000) == pair[1]


def test_set_questions() -> None:
    phrases = {
        english: " ".join(word.text for word in clause.korean) for english, clause in open_phrases()
    }
    assert phrases["will you marry me"] == "나와 결혼해 주겠니"
    assert phrases["why is the sky blue"] == "하늘은 왜 파랗니"
    assert phrases["does your dog bite"] == "네 개는 사람을 무니"
    assert phrases["could you speak slowly"] == "천천히 말해 줄 수 있니"
