"""The layers of Table 1: equal to PyTorch's own, counted as derived, connected as derived."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry
from typechecking import unchecked

from annotated_transformer.attention import attention
from annotated_transformer.lab.baselines.layer_kinds import (
    ConvolutionalLayer,
    RecurrentLayer,
    RecurrentStep,
    RestrictedAttentionLayer,
    SelfAttentionLayer,
    counted_multiply_adds,
    path_length,
    sequential_products,
)


def sentence(length, d_model=4):
    generator = torch.Generator().manual_seed(length)
    return torch.randn(length, d_model, generator=generator, dtype=torch.float64)


def test_the_recurrent_layer_is_the_rnn_of_pytorch():
    layer, peer = RecurrentLayer(4).double(), nn.RNN(4, 4, bias=False).double()
    peer.weight_ih_l0.data, peer.weight_hh_l0.data = layer.w_input.weight, layer.w_state.weight
    torch.testing.assert_close(layer(sentence(7)), peer(sentence(7)[:, None])[0][:, 0])


@pytest.mark.parametrize("length", [1, 2, 7])
def test_restricted_attention_is_attention_with_a_band_as_its_mask(length):
    layer = RestrictedAttentionLayer(4, 5).double()
    x, place = sentence(length), torch.arange(length)
    band = (place[:, None] - place).abs() <= 2
    q, k, v = layer.w_query(x), layer.w_key(x), layer.w_value(x)
    torch.testing.assert_close(layer(x), layer.w_output(attention(q, k, v, band)[0]))


def test_the_convolution_is_a_sum_of_matrices_over_its_window():
    layer, x = ConvolutionalLayer(4, 3, dilation=2).double(), sentence(6)
    expected = torch.zeros(6, 4, dtype=torch.float64)
    for i in range(6):
        for tap, j in enumerate((i - 2, i, i + 2)):
            if 0 <= j < 6:
                expected[i] += layer.convolution.weight[:, :, tap] @ x[j]
    torch.testing.assert_close(layer(x), expected)


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 40), st.integers(1, 24), st.sampled_from([1, 3, 7]))
def test_what_pytorch_carries_out_is_what_the_formula_says(length, d_model, window):
    x = torch.zeros(length, d_model)
    for layer in (
        SelfAttentionLayer(d_model),
        SelfAttentionLayer(d_model, projections=False),
        RestrictedAttentionLayer(d_model, window),
        RecurrentLayer(d_model),
        ConvolutionalLayer(d_model, window),
    ):
        assert counted_multiply_adds(layer, x) == layer.multiply_adds(length, d_model)


class Depth(TorchDispatchMode):
    """Beside each tensor, as it is computed, the products it had to wait for."""

    def __init__(self):
        super().__init__()
        self.depth, self.alive = {}, []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        read = (self.depth.get(id(t), 0) for t in tree_leaves(args) if isinstance(t, Tensor))
        depth = max(read, default=0) + (function.overloadpacket in flop_registry)
        for tensor in tree_leaves(result):
            self.depth[id(tensor)] = depth
            self.alive.append(tensor)  # so that no other tensor takes its id
        return result


def depth(layer, x):
    with Depth() as found, torch.no_grad():
        return found.depth[id(layer(x))]


@settings(deadline=None, max_examples=15)
@given(st.integers(1, 40), st.sampled_from([1, 3, 7]))
def test_the_chains_of_the_graph_are_those_of_the_formula_and_of_the_forward_pass(length, window):
    x = sentence(length).float()
    attentions = nn.Sequential(SelfAttentionLayer(4), RestrictedAttentionLayer(4, window))
    for layer, derived in (
        (SelfAttentionLayer(4), 4),
        (SelfAttentionLayer(4, projections=False), 2),
        (RestrictedAttentionLayer(4, window), 4),
        (ConvolutionalLayer(4, window), 1),
        (RecurrentLayer(4), length),
        (attentions, 8),
        (nn.Sequential(attentions, RecurrentLayer(4)), 8 + length),
        (nn.Identity(), 0),
    ):
        assert sequential_products(layer, x) == derived
        if derived:
            assert depth(layer, x) == derived


def test_a_long_chain_is_counted_also_without_gradients():
    with torch.no_grad():
        assert sequential_products(RecurrentLayer(2), torch.ones(700, 2)) == 700


@pytest.mark.parametrize("length", [2, 9, 17])
def test_path_lengths_are_those_of_the_derivation(length):
    x = sentence(length)
    torch.manual_seed(0)
    assert path_length([SelfAttentionLayer(4).double()], x) == 1
    local = [RestrictedAttentionLayer(4, 5).double() for _ in range(20)]
    assert path_length(local, x) == math.ceil((length - 1) / 2)
    convolutions = [ConvolutionalLayer(4, 3).double() for _ in range(20)]
    assert path_length(convolutions, x) == length - 1


def dilated(layers=5):
    return [ConvolutionalLayer(4, 3, 3**i).double() for i in range(layers)]


@pytest.mark.parametrize(("length", "layers"), [(2, 1), (5, 2), (14, 3), (41, 4)])
def test_dilated_convolutions_reach_as_far_as_the_sum_of_their_dilations(length, layers):
    torch.manual_seed(0)  # 1 + 3 + 9 + ... positions on each side
    assert path_length(dilated(), sentence(length)) == layers


def test_dilated_convolutions_have_pairs_that_they_never_connect():
    # 8 is 9 - 1 and no other sum of 1, 3, 9 with signs: the way leads over a place before the first
    torch.manual_seed(0)
    with pytest.raises(ValueError, match="do not connect the ends of 9 positions"):
        path_length(dilated(), sentence(9))


def test_the_recurrence_needs_a_step_for_each_position():
    layer, x = RecurrentLayer(4).double(), sentence(9)
    step = RecurrentStep(layer)
    rows = torch.cat([x, torch.zeros_like(x)], dim=-1)
    assert path_length([step] * 12, rows) == 8  # from the first state to the ninth
    for m in range(1, 10):
        rows = step(rows)
        torch.testing.assert_close(rows[:m, 4:], layer(x)[:m])


def test_invalid_sizes_are_refused():
    with unchecked():
        for kind in (SelfAttentionLayer, RecurrentLayer):
            with pytest.raises(ValueError, match="d_model=-2 must be a positive integer"):
                kind(-2)
        for window in (0, 4, -3):
            with pytest.raises(ValueError, match=f"window={window} must be odd and positive"):
                RestrictedAttentionLayer(4, window)
            with pytest.raises(ValueError, match=f"kernel={window} must be odd and positive"):
                ConvolutionalLayer(4, window)
        with pytest.raises(ValueError, match="2 layers do not connect the ends of 9 positions"):
            path_length([ConvolutionalLayer(4, 3).double() for _ in range(2)], sentence(9))
