"""A peer: the Transformer as tutorials write it, one class per box of the paper's Figure 1.

Written for this comparison in the manner of the well-known tutorials: separate projections with
biases, attention spelled out with its whole matrix of weights, LayerNorm by hand, dropout also on
the attention weights and inside the feed-forward network, every position of the padded batch
projected to the vocabulary, no cache. The weights of the book's model fit into it, and then it
computes the same function (tests/benchmarks/test_batches.py).
"""

import math

import torch
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig
from annotated_transformer.positions import sinusoidal_encoding


class PlainLayerNorm(nn.Module):
    """Mean and deviation by hand."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, x: Tensor) -> Tensor:
        """Normalise the last axis."""
        mean = x.mean(-1, keepdim=True)
        deviation = (x.var(-1, keepdim=True, unbiased=False) + 1e-6).sqrt()
        return self.gain * (x - mean) / deviation + self.bias


class PlainAttention(nn.Module):
    """Multi-head attention, step by step."""

    def __init__(self, width: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.dropout = nn.Dropout(dropout)

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """Attend where the mask is True."""
        batch, _, width = query.shape

        def split(x: Tensor) -> Tensor:
            return x.view(batch, -1, self.heads, width // self.heads).transpose(1, 2)

        query, key = split(self.query(query)), split(self.key(key))
        value = split(self.value(value))
        scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(query.size(-1))
        weights = self.dropout(scores.masked_fill(mask == 0, -1e9).softmax(dim=-1))
        heads = torch.matmul(weights, value).transpose(1, 2).contiguous().view(batch, -1, width)
        return self.output(heads)


class PlainFeedForward(nn.Module):
    """Two linear layers, ReLU and dropout between them."""

    def __init__(self, width: int, inner: int, dropout: float) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        """Widen, rectify, drop, narrow."""
        return self.outer(self.dropout(torch.relu(self.inner(x))))


class PlainLayer(nn.Module):
    """An encoder layer or, with `cross`, a decoder layer; LayerNorm after each sum."""

    def __init__(self, config: TransformerConfig, *, cross: bool) -> None:
        super().__init__()
        width, dropout = config.d_model, config.dropout
        self.self_attention = PlainAttention(width, config.n_heads, dropout)
        if cross:
            self.cross_attention = PlainAttention(width, config.n_heads, dropout)
        self.feed_forward = PlainFeedForward(width, config.d_ff, dropout)
        self.norms = nn.ModuleList(PlainLayerNorm(width) for _ in range(3 if cross else 2))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        x: Tensor,
        mask: Tensor,
        memory: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Tensor:
        """Run the sublayers, each with its residual connection."""
        x = self.norms[0](x + self.dropout(self.self_attention(x, x, x, mask)))
        if memory is not None:
            x = self.norms[1](
                x + self.dropout(self.cross_attention(x, memory, memory, memory_mask))
            )
        return self.norms[-1](x + self.dropout(self.feed_forward(x)))


class PlainTransformer(nn.Module):
    """Source and target ids in, logits out; the arguments are those of the book's model."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config = config
        self.embedding = nn.Embedding(config.vocab_size, config.d_model)
        nn.init.normal_(self.embedding.weight, std=config.d_model**-0.5)
        positions = sinusoidal_encoding(config.max_length, config.d_model)
        self.register_buffer("positions", positions, persistent=False)
        self.dropout = nn.Dropout(config.dropout)
        layers = range(config.n_layers)
        self.encoder = nn.ModuleList(PlainLayer(config, cross=False) for _ in layers)
        self.decoder = nn.ModuleList(PlainLayer(config, cross=True) for _ in layers)
        self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.output.weight = self.embedding.weight

    def embed(self, ids: Tensor) -> Tensor:
        """Scale the embeddings and add the positions."""
        x = self.embedding(ids) * math.sqrt(self.config.d_model)
        return self.dropout(x + self.positions[: ids.size(1)])

    def encode(self, source: Tensor) -> Tensor:
        """Return the memory of the source ids."""
        mask = (source != self.config.padding_id)[:, None, None, :]
        x = self.embed(source)
        for layer in self.encoder:
            x = layer(x, mask)
        return x

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Return the logits after each target position."""
        memory_mask = (source != self.config.padding_id)[:, None, None, :]
        causal = torch.ones(target.size(1), target.size(1), dtype=torch.bool).tril()
        mask = (target != self.config.padding_id)[:, None, None, :] & causal
        x = self.embed(target)
        for layer in self.decoder:
            x = layer(x, mask, memory, memory_mask)
        return self.output(x)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return the logits after each target position."""
        return self.decode(target, self.encode(source), source)
