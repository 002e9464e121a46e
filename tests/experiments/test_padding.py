"""The share of padding is counted as a brute count counts it, and recorded."""

import json

import numpy as np
import pytest
from tiny_run import write_recipe

from annotated_transformer import load_recipe
from annotated_transformer.training.encoded import TokenPairs
from benchmarks import batches
from experiments import padding


def test_padding_is_counted_and_recorded(tmp_path, monkeypatch, capsys):
    out = tmp_path / "padding.json"
    path = write_recipe(tmp_path)
    options = ["--recipes", str(path), "--tokens", "60", "200", "--epochs", "2", "--out", str(out)]
    padding.STUDY.main(options)
    few, many = json.loads(out.read_text("utf-8"))["rows"]
    assert (few["tokens_per_batch"], many["tokens_per_batch"]) == (60, 200)
    assert few["batches"] > many["batches"] > 1
    for row in (few, many):
        assert 0 <= row["lowest"] <= row["padding"] <= row["highest"] < 0.3
        assert row["padding"] < row["padding_in_random_order"]
    assert "padding in random order" in capsys.readouterr().out


@pytest.mark.parametrize("name", padding.STUDY.parser().parse_args([]).recipes)
def test_the_recipes_of_the_record_are_read(name):
    assert load_recipe(name, padding.UNSCORED).evaluation.splits == ()


def test_padding_in_random_order_is_that_of_a_brute_count():
    found = batches.drawn_examples(100, vocab_size=300, seed=0)
    order = np.random.default_rng(3).permutation(100)
    filled = positions = 0
    for start in range(0, 100, 8):
        rows = [found[i] for i in order[start : start + 8]]
        for lengths in ([len(e.source) for e in rows], [len(e.target) - 1 for e in rows]):
            filled, positions = filled + sum(lengths), positions + max(lengths) * len(rows)
    share = padding.random_share(TokenPairs.of(found), 8, 3)
    assert share == pytest.approx(1 - filled / positions)
