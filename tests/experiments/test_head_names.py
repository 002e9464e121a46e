"""The record of the heads' names holds every head, its thirds, and each baseline."""

import json

import pytest
from tiny import tiny_translator

from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments import head_names


@pytest.fixture
def few(monkeypatch):
    pairs = [pair for pair in english_korean("test") if pair.construction == "counting"][:6]
    lines = [text for pair in pairs for text in (pair.source, pair.target)]
    translator = tiny_translator(lines, vocab_size=350)
    monkeypatch.setattr(head_names, "load_model", lambda *_: translator)
    monkeypatch.setattr(head_names, "english_korean", lambda split: pairs)


@pytest.mark.usefixtures("few")
def test_the_record_has_each_head_and_each_baseline(tmp_path):
    out = tmp_path / "record.json"
    head_names.STUDY.main(["--sentences", "6", "--seeds", "1", "2", "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"].endswith("--model english_korean --sentences 6 --seeds 1 2")
    assert len(record["names"]) == 3 * 2
    for row in record["names"]:
        assert len(row["names"]) == len(row["thirds"])
    kinds = {row["kind"] for row in record["rows"]}
    assert kinds >= {"previous", "writing", "counter", "writing counter"}
    models = [score["model"] for score in record["scores"]]
    assert models.count("untrained") == 2
    assert models.count("even") == 1
    assert models.count("trained") == 2 * 3


def test_too_few_sentences_for_thirds_are_refused(capsys, tmp_path):
    with pytest.raises(SystemExit):
        head_names.STUDY.main(["--sentences", "2", "--out", str(tmp_path / "r.json")])
    assert "--sentences 2: expected 3 to 1,000" in capsys.readouterr().err
