"""The Transformer of the paper in one file, and nothing else.

In the order of section 3: each part of it, and at the end section 3.1, which
puts them together. No argument is checked, nothing is done for speed, and there
are no options but those of Table 3. Masks are boolean: True means "may attend".
It takes the weights of `annotated_transformer.Transformer` as they are; the
tests hold the two together.
"""

import math

import torch
from torch import Tensor, nn

from annotated_transformer.config import TransformerConfig


def attention(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    """softmax(Q K^T / sqrt(d_k)) V (section 3.2.1, equation 1)."""
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1) @ v


class MultiHeadAttention(nn.Module):
    """Several attentions side by side, each on its own projections (3.2.2)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.n_heads, d_model = config.n_heads, config.d_model
        d_keys, d_values = self.n_heads * config.d_k, self.n_heads * config.d_v
        self.w_query = nn.Linear(d_model, d_keys, bias=False)
        self.w_key = nn.Linear(d_model, d_keys, bias=False)
        self.w_value = nn.Linear(d_model, d_values, bias=False)
        self.w_output = nn.Linear(d_values, d_model, bias=False)

    def split(self, x: Tensor) -> Tensor:
        """(batch, length, heads * d) to (batch, heads, length, d)."""
        return x.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

    def forward(self, x: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """Queries from x, keys and values from memory; heads joined."""
        q, k = self.split(self.w_query(x)), self.split(self.w_key(memory))
        heads = attention(q, k, self.split(self.w_value(memory)), mask)
        return self.w_output(heads.transpose(1, 2).flatten(-2))


class FeedForward(nn.Module):
    """max(0, x W1 + b1) W2 + b2, at each position alike (3.3, equation 2)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.inner = nn.Linear(config.d_model, config.d_ff)
        self.outer = nn.Linear(config.d_ff, config.d_model)

    def forward(self, x: Tensor) -> Tensor:
        """(batch, length, d_model) to the same shape."""
        return self.outer(self.inner(x).relu())


class Embedding(nn.Embedding):
    """Token ids to vectors, times sqrt(d_model) (3.4)."""

    def forward(self, ids: Tensor) -> Tensor:
        """(batch, length) to (batch, length, d_model)."""
        return super().forward(ids) * math.sqrt(self.embedding_dim)


def sinusoids(length: int, d_model: int) -> Tensor:
    """sin(pos / 10000^(2i / d_model)), then the cosine of the angle (3.5)."""
    position = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(0, d_model, 2, dtype=torch.float64)
    angle = position / 10_000 ** (even / d_model)
    both = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)
    return both[:, :d_model].to(torch.get_default_dtype())


class Positions(nn.Module):
    """Adds the sinusoids or, in row (E) of Table 3, learned vectors (3.5)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        encoding = sinusoids(config.max_length, config.d_model)
        if config.positions == "learned":
            self.encoding = nn.Parameter(torch.empty_like(encoding))
            nn.init.normal_(self.encoding, std=config.d_model**-0.5)
        else:
            self.register_buffer("encoding", encoding, persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        """Position 0 is the first token."""
        return x + self.encoding[: x.size(1)]


class LayerNorm(nn.Module):
    """gain * (x - mean) / sqrt(variance + epsilon) + bias (3.1)."""

    def __init__(self, d_model: int) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model))

    def forward(self, x: Tensor) -> Tensor:
        """Mean and variance are those of each vector by itself."""
        x = x - x.mean(dim=-1, keepdim=True)
        variance = x.square().mean(dim=-1, keepdim=True)
        return self.gain * x / torch.sqrt(variance + 1e-6) + self.bias


class Residual(nn.Module):
    """LayerNorm(x + Dropout(Sublayer(x))) (3.1; dropout: 5.4)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.layer_norm = LayerNorm(config.d_model)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Tensor, sublayer_of_x: Tensor) -> Tensor:
        """Add what the sublayer made of x, and normalise the sum."""
        return self.layer_norm(x + self.dropout(sublayer_of_x))


class EncoderLayer(nn.Module):
    """Self-attention, then the feed-forward network (3.1, "Encoder")."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.after_attention = Residual(config)
        self.after_feed_forward = Residual(config)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """Every source token looks at every other."""
        x = self.after_attention(x, self.self_attention(x, x, mask))
        return self.after_feed_forward(x, self.feed_forward(x))


class DecoderLayer(nn.Module):
    """The same with attention over the memory between (3.1, "Decoder")."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_attention = MultiHeadAttention(config)
        self.cross_attention = MultiHeadAttention(config)
        self.feed_forward = FeedForward(config)
        self.after_attention = Residual(config)
        self.after_cross_attention = Residual(config)
        self.after_feed_forward = Residual(config)

    def forward(
        self, x: Tensor, memory: Tensor, mask: Tensor, memory_mask: Tensor
    ) -> Tensor:
        """Look back at the target so far, then across at the source."""
        x = self.after_attention(x, self.self_attention(x, x, mask))
        across = self.cross_attention(x, memory, memory_mask)
        x = self.after_cross_attention(x, across)
        return self.after_feed_forward(x, self.feed_forward(x))


class Stack(nn.Module):
    """N layers, each of which reads what the one below has made of x (3.1)."""

    def __init__(self, layers: list[nn.Module]) -> None:
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def forward(self, x: Tensor, *memory_and_masks: Tensor) -> Tensor:
        """(batch, length, d_model) to the same shape."""
        for layer in self.layers:
            x = layer(x, *memory_and_masks)
        return x


class Transformer(nn.Module):
    """Source and target ids in, logits of the next token out (Figure 1)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.config, layers = config, range(config.n_layers)
        self.source_embedding = Embedding(config.vocab_size, config.d_model)
        self.target_embedding = self.source_embedding
        self.source_positions = Positions(config)
        self.target_positions = Positions(config)
        self.dropout = nn.Dropout(config.dropout)
        self.encoder = Stack([EncoderLayer(config) for _ in layers])
        self.decoder = Stack([DecoderLayer(config) for _ in layers])
        self.output = nn.Linear(config.d_model, config.vocab_size, bias=False)
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
        self.output.weight = self.source_embedding.weight  # one matrix (3.4)
        nn.init.normal_(self.output.weight, std=config.d_model**-0.5)

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """(batch, source), (batch, target) to (batch, target, vocab)."""
        return self.decode(target, self.encode(source), source)

    def padding_mask(self, ids: Tensor) -> Tensor:
        """(batch, 1, 1, key): True where a key is a token and no padding."""
        return (ids != self.config.padding_id)[:, None, None, :]

    def encode(self, source: Tensor) -> Tensor:
        """The memory: one vector for each source token."""
        x = self.source_positions(self.source_embedding(source))
        return self.encoder(self.dropout(x), self.padding_mask(source))

    def decode(self, target: Tensor, memory: Tensor, source: Tensor) -> Tensor:
        """Logits after each target position; none sees a later one (3.2.3)."""
        x = self.target_positions(self.target_embedding(target))
        square = target.new_ones(target.size(1), target.size(1))
        causal = square.tril().bool()
        masks = self.padding_mask(target) & causal, self.padding_mask(source)
        return self.output(self.decoder(self.dropout(x), memory, *masks))
