"""The length at which attention overtakes the rest of a layer, counted in real modules."""

import pytest
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.attention import MultiHeadAttention, attention
from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.analysis.layer_products import equal_lengths, layer_products
from annotated_transformer.layers import FeedForward

CONFIGS = [
    TransformerConfig(vocab_size=9, d_model=16, d_ff=64, n_heads=2),
    TransformerConfig(vocab_size=9, d_model=16, d_ff=40, n_heads=4, d_k=2, d_v=8),
    TransformerConfig(vocab_size=9, d_model=12, d_ff=12, n_heads=3, d_k=8),
]


class Formula(nn.Module):
    """Equation 1: PyTorch's counter does not see into the fused kernel of a CPU."""

    def forward(self, query, key, value, mask, attn_bias=None):
        return attention(query, key, value, mask)[0]


def multiply_adds(work):
    with FlopCounterMode(display=False) as counter:
        work()
    return counter.get_total_flops() / 2


def counted(config, n):
    """Attention itself, its projections, and the network, for a token among n."""
    layer = MultiHeadAttention(config.d_model, config.n_heads, config.d_k, config.d_v)
    layer.attend = Formula()
    network = FeedForward(config.d_model, config.d_ff)
    x = torch.randn(1, n, config.d_model)
    all_of_it = multiply_adds(lambda: layer(x, x, x))
    inside = multiply_adds(lambda: layer.attend(*layer.project(x, x, x), None))
    only_projected = multiply_adds(lambda: layer.project(x, x, x))
    itself = inside - only_projected
    return itself / n, (all_of_it - itself) / n, multiply_adds(lambda: network(x)) / n


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("n", [1, 7, 100])
def test_the_formulas_are_what_pytorch_counts(config, n):
    assert layer_products(config, n) == counted(config, n)


@pytest.mark.parametrize("config", CONFIGS)
def test_below_the_length_attention_costs_less_and_above_it_more(config):
    for part, length in equal_lengths(config)._asdict().items():
        for n, costs_more in ((int(length) + 1, True), (-int(-length // 1) - 1, False)):
            itself, projections, network = counted(config, n)
            rest = {"projections": projections, "feed_forward": network}
            assert (itself > rest.get(part, projections + network)) == costs_more


def test_of_the_paper_s_base_model_it_is_the_width_of_the_network():
    base = TransformerConfig.base(vocab_size=9)
    assert equal_lengths(base) == (2 * 512, 2048, 2 * 512 + 2048)
    assert layer_products(base, 7) == (2 * 7 * 512, 4 * 512**2, 8 * 512**2)
