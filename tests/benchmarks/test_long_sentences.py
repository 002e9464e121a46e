"""What is timed is attention, where curves cross is found, and what does not fit is said."""

import pytest
import torch

from annotated_transformer.attention import attention
from annotated_transformer.lab.variants.linear import linear_attention_weights
from annotated_transformer.lab.variants.window import window_mask
from benchmarks import long_sentences, measure
from benchmarks.long_sentences import (
    KEPT,
    STEPS,
    contestants,
    crossing,
    growth,
    objection,
    per_token,
    shapes,
)


def test_all_that_is_called_attention_computes_what_its_name_says():
    config = measure.configuration("base")
    query, key, value = (torch.randn(1, 8, 20, 64, dtype=torch.float64) for _ in range(3))
    weights = linear_attention_weights(query, key).tril()
    expected = {
        **dict.fromkeys(["explicit", KEPT, "fused", "tiled"], attention(query, key, value)[0]),
        **dict.fromkeys(
            ["window", "window, masked"], attention(query, key, value, window_mask(20, 3))[0]
        ),
        "linear": linear_attention_weights(query, key) @ value,
        "linear, causal": weights / weights.sum(-1, keepdim=True) @ value,
    }
    for name, groups in {"grouped-query": 2, "multi-query": 1, **STEPS}.items():
        copied = (x[:, :groups].repeat_interleave(8 // groups, 1) for x in (key, value))
        expected[name] = attention(query[..., : 1 if name in STEPS else 20, :], *copied)[0]
    for name, compute in contestants(window=3).items():
        given = [
            x[:, : shape[0], : shape[1]]
            for x, shape in zip((query, key, value), shapes(name, config, 20), strict=True)
        ]
        torch.testing.assert_close(compute(*given), expected.pop(name))
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
    assert said.startswith("attention (explicit) over 16,384 tokens needs 16.0 GiB for scores and")
    assert "4.0 GiB are free: take a shorter text, or attend in tiles" in said
    assert "needs 24.0 GiB" in objection("window, masked", 16_384, config, "cpu")
    assert objection("fused", 16_384, config, "cpu") == ""
    assert objection(KEPT, 4_096, config, "cpu") == ""
    assert "8,192 tokens: the others need the memory" in objection(KEPT, 8_192, config, "cpu")


def test_a_step_reads_the_keys_of_its_groups_and_is_one_token():
    config = measure.configuration("base")
    assert shapes("step, 2 groups", config, 100) == [(8, 1, 64), (2, 100, 64), (2, 100, 64)]
    assert shapes("multi-query", config, 100) == [(8, 100, 64), (1, 100, 64), (1, 100, 64)]
    assert shapes("feed-forward", config, 100) == [(100, 512)]
    assert per_token("step, 1 group", 100, 2e-3) == 2_000
    assert per_token("multi-query", 100, 2e-3) == 20
