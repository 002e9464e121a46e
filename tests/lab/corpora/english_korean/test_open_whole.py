"""The whole open corpus, which takes a minute: what the sample of test_open.py cannot show."""

import pytest
from live_weights import tried

from annotated_transformer import Translator
from annotated_transformer.lab.corpora.english_korean import derivations
from annotated_transformer.lab.corpora.english_korean.korean_english import KoreanEnglish
from annotated_transformer.lab.corpora.english_korean.open.splits import OPEN_SIZES
from annotated_transformer.lab.corpora.english_korean.open.surface import plain
from annotated_transformer.lab.corpora.english_korean.splits import Derived


@pytest.fixture(scope="module")
def whole() -> dict[str, list[Derived]]:
    """All splits; deriving them raises an error if many sentences have two translations."""
    return derivations("open")


def test_the_splits_have_their_sizes(whole: dict[str, list[Derived]]) -> None:
    assert {split: len(items) for split, items in whole.items()} == OPEN_SIZES


def test_the_sentences_to_try_on_the_first_page_are_unseen(
    whole: dict[str, list[Derived]],
) -> None:
    sentences = {plain(sentence) for sentence in tried("english_korean_open")}
    assert len(sentences) == 6
    for split in ("train", "valid"):
        assert sentences.isdisjoint(plain(item.pair.source) for item in whole[split])


def test_those_to_try_in_korean_are_unseen_and_their_words_are_known() -> None:
    sentences = tried("korean_english")
    assert len(sentences) == 6
    corpus = KoreanEnglish()
    for split in ("train", "valid"):
        assert {pair.source for pair in corpus.pairs(split)}.isdisjoint(sentences)
    read = Translator.load("korean_english").policy.read
    assert [read(sentence).unknown_words for sentence in sentences] == [()] * 6
