"""Word-level attention, links and alignment error on matrices small enough to do by hand."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.alignment import (
    WordAttention,
    aligned_words,
    alignment_error_rate,
    word_attention,
)


def test_word_attention_sums_source_tokens_and_averages_target_tokens():
    """Source words: tokens 0, 1-2, 3 is EOS. Target words: tokens 0-1, 2."""
    weights = torch.tensor([[0.5, 0.2, 0.2, 0.1], [0.1, 0.0, 0.6, 0.3], [0.4, 0.1, 0.1, 0.4]])
    merged = word_attention(weights, [(0, 1), (1, 3)], [(0, 2), (2, 3)])
    torch.testing.assert_close(merged, torch.tensor([[0.3, 0.5], [0.4, 0.2]]))


def test_word_attention_of_one_token_words_is_the_matrix():
    weights = torch.rand(3, 4)
    spans = [(i, i + 1) for i in range(4)]
    torch.testing.assert_close(word_attention(weights, spans, spans[:3]), weights)


@given(
    st.lists(st.integers(1, 3), min_size=1),
    st.lists(st.integers(1, 3), min_size=1),
    st.integers(0, 2**16),
)
def test_rows_that_sum_to_one_still_do(source_lengths, target_lengths, seed):
    torch.manual_seed(seed)
    source, target = _spans(source_lengths), _spans(target_lengths)
    weights = torch.rand(target[-1][1], source[-1][1], dtype=torch.float64).softmax(dim=-1)
    merged = word_attention(weights, source, target)
    assert merged.shape == (len(target), len(source))
    torch.testing.assert_close(merged.sum(dim=1), torch.ones(len(target), dtype=torch.float64))


def _spans(lengths):
    stops = torch.tensor(lengths).cumsum(0).tolist()
    return [(stop - length, stop) for stop, length in zip(stops, lengths, strict=True)]


@pytest.mark.parametrize("span", [(1, 1), (2, 1), (-1, 1), (1, 3)])
def test_span_outside_the_matrix_or_empty(span):
    weights = torch.rand(2, 2)
    with pytest.raises(ValueError, match=r"the source span .* the 2 source tokens"):
        word_attention(weights, [span], [(0, 1)])
    with pytest.raises(ValueError, match=r"the target span .* the 2 target tokens"):
        word_attention(weights, [(0, 1)], [span])


def test_each_target_word_is_linked_to_the_source_word_it_attends_to_most():
    attention = torch.tensor([[0.1, 0.6, 0.2], [0.7, 0.1, 0.1], [0.3, 0.2, 0.3]])
    assert aligned_words(attention) == {(1, 0), (0, 1), (0, 2)}
    with pytest.raises(ValueError, match="no source words"):
        aligned_words(torch.zeros(2, 0))


def test_alignment_error_rate_by_hand():
    """A = 3 links, S = 4 links, 2 in common: 1 - (2 + 2) / (3 + 4)."""
    predicted = {(0, 0), (1, 2), (2, 1)}
    gold = {(0, 0), (1, 2), (2, 2), (3, 1)}
    assert alignment_error_rate([predicted], [gold]) == pytest.approx(3 / 7)
    precision, recall = 2 / 3, 2 / 4
    f1 = 2 * precision * recall / (precision + recall)
    assert alignment_error_rate([predicted], [gold]) == pytest.approx(1 - f1)


def test_alignment_error_rate_at_its_ends_and_over_sentences():
    one, two = {(0, 0)}, {(0, 1), (1, 0), (2, 2)}
    assert alignment_error_rate([one, two], [one, two]) == 0
    assert alignment_error_rate([one], [two]) == 1
    assert alignment_error_rate([set(), two], [one, set()]) == 1
    # Links are counted over all sentences: 2 * 3 / (2 + 6), not the mean of 0 and 1.
    assert alignment_error_rate([set(one), two], [{(5, 5)}, two]) == pytest.approx(1 / 4)


def test_alignment_error_rate_without_links_is_refused():
    with pytest.raises(ValueError, match="1 predicted alignments for 2 gold"):
        alignment_error_rate([set()], [set(), set()])
    for empty in ([], [set()]):
        with pytest.raises(ValueError, match="neither the predicted nor the gold"):
            alignment_error_rate(empty, empty)


def test_word_attention_record_checks_its_shapes():
    words = {"source_words": ("I", "am"), "target_words": ("나는",)}
    WordAttention(**words, weights=torch.rand(1, 2), end_of_source=torch.rand(1))
    with pytest.raises(TypeError):
        WordAttention(**words, weights=torch.rand(1, 2), end_of_source=torch.rand(2))
