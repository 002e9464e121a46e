"""The comparison on two sentences: every method has its area, every pair its correlation."""

import json

import pytest
import torch

from annotated_transformer import Translator
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.corpora.english_korean import english_korean
from experiments import attributions


@pytest.fixture(scope="module")
def translator():
    return Translator.load("english_korean")


def test_the_record_has_each_method_and_each_pair_of_them(tmp_path):
    out = tmp_path / "record.json"
    attributions.STUDY.main(["--sentences", "2", "--seeds", "1", "2", "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    methods = {score["method"] for score in record["scores"]}
    assert len(methods) == 8
    assert len(record["scores"]) == len(record["curve"]) == 2 * 8
    assert len(record["rows"]) == 2 * 7 * 6 / 2
    assert {len(entry["left"]) for entry in record["curve"]} == {attributions.POINTS}
    assert {entry["left"][0] for entry in record["curve"]} == {1.0}
    area = {(s["seed"], s["method"]): s["value"] for s in record["scores"]}
    assert area[1, "greedy"] < area[1, "random"]


def test_only_what_the_model_writes_as_the_reference_does_is_chosen(translator):
    pairs = english_korean("test")[:3]
    wrong = SentencePair(pairs[0].source, pairs[1].target)
    drawn = attributions.choices(translator, [*pairs, wrong], 3, seed=1)
    sources = {tuple(translator.tokenizer.source_ids(pair.source)) for pair in pairs}
    assert {choice.source for choice in drawn} == sources
    for choice in drawn:
        logits = translator.model(torch.tensor([choice.source]), torch.tensor([choice.written]))
        assert logits[0, -1].argmax() == choice.token
    with pytest.raises(ValueError, match="3 of 4 sentences are translated right; wanted 4"):
        attributions.choices(translator, [*pairs, wrong], 4, seed=1)


def test_a_curve_is_read_at_equal_places():
    curve = torch.tensor([1.0, 0.5, 0.25]).log()
    found = attributions.resampled(curve).tolist()
    assert found[::5] == pytest.approx([1.0, 0.5, 0.25])
    assert found[1] == pytest.approx(0.9)
