"""The corpus of the other direction: what is written, what is polite, and that no split leaks."""

import re
from collections import defaultdict

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean.everyday.surface import ASKING
from annotated_transformer.lab.corpora.english_korean.korean_english import (
    POLITE,
    SIZES,
    KoreanEnglish,
    korean_english,
    polite,
    polite_ending,
    split_of,
)
from annotated_transformer.lab.corpora.english_korean.morphology import (
    final_consonant,
    past,
    present,
    with_copula,
    with_final,
    without_rieul,
)
from annotated_transformer.lab.corpora.english_korean.open.lexicon import open_lexicon

POLITE_ENDS = ("니다", "니까")
SAMPLE = {"train": 30_000, "valid": 60, "test": 60}


@pytest.fixture(scope="module")
def splits() -> dict[str, list[SentencePair]]:
    return korean_english(SAMPLE)


def formal(stem: str, close: str) -> str:
    """The ending of 합니다체, from the stem: 읽습니다, 갑니다, 깁니다."""
    if final_consonant(stem) in ("", "ㄹ"):
        return with_final(stem, "ㅂ") + "니" + close
    return f"{stem}습니{close}"


def stems() -> dict[str, set[tuple[str, str]]]:
    lexicon = open_lexicon()
    verbs = (*lexicon.transitive, *lexicon.intransitive, *lexicon.dative, *lexicon.phrasal)
    return {
        "verb": {(verb.korean.split(" ")[-1], verb.irregular) for verb in verbs},
        "adjective": {(each.korean.split(" ")[-1], each.irregular) for each in lexicon.adjectives},
    }


def test_plain_endings_of_all_stems_become_those_that_the_stem_has() -> None:
    """The corpus knows the plain form alone; the rule here begins with the stem."""
    found = stems()
    assert min(map(len, found.values())) > 100
    twofold = set()
    for kind, entries in found.items():
        for stem, irregular in entries:
            before = past(stem, irregular)
            expected = {
                present(stem) if kind == "verb" else stem + "다": formal(stem, "다"),
                without_rieul(stem) + "니": formal(stem, "까"),
                before: before.removesuffix("다") + "습니다",
            }
            for plain, ending in expected.items():
                if polite_ending(plain) == plain:
                    twofold.add(plain)
                else:
                    assert polite_ending(plain) == ending
    assert "배우니" in twofold  # 배우다, to learn, and 배우, an actor
    assert len(twofold) < 16


def test_the_copula_keeps_its_vowel_after_every_noun() -> None:
    twofold = set()
    for noun in open_lexicon().all_nouns:
        for ending, close in (("다", "다"), ("니", "까")):
            plain = with_copula(noun.korean, ending)
            if polite_ending(plain) == plain:
                twofold.add(plain)
            else:
                assert polite_ending(plain) == f"{noun.korean}입니{close}"
    assert "종이다" in twofold  # 종이, paper, and 종, a bell
    assert len(twofold) < 24


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ("나는 학생이다", "저는 학생입니다"),
        ("내가 읽은 책은 길었다", "제가 읽은 책은 길었습니다"),
        ("그녀는 어디에 사니", "그녀는 어디에 삽니까"),
        ("너는 학생이니", "너는 학생이니"),  # who is asked so is not spoken to politely
        ("네 책은 길다", "네 책은 길다"),
        ("문을 열어라", "문을 열어라"),
        ("가자", "가자"),
        ("어머니", "어머니"),
    ],
)
def test_a_sentence_is_polite_where_it_can_be(plain: str, expected: str) -> None:
    assert polite(plain) == expected


def test_korean_has_neither_marks_nor_latin_letters(
    splits: dict[str, list[SentencePair]],
) -> None:
    for pairs in splits.values():
        for pair in pairs:
            assert re.fullmatch(r"[가-힣0-9,:]+( [가-힣0-9,:]+)*", pair.source), pair


def test_english_is_written(splits: dict[str, list[SentencePair]]) -> None:
    for pair in (pair for pairs in splits.values() for pair in pairs):
        assert re.match("[A-Z0-9]", pair.target), pair
        assert pair.target[-1] in ".?", pair
        assert "  " not in pair.target, pair
        if pair.source.endswith(ASKING):
            assert pair.target.endswith("?"), pair


def test_splits_are_disjoint_and_a_sentence_has_one_translation(
    splits: dict[str, list[SentencePair]],
) -> None:
    assert {name: len(pairs) for name, pairs in splits.items()} == SAMPLE
    english = defaultdict(set)
    found = {name: {pair.source for pair in pairs} for name, pairs in splits.items()}
    for pair in (pair for pairs in splits.values() for pair in pairs):
        english[pair.source].add(pair.target)
    assert all(len(ways) == 1 for ways in english.values())
    assert found["train"].isdisjoint(found["valid"] | found["test"])
    assert found["valid"].isdisjoint(found["test"])
    for name in ("valid", "test"):
        assert len(found[name]) == SAMPLE[name]
        for source in found[name]:
            if not source.endswith(POLITE_ENDS):
                assert split_of(source) == name


def test_the_polite_share_is_that_of_the_sentences_that_can_be(
    splits: dict[str, list[SentencePair]],
) -> None:
    """Set phrases are there in both forms, each as often."""
    derived = [pair.source for pair in splits["train"] if pair.construction]
    is_formal = [source.endswith(POLITE_ENDS) for source in derived]
    plain = sum(
        not formal_one and polite(source) != source
        for source, formal_one in zip(derived, is_formal, strict=True)
    )
    assert sum(is_formal) / (sum(is_formal) + plain) == pytest.approx(POLITE, abs=0.02)


def test_it_is_found_by_its_name() -> None:
    assert KoreanEnglish().splits() == tuple(SIZES)
