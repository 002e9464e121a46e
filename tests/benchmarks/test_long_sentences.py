"""What is timed is attention, where curves cross is found, and what does not fit is said."""

import pytest
import torch

from annotated_transformer.attention import attention
from annotated_transformer.variants.linear import linear_attention_weights
from annotated_transformer.variants.window import window_mask
from benchmarks import long_sentences, measure
from benchmarks.long_sentences import contestants, crossing, growth, objection


def test_all_that_is_called_attention_computes_what_its_name_says():
    query, key, value = (torch.randn(1, 2, 20, 8, dtype=torch.float64) for _ in range(3))
    weights = linear_attention_weights(query, key).tril()
    expected = {
        **dict.fromkeys(["explicit", "fused", "tiled"], attention(query, key, value)[0]),
        "window": attention(query, key, value, window_mask(20, 3))[0],
        "linear": linear_attention_weights(query, key) @ value,
        "linear, causal": weights / weights.sum(-1, keepdim=True) @ value,
    }
    for name, compute in contestants(window=3).items():
        torch.testing.assert_close(compute(query, key, value), expected.pop(name))
    assert not expected


def test_two_power_laws_cross_where_they_are_equal():
    lengths = [64, 128, 256, 512, 1024]
    square, line = [n**2 / 300 for n in lengths], [float(n) for n in lengths]
    assert crossing(lengths, square, line) == pytest.approx(300)
    assert crossing(lengths, line, square) is None  # more at the shortest length already
    assert crossing(lengths[:3], square[:3], line[:3]) is None


def test_the_growth_of_a_contestant_is_that_of_its_last_lengths():
    lengths = [2**i for i in range(6, 13)]
    times = {
        "explicit": [max(4e4, n**2) for n in lengths],
        "feed-forward": [700.0 * n for n in lengths],
        "projections": [90.0 * n for n in lengths],
    }
    times["explicit"] = times["explicit"][:-1]  # left out at the last
    rows = [
        {"contestant": name, "length": n, "seconds": s}
        for name, seconds in times.items()
        for n, s in zip(lengths, seconds, strict=False)
    ]
    explicit, network, _ = growth(rows)
    assert explicit["lengths"] == [256, 2048]
    assert explicit["exponent"] == 2.0
    assert explicit["overtakes feed-forward"] == 700
    assert network["exponent"] == 1.0
    assert network["overtakes feed-forward"] is None


def test_a_length_that_would_not_fit_is_said_with_its_need(monkeypatch):
    config = measure.configuration("base")
    monkeypatch.setattr(long_sentences, "free_memory", lambda _: 4 * 2**30)
    assert objection("explicit", 8_192, config, "cpu") == ""
    said = objection("explicit", 16_384, config, "cpu")
    assert said.startswith("explicit attention over 16,384 tokens needs 16.0 GiB for scores and")
    assert "4.0 GiB are free: take a shorter text, or attend in tiles" in said
    assert objection("fused", 16_384, config, "cpu") == ""
