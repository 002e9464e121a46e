"""Three ways to fill a gap, with a model whose probabilities are a table."""

import itertools
import math

import pytest
import torch

from annotated_transformer.lab.analysis.gap_filling import (
    each_gap,
    fill_by_bayes,
    fill_from_both_sides,
    fill_from_the_left,
    perplexity,
    share_right,
    text_log_probability,
)
from annotated_transformer.lab.family import GPT, GPTConfig
from annotated_transformer.lab.family.words import BEGIN, END, FIRST, MASK, PAD, padded

V = FIRST + 4


@pytest.fixture
def table():
    """Row i: logits of what follows token i."""
    return 2 * torch.randn(V, V, generator=torch.Generator().manual_seed(1))


@pytest.fixture
def rows():
    draws = torch.Generator().manual_seed(2)
    lengths = [1, 3, 4, 2]
    return [[BEGIN, *torch.randint(FIRST, V, (n,), generator=draws).tolist(), END] for n in lengths]


def test_every_word_is_a_gap_once(rows):
    gaps = each_gap(rows)
    assert len(gaps) == len(set(gaps)) == 10
    assert all(rows[row][position] >= FIRST for row, position in gaps)


def test_from_the_left_the_word_before_decides(table, rows):
    gaps = each_gap(rows)
    found = fill_from_the_left(lambda ids: table[ids], rows, gaps)
    expected = [FIRST + table[rows[r][p - 1], FIRST:].argmax().item() for r, p in gaps]
    assert found.tolist() == expected


def test_by_bayes_both_neighbours_decide(table, rows):
    """In a chain, p(word | both sides) is proportional to p(word | before) p(after | word)."""
    gaps = each_gap(rows)
    logs = table.log_softmax(-1)
    found = fill_by_bayes(lambda ids: table[ids], rows, gaps)
    expected = [
        max(range(FIRST, V), key=lambda w: logs[rows[r][p - 1], w] + logs[w, rows[r][p + 1]])
        for r, p in gaps
    ]
    assert found.tolist() == expected
    assert found.tolist() != fill_from_the_left(lambda ids: table[ids], rows, gaps).tolist()


def test_from_both_sides_the_model_sees_one_gap_and_all_the_rest(rows):
    seen = []

    def logits_of(ids):
        seen.extend(ids.tolist())
        return torch.nn.functional.one_hot((ids + 1).clamp(max=V - 1), V).float()

    gaps = each_gap(rows)
    fill_from_both_sides(logits_of, rows, gaps)
    assert len(seen) == len(gaps)
    for text, (row, position) in zip(seen, gaps, strict=True):
        assert text[position] == MASK
        text[position] = rows[row][position]
        assert [number for number in text if number != PAD] == rows[row]


def test_a_text_is_as_probable_as_its_tokens_together(table, rows):
    logs = table.log_softmax(-1)
    found = text_log_probability(lambda ids: table[ids], padded(rows))
    for score, ids in zip(found.tolist(), rows, strict=True):
        expected = sum(logs[a, b].item() for a, b in itertools.pairwise(ids))
        assert math.isclose(score, expected, abs_tol=1e-4)


def test_the_share_right_counts_gaps(rows):
    gaps = each_gap(rows)
    answers = torch.tensor([rows[r][p] for r, p in gaps])
    assert share_right(rows, gaps, answers) == 100
    answers[:5] = FIRST - 1
    assert share_right(rows, gaps, answers) == 50


def test_perplexity_is_that_of_the_loss():
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 8, "d_ff": 8, "n_heads": 2, "max_length": 8}
    model = GPT(GPTConfig(vocab_size=12, **sizes)).eval()
    rows = [[2, 5, 6, 3], [2, 9, 3], [2, 11, 4, 8, 7, 3]]
    n = sum(len(row) - 1 for row in rows)
    total = sum(model.loss(torch.tensor([row])).item() * (len(row) - 1) for row in rows)
    assert math.isclose(perplexity(model, rows), math.exp(total / n), rel_tol=1e-5)
