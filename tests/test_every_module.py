"""What holds of every module of the package: walked over a zoo, so that none can be forgotten."""

import copy
import inspect
import io
import math
import pickle
import re

import pytest
import torch
from torch import nn
from typechecking import unchecked
from zoo import ABSTRACT, ELSEWHERE, PACKAGE, WITHOUT, ZOO, build, classes, modules_of, tensors_of

from annotated_transformer.attention import MultiHeadAttention, attention, attention_weights
from annotated_transformer.fast.attention import FEW_QUERIES, fast_attention
from annotated_transformer.fast.projected_loss import projected_loss
from annotated_transformer.lab.recording import record_outputs
from annotated_transformer.lab.variants.linear import causal_linear_attention, linear_attention
from annotated_transformer.lab.variants.tiled import tiled_attention
from annotated_transformer.lab.variants.window import window_attention
from annotated_transformer.layers import Residual
from annotated_transformer.masks import masked_softmax
from annotated_transformer.training.loss import label_smoothing_loss

NAMES = list(ZOO)
MASKS = {"mask", "memory_mask"}
"""Arguments that are masks; numbers to add to scores have another name, `attn_bias`."""


def test_every_class_is_in_the_zoo_or_has_a_reason_not_to_be():
    shown = {type(module) for name in NAMES for module in build(name)[0].modules()}
    missing = {
        f"{where}.{kind.__name__}"
        for where, kind in classes(nn.Module)
        if kind not in shown and where not in ELSEWHERE and kind.__name__ not in ABSTRACT
    }
    assert missing == set()
    for file in (file for name in WITHOUT for file in (PACKAGE / name).rglob("*.py")):
        assert not re.search(r"nn\.Module\)|autograd\.Function\)", file.read_text("utf-8"))


def calls_of(model, inputs):
    """Each call of each module, in the order in which they end: name, arguments."""
    calls, handles = [], []

    def copied(x):
        return x.detach().clone()

    def hook(name):
        def write(module, args, kwargs, output):
            arguments = inspect.signature(module.forward).bind(*args, **kwargs).arguments
            kept = torch.utils._pytree.tree_map_only(torch.Tensor, copied, dict(arguments))
            calls.append((name, kept))

        return write

    for name, module in modules_of(model).items():
        handles.append(module.register_forward_hook(hook(name), with_kwargs=True))
    with torch.no_grad():
        model(*inputs)
    for handle in handles:
        handle.remove()
    return calls


def again(model, name, arguments):
    """What the module of this name makes of these arguments."""
    signature = inspect.signature(model.get_submodule(name).forward)
    bound = inspect.BoundArguments(signature, dict(arguments))
    with torch.no_grad():
        return model.get_submodule(name)(*bound.args, **bound.kwargs)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_recorded_is_what_each_module_puts_out(name):
    model, inputs = build(name)
    with record_outputs(model) as record, torch.no_grad():
        model(*inputs)
    calls = calls_of(model, inputs)
    assert [called for called, _ in calls] == [recorded for recorded, _ in record]
    ran = {called for called, _ in calls}
    for called in ran:  # linear maps that are one product as long as nobody listens
        if isinstance(model.get_submodule(called), MultiHeadAttention):
            assert f"{called}.w_query".lstrip(".") in ran
    for (called, arguments), (_, output) in zip(calls, record, strict=True):
        if isinstance(model.get_submodule(called), Residual):
            continue  # an argument is a function, which sees what its layer has made since
        expected = tensors_of(again(model, called, arguments))
        found = tensors_of(output)
        assert len(found) == len(expected), called
        for one, other in zip(found, expected, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-9, atol=1e-9, msg=called)


@pytest.mark.filterwarnings("ignore:Full backward hook is firing", "ignore:For backward hooks")
@pytest.mark.parametrize("name", NAMES)
def test_a_backward_hook_on_every_module_is_called_and_changes_no_gradient(name):
    model, inputs = build(name)

    def gradients():
        outputs = [x for x in tensors_of(model(*inputs)) if x.requires_grad]
        weights = [weight for weight in model.parameters() if weight.requires_grad]
        total = sum(x.square().sum() for x in outputs)
        return torch.autograd.grad(total, weights, allow_unused=True)

    plain, called, ran = gradients(), set(), set()
    for part, module in modules_of(model).items():
        module.register_full_backward_hook(lambda *_, part=part: called.add(part))
        module.register_forward_hook(
            lambda _, x, y, part=part: ran.add(part) if isinstance(y, torch.Tensor) else None
        )
    for one, other in zip(plain, gradients(), strict=True):
        # Sums of several gradients are taken in another order: the last digit may differ.
        torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-12)
    assert {part for part in ran if not frozen(model, part)} <= called


def frozen(model, part):
    """Whether no gradient goes through a module: what is used of it comes out elsewhere."""
    module = model.get_submodule(part)
    return not any(weight.requires_grad for weight in module.parameters())


# --- tensors that move


def outputs_of(model, inputs):
    with torch.no_grad():
        return tensors_of(model(*inputs))


def assert_same(model, inputs, expected, names):
    found = outputs_of(model, inputs)
    assert all(torch.equal(x, y) for x, y in zip(found, expected, strict=True))
    assert shared(model) == names


def shared(model):
    """Names of each weight that has several."""
    names = {}
    for name, weight in model.named_parameters(remove_duplicate=False):
        names.setdefault(id(weight), set()).add(name)
    return sorted(sorted(several) for several in names.values() if len(several) > 1)


@pytest.mark.parametrize("name", NAMES)
def test_buffers_and_shared_weights_outlive_every_move(name):
    model, inputs = build(name)
    expected, names, state = outputs_of(model, inputs), shared(model), model.state_dict()
    for assign in (False, True):
        with torch.device("meta"):
            moved = ZOO[name][0]().double().eval()
        if not assign:
            moved.to_empty(device="cpu")
            for buffer in moved.buffers():  # old memory may happen to be right
                assert not buffer.is_meta
        moved.load_state_dict(state, assign=assign)
        assert_same(moved, inputs, expected, names)
    emptied = copy.deepcopy(model).to_empty(device="cpu")
    emptied.load_state_dict(state)
    assert_same(emptied, inputs, expected, names)
    assert_same(copy.deepcopy(model), inputs, expected, names)
    assert_same(pickle.loads(pickle.dumps(model)), inputs, expected, names)
    file = io.BytesIO()
    torch.save(model, file)
    file.seek(0)
    assert_same(torch.load(file, weights_only=False), inputs, expected, names)
    assert shared(copy.deepcopy(model).half().float()) == names
    within = nn.ModuleList([copy.deepcopy(model)])
    within.load_state_dict({f"0.{key}": x for key, x in state.items()}, assign=True)
    assert_same(within[0], inputs, expected, names)


def test_a_table_is_not_rounded_by_a_detour_through_float16():
    model, _ = build("Transformer")
    before = model.float().source_positions.encoding.clone()
    assert torch.equal(model.half().float().source_positions.encoding, before)


@pytest.mark.parametrize("name", [name for name in NAMES if shared(build(name)[0])])
def test_two_values_for_one_weight_are_refused_and_nothing_is_loaded(name):
    model, _ = build(name)
    before = {key: x.clone() for key, x in model.state_dict().items()}
    name = shared(model)[0][0]
    with pytest.raises(ValueError, match=f"{name}.* differ, but are one weight"):
        model.load_state_dict({**before, name: before[name] + 1})
    assert all(torch.equal(x, before[key]) for key, x in model.state_dict().items())


# --- doors


def changed(value, change):
    return torch.utils._pytree.tree_map_only(torch.Tensor, change, value)


@pytest.mark.parametrize("name", NAMES)
def test_a_mask_of_numbers_is_refused_by_every_module_that_takes_one(name):
    model, inputs = build(name)
    found = {}
    for called, arguments in calls_of(model, inputs):
        taken = MASKS & arguments.keys()
        found |= {(called, mask): arguments for mask in taken if arguments[mask] is not None}
    for (called, mask), arguments in found.items():
        for dtype in (torch.float32, torch.int64, torch.uint8):
            wrong = arguments | {mask: arguments[mask].to(dtype)}
            with (
                unchecked(),
                pytest.raises(ValueError, match=r"mask has dtype torch.* torch\.bool"),
            ):
                again(model, called, wrong)
        with unchecked(), pytest.raises(ValueError, match=r"mask of shape .* does not fit"):
            again(model, called, arguments | {mask: torch.ones(7, 7, dtype=torch.bool)})


def answer(model, called, arguments):
    """What the module makes of these arguments, or the error that it raises."""
    try:
        with unchecked():
            return again(model, called, arguments)
    except (ValueError, RuntimeError, IndexError) as error:
        return error


WEIGHTLESS = {"Dropout", "Identity", "ReLU", "GELU", "Residual", "ScaledDotProductAttention"}
"""Modules that take vectors of any width and type."""
REFUSE = {"MultiHeadAttention", "FeedForward", "LayerNorm", "SinusoidalPositions", "Linear"}
"""Some of those that answer by themselves, and not by PyTorch's error."""


@pytest.mark.parametrize("name", NAMES)
def test_vectors_of_another_shape_or_type_are_refused_or_understood(name):
    """Never a wrong number: an error, or what the batch would have given."""
    model, inputs = build(name)
    for called, arguments in calls_of(model, inputs):
        key, first = next(iter(arguments.items()), (None, None))
        if not isinstance(first, torch.Tensor) or not first.is_floating_point():
            continue
        module = model.get_submodule(called)
        kind, ours = type(module).__name__, type(module).__module__.startswith("annotated")
        # The last axis of a map is no width.
        if kind not in WEIGHTLESS and first.dim() <= 3 and not kind.startswith("Conv"):
            for x in (first.float(), first[..., :-1]):
                error = answer(model, called, arguments | {key: x})
                assert isinstance(error, Exception), (called, kind)
                if kind in REFUSE and ours:
                    assert isinstance(error, ValueError), (called, kind, error)
        if first.dim() == 3 and kind != "Residual":
            alone = changed(arguments, lambda x: x[0] if x.dim() == 3 else x)
            found = answer(model, called, alone)
            assert kind != "MultiHeadAttention" or isinstance(found, ValueError)
            if not isinstance(found, Exception):
                whole = tensors_of(again(model, called, arguments))
                for one, other in zip(tensors_of(found), whole, strict=True):
                    torch.testing.assert_close(one, other[0], msg=f"{called} {kind}")


@pytest.mark.parametrize(
    "function",
    [
        *(attention, fast_attention, tiled_attention, linear_attention, causal_linear_attention),
        lambda q, k, v, mask=None: window_attention(q, k, v, mask, window=2),
        lambda q, k, v, mask=None: attention_weights(q, k, mask) @ v,
    ],
)
def test_every_function_of_attention_refuses_what_does_not_belong_together(function):
    q = torch.randn(2, 2, 4, 8)
    assert function(q, q, q) is not None
    for wrong in (
        (q, q[:1], q[:1]),  # the memory of another batch
        (q, q, q, torch.ones(1, 4)),
        (q, q, q, torch.ones(3, 3, dtype=torch.bool)),
        (q, q, q, [[True] * 4]),
        (q.double(), q, q),
        (q.long(), q.long(), q.long()),
        (q, q[..., :-1], q),
        (q[0, 0, 0], q, q),
    ):
        with unchecked(), pytest.raises(ValueError, match=r"^[^\n]{20,}$"):
            function(*wrong)


def test_an_attention_bias_is_numbers_and_a_mask_is_not():
    x = torch.randn(2, 4, 16, dtype=torch.float64)
    model, _ = build("Transformer")
    layer = model.encoder.layers[0]
    bias = torch.zeros(4, 4).double().masked_fill(~torch.ones(4, 4).tril().bool(), -math.inf)
    masked = layer(x, torch.ones(4, 4).tril().bool())
    torch.testing.assert_close(layer(x, None, attn_bias=bias), masked)
    for module in (layer, model.encoder):
        with unchecked(), pytest.raises(ValueError, match=r"attn_bias has dtype torch\.bool"):
            module(x, None, attn_bias=torch.ones(4, 4).bool())
    with pytest.raises(ValueError, match=r"attn_bias of shape .* does not fit"), unchecked():
        layer(x, None, attn_bias=torch.zeros(3, 3))


def test_a_memory_is_that_of_its_source():
    model, (source, target) = build("Transformer")
    memory = model.encode(source)
    for wrong in ((memory[:1], source[:1]), (memory[:, :1], source), (memory, source[:, :1])):
        with unchecked(), pytest.raises(ValueError, match="expected"):
            model.decode(target, *wrong)


# --- derivatives


def plain_loss(hidden, weight, target):
    return label_smoothing_loss(hidden @ weight.T, target, smoothing=0.1)


def fast_loss(hidden, weight, target):
    n_tokens = int((target != 0).sum())
    return projected_loss(hidden, weight, target, smoothing=0.1, n_tokens=n_tokens)


def loss_inputs():
    hidden = torch.randn(2, 3, 4, dtype=torch.float64, requires_grad=True)
    weight = torch.randn(7, 4, dtype=torch.float64, requires_grad=True)
    return hidden, weight, torch.tensor([[5, 6, 2], [3, 2, 0]])


SECOND = {"_SummedLoss": (fast_loss, loss_inputs)}
"""Each gradient that is written by hand: a function that uses it, and what it takes."""


def test_every_gradient_written_by_hand_has_a_right_one_itself():
    written = {kind.__name__ for _, kind in classes(torch.autograd.Function)}
    assert written == SECOND.keys()
    for function, inputs in SECOND.values():
        torch.autograd.gradcheck(function, inputs())
        torch.autograd.gradgradcheck(function, inputs())


def test_the_gradient_of_a_gradients_norm_is_that_of_the_plain_loss():
    found = []
    for loss in (fast_loss, plain_loss):
        torch.manual_seed(0)
        *asked, target = loss_inputs()
        first = torch.autograd.grad(loss(*asked, target), asked, create_graph=True)
        norm = sum(x.square().sum() for x in first)
        found.append(torch.autograd.grad(norm, asked))
    torch.testing.assert_close(found[0], found[1])
    hidden, weight, target = loss_inputs()
    slopes = [
        torch.func.grad(loss, argnums=(0, 1))(hidden, weight, target)
        for loss in (lambda *x: projected_loss(*x, smoothing=0.1, n_tokens=5), plain_loss)
    ]
    torch.testing.assert_close(*slopes)


# --- float16


@pytest.mark.parametrize("n_queries", [3, FEW_QUERIES + 1])
@pytest.mark.parametrize("scale", [50.0, 300.0])
def test_float16_overflows_nowhere_where_the_kernel_does_not(n_queries, scale):
    draw = torch.Generator().manual_seed(1)
    q, k, v = (
        (x * torch.randn(2, 2, n, 64, generator=draw)).half()
        for x, n in ((scale, n_queries), (scale, 9), (1.0, 9))
    )
    mask = torch.ones(n_queries, 9).tril(2).bool()
    with torch.no_grad():
        exact = attention(q.double(), k.double(), v.double(), mask)[0]
        for found in (
            attention(q, k, v, mask)[0],
            fast_attention(q, k, v, mask),
            tiled_attention(q, k, v, mask, key_block=4),
            torch.nn.functional.scaled_dot_product_attention(q, k, v, mask),
        ):
            assert found.dtype == torch.float16
            torch.testing.assert_close(found.double(), exact, atol=2e-3, rtol=2e-3)
    with torch.autocast("cpu", torch.float16), torch.no_grad():
        wide = (q.float(), k.float(), v.float())
        assert attention(*wide, mask)[0].isfinite().all()
        assert fast_attention(*wide, mask).isfinite().all()
    scores = (q @ q.mT).clamp(-60_000, 60_000)
    assert masked_softmax(scores, torch.ones(n_queries, n_queries).tril().bool()).isfinite().all()


def test_a_loss_of_many_tokens_is_right_in_float16():
    hidden, weight = torch.randn(1, 9000, 8).half(), 4 * torch.randn(50, 8).half()
    target = torch.randint(1, 50, (1, 9000))
    exact = plain_loss(hidden.double(), weight.double(), target).item()
    assert plain_loss(hidden, weight, target).item() == pytest.approx(exact, rel=2e-3)
    assert fast_loss(hidden, weight, target).item() == pytest.approx(exact, rel=2e-3)


# --- graphs and transformations


def test_the_model_is_exported_for_all_lengths_and_compiled_whole():
    model, (source, target) = build("Transformer")
    batch, *lengths = (torch.export.Dim(name, min=2, max=20) for name in ("b", "s", "t"))
    shapes = tuple({0: batch, 1: length} for length in lengths)
    with unchecked():
        graph = torch.export.export(model, (source, target), dynamic_shapes=shapes).module()
    longer = source.repeat(3, 2), target.repeat(3, 1)
    torch.testing.assert_close(graph(*longer), model(*longer))
    compiled = torch.compile(model, backend="eager", fullgraph=True)
    with unchecked():
        assert torch.equal(compiled(source, target), model(source, target))


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith(("Transformer", "GPT", "T5"))])
def test_a_gradient_for_each_example_is_that_of_the_example(name):
    model, inputs = build(name)
    weights = dict(model.named_parameters())

    def loss(weights, *row):
        row = tuple(x[None] for x in row)
        return torch.func.functional_call(model, weights, row).square().mean()

    each = torch.func.vmap(torch.func.grad(loss), in_dims=(None, *(0 for _ in inputs)))
    with unchecked():
        first, together = each(weights, *inputs), each(weights, *inputs)
    # PyTorch gives back what it exchanged, also where a weight has several names.
    assert dict(model.named_parameters()).keys() == weights.keys()
    assert all(weight is weights[name] for name, weight in model.named_parameters())
    assert all(torch.equal(first[key], together[key]) for key in weights)
    loss(weights, *(x[1] for x in inputs)).backward()
    for key, weight in weights.items():
        if weight.grad is not None:
            torch.testing.assert_close(together[key][1], weight.grad, rtol=1e-3, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.torch.jit.:DeprecationWarning")
def test_forward_derivatives_are_those_of_the_backward_ones():
    model, inputs = build("Transformer")
    weights = {key: x.detach() for key, x in model.named_parameters()}
    key = "decoder.layers.0.feed_forward.outer.bias"

    def loss(bias):
        return torch.func.functional_call(model, {**weights, key: bias}, inputs).square().mean()

    bias, direction = weights[key], torch.randn_like(weights[key])
    with unchecked():
        slope = torch.func.jvp(loss, (bias,), (direction,))[1]
        torch.testing.assert_close(slope, torch.func.grad(loss)(bias) @ direction)
        curvature = torch.func.hessian(loss)(bias)
    torch.testing.assert_close(curvature, curvature.T, rtol=1e-3, atol=1e-6)


@pytest.mark.parametrize("name", ["AllAtOnce", "Recurrent"])
def test_what_cannot_be_a_graph_says_why(name):
    model, (source, target) = build(name)

    def alone(source, target):
        return model(source[None], target[None])

    with pytest.raises(ValueError, match=r"torch\.func\.vmap cannot do that"), unchecked():
        torch.func.vmap(alone)(source, target)


@pytest.mark.filterwarnings("ignore:.torch.jit.:DeprecationWarning")
@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning")
def test_torch_jit_trace_is_told_where_to_go():
    model, inputs = build("Transformer")
    with pytest.raises(ValueError, match=r"use torch\.export\.export"), unchecked():
        torch.jit.trace(model, inputs, check_trace=False)
