"""What a run costs: the formula against torch's own counter, the estimate against real steps."""

import pytest
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.flop_counter import FlopCounterMode

from annotated_transformer.config import TransformerConfig
from annotated_transformer.training import cost as cost_module
from annotated_transformer.training.cost import (
    Cost,
    cost_lines,
    estimate,
    forward_flops,
    matmul_rate,
    step_flops,
)
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.transformer import Transformer, count_parameters

CONFIGS = {
    "tiny": TransformerConfig.tiny(vocab_size=500),
    "odd": TransformerConfig(
        vocab_size=97, n_layers=3, d_model=24, d_ff=56, n_heads=2, d_k=5, d_v=7
    ),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_formula_is_what_torch_counts(name):
    config = CONFIGS[name]
    model = Transformer(config)
    source, target = torch.randint(4, 90, (3, 11)), torch.randint(4, 90, (3, 13))
    with FlopCounterMode(display=False) as forward, sdpa_kernel(SDPBackend.MATH):
        loss = model(source, target).sum()
    # Equal: both count matrix products only, two operations for each multiplication.
    assert forward.get_total_flops() == forward_flops(config, 3, 11, 13)
    with FlopCounterMode(display=False) as backward, sdpa_kernel(SDPBackend.MATH):
        loss.backward()
    assert backward.get_total_flops() == 2 * forward_flops(config, 3, 11, 13)


def test_six_operations_for_each_weight_and_token_where_attention_is_small():
    config = TransformerConfig.base(vocab_size=37_000)
    per_token = step_flops(config, 1, 2, 2) / 2
    assert per_token == pytest.approx(6 * count_parameters(config)["total"], rel=0.01)


@pytest.fixture
def counting_clock(monkeypatch):
    """Let work take a second for every 10**11 operations; return what each piece of work did."""
    operations = []

    def seconds(work, device):
        with FlopCounterMode(display=False) as counter, sdpa_kernel(SDPBackend.MATH):
            work()
        operations.append(counter.get_total_flops())
        return operations[-1] / 1e11

    monkeypatch.setattr(cost_module, "_seconds", seconds)
    return operations


@pytest.mark.usefixtures("counting_clock")
def test_estimate_agrees_with_real_steps():
    recipe = load_recipe(
        "english_korean", ["training.tokens_per_batch=1024", "training.accumulate=2"]
    )
    cost = estimate(recipe, torch.device("cpu"))
    config = recipe.model.config(3_000)
    assert cost.parameters == count_parameters(config)["total"]
    assert cost.tokens_per_update == 2_048
    assert cost.flops_per_update == 2 * step_flops(config, 32, 32, 32)
    assert cost.flops == recipe.training.steps * cost.flops_per_update
    assert cost.seconds_per_update * 1e11 == pytest.approx(cost.flops_per_update, rel=0.1)
    assert cost.matmul_flops_per_second == pytest.approx(1e11)


def test_estimate_of_a_huge_batch_runs_little_and_leaves_the_random_numbers_alone(counting_clock):
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=2000000"])
    state = torch.get_rng_state()
    cost = estimate(recipe, torch.device("cpu"), world_size=4)
    assert sum(counting_clock) < 0.1 * cost.flops_per_update
    assert torch.equal(torch.get_rng_state(), state)
    assert cost.seconds > 3_600


def test_estimate_is_never_below_what_the_products_alone_take(monkeypatch):
    # Steps that seem to take the same time whatever their size, as the weights' update makes them.
    monkeypatch.setattr(cost_module, "_seconds", lambda work, device: 1e-3)
    recipe = load_recipe("english_korean", ["training.tokens_per_batch=2000000"])
    cost = estimate(recipe, torch.device("cpu"))
    least = cost.flops_per_update / cost.matmul_flops_per_second
    assert least > 1
    assert 0.95 < cost.seconds_per_update / least < 1.05


def test_rate_of_products_is_positive():
    assert matmul_rate(torch.device("cpu"), torch.float32, seconds=0.01) > 1e8


def test_cost_in_words():
    lines = cost_lines(Cost(65_000_000, 25_000, 2.5e12, 2.5e17, 1.5e11, 12.3, 1.23e6), 100_000)
    assert lines[:3] == [
        "65,000,000 parameters",
        "100,000 updates of at most 25,000 target tokens, padding included",
        "2.5 TFLOP an update, 250 PFLOP in all",
    ]
    assert "about 14.2 days of training on this machine: an estimate" in lines[3]


def test_cost_of_what_remains_in_words():
    cost = Cost(65_000_000, 25_000, 2.5e12, 2.5e17, 1.5e11, 12.3, 1.23e6)
    lines = cost_lines(cost, 100_000, done=75_000)
    assert lines[1:3] == [
        "25,000 of 100,000 updates remain, of at most 25,000 target tokens, padding included",
        "2.5 TFLOP an update, 62.5 PFLOP for those that remain",
    ]
    assert "about 3.6 days of training remain on this machine: an estimate" in lines[3]
    assert "12.3 s an update" in lines[3]
