"""Heads one at a time: loop and sum against the batched module, and the model without some."""

import copy

import pytest
import torch
from typechecking import unchecked

from annotated_transformer import MultiHeadAttention, Transformer, TransformerConfig
from annotated_transformer.lab.analysis.heads import (
    HeadMatrices,
    attentions_of,
    head_contributions,
    head_matrices,
    loop_over_heads,
    without_heads,
)

# Sizes all different, so that no swapped axis can hide.
BATCH, HEADS, QUERY, KEY, D_MODEL, D_K, D_V = 2, 3, 5, 7, 10, 11, 13


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64)


@pytest.fixture
def module():
    torch.manual_seed(0)
    return MultiHeadAttention(D_MODEL, HEADS, d_k=D_K, d_v=D_V).double()


@pytest.fixture
def vectors():
    torch.manual_seed(1)
    memory = random(BATCH, KEY, D_MODEL)
    return random(BATCH, QUERY, D_MODEL), memory, memory.flip(1)


@pytest.fixture
def mask():
    torch.manual_seed(2)
    allowed = torch.rand(BATCH, QUERY, KEY) < 0.6
    allowed[0, 0] = False
    return allowed


def test_matrices_are_those_of_the_paper(module):
    matrices = head_matrices(module)
    assert [tuple(m.shape) for m in matrices] == [
        (HEADS, D_MODEL, D_K),
        (HEADS, D_MODEL, D_K),
        (HEADS, D_MODEL, D_V),
        (HEADS, D_V, D_MODEL),
    ]
    x = random(BATCH, KEY, D_MODEL)
    for own, linear in zip(
        matrices[:3], (module.w_query, module.w_key, module.w_value), strict=True
    ):
        torch.testing.assert_close(torch.cat([x @ w for w in own], -1), linear(x))
    z = random(BATCH, KEY, HEADS * D_V)
    torch.testing.assert_close(z @ matrices.output.flatten(0, 1), module.w_output(z))


@pytest.mark.parametrize("masked", [False, True])
def test_loop_sum_and_batch_agree(module, vectors, mask, masked):
    chosen = mask if masked else None
    batched = module(*vectors, None if chosen is None else chosen[:, None])
    matrices = head_matrices(module)
    torch.testing.assert_close(loop_over_heads(*vectors, matrices, chosen), batched)
    contributions = head_contributions(*vectors, matrices, chosen)
    assert contributions.shape == (HEADS, BATCH, QUERY, D_MODEL)
    torch.testing.assert_close(contributions.sum(0), batched)


def test_each_contribution_is_a_module_of_one_head(module, vectors):
    matrices = head_matrices(module)
    for head, contribution in enumerate(head_contributions(*vectors, matrices)):
        single = MultiHeadAttention(D_MODEL, 1, d_k=D_K, d_v=D_V).double()
        linears = (single.w_query, single.w_key, single.w_value, single.w_output)
        with torch.no_grad():
            for linear, matrix in zip(linears, matrices, strict=True):
                linear.weight.copy_(matrix[head].T)
        torch.testing.assert_close(single(*vectors), contribution)


def test_the_matrices_of_queries_and_keys_matter_only_as_a_product(module, vectors):
    """So do those of values and output: any change of coordinates in between leaves the head."""
    given, (query, key, value) = head_matrices(module), vectors
    a, b = random(HEADS, D_K, D_K), random(HEADS, D_V, D_V)
    turned = HeadMatrices(
        query=given.query @ a,
        key=given.key @ torch.linalg.inv(a).mT,
        value=given.value @ b,
        output=torch.linalg.inv(b) @ given.output,
    )
    expected = loop_over_heads(query, key, value, given)
    torch.testing.assert_close(loop_over_heads(query, key, value, turned), expected)
    other = turned._replace(key=given.key)
    assert not torch.allclose(loop_over_heads(query, key, value, other), expected)


@pytest.mark.parametrize("words", [2, 3, 5])
def test_no_affine_reader_of_one_head_is_below_the_floor(words):
    """Two tokens of content plus position, all pairs of words: at least 1 - 2 / words is missed."""
    torch.manual_seed(words)
    pairs = torch.cartesian_prod(torch.arange(words), torch.arange(words))
    wanted = torch.nn.functional.one_hot(pairs, words).flatten(1).double()
    errors = {}
    for heads in (1, 2):
        for _ in range(20):
            x = random(words, 16)[pairs] + random(2, 16)
            output = MultiHeadAttention(16, heads).double()(
                random(1, 16).expand(len(x), 1, 16), x, x
            )
            known = torch.cat([output[:, 0], torch.ones(len(x), 1).double()], 1).detach()
            fit = known @ torch.linalg.pinv(known, rtol=1e-9) @ wanted
            error = (fit - wanted).square().sum(1).mean().item()
            errors[heads] = min(errors.get(heads, 2.0), error)
    assert errors[1] > 1 - 2 / words
    assert errors[2] < errors[1] / 2


def test_a_removed_head_is_missing_from_the_sum_and_comes_back(module, vectors):
    contributions = head_contributions(*vectors, head_matrices(module))
    whole, weight = module(*vectors), module.w_output.weight.detach().clone()
    with without_heads(module, {"": [0, 2]}):
        torch.testing.assert_close(module(*vectors), contributions[1])
    assert torch.equal(module.w_output.weight, weight)
    assert torch.equal(module(*vectors), whole)


def test_heads_come_back_after_an_error(module):
    weight = module.w_output.weight.detach().clone()
    with pytest.raises(KeyError), without_heads(module, {"": [1]}):
        raise KeyError
    assert torch.equal(module.w_output.weight, weight)


@pytest.fixture
def model():
    torch.manual_seed(0)
    sizes = {"n_layers": 2, "d_model": 12, "n_heads": HEADS, "d_ff": 20}
    return Transformer(TransformerConfig.base(vocab_size=30, **sizes)).eval()


NAMES = [
    "encoder.layers.0.self_attention",
    "encoder.layers.1.self_attention",
    "decoder.layers.0.self_attention",
    "decoder.layers.0.cross_attention",
    "decoder.layers.1.self_attention",
    "decoder.layers.1.cross_attention",
]


def test_a_model_has_its_attentions_in_order(model):
    assert list(attentions_of(model)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_in_a_model_only_the_named_head_is_removed(model, name):
    source, target = torch.randint(3, 30, (2, 5)), torch.randint(3, 30, (2, 4))
    other = copy.deepcopy(model)
    with torch.no_grad():
        other.get_submodule(name).w_output.weight[:, 4:8] = 0  # the second of three, d_v is 4
    whole = model(source, target)
    with without_heads(model, {name: [1]}):
        torch.testing.assert_close(model(source, target), other(source, target))
        assert not torch.allclose(model(source, target), whole)
    assert torch.equal(model(source, target), whole)


def refused(model, removed, message):
    with unchecked(), pytest.raises(ValueError, match=message), without_heads(model, removed):
        pass


def test_unknown_attentions_and_heads_are_named_and_nothing_changes(model):
    before = copy.deepcopy(model.state_dict())
    message = r"'encoder\.0'.*encoder\.layers\.0\.self_attention"
    refused(model, {NAMES[0]: [1], "encoder.0": [0]}, message)
    for head in (3, -1, 1.0, "a"):
        message = rf"no head {head!r}; expected 0 to 2"
        refused(model, {NAMES[1]: [0], NAMES[0]: [head]}, message)
    refused(model, {NAMES[0]: 1}, "1 is no list of heads")
    refused(model, {NAMES[0]: "01"}, "'01' is no list of heads")
    refused(model, [NAMES[0]], "expected heads by the name of their attention")
    refused(torch.nn.Linear(2, 2), {"": [0]}, "no attention is called ''; there are none")
    assert all(torch.equal(before[k], v) for k, v in model.state_dict().items())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"query": (2, D_MODEL, D_K)}, "a matrix of each kind for each head"),
        (dict.fromkeys(HeadMatrices._fields, (0, 1, 1)), "a matrix of each kind for each head"),
        ({"value": (D_MODEL, D_V)}, "one matrix per head"),
        ({"key": (HEADS, D_MODEL, D_K + 1)}, "expected d_k in query and key"),
        ({"output": (HEADS, D_V + 1, D_MODEL)}, "d_v in value and output"),
        ({"key": (HEADS, D_MODEL + 1, D_K)}, f"key: vectors of width {D_MODEL}"),
    ],
)
def test_matrices_that_do_not_fit_are_refused_with_their_shapes(module, vectors, changed, message):
    wrong = {name: random(*shape) for name, shape in changed.items()}
    matrices = head_matrices(module)._replace(**wrong)
    for function in (loop_over_heads, head_contributions):
        with unchecked(), pytest.raises(ValueError, match=message):
            function(*vectors, matrices)


def test_a_key_without_a_value_is_refused(module, vectors):
    """PyTorch's kernel reads past the end of the values and says nothing."""
    query, key, value = vectors
    matrices = head_matrices(module)
    for function in (module, lambda *vectors: loop_over_heads(*vectors, matrices)):
        with unchecked(), pytest.raises(ValueError, match="3 values for 7 keys"):
            function(query, key, value[:, :3])
