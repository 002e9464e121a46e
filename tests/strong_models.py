"""Models of random weights, strong enough in every part for a swapped one to be noticed."""

import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.tokenizer import PAD_ID, Tokenizer
from annotated_transformer.transformer import Transformer


def tokenizer_of(pairs):
    lines = (line for pair in pairs for line in (pair.source, pair.target))
    return Tokenizer.train(lines, vocab_size=1000)


def small(tokenizer, **overrides):
    torch.manual_seed(1)
    sizes = {"n_layers": 2, "d_model": 32, "n_heads": 4, "d_ff": 48, "max_length": 64}
    config = TransformerConfig.base(vocab_size=tokenizer.vocab_size, **{**sizes, **overrides})
    model = Transformer(config).eval()
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:  # gains and biases, which start as ones and zeros
                parameter.add_(torch.randn_like(parameter) * 0.1)
            elif name != "output.weight" and not ("embedding" in name and config.scale_embeddings):
                parameter.mul_(6.0)  # an unscaled embedding too, lest positions drown the words
    return model


def padded(rows):
    longest = max(map(len, rows))
    return torch.tensor([[*row, *[PAD_ID] * (longest - len(row))] for row in rows])
