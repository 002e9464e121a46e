"""A model of which somebody exchanged a part, or gave it a hook, is searched as it is.

The cache stands for some parts of the decoder: what it would leave out is read from whole prefixes.
"""

import pytest
import torch
from torch import nn

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding.cache import CachedPrefixes
from annotated_transformer.decoding.prefixes import WholePrefixes, start
from annotated_transformer.inspection import evaluation_mode
from annotated_transformer.transformer import DecoderLayer, Transformer

POSITIONS = ("sinusoidal", "learned", "rotary", "alibi", "none")
INPUTS_DIFFER = ("decoder", "attend")
"""Before these, a hook sees in a search the newest tokens alone, and another form of the mask."""


SOURCE = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]])


def make_model(n_layers=2, **options):
    torch.manual_seed(0)
    sizes = {"d_model": 16, "d_ff": 24, "n_heads": 2, "max_length": 48}
    config = TransformerConfig(vocab_size=17, n_layers=n_layers, **sizes, **options)
    return Transformer(config).double().eval()


def assert_equal(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-11, atol=1e-11)


def logits(begin, model):
    with evaluation_mode(model):
        prefixes = begin(model, SOURCE)
        return torch.stack([prefixes.step(torch.tensor([[n], [n + 2]])) for n in (1, 5, 9)])


def bent(value):
    """Change numbers, and differently at each place of a vector."""
    if isinstance(value, tuple):
        return tuple(map(bent, value))
    if not isinstance(value, torch.Tensor) or not value.is_floating_point():
        return value
    return 1.3 * value + 0.05 * torch.arange(value.size(-1))


@pytest.mark.parametrize("positions", POSITIONS)
def test_a_hook_on_any_module_counts(positions):
    model = make_model(n_layers=1, positions=positions)
    before = logits(start, model)
    bends = 0
    for name, module in model.named_modules():
        hooks = [module.register_forward_hook(lambda _module, _inputs, output: bent(output))]
        if name.rpartition(".")[2] not in INPUTS_DIFFER:
            hooks.append(module.register_forward_pre_hook(lambda _module, inputs: bent(inputs)))
        expected = logits(WholePrefixes, model)
        assert_equal(logits(start, model), expected)
        bends += not torch.equal(expected, before)
        for hook in hooks:
            hook.remove()
    assert bends > 20


class Colder(Transformer):
    def decode(self, target, memory, source):
        return super().decode(target, memory, source) / 2


class Backwards(nn.Module):
    """Positions counted from the end, which no table has."""

    def forward(self, x):
        return x + torch.arange(x.size(1)).flip(0)[:, None] / 10


class LastKeyOnly(MultiHeadAttention):
    def forward(self, query, key, value, mask=None, cache=None, *, attn_bias=None):
        return super().forward(query, key, value, mask, cache, attn_bias=attn_bias) - key[:, -1:]


class Mean(nn.Module):
    """An exercise: instead of attention, the mean of all so far."""

    def forward(self, query, key, value, mask, cache, *, attn_bias):
        return value.cumsum(1) / torch.arange(1, value.size(1) + 1)[:, None]


class OnlyAcross(DecoderLayer):
    def forward(self, x, memory, mask, memory_mask, cache=None, *, attn_bias=None):
        return self.cross_attention(x, memory, memory, memory_mask)


def exchange(model, what):
    layer = model.decoder.layers[1]
    kept = layer.self_attention.relate
    match what:
        case "a class that decodes otherwise":
            model.__class__ = Colder
        case "a method of one model":
            own = model.decode
            model.decode = lambda *inputs: own(*inputs).flip(-1)
        case "positions":
            model.target_positions = Backwards()
        case "attention":
            layer.self_attention = Mean()
        case "a class of attention":
            layer.self_attention.__class__ = LastKeyOnly
        case "a method of one attention":
            layer.self_attention.relate = lambda q, k, bias: kept(q, 2 * k, bias)
        case "a layer":
            model.decoder.layers[0] = OnlyAcross(model.config).double()
        case "dropout":
            model.dropout = nn.Softsign()


EXCHANGES = (
    *("a class that decodes otherwise", "a method of one model", "positions", "attention"),
    *("a class of attention", "a method of one attention", "a layer", "dropout"),
)


@pytest.mark.parametrize("what", EXCHANGES)
def test_an_exchanged_part_is_searched_with(what):
    model = make_model()
    before = logits(start, model)
    exchange(model, what)
    expected = logits(WholePrefixes, model)
    assert (expected - before).abs().max() > 0.01
    assert_equal(logits(start, model), expected)


def test_what_works_on_each_position_may_be_exchanged_and_keeps_the_cache():
    model = make_model()
    model.decoder.layers[0].feed_forward = nn.Linear(16, 16).double()
    model.decoder.layers[1].after_feed_forward.layer_norm = nn.LayerNorm(16).double()
    with evaluation_mode(model):
        assert isinstance(start(model, SOURCE), CachedPrefixes)
    assert_equal(logits(start, model), logits(WholePrefixes, model))
