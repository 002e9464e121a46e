"""A text has an answer to each question; a bound on the bits bounds the answers."""

import itertools
import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.attention import attention_weights
from annotated_transformer.lab.variants.linear import linear_attention_weights
from experiments import recall
from experiments.recall import Recall, accuracy, best_accuracy, state_bits, texts, trained


def test_each_question_is_about_a_pair_of_the_text_and_its_keys_differ():
    keys, values, asked, answers = texts(9, torch.Generator().manual_seed(3))
    for row in range(len(keys)):
        pairs = dict(zip(keys[row].tolist(), values[row].tolist(), strict=True))
        assert len(pairs) == 9
        assert [pairs[key] for key in asked[row].tolist()] == answers[row].tolist()


def test_the_order_of_the_pairs_says_nothing():
    keys, values, asked, _ = texts(9, torch.Generator().manual_seed(3))
    order = torch.randperm(9)
    for kind in ("softmax", "linear"):
        model = Recall(kind, d=4)
        moved = model(keys[:, order], values[:, order], asked)
        torch.testing.assert_close(moved, model(keys, values, asked))


def test_the_two_kinds_differ_in_their_weights_alone():
    query, key, value = (torch.randn(2, 1, n, 4) for n in (3, 5, 5))
    weights = {
        "softmax": attention_weights(query, key),
        "linear": linear_attention_weights(query, key),
    }
    models = {kind: Recall(kind, d=4) for kind in weights}
    for kind, model in models.items():
        found = model.attention.attend(query, key, value, None)
        torch.testing.assert_close(found, weights[kind] @ value)
    shapes = [{k: v.shape for k, v in model.state_dict().items()} for model in models.values()]
    assert shapes[0] == shapes[1]


def test_the_bound_is_everything_with_enough_bits_and_a_guess_with_none():
    bits = 10 * math.log2(recall.VALUES)
    assert best_accuracy(bits, 10) == 1.0
    assert best_accuracy(bits - 1, 10) < 1.0
    assert best_accuracy(0, 10) == pytest.approx(1 / recall.VALUES)
    assert state_bits(8) == 32 * 72


@given(st.floats(0, 500), st.floats(1, 200), st.integers(1, 100))
def test_more_bits_never_bound_lower_and_more_pairs_never_higher(bits, more, n):
    assert best_accuracy(bits, n) <= best_accuracy(bits + more, n) + 1e-9
    assert best_accuracy(bits, n + 1) <= best_accuracy(bits, n) + 1e-9


@pytest.mark.parametrize("bits", [0, 1, 2, 3])
def test_no_code_of_few_bits_does_better_than_the_bound(bits, monkeypatch):
    """Two values of 2 bits; random codes of so many bits, each read out as well as possible."""
    monkeypatch.setattr(recall, "VALUES", 4)
    contexts = list(itertools.product(range(4), repeat=2))
    for seed in range(50):
        draws = torch.Generator().manual_seed(seed)
        codes = torch.randint(2**bits, (len(contexts),), generator=draws).tolist()
        right = 0
        for code, place in itertools.product(set(codes), range(2)):
            values = [c[place] for c, own in zip(contexts, codes, strict=True) if own == code]
            right += max(values.count(v) for v in range(4))
        assert right / (2 * len(contexts)) <= best_accuracy(bits, 2) + 1e-9


def test_softmax_attention_learns_what_two_numbers_of_state_cannot():
    softmax, losses = trained("softmax", d=16, n=16, steps=150, seed=1)
    linear, _ = trained("linear", d=2, n=16, steps=150, seed=1)
    assert losses[-1] < losses[0] / 2
    assert accuracy(softmax, 16) > 60
    assert accuracy(linear, 16) < 40
