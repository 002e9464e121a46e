"""Weights as scripts: what is in them, how small they are, what is refused."""

import base64
import gzip
import json

import pytest
import torch
from live_weights import CALL, read_scripts
from sentencepiece import SentencePieceTrainer

from annotated_transformer import Transformer, TransformerConfig, Translator
from annotated_transformer.lab.page_model import (
    LARGEST,
    PARTS,
    model_scripts,
    pieces_script,
    rounded,
)
from annotated_transformer.shipped import shipped_models
from annotated_transformer.text import TABLES, TrainingText
from annotated_transformer.tokenizer import Tokenizer

LINES = ["the cat sees a dog", "그 고양이가 개를 본다", "a dog runs", "나는 학생이다"] * 4
SMALL = {"n_layers": 1, "d_model": 8, "d_ff": 12, "n_heads": 2, "max_length": 16}


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.train(LINES, vocab_size=300)


def small_model(**options):
    return Transformer(TransformerConfig(**{"vocab_size": 300, **SMALL, **options}))


@pytest.mark.parametrize("bits", [8, 32])
def test_what_is_read_is_the_model(tokenizer, bits):
    model, text = small_model(), TrainingText.of(["dog cat"])
    scripts = model_scripts("small", model, tokenizer, text, bits=bits)
    header, tensors = read_scripts(scripts)
    assert len(scripts) == PARTS
    assert TransformerConfig.from_dict(header["config"]) == model.config
    assert header["text"] == text.to_dict()
    assert header["tables"] == TABLES
    assert header["pieces"] == tokenizer.vocabulary()
    own = dict(model.named_parameters())
    assert tensors.keys() == own.keys()
    for name, weight in own.items():
        if bits == 32 or weight.dim() == 1:
            assert torch.equal(tensors[name], weight)
        else:
            step = weight.abs().amax(dim=1, keepdim=True) / LARGEST
            assert ((tensors[name] - weight).abs() <= 0.5001 * step).all()
            assert not torch.equal(tensors[name], weight)


@pytest.mark.parametrize("name", shipped_models())
def test_a_shipped_model_takes_less_than_two_megabytes_as_a_server_sends_it(name):
    shipped = Translator.load(name)
    scripts = model_scripts(name, shipped.model, shipped.tokenizer, shipped.policy.training_text)
    assert sum(len(gzip.compress(script.encode(), mtime=0)) for script in scripts) < 2_000_000
    # Parts of about one size, so that a bar moves evenly.
    assert max(map(len, scripts)) < 1.01 * min(map(len, scripts))


def test_pieces_that_models_share_are_in_a_script_of_their_own(tokenizer):
    alone = model_scripts("small", small_model(), tokenizer)
    scripts = model_scripts("small", small_model(), tokenizer, shared="pieces")
    header, _ = read_scripts(scripts)
    assert header["tokenizer"] == "pieces"
    assert read_scripts(alone)[0].keys() - header.keys() == {"pieces"}
    name, number, count, text = CALL.fullmatch(pieces_script("pieces", tokenizer)).groups()
    assert (name, number, count) == ("pieces", "0", "1")
    assert json.loads(base64.b64decode(text)) == tokenizer.vocabulary()


def test_a_row_of_zeros_stays_one():
    weight = torch.tensor([[0.0, 0.0], [-2.0, 1.0]])
    factors, numbers = rounded(weight)
    assert torch.equal(factors[:, None] * numbers, torch.tensor([[0, 0], [-2, 2 * 64 / 127]]))
    assert numbers.dtype == torch.int8


def test_scripts_are_ascii_whatever_their_name(tokenizer):
    name = '"나'
    script = model_scripts(name, small_model(), tokenizer)[0]
    assert script.startswith(f"AnnotatedTransformer.receive({json.dumps(name)}, 0, {PARTS}, ")
    assert script.isascii()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"norm": "pre"}, "norm='pre': the model in the page only knows 'post'"),
        ({"positions": "rotary"}, "positions='rotary': the model in the page only knows 'sinus"),
        ({"activation": "gelu"}, "activation='gelu': the model in the page only knows 'relu'"),
        ({"bias": "all"}, "bias='all': the model in the page only knows 'feed_forward'"),
        ({"share_embeddings": False}, "share_embeddings=False: the model in the page only knows T"),
        ({"scale_embeddings": False}, "scale_embeddings=False: the model in the page only knows T"),
    ],
)
def test_another_model_is_refused(tokenizer, options, message):
    with pytest.raises(ValueError, match=message):
        model_scripts("small", small_model(**options), tokenizer)


def test_other_bits_are_refused(tokenizer):
    with pytest.raises(ValueError, match="bits=4: a weight takes 8 or 32"):
        model_scripts("small", small_model(), tokenizer, bits=4)


def test_pieces_that_are_not_byte_pairs_are_refused():
    unigram = Tokenizer.train(LINES, vocab_size=287, kind="unigram")
    with pytest.raises(ValueError, match="not one of byte pairs"):
        model_scripts("small", small_model(vocab_size=287), unigram)


def test_the_tokenizer_of_another_model_is_refused(tokenizer):
    with pytest.raises(ValueError, match="the tokenizer has 300 tokens, the model 301"):
        model_scripts("small", small_model(vocab_size=301), tokenizer)


@pytest.mark.parametrize(
    "settings",
    [
        {"normalization_rule_name": "nmt_nfkc"},
        {"normalization_rule_name": "identity", "remove_extra_whitespaces": True},
        {"normalization_rule_name": "identity", "add_dummy_prefix": False},
    ],
)
def test_a_tokenizer_that_changes_text_is_refused(tmp_path, settings):
    SentencePieceTrainer.train(
        sentence_iterator=iter(LINES),
        model_prefix=str(tmp_path / "other"),
        model_type="bpe",
        vocab_size=300,
        byte_fallback=True,
        pad_id=0,
        bos_id=1,
        eos_id=2,
        unk_id=3,
        minloglevel=3,
        **{"remove_extra_whitespaces": False, **settings},
    )
    other = Tokenizer.load(tmp_path / "other.model")
    with pytest.raises(ValueError, match="normalises text"):
        model_scripts("small", small_model(), other)
