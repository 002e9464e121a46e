"""Food, work, school and weather in the open lexicon: what each rule says in both languages."""

import re
from random import Random

import pytest
from open_grammar import check_said, sentences, texts

from annotated_transformer.lab.corpora.english_korean.large import EVERYDAY
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.splits import sentence_of


@pytest.mark.parametrize(
    ("name", "english", "korean"),
    [
        ("open_meal", r" for dinner\b", r"저녁으로 .*[을를] 먹"),
        ("open_too_much", r" too (much|many) ", r"[을를] 너무 많이 (먹|마[시셨신실])"),
        ("open_too_much", r" not (eat|drink) enough ", r"[을를] 충분히 .*지 않"),
        (
            "open_measured",
            r"\bcups of ",
            r"([녹홍]?차|커피) (두|세|네|다섯|여섯|일곱|여덟|아홉|열) 잔을 ",
        ),
        ("open_measured", r" please$", r" [가-힣]+[을를] 줘$"),
        ("open_any_food", r"^(do|does) ", r"[이가] 있니$"),
        ("open_any_food", r" not have any ", r"[이가] 없다$"),
        ("open_offer", r" some more ", r"[을를] 더 (먹고|마시고) 싶니$"),
        ("open_taste", r"^(?!.* not ).* tastes? good$", r"맛이 좋다$"),
        ("open_appointment", r" (have|has) .* on Monday$", r" 월요일에 .*[이가] [있없]"),
        ("open_starts", r"^what time does ", r"몇 시에 (시작하|끝나|문을 여|문을 닫)니$"),
        ("open_my_language", r" not very good$", r"별로 좋지 않(다|았다)$"),
        ("open_here", r"^write .* here$", r"^여기에 .*[을를] 써라$"),
        ("open_here", r"^do not put ", r"놓지 마라$"),
        ("open_lets", r"^I am hungry, let us ", r"^나는 배고프니까 .*자$"),
        ("open_fell", r" fell (from|off) the ", r"[이가] .*에서 떨어졌다$"),
        ("open_liking", r"(?<!not) likes? (spring|winter)$", r"(봄|겨울)을 좋아(한다|하니)$"),
        ("open_wind", r"^the wind (is|was) strong$", r"^바람이 (세다|셌다)$"),
        ("open_rain_a_lot", r"^it rained a lot\b", r"비가 많이 왔다$"),
        ("open_favorite", r"^my favorite \w+ is (?!not)", r"^내가 가장 좋아하는 \S+[은는] .*다$"),
        ("open_loudly", r" loudly\b", r" 크게 "),
        (
            "open_through",
            r" through (a|the) telescope",
            r"망원경으로 (달을|별을|행성을|혜성을|은하를) ",
        ),
        ("open_in_general", r"^bitcoin is expensive$", r"^비트코인은 비싸다$"),
        ("open_nearby", r"^the .* near the ", r" 근처에 있는 [가-힣 ]+[은는] "),
    ],
)
def test_a_rule_says_what_it_should(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=7), english, korean)


def test_not_very_is_not_the_opposite() -> None:
    random, found = Random(3), []
    while len(found) < 5:
        _, sentence = sentence_of(random, EVERYDAY["everyday_statement"][0], open_lexicon())
        source, target = texts(sentence)
        if re.search(r"\b(is|are|was|were|am) not very ", source):
            found.append((source, target))
    assert [pair for pair in found if "별로" not in pair[1] or "아주" in pair[1]] == []


@pytest.mark.parametrize("name", ["open_meal", "open_favorite", "open_fell", "open_nearby"])
def test_a_rule_derives_many_sentences(name: str) -> None:
    assert len(set(sentences(name, seed=7, count=300))) > 150


def test_cold_water_is_one_word_everywhere() -> None:
    water = open_lexicon().nouns("water")[0]
    assert "cold" not in {entry.english for entry in open_lexicon().modifiers_of(water)}
    assert {noun.korean for noun in open_lexicon().nouns("cold water")} == {"찬물"}
