"""The program of *A published model in our code*, on a small model saved as that one is."""

import sys

import pytest
import torch
from family_tokenizer import published
from transformers import BertConfig, BertModel

from annotated_transformer.lab.family.sentences import SentenceEncoder
from experiments.family import sentences

TEXTS = ["the cat sleeps", "the cat sleeps", "a dog sees the cat"]


@pytest.fixture
def folder(tmp_path):
    tokenizer = published(tmp_path)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    BertModel(BertConfig(vocab_size=len(tokenizer), **sizes)).save_pretrained(tmp_path)
    return tmp_path


def test_each_pair_has_a_cosine_and_the_reference_agrees(folder):
    entries = sentences.measure(folder, TEXTS)
    cosines = {(e["first"], e["second"]): e["value"] for e in entries if e["metric"] == "cosine"}
    assert len(cosines) == 9
    assert cosines[0, 1] == cosines[2, 2] == 1
    assert cosines[0, 2] == cosines[2, 0] < 0.9999
    named = {e["metric"]: e["value"] for e in entries}
    assert named["tensors read"] == named["tensors"] - 2 == 5 + 16
    assert named["largest difference"] < 1e-5


def test_a_difference_is_seen(folder):
    encoder = SentenceEncoder(folder)
    with torch.no_grad():
        encoder.model.reader.embedding_norm.bias[3] += 0.01
    assert sentences.difference(folder, encoder, TEXTS) > 1e-3


def test_without_the_package_it_says_how_to_get_it(monkeypatch, tmp_path):
    given = ["sentences", "--package", "no-such-package", "--out", str(tmp_path / "x.json")]
    monkeypatch.setattr(sys, "argv", given)
    with pytest.raises(SystemExit, match=r"no-such-package is not installed.*pip install --no-d"):
        sentences.STUDY.main()
    assert not (tmp_path / "x.json").exists()
