"""Every head is replaced in two ways, and a tolerance of nothing moves nothing in short texts."""

import json

import pytest
from tiny import tiny_translator

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis.heads import attentions_of
from experiments import interventions

PAIRS = [SentencePair("I am a student", "나는 학생이다"), SentencePair("I am", "나는")]


@pytest.fixture
def few(monkeypatch):
    translator = tiny_translator(dropout=0.0, search={"beam_size": 1})
    monkeypatch.setattr(interventions, "load_model", lambda *_, **__: translator)
    monkeypatch.setattr(interventions, "english_korean", lambda split: PAIRS)
    return translator


def test_the_record_has_both_ways_for_every_head(few, tmp_path):
    out = tmp_path / "record.json"
    options = ["--sentences", "2", "--moved", "2", "--tolerances", "0.0", "5.0"]
    interventions.STUDY.main([*options, "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    heads = [(name, head) for name in attentions_of(few.model) for head in range(2)]
    for case in ("even", "next head"):
        found = [s for s in record["scores"] if s["case"] == case]
        assert [(s["attention"], s["head"]) for s in found] == heads
    assert [s["case"] for s in record["scores"]].count("all even") == 3
    assert record["scores"][0]["case"] == "as it is"
    none, much = record["rows"]
    assert much["distance"] > 10
    assert much["furthest"] >= much["distance"]
    assert (
        none["tokens"]
        == much["tokens"]
        == sum(len(few.tokenizer.target_ids(pair.target)) - 1 for pair in PAIRS)
    )
    assert none["other_tokens"] == 0
    assert none["size"] == much["size"]


@pytest.mark.usefixtures("few")
def test_no_sentences_are_refused(capsys, tmp_path):
    with pytest.raises(SystemExit):
        interventions.STUDY.main(["--moved", "0", "--out", str(tmp_path / "r.json")])
    assert "--moved 0: expected 1 to 1,000 sentences" in capsys.readouterr().err
