import itertools
import math
from typing import get_args

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.attention import MultiHeadAttention, record_attention
from annotated_transformer.config import Positions, TransformerConfig
from annotated_transformer.positions import (
    LearnedPositions,
    SinusoidalPositions,
    linear_bias,
    rotate,
    sinusoidal_encoding,
)
from annotated_transformer.transformer import Transformer
from annotated_transformer.variants.relative import LinearBiasAttention, RotaryAttention


@pytest.mark.parametrize("d_model", [1, 2, 6, 7])
def test_the_formula_term_by_term(d_model):
    encoding = sinusoidal_encoding(11, d_model)
    for position in range(11):
        for j in range(d_model):
            angle = position / 10_000 ** (2 * (j // 2) / d_model)
            expected = math.sin(angle) if j % 2 == 0 else math.cos(angle)
            assert encoding[position, j].item() == pytest.approx(expected, abs=1e-7)


@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 20))
def test_inner_product_depends_on_the_offset_alone(half, first, offset):
    torch.set_default_dtype(torch.float64)
    try:
        encoding = sinusoidal_encoding(first + offset + 1, 2 * half)
    finally:
        torch.set_default_dtype(torch.float32)
    product = encoding[first] @ encoding[first + offset]
    expected = sum(math.cos(offset / 10_000 ** (i / half)) for i in range(half))
    assert product.item() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(
    ("length", "d_model", "base"),
    [(-1, 4, 1e4), (3, 0, 1e4), (3, -2, 1e4), (3, 4, 0.0), (3, 4, -2.0), (3, 4, math.nan)],
)
def test_sizes_that_no_sinusoids_have(length, d_model, base):
    with pytest.raises(ValueError, match=f"no sinusoids for length={length}, d_model={d_model}, b"):
        sinusoidal_encoding(length, d_model, base)


@pytest.mark.parametrize("length", [10**12, 10**30])
def test_a_table_that_no_memory_holds_is_refused(length):
    with pytest.raises(ValueError, match=f"length={length} times d_model=4 is more than 2"):
        sinusoidal_encoding(length, 4)


def test_sizes_are_whole_numbers():
    for length, d_model in ((4.0, 4), (4, 4.5), ("4", 4), (True, 4)):
        with unchecked(), pytest.raises(ValueError, match="expected whole numbers"):
            sinusoidal_encoding(length, d_model)


def test_large_positions_keep_their_digits():
    encoding = sinusoidal_encoding(100_001, 4)
    assert encoding[100_000, 0].item() == pytest.approx(math.sin(100_000), abs=1e-7)


def test_sinusoids_add_and_store_nothing():
    layer = SinusoidalPositions(7, 6)
    x = torch.randn(2, 5, 6)
    assert torch.equal(layer(x), x + sinusoidal_encoding(5, 6))
    assert not layer.state_dict()
    assert not list(layer.parameters())


def test_learned_positions_are_learned():
    layer = LearnedPositions(7, 6)
    x = torch.randn(2, 5, 6)
    layer(x).sum().backward()
    assert layer.encoding.grad is not None
    assert layer.encoding.grad[:5].eq(2).all()
    assert layer.encoding.grad[5:].eq(0).all()


def float64(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def turned_by_blocks(x, positions, base=10_000.0):
    """One 2 x 2 rotation matrix for each pair and each position."""
    d_k, turned = x.size(-1), torch.empty_like(x)
    for row, position in enumerate(positions):
        for i in range(d_k // 2):
            angle = position * base ** (-2 * i / d_k)
            cos, sin = math.cos(angle), math.sin(angle)
            matrix = torch.tensor([[cos, -sin], [sin, cos]], dtype=torch.float64)
            pair = slice(2 * i, 2 * i + 2)
            turned[..., row, pair] = x[..., row, pair] @ matrix.T
    return turned


@pytest.mark.parametrize("d_k", [2, 6, 10])
def test_rotations_are_those_of_the_block_matrices(d_k):
    x, positions = float64(2, 3, 5, d_k), [0, 1, 4, 2, 700]
    found = rotate(x, torch.tensor(positions))
    torch.testing.assert_close(found, turned_by_blocks(x, positions))


def test_rotations_are_products_of_complex_numbers():
    x = float64(7, 8)
    angle = torch.arange(7)[:, None] / 100.0 ** (torch.arange(4, dtype=torch.float64) / 4)
    numbers = torch.view_as_complex(x.view(7, 4, 2)) * torch.polar(torch.ones_like(angle), angle)
    found = rotate(x, torch.arange(7), base=100.0)
    torch.testing.assert_close(found, torch.view_as_real(numbers).flatten(-2))


@given(
    st.integers(1, 12),
    st.integers(0, 400),
    st.integers(0, 400),
    st.integers(0, 400),
    st.integers(0, 2**16),
)
def test_a_turned_inner_product_depends_on_the_offset_alone(pairs, query, key, shift, seed):
    torch.manual_seed(seed)
    q, k = float64(1, 2 * pairs), float64(1, 2 * pairs)
    at = [torch.tensor([position]) for position in (query, key, query + shift, key + shift)]
    here = (rotate(q, at[0]) * rotate(k, at[1])).sum()
    there = (rotate(q, at[2]) * rotate(k, at[3])).sum()
    torch.testing.assert_close(here, there, rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(rotate(q, at[0]).norm(), q.norm())


def test_an_odd_width_cannot_be_turned():
    for refused in (
        lambda: rotate(torch.randn(2, 3), torch.arange(2)),
        lambda: RotaryAttention(6, 2),
        lambda: RotaryAttention(8, 2, d_k=5),
    ):
        with pytest.raises(ValueError, match=r"d_k=[35] is odd: rotary positions turn pairs"):
            refused()


@pytest.mark.parametrize("base", [0.0, -2.0, math.nan, math.inf])
def test_rotations_need_a_positive_base(base):
    with pytest.raises(ValueError, match=f"base={base} must be positive"):
        rotate(torch.randn(2, 4), torch.arange(2), base=base)


def test_rotations_need_a_position_for_each_vector():
    with unchecked(), pytest.raises(ValueError, match="3 positions for 5 vectors: give one"):
        rotate(torch.randn(5, 4), torch.arange(3))
    one, x = torch.tensor([7]), torch.randn(5, 4)
    torch.testing.assert_close(rotate(x, one), rotate(x, one.expand(5)))


@pytest.mark.parametrize("n_heads", [1, 2, 3, 8])
def test_biases_term_by_term(n_heads):
    query, key = [4, 0, 9], [0, 7, 3, 4]
    found = linear_bias(n_heads, torch.tensor(query), torch.tensor(key))
    for head in range(n_heads):
        for i, p in enumerate(query):
            for j, q in enumerate(key):
                slope = 1 / 2 ** (8 * (head + 1) / n_heads)
                assert found[head, i, j].item() == pytest.approx(-slope * abs(p - q))


def test_no_heads_have_no_slopes():
    for n_heads in (0, -2, 2.5):
        message = f"n_heads={n_heads} must be a positive integer"
        with unchecked(), pytest.raises(ValueError, match=message):
            linear_bias(n_heads, torch.arange(2), torch.arange(2))


def test_slopes_of_eight_heads_are_those_of_the_paper():
    """Section 3: for 8 heads, 1/2, 1/4, ..., 1/256."""
    slopes = -linear_bias(8, torch.tensor([1]), torch.tensor([0]))[:, 0, 0]
    assert slopes.tolist() == [1 / 2**h for h in range(1, 9)]


D_MODEL, HEADS, LENGTH, D_K, D_V = 14, 3, 9, 4, 5


def attention_of(kind):
    torch.manual_seed(1)
    return kind(D_MODEL, HEADS, D_K, D_V).double()


def by_hand(layer, x, mask):
    """One head, one query, one key at a time."""
    output = torch.zeros(*x.shape[:2], HEADS, D_V, dtype=torch.float64)
    weights = torch.zeros(len(x), HEADS, x.size(1), x.size(1), dtype=torch.float64)
    slopes = [2 ** (-8 * h / HEADS) for h in range(1, HEADS + 1)]
    positions = range(x.size(1))
    for b, h in itertools.product(range(len(x)), range(HEADS)):
        w_q, w_k = (w.weight[h * D_K : (h + 1) * D_K] for w in (layer.w_query, layer.w_key))
        q, k, v = x[b] @ w_q.T, x[b] @ w_k.T, x[b] @ layer.w_value.weight[h * D_V :][:D_V].T
        if isinstance(layer, RotaryAttention):
            q, k = turned_by_blocks(q, positions), turned_by_blocks(k, positions)
        for i in positions:
            allowed = [j for j in positions if mask[b, 0, i, j]]
            score = {j: (q[i] @ k[j]).item() / math.sqrt(D_K) for j in allowed}
            if isinstance(layer, LinearBiasAttention):
                score = {j: s - slopes[h] * abs(i - j) for j, s in score.items()}
            total = sum(math.exp(s) for s in score.values())
            for j in allowed:
                weights[b, h, i, j] = math.exp(score[j]) / total
            output[b, i, h] = weights[b, h, i] @ v
    return output.flatten(-2) @ layer.w_output.weight.T, weights


@pytest.mark.parametrize("kind", [RotaryAttention, LinearBiasAttention])
def test_attention_with_positions_in_the_scores_equals_loops(kind):
    layer, x = attention_of(kind), float64(2, LENGTH, D_MODEL)
    mask = torch.rand(2, 1, LENGTH, LENGTH) < 0.6
    mask[0, 0, 3] = False  # a query with nothing to attend to
    output, weights = by_hand(layer, x, mask)
    torch.testing.assert_close(layer(x, x, x, mask), output)
    torch.testing.assert_close(layer.weights(x, x, x, mask), weights)
    all_seen = torch.ones_like(mask)
    torch.testing.assert_close(layer(x, x, x), by_hand(layer, x, all_seen)[0])
    torch.testing.assert_close(layer.weights(x, x), by_hand(layer, x, all_seen)[1])


@pytest.mark.parametrize("kind", [RotaryAttention, LinearBiasAttention])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_an_empty_row_is_zero_with_a_finite_gradient(kind, dtype):
    layer = attention_of(kind).to(dtype)
    x = torch.randn(1, LENGTH, D_MODEL, dtype=dtype, requires_grad=True)
    output = layer(x, x, x, torch.zeros(1, 1, LENGTH, LENGTH, dtype=torch.bool))
    output.sum().backward()
    assert output.eq(0).all()
    assert x.grad.isfinite().all()
    assert not torch.equal(layer(x, x, x), output)


@pytest.mark.parametrize("kind", [RotaryAttention, LinearBiasAttention])
def test_where_a_sentence_begins_makes_no_difference(kind):
    """The same tokens, five places later: the same weights among them, and the same output."""
    layer, x = attention_of(kind), float64(2, 12, D_MODEL)
    mask = torch.zeros(12, 12, dtype=torch.bool)
    mask[5:, 5:] = True
    later, here = layer(x, x, x, mask)[:, 5:], layer(x[:, 5:], x[:, 5:], x[:, 5:])
    torch.testing.assert_close(later, here)
    weights = layer.weights(x, x, mask=mask)[..., 5:, 5:]
    torch.testing.assert_close(weights, layer.weights(x[:, 5:], x[:, 5:]))


def model_with(positions):
    torch.manual_seed(2)
    sizes = {"n_layers": 2, "d_model": 12, "d_ff": 16, "n_heads": 2, "max_length": 30}
    config = TransformerConfig(vocab_size=19, positions=positions, **sizes)
    model = Transformer(config).double().eval()
    with torch.no_grad():
        for parameter in model.encoder.parameters():
            parameter.mul_(3)
    return model


@pytest.mark.parametrize("positions", get_args(Positions))
def test_only_without_positions_the_order_of_the_source_is_lost(positions):
    model, source = model_with(positions), torch.tensor([[5, 6, 7, 8, 9, 2]])
    order = torch.tensor([3, 0, 4, 1, 2, 5])
    memory, permuted = model.encode(source), model.encode(source[:, order])
    difference = (permuted - memory[:, order]).abs().max().item()
    assert difference < 1e-12 if positions == "none" else difference > 1e-2


@pytest.mark.parametrize("positions", get_args(Positions))
def test_only_relative_positions_do_not_say_where_a_sentence_begins(positions):
    """Padding in front moves the sentence. Sinusoids and learned vectors notice."""
    model, source = model_with(positions), torch.tensor([[5, 6, 7, 2]])
    moved = torch.cat([torch.zeros(1, 6, dtype=torch.long), source], dim=1)
    difference = (model.encode(moved)[:, 6:] - model.encode(source)).abs().max().item()
    assert difference < 1e-12 if positions in RELATIVE else difference > 1e-2


RELATIVE = ("rotary", "alibi", "none")


@pytest.mark.parametrize("positions", ["rotary", "alibi"])
def test_the_recorder_sees_the_weights_that_were_used(positions):
    """The recorded weights, applied to the values, give what each self-attention gave."""
    model = model_with(positions)
    source, target = torch.tensor([[5, 6, 7, 2], [8, 2, 0, 0]]), torch.tensor([[1, 9, 4]] * 2)
    seen = {}
    for name, module in model.named_modules():
        if isinstance(module, MultiHeadAttention):
            module.register_forward_hook(
                lambda module, args, output, name=name: seen.update({name: (args[2], output)})
            )
    with record_attention(model) as weights:
        model(source, target)
    assert len(weights) == 6
    for name, (x, output) in seen.items():
        layer = model.get_submodule(name)
        heads = weights[name] @ layer.split(layer.w_value(x))
        torch.testing.assert_close(layer.w_output(heads.transpose(1, 2).flatten(-2)), output)
    kinds = {name: type(model.get_submodule(name)) for name in weights}
    crossing = {name for name, kind in kinds.items() if kind is MultiHeadAttention}
    assert crossing == {f"decoder.layers.{i}.cross_attention" for i in range(2)}


def test_positions_in_the_scores_cost_no_parameter():
    counts = {kind: model_with(kind).count_parameters()["total"] for kind in get_args(Positions)}
    learned = counts.pop("learned")
    assert len(set(counts.values())) == 1
    assert learned == counts["none"] + 2 * 30 * 12


@pytest.mark.parametrize("positions", get_args(Positions))
def test_symmetric_biases_do_not_tell_left_from_right(positions):
    model, source = model_with(positions), torch.tensor([[5, 6, 7, 8, 9, 2]])
    reversed_memory = model.encode(source.flip(1)).flip(1)
    difference = (reversed_memory - model.encode(source)).abs().max().item()
    assert difference < 1e-12 if positions in ("alibi", "none") else difference > 1e-2
