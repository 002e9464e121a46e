"""Additive and dot-product attention are timed on equal inputs, and ratios are within a round."""

import pytest
import torch

from annotated_transformer.attention import attention
from benchmarks import score_times


def test_the_contestants_are_what_their_names_say():
    query, key, value = torch.randn(3, 2, 5, 8).double()
    found = score_times.contestants(8)
    written = found["dot product"](query, key, value)
    torch.testing.assert_close(written, attention(query, key, value)[0])
    torch.testing.assert_close(found["dot product, fused"](query, key, value), written)
    one = query[:, :1].float()
    # Over a single key every kind of attention gives back its value.
    for attend in found.values():
        torch.testing.assert_close(attend(one, one, value[:, :1].float()), value[:, :1].float())


@pytest.mark.parametrize("kind", score_times.PASSES)
def test_every_round_times_all_of_them_once(kind):
    calls = []

    def attend(name):
        def counted(query, key, value):
            calls.append(name)
            return query + key + value

        return counted

    inputs = [torch.randn(1, 2, 4, requires_grad=True) for _ in range(3)]
    found = score_times.rounds_of({name: attend(name) for name in "abc"}, inputs, kind, rounds=2)
    assert [list(entry) for entry in found] == [["a", "b", "c"]] * 2
    assert "".join(calls) == "abcbcacab"
    assert (inputs[0].grad is not None) == (kind == "forward and backward")


def test_a_ratio_is_formed_within_a_round():
    timed = [
        {"additive": 6.0, "dot product": 2.0, "dot product, fused": 1.0},
        {"additive": 40.0, "dot product": 10.0, "dot product, fused": 20.0},
        {"additive": 10.0, "dot product": 2.0, "dot product, fused": 1.0},
    ]
    found = score_times.row(32, "forward", timed)
    assert found["ratio"] == {"median": 4.0, "lowest": 3.0, "highest": 5.0}
    assert found["ratio_fused"] == {"median": 6.0, "lowest": 2.0, "highest": 10.0}
    assert found["milliseconds"]["additive"] == 10_000


def test_the_command_repeats_the_record():
    parser = score_times.STUDY.parser()
    given = parser.parse_args(["--lengths", "8", "16", "--rounds", "3", "--out", "x.json"])
    words = score_times.STUDY.command(given).split(" ")
    assert words[:3] == ["python", "-m", "benchmarks.score_times"]
    assert parser.parse_args(words[3:]) == given
