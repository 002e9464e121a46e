import itertools
import math
from typing import get_args

import pytest
import torch
from rotations import turned_by_blocks

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.config import Positions, TransformerConfig
from annotated_transformer.inspection import record_attention
from annotated_transformer.transformer import Transformer
from annotated_transformer.variants.alibi import LinearBiasAttention
from annotated_transformer.variants.rotary import RotaryAttention

D_MODEL, HEADS, LENGTH, D_K, D_V = 14, 3, 9, 4, 5
RELATIVE = ("rotary", "alibi", "none")


def float64(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def weights_of(layer, *arguments):
    with record_attention(layer) as record:
        layer(*arguments)
    return record[""]


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
    torch.testing.assert_close(weights_of(layer, x, x, x, mask), weights)
    all_seen = torch.ones_like(mask)
    torch.testing.assert_close(layer(x, x, x), by_hand(layer, x, all_seen)[0])
    torch.testing.assert_close(weights_of(layer, x, x, x), by_hand(layer, x, all_seen)[1])


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
    weights = weights_of(layer, x, x, x, mask)[..., 5:, 5:]
    torch.testing.assert_close(weights, weights_of(layer, x[:, 5:], x[:, 5:], x[:, 5:]))


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
