"""The large lexicon: what a visitor may type, its splits, and the ways a sentence is typed."""

import hashlib
import re
from collections import Counter
from pathlib import Path

import pytest
from stored_corpus import read_back

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import (
    LARGE_CONSTRUCTIONS,
    LARGE_SIZES,
    PHRASE,
    SPLITS,
    Derived,
    derivations,
    english_korean,
    plain,
)
from annotated_transformer.lab.corpora.english_korean.held_out import HELD_OUT
from annotated_transformer.text import TrainingText

FINGERPRINT = "2a78b075ba1ac8fe1167a0d7e16aca2f8c8de05c1589387b76f017c83835c119"


@pytest.fixture(scope="module")
def splits() -> dict[str, list[SentencePair]]:
    return {split: english_korean(split, "large") for split in SPLITS}


def typed_alike(english: str) -> str:
    """Oracle, written apart from `plain`: what is left of a sentence however it is typed."""
    text = english.lower().replace("’", "'")
    for short, long in (
        *(("won't", "will not"), ("can't", "cannot"), ("n't", " not"), ("let's", "let us")),
        *(
            ("o'clock", "oclock"),
            ("'re", " are"),
            ("'ll", " will"),
            ("'m", " am"),
            ("'d", " would"),
        ),
        ("'s", " is"),
    ):
        text = text.replace(short, long)
    digits = (*range(2, 13), 15, 20, 30, 40, 50)
    names = "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty"
    names_of = dict(zip(map(str, digits), [*names.split(" "), "fifty"], strict=True))
    return " ".join(names_of.get(word, word) for word in re.findall(r"[a-z0-9]+", text))


def test_the_corpus_is_the_same_everywhere(splits: dict[str, list[SentencePair]]) -> None:
    assert {split: len(pairs) for split, pairs in splits.items()} == LARGE_SIZES
    lines = (
        f"{pair.source}\t{pair.target}\t{pair.alignment}\n" for s in SPLITS for pair in splits[s]
    )
    assert hashlib.sha256("".join(lines).encode()).hexdigest() == FINGERPRINT


def test_everyday_words(splits: dict[str, list[SentencePair]]) -> None:
    assert len({word for p in splits["train"] for word in plain(p.source).split()}) >= 1_500
    known = TrainingText.of(pair.source for pair in splits["train"]).words
    assert {"pizza", "breakfast", "tomorrow", "don't", "isn't", "i'm", "hello", "monday"} <= known


def test_a_meaning_stands_in_one_split(splits: dict[str, list[SentencePair]]) -> None:
    meanings = {name: {typed_alike(p.source) for p in pairs} for name, pairs in splits.items()}
    for left, right in (("valid", "test"), ("train", "test"), ("train", "valid")):
        assert meanings[left].isdisjoint(meanings[right]), (left, right)
    assert meanings["compositional"].isdisjoint(
        meanings["train"] | meanings["valid"] | meanings["test"]
    )


def test_the_test_splits_of_the_small_lexicon_are_not_trained_on(
    splits: dict[str, list[SentencePair]],
) -> None:
    meanings = {typed_alike(pair.source) for pair in splits["train"]}
    for split in ("valid", "test", "compositional"):
        assert meanings.isdisjoint(typed_alike(pair.source) for pair in english_korean(split))


def test_one_meaning_has_one_translation(splits: dict[str, list[SentencePair]]) -> None:
    found: dict[str, str] = {}
    for pair in (pair for pairs in splits.values() for pair in pairs):
        assert found.setdefault(typed_alike(pair.source), pair.target) == pair.target


def test_every_word_is_aligned(splits: dict[str, list[SentencePair]]) -> None:
    for pair in (pair for pairs in splits.values() for pair in pairs):
        assert pair.alignment is not None
        assert {i for i, _ in pair.alignment} == set(range(len(pair.source.split(" ")))), pair
        assert {j for _, j in pair.alignment} == set(range(len(pair.target.split(" ")))), pair


def test_sentences_are_typed_in_many_ways(splits: dict[str, list[SentencePair]]) -> None:
    sources = [pair.source for pair in splits["train"]]
    n = len(sources)
    assert 0.2 < sum(text[0].islower() for text in sources) / n < 0.35
    for mark in ".?":
        assert sum(text.endswith(mark) for text in sources) > 0.1 * n
    assert sum(text.endswith("!") for text in sources) > 0.01 * n
    for short in ("don't", "isn't", "I'm", "it's", "can't", "didn't", "’"):
        assert sum(short in text for text in sources) > 100, short
    assert all(re.fullmatch(r"[A-Za-z0-9'’,.?! ]+", text) for text in sources)
    assert all(re.fullmatch(r"[가-힣]+( [가-힣]+)*", p.target) for p in splits["train"])


def test_questions_end_as_questions(splits: dict[str, list[SentencePair]]) -> None:
    derived = [pair for pair in splits["train"] if pair.construction != PHRASE]
    asked = [pair for pair in derived if pair.source.endswith("?")]
    assert len(asked) > 10_000
    assert [pair for pair in asked if not pair.target.endswith(("니", "까"))] == []


def test_every_construction_is_there(splits: dict[str, list[SentencePair]]) -> None:
    count = Counter(pair.construction for pair in splits["train"])
    assert set(count) == set(LARGE_CONSTRUCTIONS)
    assert min(count.values()) > 200


@pytest.fixture(scope="module")
def derived() -> dict[str, list[Derived]]:
    return derivations("large")


def test_held_out_pairings_are_held_out(derived: dict[str, list[Derived]]) -> None:
    for split in ("train", "valid", "test"):
        assert all(item.features.isdisjoint(HELD_OUT) for item in derived[split])
    assert all(item.features & HELD_OUT for item in derived["compositional"])


def test_what_is_read_from_a_file_is_what_was_derived(
    derived: dict[str, list[Derived]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = read_back(derived, tmp_path, monkeypatch)
    for split in SPLITS:
        pairs = [item.pair for item in derived[split]]
        assert read[split] == english_korean(split, "large") == pairs


def test_an_unknown_lexicon_is_named() -> None:
    with pytest.raises(ValueError, match="unknown lexicon 'huge'; expected one of"):
        english_korean("test", "huge")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("english", "korean"),
    [
        ("hello how are you", "안녕 어떻게 지내니"),
        ("i do not know", "나는 모른다"),
        ("thank you", "고맙다"),
        ("see you tomorrow", "내일 보자"),
    ],
)
def test_set_phrases(splits: dict[str, list[SentencePair]], english: str, korean: str) -> None:
    found = {p.target for p in splits["train"] if plain(p.source) == english}
    assert found == {korean}


def test_the_lexicons_have_as_many_word_forms_as_the_chapter_says() -> None:
    small, large = (
        len(
            {
                w.lower()
                for w in TrainingText.of(p.source for p in english_korean("train", lexicon)).words
            }
        )
        for lexicon in ("small", "large")
    )
    assert round(small, -2) == 900
    assert round(large, -2) == 2_100
