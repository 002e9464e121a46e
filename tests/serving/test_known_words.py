"""Words that a model has seen, and the ones it has not."""

import pytest

from annotated_transformer.serving.known_words import (
    about_unknown,
    known_words,
    unknown_words,
    words_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I don't know.", ["i", "don't", "know"]),
        ("I DON\u2019T know!", ["i", "don't", "know"]),
        ('"Hello," she said - twice?', ["hello", "she", "said", "twice"]),
        ("It's 3 o'clock", ["it's", "3", "o'clock"]),
        (" . ", []),
    ],
)
def test_a_word_is_compared_without_case_and_punctuation(text: str, words: list[str]) -> None:
    assert words_of(text) == words


def test_unknown_words_are_named_once_and_in_order() -> None:
    known = known_words(["I want to eat.", "We eat bread"])
    assert known == {"i", "want", "to", "eat", "we", "bread"}
    assert unknown_words("I want PIZZA, pizza and sushi", known) == ("pizza", "and", "sushi")
    assert unknown_words("we want to eat bread!", known) == ()


def test_without_known_words_none_is_unknown() -> None:
    assert unknown_words("anything", frozenset()) == ()


def test_a_corpus_of_too_many_words_keeps_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotated_transformer.serving.known_words.MOST", 3)
    assert known_words(["one two", "three"]) == {"one", "two", "three"}
    assert known_words(["one two", "three four"]) == frozenset()


def test_the_sentence_about_unknown_words() -> None:
    assert about_unknown(["pizza"], 1812) == "pizza is not among the 1,812 words of this model"
    assert about_unknown(["a", "b", "c"], 9) == "a, b and c are not among the 9 words of this model"
