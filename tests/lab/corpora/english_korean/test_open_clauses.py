"""Rules of the open lexicon that join clauses: what the English says, the Korean ends in."""

import re
from collections.abc import Callable
from random import Random

import pytest
from open_grammar import texts

from annotated_transformer.lab.corpora.english_korean.derivation import (
    Clause,
    Derivation,
    alignment,
)
from annotated_transformer.lab.corpora.english_korean.everyday.endings import Predicate
from annotated_transformer.lab.corpora.english_korean.open import (
    although,
    best_ever,
    contrast,
    joints,
    lists,
    long,
    orders_when,
    relatives,
    telling,
    too_to,
    unreal,
    wanting,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.splits import sentence_of

Rule = Callable[[Derivation], Clause]
ORDER = r"([아어여해와워줘러라봐켜꺼]라|[가-힣]라|줘)$"
# Rule, what some of its English has, and what the Korean of all of those has.
MEANINGS: list[tuple[Rule, str, str]] = [
    (orders_when.order_when, r"^(?!.*\b(we|you|I|they) do not\b).*\bdo not\b", "지 마라$"),
    (orders_when.order_when, r"^(?!.*(do not|please)).*\b(if|when)\b", ORDER),
    (orders_when.order_when, r"\buntil\b", "[가-힣]( 때|을 때|때)까지 "),
    (orders_when.order_when, r"\bas soon as\b", "자마자 "),
    (orders_when.reason_to, r"\blet us\b", "니까 .*자$"),
    (unreal.unreal, r"\bif\b.*\bhad\b", "[다라]면 .*것이다$"),
    (unreal.unreal, r"\bif I (were|was) (you|him|her)\b", "^내가 (너|그|그녀)라면 .*것이다$"),
    (unreal.unreal, r"\bwould not\b", "(지 않을|없을|못할) 것이다$"),
    (unreal.unreal_question, r"^what would \w+ do\b", "면 .*무엇을 할 거니$"),
    (although.although, r"\b(although|though|but)\b", "지만 "),
    (although.until, r"\buntil\b", "때까지 "),
    (although.at_once, r"\bas soon as\b", "자마자 "),
    (although.when_it_happened, r"\bwas \w+ing\b.*\bwhen\b", "었?[을ㄹ]? ?때 .*고 있었다$"),
    (although.while_doing, r"\bwhile\b", "[은는] 동안 "),
    (although.when_child, r"\bwhen \w+ (was|were) (a )?child(ren)?\b", "어렸을 때 "),
    (although.once_and_now, r"\bbut now\b", "지만 지금은 .*다$"),
    (telling.told_that, r"\btold\b", "[다라]고 말(했다|하지 않았다)$"),
    (telling.told_that, r"\bwould\b", "것이라고 "),
    (telling.know_that, r"\b(know|knows|knew)\b", "[다라]는 것을 "),
    (telling.know_that, r"\bheard\b", "[다라]고 들었다$"),
    (telling.hope, r"\bhopes?\b", "기를 바란다$"),
    (wanting.asked_to, r"\basked\b", "달라고 부탁했다$"),
    (wanting.asked_to, r"\btold\b.*\bnot to\b", "지 말라고 말했다$"),
    (wanting.want_to_be, r"\bto be\b", "기를 원"),
    (wanting.purpose, r"\bto\b.*\bto\b", "러 "),
    (contrast.poor_but_happy, r"\bbut\b", "지만 "),
    (contrast.not_but, r"\bnot\b", "[이가] 아니라 .*다$"),
    (contrast.coffee_not_tea, r",.* not\b|, not\b", "[이가] 아니라 "),
    (lists.three_things, r"\band\b", "[과와] .*[과와] "),
    (lists.three_people, r"\band\b", "[과와] .*[과와] .*[은는] "),
    (lists.three_actions, r"\band\b", "[고서] .*[고서] .*다$"),
    (relatives.song_you_sang, r"^(this|that) is the\b", "^[이저]것은 .*다$|아니다$"),
    (relatives.know_somebody, r"^I have an? \w+ who\b", "[이가] 있다$"),
    (relatives.my_sister_who, r", who is an?\b", "인 "),
    (best_ever.best_ever, r"\bI have ever\b", "내가 .*가장 .*[다]$"),
    (
        best_ever.think_the_book,
        r"\bthinks? the\b|\bthinks? that\b",
        "[다라]고 생각(한다|하지 않는다)$",
    ),
    (best_ever.habit, r"\bbefore\b", "기 전에 "),
    (too_to.too_to, r"\btoo\b|\bso\b", "너무 .*서 .*수 없(다|었다)$"),
    (too_to.made_me, r"\bmade\b", "[을를] .*게 했다$"),
    (too_to.made_me, r"\bhelped\b", "는 것을 도왔다$"),
    (long.long_two, r"\bbut\b", "지만 "),
    (long.long_chain, r"\band\b", "[고서] .*다$"),
    (long.long_report, r"^(I|you|we|they) think that\b", "고 생각한다$"),
    (long.so_another, r"\bso\b", "[서] .*[은는] .*다$"),
    (long.long_relative, r", who \b", "다$"),
]
RULES = list(dict.fromkeys(rule for rule, _, _ in MEANINGS))


def text(words: list) -> str:
    return " ".join(word.text for word in words)


@pytest.fixture(scope="module")
def derived() -> dict[Rule, list[tuple[str, str, Clause]]]:
    random, lexicon = Random(17), open_lexicon()
    found: dict[Rule, list[tuple[str, str, Clause]]] = {}
    for rule in RULES:
        clauses = [sentence_of(random, rule, lexicon)[1] for _ in range(300)]
        found[rule] = [(*texts(c), c) for c in clauses]
    return found


@pytest.mark.parametrize(("rule", "english", "korean"), MEANINGS)
def test_the_korean_says_what_joins(
    derived: dict[Rule, list[tuple[str, str, Clause]]], rule: Rule, english: str, korean: str
) -> None:
    found = [pair[:2] for pair in derived[rule] if re.search(english, pair[0])]
    assert found
    assert [pair for pair in found if not re.search(korean, pair[1])] == []


@pytest.mark.parametrize("rule", RULES)
def test_every_word_is_aligned(
    derived: dict[Rule, list[tuple[str, str, Clause]]], rule: Rule
) -> None:
    for source, target, sentence in derived[rule]:
        links = alignment(sentence)
        assert {i for i, _ in links} == set(range(len(source.split(" ")))), source
        assert {j for _, j in links} == set(range(len(target.split(" ")))), target


@pytest.mark.parametrize("rule", RULES)
def test_english_and_korean_are_well_formed(
    derived: dict[Rule, list[tuple[str, str, Clause]]], rule: Rule
) -> None:
    for source, target, _ in derived[rule]:
        assert not re.search(
            r"\ba [aeio]|,,| ,|\bI (is|has)\b|(?<!would )\b(he|she) (am|are|have)\b", source
        ), source
        assert not re.search(r"[^가-힣 ]|[와과] 나가 | 너가 ", target), target
        assert 3 <= len(source.split(" ")) <= 60


def test_long_sentences_are_long(derived: dict[Rule, list[tuple[str, str, Clause]]]) -> None:
    lengths = [
        len(source.split(" "))
        for rule in (long.long_two, long.long_chain, long.long_report, long.long_relative)
        for source, _, _ in derived[rule]
    ]
    assert sum(length >= 14 for length in lengths) > len(lengths) / 2


@pytest.mark.parametrize(
    ("stem", "irregular", "kind", "ending", "tense", "expected"),
    [
        ("먹", "", "verb", joints.AS, "present", "먹으니까"),
        ("만들", "", "verb", joints.AS, "present", "만드니까"),
        ("춥", "ㅂ", "adjective", joints.AS, "present", "추우니까"),
        ("가", "", "verb", joints.AS, "past", "갔으니까"),
        ("가", "", "verb", joints.HYPOTHESIS, "present", "간다면"),
        ("의사", "", "copula", joints.HYPOTHESIS, "present", "의사라면"),
        ("있", "", "adjective", joints.HYPOTHESIS, "present", "있다면"),
        ("걷", "ㄷ", "verb", joints.PURPOSE, "present", "걸으러"),
        ("만들", "", "verb", joints.PURPOSE, "present", "만들러"),
        ("먹", "", "verb", joints.ORDERED, "present", "먹으라고"),
        ("가", "", "verb", joints.ORDERED, "present", "가라고"),
        ("오", "", "verb", joints.AT_ONCE, "past", "오자마자"),
        ("학생", "", "copula", joints.THAT, "present", "학생이라는"),
        ("가", "", "verb", joints.THAT, "past", "갔다는"),
        ("행복하", "", "adjective", joints.NOMINAL, "present", "행복하기를"),
        ("듣", "ㄷ", "verb", joints.UNTIL, "past", "들을 때까지"),
    ],
)
def test_endings(
    stem: str, irregular: str, kind: str, ending: str, tense: str, expected: str
) -> None:
    predicate = Predicate([], stem, irregular, kind, (1,))
    assert text(joints.ended(predicate, tense, ending)) == expected
