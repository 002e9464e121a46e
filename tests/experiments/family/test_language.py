"""The programs behind *Language models*, each run once in a few updates of tiny networks."""

import json
import sys

import pytest
import torch

from annotated_transformer.lab.analysis.few_labels import twins
from annotated_transformer.lab.corpora.english_korean import english_korean
from annotated_transformer.lab.family.words import BEGIN, END, FIRST, MASK
from experiments.family import bert, electra, gpt, language, scaling


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """Small networks, few texts and few questions."""
    sizes = {"n_layers": 1, "d_model": 16, "d_ff": 16, "n_heads": 4, "max_length": 24}
    monkeypatch.setattr(language, "SIZES", sizes)
    monkeypatch.setattr(bert, "LABELS", (10,))
    monkeypatch.setattr(bert, "TASKS", 1)
    monkeypatch.setattr(bert, "TESTS", 20)
    few = twins(english_korean("test"))
    monkeypatch.setattr(bert, "all_twins", lambda: few)
    monkeypatch.setattr(gpt, "ORDERS", (2,))
    monkeypatch.setattr(gpt, "DISCOUNTS", (0.5, 0.75))


def record(module, tmp_path, monkeypatch, *options):
    out = tmp_path / "record.json"
    command = ["program", "--seeds", "1", "2", "--steps", "2", "--out", str(out), *options]
    monkeypatch.setattr(sys, "argv", command)
    module.STUDY.main()
    return json.loads(out.read_text("utf-8"))


def values(found, **wanted):
    return {
        tuple(entry.get(key) for key in ("seed", "model", "signature", "labels")): entry["value"]
        for entry in found["scores"]
        if wanted.items() <= entry.items()
    }


def test_bert_is_compared_with_what_reads_from_the_left(tmp_path, monkeypatch):
    found = record(bert, tmp_path, monkeypatch, "--gap-texts", "5", "--bayes-texts", "1")
    assert found["command"] == (
        "python -m experiments.family.bert --seeds 1 2 --steps 2 --gap-texts 5 --bayes-texts 1"
    )
    gaps = values(found, metric="gaps")
    assert {key[1:3] for key in gaps} == {
        ("bert", "both sides"),
        ("left", "both sides"),
        ("gpt", "left"),
        ("gpt", "Bayes"),
    }
    answers = values(found, metric="it")
    assert {key[1] for key in answers} == {
        *("bag of words", "untrained", "bert", "bert's embedding", "left", "gpt", "gpt's embedding")
    }
    assert {value for key, value in answers.items() if key[1] == "bag of words"} == {50}
    assert len(found["curve"]) == 2 * 3 * 2


def test_electra_is_compared_with_its_gaps_alone_and_with_bert(tmp_path, monkeypatch):
    found = record(electra, tmp_path, monkeypatch)
    assert {key[1] for key in values(found, metric="it")} == set(electra.CONTESTANTS)
    curves = {
        name: [entry["loss"] for entry in found["curve"] if entry["model"] == name]
        for name in electra.CONTESTANTS
    }
    assert curves["electra"] != curves["electra, gaps"]
    assert all(0 <= value <= 1 for value in values(found, metric="AUC").values())
    parameters = values(found, metric="layer_parameters")
    assert (
        parameters[1, "electra", "both networks", None]
        > parameters[1, "bert", "both networks", None]
    )


def test_gpt_is_compared_with_counts_and_writes(tmp_path, monkeypatch):
    rows = language.rows("train")[:300]
    monkeypatch.setattr(language, "rows", lambda split: rows)
    found = record(gpt, tmp_path, monkeypatch, "--samples", "4")
    perplexities = values(found, metric="perplexity")
    assert len(perplexities) == 3
    assert all(1 < value < 2_000 for value in perplexities.values())
    written = values(found, split="written", metric="different, %")
    assert {key[1] for key in written} == {*gpt.WAYS, "test split"}
    copied = values(found, split="written", metric="in training, %", model="test split")
    assert set(copied.values()) == {100}


def test_scaling_measures_every_width_on_every_amount(tmp_path, monkeypatch):
    options = ("--widths", "4", "8", "--texts", "20", "40")
    monkeypatch.setattr(scaling, "sizes", lambda width: {"d_model": width, "n_heads": 1})
    found = record(scaling, tmp_path, monkeypatch, *options)
    runs = {(entry["seed"], entry["width"], entry["texts"]) for entry in found["scores"]}
    assert runs == {(s, w, n) for s in (1, 2) for w in (4, 8) for n in (20, 40)}
    assert all(entry["words"] > 5 * entry["texts"] for entry in found["scores"])
    few, many = ({e["parameters"] for e in found["scores"] if e["width"] == w} for w in (4, 8))
    assert max(few) < min(many)


def test_the_left_reader_has_the_same_weights_and_sees_nothing_later():
    both, left = language.make_bert(1).eval(), language.make_left_bert(1).eval()
    text = language.words().batch(["The cat caught the dog"])
    changed = text.clone()
    changed[0, 4] = text[0, 2]
    for name, weight in both.state_dict().items():
        assert torch.equal(weight, left.state_dict()[name])
    assert torch.equal(left(text)[:, :4], left(changed)[:, :4])
    assert not torch.allclose(both(text)[:, :4], both(changed)[:, :4])


def test_what_gpt_writes_ends_and_has_no_special_token_inside():
    torch.manual_seed(0)
    for text in gpt.written(language.make_gpt(1).eval(), 5, seed=2, temperature=2.0):
        assert text[0] == BEGIN
        assert all(number >= FIRST for number in text[1:-1])
        assert text[-1] == END or len(text) == 24
        assert MASK not in text
