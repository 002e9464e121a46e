"""Words that a model has seen, and the ones it has not."""

import pytest

from annotated_transformer import Translator
from annotated_transformer.corpora.english_korean import english_korean
from annotated_transformer.serving.known_words import (
    about_unknown,
    known_words,
    unknown_words,
    words_of,
)


@pytest.fixture(scope="module")
def shipped() -> frozenset[str]:
    """The words that came with the shipped model."""
    return Translator.load("english_korean").words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", ["I", "don't", "know"]),
        ("I DON\u2019T know!", ["I", "DON'T", "know"]),
        ('"Hello," she said - twice?', ["Hello", "she", "said", "twice"]),
        ("It's 3 o'clock", ["It's", "3", "o'clock"]),
        (" . ", []),
    ],
)
def test_a_word_is_compared_as_it_is_spelled_without_punctuation(
    text: str, words: list[str]
) -> None:
    assert words_of(text) == words


def test_unknown_words_are_named_once_and_in_order() -> None:
    known = known_words(["I want to eat.", "We eat bread"])
    assert known == {"I", "want", "to", "eat", "We", "bread"}
    assert unknown_words("I want pizza, pizza and sushi", known) == ("pizza", "and", "sushi")
    assert unknown_words("We want to eat bread!", known) == ()
    assert unknown_words("we want to Eat bread!", known) == ("we", "Eat")


def test_capitals_do_not_count_where_nothing_is_known_of_them() -> None:
    """Lists of words from before capitals counted, and corpora without any."""
    known = {"i", "want", "bread"}
    assert unknown_words("I WANT Bread and Pizza", known) == ("and", "Pizza")


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("The Doctor met the judge", ["Doctor"]),
        ("I AM A STUDENT", ["AM", "STUDENT"]),
        ("Cats eat fish", ["Cats"]),  # no training sentence begins so
        ("The doctor met the judge", []),
        ("the doctor met anna in Paris on Monday", []),
    ],
)
def test_a_spelling_that_the_shipped_model_has_never_seen_is_unknown(
    shipped: frozenset[str], text: str, unknown: list[str]
) -> None:
    assert list(unknown_words(text, shipped)) == unknown


def test_the_shipped_words_are_those_of_its_corpus_and_no_pair_of_it_has_others(
    shipped: frozenset[str],
) -> None:
    assert shipped == known_words(p.source for p in english_korean("train", "large"))
    for split in ("train", "valid", "test", "compositional"):
        text = " ".join(pair.source for pair in english_korean(split, "large"))
        assert unknown_words(text, shipped) == ()


def test_without_known_words_none_is_unknown() -> None:
    assert unknown_words("anything", frozenset()) == ()


def test_a_corpus_of_too_many_words_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotated_transformer.serving.known_words.MOST", 3)
    assert known_words(["one two", "three"]) == {"one", "two", "three"}
    assert known_words(["one two", "three four"]) == frozenset()


@pytest.mark.parametrize(
    ("unknown", "about"),
    [
        (["pizza"], "pizza is not among the 3 words of this model"),
        (["b", "c", "d"], "b, c and d are not among the 3 words of this model"),
        (["Doctor"], "Doctor is known only as doctor"),
        (["Doctor", "AM"], "Doctor is known only as doctor, AM only as Am or am"),
        (["b", "ANNA"], "b is not among the 3 words of this model; ANNA is known only as Anna"),
    ],
)
def test_the_sentence_about_unknown_words(unknown: list[str], about: str) -> None:
    assert about_unknown(unknown, {"doctor", "am", "Am", "Anna"}) == about


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("\u200b", "U+200B"),
        ("am\x00", "am with U+0000"),
        ("a\u200b\x07\u200b", "a with U+200B and U+0007"),
        ("cat\u200d", "cat with U+200D"),
        ("👩🏽\u200d🚀", "👩🏽\u200d🚀"),  # one picture
    ],
)
def test_what_cannot_be_seen_is_named_by_its_code(word: str, name: str) -> None:
    assert about_unknown([word], {"the", "a"}) == f"{name} is not among the 2 words of this model"
