"""A tokenizer, a model and a translator so small that a test can make its own."""

import contextlib

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.transformer import Transformer
from annotated_transformer.translator import Translator

LINES = ("I am a student", "나는 학생이다")
SIZES = {"n_layers": 1, "d_model": 16, "d_ff": 16, "n_heads": 2, "max_length": 60}


def tiny_translator(lines=LINES, *, vocab_size=300, seed=0, search=None, **sizes):
    """Return an untrained translator: a tokenizer of these lines, a model from this seed.

    `sizes` are fields of the configuration, `search` the options of `Translator`.
    """
    tokenizer = Tokenizer.train(lines, vocab_size=vocab_size)
    config = TransformerConfig(vocab_size=tokenizer.vocab_size, **{**SIZES, **sizes})
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Transformer(config)
    return Translator(model, tokenizer, **(search or {}))


def device_of_ids(translator, monkeypatch, read):
    """Return the device of the ids that `read(translator)` gives to a model without memory.

    The model is moved to PyTorch's device "meta", which stands here for a GPU.
    """
    seen = []

    def encode(ids, *others, **options):
        seen.append(ids.device.type)
        raise InterruptedError

    monkeypatch.setattr(translator.model.to("meta"), "encode", encode)
    with contextlib.suppress(InterruptedError):
        read(translator)
    return seen
