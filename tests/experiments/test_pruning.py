"""Orders that hold every head once, and a curve that ends in a model without attention."""

import json

import pytest
from tiny import tiny_translator

from annotated_transformer.analysis.heads import attentions_of
from annotated_transformer.corpora import SentencePair
from experiments import pruning

PAIRS = [SentencePair("I am a student", "나는 학생이다"), SentencePair("I am", "나는")]


@pytest.fixture
def few(monkeypatch):
    translator = tiny_translator(n_layers=1, dropout=0.0, search={"beam_size": 1})
    monkeypatch.setattr(pruning, "load_model", lambda *_, **__: translator)
    monkeypatch.setattr(pruning, "english_korean", lambda split, lexicon: PAIRS)
    return translator


def test_every_order_has_every_head_and_a_curve(few, tmp_path):
    out = tmp_path / "record.json"
    options = ["--sentences", "2", "--valid", "2", "--seeds", "1", "2"]
    pruning.main([*options, "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"].endswith("--sentences 2 --valid 2 --seeds 1 2")
    heads = [[name, head] for name in attentions_of(few.model) for head in range(2)]
    assert list(record["heads"]) == ["gradient", "loss", "chance 1", "chance 2"]
    for order in record["heads"].values():
        assert sorted(order) == sorted(heads)
    assert len(record["rows"]) == len(heads)
    for name in record["heads"]:
        curve = [entry for entry in record["curve"] if entry["order"] == name]
        assert [entry["removed"] for entry in curve] == list(range(7))
        parameters = [entry["parameters"] for entry in curve]
        assert parameters == sorted(parameters, reverse=True)


def test_the_loss_goes_by_what_is_missed_least(few):
    found, rows = pruning.orders(few, PAIRS, seeds=[])
    missed = {(row["attention"], row["head"]): row["valid_loss"] for row in rows}
    losses = [missed[head] for head in found["loss"]]
    assert losses == sorted(losses)
    assert len(set(losses)) > 1
    first = found["loss"][0]
    assert pruning.loss_without(few, PAIRS, first) == pytest.approx(losses[0], abs=1e-5)


def test_more_sentences_than_there_are_are_refused(capsys, tmp_path):
    with pytest.raises(SystemExit):
        pruning.main(["--sentences", "1001", "--out", str(tmp_path / "r.json")])
    assert "--sentences 1001: the split has 1,000 sentences" in capsys.readouterr().err
