"""The heads that go are those of `head_ablation`, and every model has its row and its race."""

import json

import pytest
from tiny import tiny_translator

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import attentions_of
from experiments import head_ablation, pruned_models

PAIRS = [SentencePair("I am a student", "나는 학생이다"), SentencePair("I am", "나는")]


@pytest.fixture
def few(monkeypatch):
    translator = tiny_translator(n_layers=1, dropout=0.0, search={"beam_size": 1})
    monkeypatch.setattr(pruned_models, "load_model", lambda *_, **__: translator)
    monkeypatch.setattr(pruned_models, "english_korean", lambda split, lexicon: PAIRS)
    return translator


def test_every_model_has_a_row_and_a_race(few, tmp_path):
    out = tmp_path / "record.json"
    options = ["--removed", "0", "3", "--valid", "2", "--updates", "2", "--seeds", "1", "2"]
    before = [parameter.clone() for parameter in few.model.parameters()]
    pruned_models.STUDY.main([*options, "--rounds", "2", "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"].endswith(" ".join([*options, "--rounds", "2"]))
    runs = [(row["removed"], row["seed"]) for row in record["rows"]]
    assert runs == [(0, 1), (0, 2), (3, 1), (3, 2)]
    whole, _, smaller, _ = (row["parameters"] for row in record["rows"])
    # A head of a model this small has four matrices of 16 by 8.
    assert whole - smaller == 3 * 4 * 16 * 8
    assert {"valid_BLEU", "valid_exact_match", "test_BLEU", "test_exact_match"} < set(
        record["rows"][0]
    )
    assert [row["removed"] for row in record["speed"]] == [0, 3]
    assert record["speed"][0] == {"removed": 0, "times_as_fast": 1, "lowest": 1, "highest": 1}
    assert record["speed"][1]["lowest"] <= record["speed"][1]["highest"]
    # The translator's own model is cut and trained only in copies.
    for parameter, old in zip(few.model.parameters(), before, strict=True):
        assert parameter.equal(old)


def test_the_order_is_that_of_head_ablation(few):
    n_heads = {name: module.n_heads for name, module in attentions_of(few.model).items()}
    steps = [entry for entry, _ in head_ablation.one_after_another(few, PAIRS, n_heads)]
    whole = [(entry["attention"], entry["head"]) for entry in steps]
    assert pruned_models.greedy_order(few, PAIRS, 2) == whole[:2]
    assert pruned_models.greedy_order(few, PAIRS, 6) == whole


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (["--removed", "0", "7"], "--removed 7: the model has 6 heads"),
        (["--removed", "3"], "--removed needs 0"),
        (["--valid", "1001"], "--valid 1001"),
        (["--rounds", "0"], "--rounds is a number from 1 on, not 0"),
    ],
)
def test_bad_options_are_refused(few, options, named, capsys, tmp_path):
    with pytest.raises(SystemExit):
        pruned_models.STUDY.main([*options, "--out", str(tmp_path / "r.json")])
    assert named in capsys.readouterr().err
