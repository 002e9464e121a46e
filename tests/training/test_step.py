"""One update, and the validation beside it, on four made-up pairs."""

import copy
import math

import pytest
import torch
from torch.testing import assert_close

from annotated_transformer.config import TransformerConfig
from annotated_transformer.lab.step_explicit import train_step_explicit
from annotated_transformer.training.batching import Batch, collate
from annotated_transformer.training.encoded import Example
from annotated_transformer.training.loss import label_smoothing_loss
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.schedule import noam_rate
from annotated_transformer.training.step import (
    make_optimizer,
    train_step,
    uses_bfloat16,
    validate,
)
from annotated_transformer.transformer import Transformer

EXAMPLES = [
    Example((5, 6, 7, 2), (1, 8, 9, 2)),
    Example((6, 2), (1, 9, 9, 8, 2)),
    Example((5, 5, 2), (1, 8, 2)),
    Example((7, 2), (1, 2)),
]


def make_model(dropout=0.1, **overrides):
    sizes = {"n_layers": 1, "d_model": 12, "d_ff": 20, "n_heads": 3, "max_length": 8}
    config = TransformerConfig(vocab_size=10, dropout=dropout, **{**sizes, **overrides})
    return Transformer(config)


def a_step(model, batches, step=1, **settings):
    settings = TrainingRecipe(**{"warmup_steps": 3, "precision": "float32", **settings})
    return train_step(model, batches, make_optimizer(model, settings), step, settings)


def test_update_number_n_uses_rate_number_n():
    settings = TrainingRecipe(warmup_steps=3, learning_rate_scale=0.5)
    model = make_model()
    optimizer = make_optimizer(model, settings)
    used, step = [], optimizer.step

    def recording_step():
        used.extend(group["lr"] for group in optimizer.param_groups)
        step()

    optimizer.step = recording_step
    for number in range(1, 6):
        result = train_step(model, [collate(EXAMPLES)], optimizer, number, settings)
        assert result.learning_rate == used[-1]
    assert used == [noam_rate(number, 12, 3, 0.5) for number in range(1, 6)]
    assert used[0] == pytest.approx(0.5 * 12**-0.5 * 3**-1.5)


def test_updates_equal_those_in_plain_steps():
    settings = TrainingRecipe(warmup_steps=2, learning_rate_scale=0.5, precision="float32")
    plain = make_model(dropout=0.0).double()
    model = copy.deepcopy(plain)
    adam, plain_adam = make_optimizer(model, settings), make_optimizer(plain, settings)
    for number, batch in enumerate((collate(EXAMPLES[:2]), collate(EXAMPLES[2:])), start=1):
        loss = train_step_explicit(plain, batch, plain_adam, number, settings)
        assert train_step(model, [batch], adam, number, settings).loss == pytest.approx(loss)
    for name, weight in model.state_dict().items():
        assert_close(weight, plain.state_dict()[name], rtol=1e-6, atol=1e-9)


def test_first_update_moves_every_used_weight_by_about_the_rate():
    # Adam's first step is rate * g / (|g| + epsilon): the rate itself, with the gradient's sign.
    model = make_model(dropout=0.0)
    before = model.encoder.layers[0].feed_forward.state_dict()
    before = {name: tensor.clone() for name, tensor in before.items()}
    rate = a_step(model, [collate(EXAMPLES)]).learning_rate
    weight = model.encoder.layers[0].feed_forward
    for name, parameter in weight.named_parameters():
        moved = (parameter.detach() - before[name]).abs()
        used = parameter.grad.abs() > 1e-6
        assert used.any()
        assert_close(moved[used], torch.full_like(moved[used], rate), rtol=1e-2, atol=0)


def test_the_optimizer_has_the_papers_constants():
    [group] = make_optimizer(make_model(), TrainingRecipe()).param_groups
    assert group["betas"] == (0.9, 0.98)
    assert group["eps"] == 1e-9
    assert group["weight_decay"] == 0


def test_reported_loss_is_the_loss_before_the_update():
    model = make_model(dropout=0.0)
    batch = collate(EXAMPLES)
    expected = label_smoothing_loss(model(batch.source, batch.target_input), batch.target_output)
    assert a_step(model, [batch]).loss == pytest.approx(expected.item(), rel=1e-6)


def test_small_batches_together_are_one_large_batch():
    """In float64, so that no other difference can hide behind rounding."""
    whole = make_model(dropout=0.0).double()
    parts = copy.deepcopy(whole)
    one = a_step(whole, [collate(EXAMPLES)])
    many = a_step(parts, [collate(EXAMPLES[:1]), collate(EXAMPLES[1:3]), collate(EXAMPLES[3:])])
    assert one.n_tokens == many.n_tokens == 10
    assert many.loss == pytest.approx(one.loss, rel=1e-13)
    assert many.gradient_norm == pytest.approx(one.gradient_norm, rel=1e-10)
    for ours, theirs in zip(parts.parameters(), whole.parameters(), strict=True):
        assert_close(ours.grad, theirs.grad, rtol=1e-10, atol=1e-14)


def test_precision_auto_is_what_the_hardware_has(monkeypatch):
    cpu = torch.device("cpu")
    for has in (True, False):
        monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda has=has: has)
        assert uses_bfloat16("auto", cpu) is has
        assert uses_bfloat16("bfloat16", cpu)
        assert not uses_bfloat16("float32", cpu)


def test_clipping_shortens_the_gradient_and_reports_its_true_norm():
    torch.manual_seed(1)
    free = make_model(dropout=0.0)
    torch.manual_seed(1)
    clipped = make_model(dropout=0.0)
    norm = a_step(free, [collate(EXAMPLES)]).gradient_norm
    result = a_step(clipped, [collate(EXAMPLES)], clip_norm=norm / 4)
    assert result.gradient_norm == norm
    for ours, theirs in zip(clipped.parameters(), free.parameters(), strict=True):
        assert_close(ours.grad, theirs.grad / 4, rtol=1e-4, atol=1e-7)


def test_without_clipping_the_gradient_is_left_alone():
    torch.manual_seed(1)
    model = make_model(dropout=0.0)
    batch = collate(EXAMPLES)
    loss = label_smoothing_loss(model(batch.source, batch.target_input), batch.target_output)
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    a_step(model, [batch])
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        assert_close(parameter.grad, gradient)


def test_bfloat16_is_close_and_leaves_float32_weights():
    torch.manual_seed(1)
    model = make_model(dropout=0.0)
    torch.manual_seed(1)
    low = make_model(dropout=0.0)
    exact = a_step(model, [collate(EXAMPLES)])
    rounded = a_step(low, [collate(EXAMPLES)], precision="bfloat16")
    assert rounded.loss != exact.loss
    assert rounded.loss == pytest.approx(exact.loss, rel=0.02)
    assert {parameter.dtype for parameter in low.parameters()} == {torch.float32}


@pytest.mark.parametrize("broken", ["weights", "gradient"])
def test_what_is_not_finite_stops_before_the_weights_change(broken):
    model = make_model()
    if broken == "weights":
        with torch.no_grad():
            model.encoder.layers[0].feed_forward.inner.weight[0, 0] = math.nan
    else:
        model.source_embedding.weight.register_hook(lambda gradient: gradient * math.inf)
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    with pytest.raises(FloatingPointError, match="step 7"):
        a_step(model, [collate(EXAMPLES)], step=7)
    for name, tensor in model.state_dict().items():
        assert_close(tensor, before[name], rtol=0, atol=0, equal_nan=True)


def test_the_model_learns_a_batch_by_heart():
    torch.manual_seed(1)
    model = make_model(dropout=0.0, d_model=24)
    settings = TrainingRecipe(warmup_steps=20, label_smoothing=0.0, learning_rate_scale=0.3)
    optimizer = make_optimizer(model, settings)
    losses = [
        train_step(model, [collate(EXAMPLES)], optimizer, step, settings).loss
        for step in range(1, 101)
    ]
    assert losses[0] > 2
    assert losses[-1] < 0.05


def test_validation_is_the_unsmoothed_loss_over_all_tokens_without_dropout_or_gradient():
    model = make_model(dropout=0.5)
    result = validate(model, EXAMPLES, [[3], [0, 2, 1]])
    whole = collate(EXAMPLES)
    logits = model.eval()(whole.source, whole.target_input)
    loss = label_smoothing_loss(logits, whole.target_output, smoothing=0.0)
    right = (logits.argmax(dim=-1) == whole.target_output) & (whole.target_output != 0)
    assert result["valid_loss"] == pytest.approx(loss.item(), rel=1e-6)
    assert result["valid_accuracy"] == right.sum().item() / 10


def test_validation_builds_no_graph_and_draws_no_random_number():
    model = make_model(dropout=0.5)
    state, seen = torch.get_rng_state(), []
    model.output.register_forward_hook(
        lambda module, inputs, logits: seen.append(
            logits.requires_grad or not torch.is_inference_mode_enabled()
        )
    )
    validate(model, EXAMPLES, [[0, 1], [2, 3]])
    assert seen == [False, False]
    assert torch.equal(torch.get_rng_state(), state)


def test_an_output_with_a_bias_is_refused():
    model = make_model()
    model.output.bias = torch.nn.Parameter(torch.zeros(10))
    with pytest.raises(ValueError, match="the output projection has a bias"):
        a_step(model, [collate(EXAMPLES)])


def test_padding_is_what_the_configuration_calls_so():
    batch = collate([Example((4, 5, 2), (1, 7, 8, 9, 2)), Example((4, 2), (1, 7, 2))])
    results = []
    for padding_id in (0, 3):
        torch.manual_seed(0)
        model = make_model(dropout=0.0, padding_id=padding_id)
        ids = (batch.source, batch.target_input, batch.target_output)
        rows = [torch.where(each == 0, padding_id, each) for each in ids]
        results.append(a_step(model, [Batch(*rows, batch.n_tokens)]).loss)
    assert results[1] == pytest.approx(results[0])
