"""The corpus of the other direction: what is written, what is typed, and that no split leaks."""

import re
from collections import defaultdict

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import korean_english as module
from annotated_transformer.lab.corpora.english_korean.derivation import Derivation
from annotated_transformer.lab.corpora.english_korean.everyday.surface import ASKING
from annotated_transformer.lab.corpora.english_korean.korean_english import (
    SIZES,
    KoreanEnglish,
    korean_english,
    split_of,
)
from annotated_transformer.lab.corpora.english_korean.korean_surface import (
    set_phrases,
    typed,
)

SAMPLE = {"train": 36_000, "valid": 60, "test": 60}


@pytest.fixture(scope="module")
def splits() -> dict[str, list[SentencePair]]:
    return korean_english(SAMPLE)


def test_korean_has_a_mark_at_its_end_alone_and_no_latin_letters(
    splits: dict[str, list[SentencePair]],
) -> None:
    for pairs in splits.values():
        for pair in pairs:
            assert re.fullmatch(r"[가-힣0-9,:]+( [가-힣0-9,:]+)*[.?]?", pair.source), pair


def test_english_is_written(splits: dict[str, list[SentencePair]]) -> None:
    for pair in (pair for pairs in splits.values() for pair in pairs):
        assert re.match("[A-Z0-9]", pair.target), pair
        assert pair.target[-1] in ".?", pair
        assert "  " not in pair.target, pair
        derived_question = pair.construction and pair.source.endswith(ASKING)
        if derived_question or pair.source.endswith("?"):
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


def test_all_ways_to_type_a_sentence_are_in_the_split_of_the_plain_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain_of: dict[str, set[str]] = defaultdict(set)

    def noted(d: Derivation, korean: str, *, asked: bool) -> str:
        form = typed(d, korean, asked=asked)
        plain_of[form].add(korean)
        return form

    monkeypatch.setattr(module, "typed", noted)
    for name, pairs in korean_english({"train": 26_000, "valid": 20, "test": 20}).items():
        derived = [pair.source for pair in pairs if pair.construction]
        assert len(derived) >= 20
        for source in derived:
            assert name in set(map(split_of, plain_of[source]))


def test_what_is_said_in_korean_alone_is_there(splits: dict[str, list[SentencePair]]) -> None:
    english = {pair.source: pair.target for pair in splits["train"]}
    assert english["안녕하세요"] == english["안녕"] == "Hello."
    assert english["학생이에요?"] == "Are you a student?"
    for korean, written in set_phrases():
        assert english[korean] == written


def test_it_is_found_by_its_name() -> None:
    assert KoreanEnglish().splits() == tuple(SIZES)
