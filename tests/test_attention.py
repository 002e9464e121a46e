import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from annotated_transformer.attention import (
    MultiHeadAttention,
    attention,
    attention_weights,
)
from annotated_transformer.inspection import record_attention

# Sizes all different, so that no swapped axis can hide.
BATCH, HEADS, QUERY, KEY, D_K, D_V = 2, 3, 5, 7, 11, 13


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64)


def by_hand(query, key, value, mask):
    """Equation 1 with Python loops and scalars."""
    output = torch.zeros(len(query), value.size(1), dtype=torch.float64)
    for i in range(len(query)):
        allowed = [j for j in range(len(key)) if mask[i, j]]
        score = {j: sum(query[i] * key[j]).item() / math.sqrt(query.size(1)) for j in allowed}
        total = sum(math.exp(s) for s in score.values())
        for j in allowed:
            output[i] += math.exp(score[j]) / total * value[j]
    return output


def test_numbers_that_can_be_checked_by_hand():
    query = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
    key = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 9.0, 0.0, 0.0]])
    value = torch.tensor([[1.0], [0.0]])
    output, weights = attention(query, key, value)
    expected = 1 / (1 + math.exp(-1))  # scores 2 / sqrt(4) = 1 and 0
    assert weights[0, 0].item() == pytest.approx(expected)
    assert output.item() == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(5))
def test_oracle_equals_loops(seed):
    torch.manual_seed(seed)
    query, key, value = random(QUERY, D_K), random(KEY, D_K), random(KEY, D_V)
    mask = torch.rand(QUERY, KEY) < 0.5
    mask[0] = False
    output, weights = attention(query, key, value, mask)
    torch.testing.assert_close(output, by_hand(query, key, value, mask))
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).double())


@settings(max_examples=50)
@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 6),
    st.floats(-50, 50),
    st.integers(0, 2**16),
)
def test_a_constant_added_to_all_scores_changes_nothing(n_query, n_key, d_k, shift, seed):
    torch.manual_seed(seed)
    query, key = random(n_query, d_k), random(n_key, d_k)
    moved = key + shift * torch.ones(d_k, dtype=torch.float64)
    torch.testing.assert_close(
        attention_weights(query, key), attention_weights(query, moved), atol=1e-9, rtol=1e-6
    )


def test_output_is_an_average_of_the_values():
    value = random(KEY, D_V)
    output, _ = attention(random(QUERY, D_K), random(KEY, D_K), value)
    assert (output <= value.max(0).values).all()
    assert (output >= value.min(0).values).all()


def test_empty_row_is_zero_and_its_gradient_finite():
    query, key, value = (random(BATCH, HEADS, n, D_K) for n in (QUERY, KEY, KEY))
    for tensor in (query, key, value):
        tensor.requires_grad_()
    mask = torch.ones(QUERY, KEY, dtype=torch.bool)
    mask[2] = False
    output, weights = attention(query, key, value, mask)
    assert weights[..., 2, :].eq(0).all()
    assert output[..., 2, :].eq(0).all()
    output.square().sum().backward()
    for tensor in (query, key, value):
        assert tensor.grad.isfinite().all()
    assert query.grad[..., 2, :].eq(0).all()


def module_pair(bias):
    """Our attention and PyTorch's with the same weights, in float64."""
    ours = MultiHeadAttention(12, 3, bias=bias).double()
    theirs = nn.MultiheadAttention(12, 3, bias=bias, batch_first=True).double()
    inputs = [ours.w_query, ours.w_key, ours.w_value]
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([linear.weight for linear in inputs]))
        theirs.out_proj.weight.copy_(ours.w_output.weight)
        if bias:
            theirs.in_proj_bias.copy_(torch.cat([linear.bias for linear in inputs]))
            theirs.out_proj.bias.copy_(ours.w_output.bias)
    return ours, theirs


def test_every_head_reads_every_component():
    """No head has a part of the token to itself: each derivative is there."""
    torch.manual_seed(0)
    module, token = MultiHeadAttention(12, HEADS).double(), random(1, 1, 12)

    def projected(x):
        return torch.stack([part[0, :, 0] for part in module.project(x, x, x)])

    (slopes,) = torch.autograd.functional.jacobian(projected, (token,))
    assert slopes.shape == (3, HEADS, 12 // HEADS, 1, 1, 12)
    assert (slopes != 0).all()


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_equals_torch_forward_and_gradient(masked, bias):
    torch.manual_seed(0)
    ours, theirs = module_pair(bias)
    query, memory = random(BATCH, QUERY, 12), random(BATCH, KEY, 12)
    mask = (torch.rand(QUERY, KEY) < 0.6) | (torch.arange(KEY) == 0) if masked else None
    gradients = []
    outputs = []
    for module in (ours, theirs):
        x, y = query.clone().requires_grad_(), memory.clone().requires_grad_()
        if module is ours:
            output = module(x, y, y, mask)
        else:
            # nn.MultiheadAttention's boolean mask says who may NOT attend.
            output, weights = module(
                x, y, y, attn_mask=None if mask is None else ~mask, average_attn_weights=False
            )
        output.square().sum().backward()
        outputs.append(output)
        gradients.append((x.grad, y.grad, ours.w_output.weight.grad))
    torch.testing.assert_close(outputs[0], outputs[1])
    torch.testing.assert_close(gradients[0], gradients[1])
    with record_attention(ours) as record:
        ours(query, memory, memory, mask)
    torch.testing.assert_close(record[""], weights)
    torch.testing.assert_close(ours.w_output.weight.grad, theirs.out_proj.weight.grad)


def test_multi_head_equals_a_loop_over_heads():
    """Row B of Table 3: widths free of d_model / n_heads."""
    torch.manual_seed(0)
    module = MultiHeadAttention(10, HEADS, d_k=D_K, d_v=D_V).double()
    query, memory = random(BATCH, QUERY, 10), random(BATCH, KEY, 10)
    mask = torch.rand(BATCH, 1, QUERY, KEY) < 0.6
    heads = []
    for h in range(HEADS):
        w_q = module.w_query.weight[h * D_K : (h + 1) * D_K]
        w_k = module.w_key.weight[h * D_K : (h + 1) * D_K]
        w_v = module.w_value.weight[h * D_V : (h + 1) * D_V]
        head, _ = attention(query @ w_q.T, memory @ w_k.T, memory @ w_v.T, mask[:, 0])
        heads.append(head)
    expected = torch.cat(heads, dim=-1) @ module.w_output.weight.T
    torch.testing.assert_close(module(query, memory, memory, mask), expected)


def test_without_a_gain_all_matrices_start_glorot_uniform():
    module = MultiHeadAttention(64, 4, d_k=32)
    module.initialise()
    for linear in (module.w_query, module.w_key, module.w_value, module.w_output):
        bound = math.sqrt(6 / (linear.in_features + linear.out_features))
        assert 0.99 * bound < linear.weight.abs().max().item() <= bound


def test_biases_begin_at_zero_and_the_paper_has_none():
    module = MultiHeadAttention(8, 2, bias=True)
    module.initialise()
    linears = (module.w_query, module.w_key, module.w_value, module.w_output)
    assert not any(linear.bias.any() for linear in linears)
    paper = MultiHeadAttention(8, 2)
    paper.initialise()
    assert [name for name, _ in paper.named_parameters() if "bias" in name] == []


def test_one_sentence_with_itself_is_what_its_copies_are_with_biases_too():
    """Self-attention takes the three products in one; a copy of the input takes three."""
    module = MultiHeadAttention(12, 3, bias=True).double()
    x = random(BATCH, KEY, 12)
    torch.testing.assert_close(module(x, x, x), module(x, x.clone(), x.clone()))


def test_widths_that_do_not_divide():
    with pytest.raises(ValueError, match="d_model=10 is not divisible by n_heads=3"):
        MultiHeadAttention(10, 3)
