"""Whole words as tokens."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family.words import (
    BEGIN,
    END,
    FIRST,
    MASK,
    PAD,
    Words,
    batches,
    padded,
)

TEXTS = ("the cat sleeps", "the dog sees the cat")


def test_words_have_ids_in_alphabetical_order_after_the_specials():
    words = Words(TEXTS)
    assert words.words == ("<pad>", "<mask>", "<s>", "</s>", "cat", "dog", "sees", "sleeps", "the")
    assert len(words) == 9
    assert words.ids("the dog") == [BEGIN, 8, 5, END]
    assert words.batch(TEXTS).tolist() == [[2, 8, 4, 7, 3, 0, 0], [2, 8, 5, 6, 8, 4, 3]]


@given(st.lists(st.sampled_from(["the", "cat", "dog", "sees", "sleeps"]), max_size=8))
def test_a_text_comes_back(chosen):
    words = Words(TEXTS)
    text = " ".join(chosen)
    assert words.text([*words.ids(text), PAD, PAD]) == text


def test_what_follows_the_end_is_left_out_and_a_gap_is_shown():
    words = Words(TEXTS)
    assert words.text([BEGIN, MASK, 4, END, 5, 6]) == "<mask> cat"


@pytest.mark.parametrize("split", ["valid", "test", "compositional"])
def test_all_words_of_the_corpus_are_known_from_training(split):
    words = Words(pair.source for pair in english_korean("train"))
    assert len(words) == FIRST + 915
    for pair in english_korean(split):
        words.ids(pair.source)


def test_what_has_no_ids_is_named():
    words = Words(TEXTS)
    with pytest.raises(ValueError, match="'pizza' is not among the 5 words"):
        words.ids("the pizza")
    with pytest.raises(ValueError, match="texts without words"):
        Words(["", " "])
    with pytest.raises(ValueError, match="the word <s> is that of a special token"):
        Words(["a <s> b"])
    with pytest.raises(ValueError, match="an empty batch"):
        padded([])


def test_every_text_is_read_once_before_one_is_read_twice():
    rows = [[BEGIN, FIRST + number, END] for number in range(10)]
    read = torch.cat(list(batches(rows, 5, seed=1, size=4)))[:, 1] - FIRST
    assert sorted(read[:10].tolist()) == sorted(read[10:].tolist()) == list(range(10))
    assert read[:10].tolist() != read[10:].tolist()
    again = torch.cat(list(batches(rows, 5, seed=1, size=4)))[:, 1] - FIRST
    assert torch.equal(read, again)


def test_no_batch_is_made_of_no_texts():
    with pytest.raises(ValueError, match="of no texts"):
        next(batches([], 1, seed=1))
