"""Vectors of sentences against transformers, on a small model saved as published ones are."""

import importlib
import json
from pathlib import Path

import pytest
import torch
from family_oracle import disturbed
from family_tokenizer import published
from hypothesis import given
from hypothesis import strategies as st
from transformers import BertConfig, BertModel

from annotated_transformer.lab.family.sentences import (
    SentenceEncoder,
    installed_model,
    sentence_vectors,
)

TEXTS = ["the cat sleeps", "Café", "the dog sees a cat, and the cat sees the dog!"]
MEAN = {"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}


@pytest.fixture
def both(tmp_path):
    """A folder, and the model and tokenizer of transformers in it."""
    tokenizer = published(tmp_path)
    torch.manual_seed(0)
    sizes = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = BertConfig(vocab_size=len(tokenizer), intermediate_size=24, **sizes)
    model = disturbed(BertModel(config))
    model.save_pretrained(tmp_path)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text(json.dumps(MEAN))
    (tmp_path / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": 30}))
    return tmp_path, model, tokenizer


def test_the_vectors_are_those_of_the_reference(both):
    folder, model, tokenizer = both
    batch = tokenizer(TEXTS, return_tensors="pt", padding=True, truncation=False)
    x, mask = model(**batch).last_hidden_state, batch.attention_mask[..., None]
    mean = (x * mask).sum(1) / mask.sum(1)
    expected = mean / mean.norm(dim=-1, keepdim=True)
    found = SentenceEncoder(folder)(TEXTS)
    torch.testing.assert_close(found, expected.detach(), rtol=1e-10, atol=1e-10)


def test_a_text_has_the_same_vector_whatever_stands_beside_it(both):
    encode = SentenceEncoder(both[0])
    alone = torch.cat([encode([text]) for text in TEXTS])
    torch.testing.assert_close(encode(TEXTS), alone, rtol=1e-10, atol=1e-10)


@given(st.integers(1, 5), st.integers(1, 4))
def test_the_mean_is_of_the_real_tokens_and_one_long(real, more):
    x = torch.randn(1, real + more, 3, dtype=torch.float64)
    mask = torch.arange(real + more)[None] < real
    found = sentence_vectors(x, mask)[0]
    mean = sum(x[0, n] for n in range(real)) / real
    torch.testing.assert_close(found * mean.norm(), mean)
    assert found.norm().item() == pytest.approx(1)


def test_a_text_that_the_model_was_not_made_for_is_named(both):
    encode = SentenceEncoder(both[0])
    assert encode.max_length == 30
    with pytest.raises(ValueError, match=r"text 2 has \d+ tokens; the model takes at most 30"):
        encode(["cat", "the cat " * 40])


@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"pooling_mode_cls_token": True}, "pooling_mode_cls_token=True"),
        ({"pooling_mode_mean_tokens": False}, "pooling_mode_mean_tokens=False"),
        ({"pooling_mode_weightedmean_tokens": True}, "pooling_mode_weightedmean_tokens=True"),
    ],
)
def test_another_way_from_tokens_to_a_text_is_refused(both, changes, key):
    path = both[0] / "1_Pooling" / "config.json"
    path.write_text(json.dumps(MEAN | changes))
    with pytest.raises(ValueError, match=f"{key} is not built here; expected the mean"):
        SentenceEncoder(both[0])


def test_a_tokenizer_with_more_ids_than_the_model_is_refused(both):
    folder, model, tokenizer = both
    model.resize_token_embeddings(len(tokenizer) - 2)
    model.save_pretrained(folder)
    n = len(tokenizer)
    with pytest.raises(ValueError, match=rf"tokenizer\.json has {n} ids, the model {n - 2}"):
        SentenceEncoder(folder)


def test_an_installed_model_is_found_without_running_its_package(tmp_path, monkeypatch):
    folder = tmp_path / "some_model"
    (folder / "model").mkdir(parents=True)
    (folder / "__init__.py").write_text("raise SystemExit('this ran')")
    (folder / "model" / "model.safetensors").write_bytes(b"")
    info = tmp_path / "some_model-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: some-model\nVersion: 1.0\n")
    written = ["some_model/__init__.py", "some_model/model/model.safetensors"]
    (info / "RECORD").write_text("".join(f"{name},,\n" for name in written))
    assert installed_model("some-model") is None
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    assert installed_model("some-model") == Path(folder / "model")
    (info / "RECORD").write_text("some_model/__init__.py,,\n")
    assert installed_model("some-model") is None
