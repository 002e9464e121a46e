"""The measurement of BART's pretraining, run whole on a few texts and for two updates."""

import json
import sys

import pytest
import torch

from annotated_transformer import Tokenizer
from annotated_transformer.corpora import SentencePair
from annotated_transformer.tokenizer import BOS_ID, EOS_ID
from experiments.family import bart

TRAIN = tuple(
    SentencePair(f"I see {n} cats and {m} dogs", f"나는 고양이 {n} 마리와 개 {m} 마리를 본다", ())
    for n in range(2, 8)
    for m in range(2, 8)
)


@pytest.fixture
def tokenizer(monkeypatch):
    """Few texts in place of the corpus, and their tokenizer."""
    monkeypatch.setattr(bart, "texts", lambda split: TRAIN)
    monkeypatch.setattr(bart, "VOCABULARY", 330)
    monkeypatch.setattr(bart, "TEXTS_A_BATCH", 4)
    small = {"n_layers": 1, "d_model": 16, "d_ff": 16, "max_length": 32}
    monkeypatch.setattr(bart, "SIZES", bart.SIZES | small)
    sides = [side for pair in TRAIN for side in (pair.source, pair.target)]
    return Tokenizer.train(sides, vocab_size=330)


def test_of_unpaired_texts_none_is_the_translation_of_another():
    found = bart.unpaired(TRAIN)
    assert len(found) == len(TRAIN)
    assert not any({pair.source, pair.target} <= set(found) for pair in TRAIN)


def test_all_texts_are_read_once_before_one_is_read_again(monkeypatch):
    monkeypatch.setattr(bart, "TEXTS_A_BATCH", 5)
    found = list(bart.shuffled(10, 4, torch.Generator().manual_seed(0)))
    assert sorted(found[0] + found[1]) == sorted(found[2] + found[3]) == list(range(10))
    assert found[0] + found[1] != found[2] + found[3]


@pytest.mark.parametrize("exercise", bart.EXERCISES)
def test_a_spoilt_text_ends_as_a_source_and_its_target_is_whole(tokenizer, exercise):
    texts = [pair.source for pair in TRAIN]
    draws = torch.Generator().manual_seed(0)
    source, target = bart.spoilt(texts, tokenizer, exercise, draws, 3)
    assert bart.MASK in source
    assert bart.MASK not in target
    assert source[-1] == EOS_ID
    assert target[0] == BOS_ID
    assert tokenizer.decode(target) == texts[3]


def test_the_program_writes_the_record_of_all_runs(tokenizer, tmp_path, monkeypatch):
    out = tmp_path / "bart.json"
    numbers = {"steps": 2, "pretraining": 2, "pairs": 6, "tests": 3}
    options = [word for key, n in numbers.items() for word in (f"--{key}", str(n))]
    options = ["--seeds", "1", "2", *options]
    monkeypatch.setattr(sys, "argv", ["bart", *options, "--out", str(out)])
    bart.STUDY.main()
    record = json.loads(out.read_text("utf-8"))
    models = ["infilling", "masking", "none", "none, all updates"]
    exact = [entry for entry in record["scores"] if entry["metric"] == "exact_match"]
    assert [(entry["seed"], entry["model"]) for entry in exact] == [
        (seed, name) for seed in (1, 2) for name in models
    ]
    assert all(0 <= entry["value"] <= 100 for entry in record["scores"])
    updates = {name: [e for e in record["curve"] if e["model"] == name] for name in models}
    assert [len(updates[name]) for name in models] == [2 * 4, 2 * 4, 2 * 2, 2 * 4]
    assert record["command"] == (
        "python -m experiments.family.bart "
        "--seeds 1 2 --steps 2 --pretraining 2 --pairs 6 --tests 3"
    )
