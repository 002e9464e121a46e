"""What the tests of several benchmarks need."""

import argparse

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.transformer import Transformer
from benchmarks import batches


@pytest.fixture
def model():
    """Makes small models with parameters that all differ."""

    def made(**overrides):
        torch.manual_seed(0)
        sizes = {"n_layers": 2, "d_model": 24, "n_heads": 3, "d_ff": 40, "dropout": 0.0}
        built = Transformer(TransformerConfig.base(vocab_size=60, **{**sizes, **overrides}))
        with torch.no_grad():  # gains and biases that are all alike would hide a mix-up
            for parameter in built.parameters():
                parameter.add_(0.1 * torch.randn_like(parameter))
        return built

    return made


@pytest.fixture(scope="session")
def small_batches():
    """Drawn from many, which takes seconds; a step changes nothing of them."""
    options = argparse.Namespace(data_dir=None, seed=0, tokens=128, rounds=2)
    return batches.batches_of(options, vocab_size=300)[0]
