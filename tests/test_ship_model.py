"""What `make model` puts into the package: committed code's whole model, its card, its record."""

import json

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.saving import load_model, save_model
from annotated_transformer.storage.records import seal
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer
from rules import ROOT
from ship_model import ship, ship_parser

RECORD = json.loads((ROOT / "book/results/english_korean_live.json").read_text(encoding="utf-8"))


def sealed(fields):
    return json.dumps({**fields, "seal": seal(fields)})


@pytest.fixture
def run(tmp_path):
    """A finished run with a small random model."""
    tokenizer = Tokenizer.train(["a dog runs", "ein Hund"], vocab_size=280)
    sizes = {"n_layers": 1, "d_model": 8, "d_ff": 8, "n_heads": 2, "max_length": 8}
    model = Transformer(TransformerConfig(vocab_size=tokenizer.vocab_size, **sizes))
    save_model(tmp_path / "run/model", model, tokenizer)
    (tmp_path / "run/record.json").write_text(sealed(RECORD | {"commit": "0" * 40}), "utf-8")
    return tmp_path / "run"


def test_model_card_and_record_are_copied(run, tmp_path):
    (tmp_path / "results").mkdir()
    target = ship(run, tmp_path / "models", tmp_path / "results")
    assert target == tmp_path / "models" / RECORD["recipe"]
    for old, new in zip(
        load_model(run)[0].parameters(), load_model(target)[0].parameters(), strict=True
    ):
        assert torch.equal(old, new)
    assert RECORD["command"] in (target / "README.md").read_text("utf-8")
    record = json.loads((tmp_path / f"results/{RECORD['recipe']}.json").read_text("utf-8"))
    assert record == json.loads((run / "record.json").read_text("utf-8"))


def test_a_record_that_nobody_can_make_again_is_refused(run, tmp_path):
    record = sealed(RECORD | {"commit": "0" * 40 + "-dirty"})
    (run / "record.json").write_text(record, "utf-8")
    with pytest.raises(ValueError, match="is refused: it was made with changes that commit 00"):
        ship(run, tmp_path / "models", tmp_path)
    assert not (tmp_path / "models").exists()


def test_a_corrupt_model_is_refused(run, tmp_path):
    (run / "model/model.safetensors").write_bytes(b"no tensors")
    with pytest.raises(ValueError, match=r"model\.safetensors"):
        ship(run, tmp_path / "models", tmp_path)
    assert not (tmp_path / "models").exists()


def test_a_model_too_large_for_the_package_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr("ship_model.LARGEST", 1_000)
    with pytest.raises(ValueError, match="the package takes 1,000"):
        ship(run, tmp_path / "models", tmp_path)
    assert not (tmp_path / "models").exists()


@pytest.fixture
def parser(run, tmp_path):
    """What a measurement leaves: a parser, and the record that the parser is from."""
    model, tokenizer = load_model(run)
    made = {"record": "measured", "commit": "0" * 40, "seed": 1, "steps": 7}
    save_model(tmp_path / "parser", model.half(), tokenizer, training=made)
    score = {"search": "greedy", "allowed": "trees only", "metric": "F1", "value": 91.25}
    own = {"seed": 1, "train_pairs": 30, "rate": 0.2} | score
    others = [own | {"seed": 2}, own | {"train_pairs": 10}, own | {"rate": 0.4}, {"parser": "g"}]
    scores = [own, *[other | {"value": 5.0} for other in others]]
    training = {"learning_rate_scale": 0.2, "average_checkpoints": 5}
    fields = RECORD | {"commit": "0" * 40, "scores": scores, "settings": {"training": training}}
    (tmp_path / "results").mkdir()
    (tmp_path / "results/measured.json").write_text(sealed(fields), "utf-8")
    return tmp_path / "parser"


def test_the_parser_comes_with_the_scores_of_its_own_run(parser, tmp_path):
    target = ship_parser(parser, tmp_path / "lab", tmp_path / "results")
    assert {file.name for file in target.iterdir()} == {
        *("config.json", "model.safetensors", "tokenizer.model", "README.md")
    }
    for old, new in zip(
        load_model(parser)[0].parameters(), load_model(target)[0].parameters(), strict=True
    ):
        assert torch.equal(old, new)
    card = (target / "README.md").read_text("utf-8")
    assert card.endswith("|---|---|---|---|\n| greedy | trees only | F1 | 91.25 |\n")
    for said in (RECORD["command"], "0" * 40, "seed 1", "first 30 trees", "7 updates"):
        assert said in card


def test_the_parser_of_another_measurement_is_refused(parser, tmp_path):
    path = tmp_path / "results/measured.json"
    fields = json.loads(path.read_text("utf-8"))
    for commit, why in (
        ("1" * 40, "trained on commit 0000000 and the record measured made on 111"),
        ("0" * 40 + "-dirty", "is refused: it was made with changes"),
    ):
        path.write_text(sealed(fields | {"commit": commit}), "utf-8")
        with pytest.raises(ValueError, match=why):
            ship_parser(parser, tmp_path / "lab", tmp_path / "results")
    assert not (tmp_path / "lab").exists()


def test_a_parser_too_large_for_the_package_is_refused(parser, tmp_path, monkeypatch):
    monkeypatch.setattr("ship_model.LARGEST_PARSER", 1_000)
    with pytest.raises(ValueError, match="the package takes 1,000"):
        ship_parser(parser, tmp_path / "lab", tmp_path / "results")
    assert not (tmp_path / "lab").exists()
