"""The rules for everyday life: where, when and since when, sentences with slots, new things."""

import re
from dataclasses import replace
from random import Random

import pytest
from open_grammar import check_said, check_written, sentences, texts

from annotated_transformer.lab.corpora.english_korean.derivation import Derivation, words
from annotated_transformer.lab.corpora.english_korean.open import daily, patterns, slots, splits
from annotated_transformer.lab.corpora.english_korean.open.copied import invented, lexicon_words
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon
from annotated_transformer.lab.corpora.english_korean.splits import sentence_of
from annotated_transformer.lab.corpora.english_korean.tables import sections

COUNT = 500
HEADINGS = [heading for heading in sections("open_patterns") if not heading.endswith(" words")]
NAMES = (
    *("doing_daily", "often_at", "told_to_do", "when_daily", "doing_since", "being_since"),
    *("known_since", "feeling_when", "there_in_there"),
    *("new_things" if heading == "copied" else heading for heading in HEADINGS),
)


@pytest.mark.parametrize("name", NAMES)
def test_particles_and_marks(name: str) -> None:
    check_written(sentences(name, seed=9, count=COUNT))


# The rule, what its English says, and what the Korean then has.
SAID = (
    ("doing_daily", r"in front of the \w+", r" 앞에(서)? "),
    ("doing_daily", r"\bby (Friday|tomorrow|noon)$", r"까지 "),
    ("doing_daily", r"\btwice a day\b", r"하루에 두 번"),
    ("often_at", r"\b(seldom|rarely|hardly ever)\b", r"거의 .*(않는다|없다)$"),
    ("often_at", r"^\w+ never\b", r"전혀 .*(않는다|없다)$"),
    ("told_to_do", r"^do not\b", r"지 마라$"),
    ("told_to_do", r"^let us\b", r"자$"),
    ("when_daily", r"^how long\b", r"얼마나 오래 .*니$"),
    ("doing_since", r"\bfor (an|1|one) hour$", r"한 시간 동안 .*고 있(다|니)$"),
    ("being_since", r"\bsince Monday$", r"월요일부터 .*다$"),
    ("being_since", r"\bfor (2|two) (hours|weeks|years)$", r"(두 시간|이 주|이 년)째 "),
    ("known_since", r"\bbeen married for\b", r"결혼한 지 .*됐다$"),
    ("feeling_when", r"^I .*\blonely\b", r"외롭|외로웠"),
    ("there_in_there", r"^there is .* under the bed in my room$", r"^내 방 침대 아래에 .* 있다$"),
    ("money", r"\bpaid .* for the ticket$", r"표 값으로 .*[을를] 냈다$"),
    ("shopping", r"in a bigger size$", r"더 큰 치수로 있니$"),
    ("school", r"\b(is|am|are) in the fifth grade$", r"오 학년이다$"),
    ("health", r"^take this medicine\b", r"^이 약을 .*먹어라$"),
    ("travel", r"\bis going to .* next month$", r"다음 달에 .*갈 것이다$"),
    ("home", r"^wait for me\b", r"나를 기다려라$"),
    ("home", r"^I have my own\b", r"^나는 내 "),
    ("home", r"^he has his own\b", r"^그는 자기 "),
    ("pronouns", r"\bwants to go somewhere\b", r" 곳에 가고 싶어 한다$"),
    ("pronouns", r"^I want to go somewhere\b", r" 곳에 가고 싶다$"),
    ("feelings", r"^I cannot wait to see\b", r"^나는 빨리 (?!나를).*만나고 싶다$"),
)  # fmt: skip


@pytest.mark.parametrize(("name", "english", "korean"), SAID)
def test_what_is_said(name: str, english: str, korean: str) -> None:
    check_said(sentences(name, seed=9, count=4 * COUNT), english, korean)


def test_whose_homework_it_is_goes_without_saying_in_korean() -> None:
    homework = ("do does did doing OWN homework", "숙제를 하", "-", "dbp")
    lexicon = replace(open_lexicon(), deeds=(homework,))
    random = Random(9)
    pairs = [texts(sentence_of(random, daily.doing_daily, lexicon)[1]) for _ in range(COUNT)]
    check_said(pairs, r"^she .* her homework", r"^그녀는 (?!.*그녀의 숙제).*숙제를")


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_line_has_its_slots_on_both_sides(heading: str) -> None:
    for english, korean in slots.rows(heading):
        named = [re.findall(r"\{(\w+)", side) for side in (english, korean)]
        assert sorted(named[0]) == sorted(named[1]), english
        assert len(set(named[0])) == len(named[0]) > 0, english
        assert not re.search("[A-Za-z]", re.sub(r"\{\w+", "", korean)), korean


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("am/is/are", "am is are"),
        ("was/were", "was was were"),
        ("have/has", "have has have"),
        ("likes", "likes likes likes"),
    ],
)
def test_forms_that_go_with_the_subject(text: str, forms: str) -> None:
    assert [patterns.agreeing(text, who) for who in ("1s", "3s", "p")] == forms.split()


@pytest.mark.parametrize(
    ("noun", "particle", "korean"),
    [
        ("의사", "다", "의사다"),
        ("학생", "다", "학생이다"),
        ("의사", "였다", "의사였다"),
        ("원", "였다", "원이었다"),
        ("연필", "로", "연필로"),
        ("역", "에서", "역에서"),
        ("역", "", "역"),
    ],
)
def test_particles_of_slots(noun: str, particle: str, korean: str) -> None:
    assert [word.text for word in slots.marked(words(noun, 1), particle)] == [korean]


def test_new_things_are_mostly_copied() -> None:
    random = Random(3)
    found = [splits.derived(random, splits.NEW_THINGS) for _ in range(200)]
    copied = [(item.pair, new) for item, new in found if new]
    assert len(copied) > 120
    for pair, new in copied:
        for word in new:
            assert word.lower() in pair.source.lower()
            assert word.lower() in pair.target.lower()


def test_invented_words_begin_like_words_of_the_lexicon() -> None:
    lexicon = open_lexicon()
    known = lexicon_words(lexicon)
    d = Derivation(Random(5), lexicon)
    found = [invented(d, name=False) for _ in range(400)]
    starts = {word[:4] for word in known if len(word) > 5}
    assert not known & set(found)
    assert sum(word[:4] in starts for word in found) > 120
    assert sum(len(word) > 9 for word in found) > 20
