"""The plain byte pairs and unigram against sentencepiece, which has its own way to both."""

import itertools
import math
import re

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.lab.analysis.subwords import (
    Merge,
    apply_merges,
    best_pair,
    join_pair,
    learn_merges,
    log_probabilities,
    merge_text,
    most_probable_pieces,
)
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.tokenizer import Tokenizer

FIRST_PIECE = 260  # after the specials and the bytes
# One script a line, and words of at most 15 letters: what the plain code leaves out cannot matter.
LINES = st.lists(
    st.sampled_from(["abc ", "가나다 "]).flatmap(
        lambda letters: st.text(letters, min_size=1, max_size=15)
    ),
    min_size=1,
    max_size=6,
)


def characters(lines):
    return {"▁"} | {c for line in lines for c in line if c != " "}


@settings(max_examples=150, deadline=None)
@given(lines=LINES, text=st.text("abc가나 ", max_size=20), data=st.data())
def test_merges_and_pieces_are_those_of_sentencepiece(lines, text, data):
    with pytest.raises(ValueError, match="too many") as error:
        list(learn_merges(lines, 1_000))
    possible = int(re.search(r"(\d+) leave", str(error.value)).group(1))
    assume(possible > 0)
    n_merges = data.draw(st.integers(1, possible))
    merges = list(learn_merges(lines, n_merges))
    size = FIRST_PIECE + n_merges + len(characters(lines))
    theirs = Tokenizer.train(lines, vocab_size=size)
    assert [merge.piece for merge in merges] == theirs.vocabulary()[FIRST_PIECE:][:n_merges]
    text = "".join(c for c in text if c == " " or c in characters(lines))
    assert merge_text(text, merges) == theirs.pieces(text)


def test_merges_of_the_embedded_corpus_are_those_of_sentencepiece():
    lines = [line for pair in english_korean("valid")[:300] for line in (pair.source, pair.target)]
    theirs = Tokenizer.train(lines, vocab_size=900)
    n_merges = 900 - FIRST_PIECE - len(characters(lines))
    merges = list(learn_merges(lines, n_merges))
    assert [merge.piece for merge in merges] == theirs.vocabulary()[FIRST_PIECE:][:n_merges]
    for line in lines:
        assert merge_text(line, merges) == theirs.pieces(line)


def test_merges_of_an_example_by_hand():
    """Four words: ▁ab three times, ▁b once. (a, b) and (▁, a) tie at three; "ab" < "▁a"."""
    merges = list(learn_merges(["ab ab", "b ab"], 2))
    assert merges == [Merge("a", "b", 3), Merge("▁", "ab", 3)]
    assert list(apply_merges(("▁", "a", "b"), merges)) == [
        ("▁", "a", "b"),
        ("▁", "ab"),
        ("▁ab",),
    ]
    assert merge_text("abb a", merges) == ["▁ab", "b", "▁", "a"]
    assert merge_text("🎉", merges) == ["▁", "🎉"]
    assert merge_text("", merges) == []
    assert list(learn_merges(["ab"], 0)) == []


def test_ties_and_overlaps():
    assert best_pair({("b", "c"): 2, ("a", "bc"): 2, ("a", "d"): 2, ("x", "y"): 1}) == ("a", "d")
    assert join_pair(("a", "a", "a", "b"), ("a", "a")) == ("aa", "a", "b")


@pytest.mark.parametrize(
    ("lines", "n_merges", "message"),
    [
        (["ab"], -1, "n_merges=-1 must be an integer, 0 or more"),
        (["ab"], math.nan, "n_merges=nan must be an integer, 0 or more"),
        ("ab ab", 1, r"one text was given; expected a list of lines"),
        ([""], 1, "no text to learn merges from"),
        (["ab"], 3, "n_merges=3 is too many: 2 leave nothing to join"),
        (["a\nb"], 1, r"U\+000A at position 1"),
    ],
)
def test_invalid_arguments_are_refused(lines, n_merges, message):
    with unchecked(), pytest.raises(ValueError, match=message):
        list(learn_merges(lines, n_merges))


def every_cut(word):
    """All ways to cut a word, by choosing the places."""
    places = range(1, len(word))
    for n in range(len(word)):
        for chosen in itertools.combinations(places, n):
            ends = [0, *chosen, len(word)]
            yield [word[a:b] for a, b in itertools.pairwise(ends)]


@given(text=st.text("ab", min_size=1, max_size=7), data=st.data())
def test_unigram_finds_the_most_probable_of_all_segmentations(text, data):
    some = data.draw(st.lists(st.text("▁ab", min_size=2, max_size=4), max_size=8))
    scores = {piece: -1 - data.draw(st.floats(0, 9)) for piece in [*"▁ab", *some]}
    cuts = [cut for cut in every_cut("▁" + text) if all(piece in scores for piece in cut)]
    best = max(sum(scores[piece] for piece in cut) for cut in cuts)
    found = most_probable_pieces(text, scores)
    assert math.isclose(sum(scores[piece] for piece in found), best)


def test_unigram_segments_as_sentencepiece_does():
    lines = [line for pair in english_korean("valid") for line in (pair.source, pair.target)]
    theirs = Tokenizer.train(lines, vocab_size=1_000, kind="unigram")
    scores = log_probabilities(theirs)
    for line in lines[:300]:
        assert most_probable_pieces(line, scores) == theirs.pieces(line)


def test_text_that_unigram_pieces_cannot_spell_is_refused():
    with pytest.raises(ValueError, match="cannot spell 'c'"):
        most_probable_pieces("c", {"▁": -1.0, "a": -1.0})
    assert most_probable_pieces("", {}) == []
