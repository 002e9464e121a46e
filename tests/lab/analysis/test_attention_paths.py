"""Rollout as a sum over paths, flow as a linear programme, both on graphs small enough to list."""

import itertools
import math

import numpy as np
import pytest
import torch
from scipy.optimize import linprog

from annotated_transformer import Translator
from annotated_transformer.lab.analysis.attention_paths import (
    attention_flow,
    attention_rollout,
    mixing_layers,
)
from annotated_transformer.lab.analysis.teacher_forcing import teacher_forced_attention


def random_layers(depth, n, seed=0):
    torch.manual_seed(seed)
    return [torch.rand(n, n, dtype=torch.float64).softmax(-1) for _ in range(depth)]


def test_rollout_sums_the_products_along_all_paths():
    layers, n = random_layers(3, 4), 4
    found = attention_rollout(layers)
    for end, start in itertools.product(range(n), repeat=2):
        paths = [(end, *middle, start) for middle in itertools.product(range(n), repeat=2)]
        expected = 0.0
        for path in paths:
            steps = zip(layers[::-1], itertools.pairwise(path), strict=True)
            expected += math.prod(layer[step].item() for layer, step in steps)
        assert found[end, start].item() == pytest.approx(expected)


def greatest_flow(layers, row, column):
    """The same flow as a linear programme over all edges: what comes in goes out."""
    depth, n = len(layers), len(layers[0])
    edges = [
        (level * n + a, (level + 1) * n + b, layers[depth - 1 - level][a, b].item())
        for level in range(depth)
        for a, b in itertools.product(range(n), repeat=2)
    ]
    start, end = row, depth * n + column
    nodes = [node for node in range((depth + 1) * n) if node not in (start, end)]
    kept = np.array([[(e[1] == node) - (e[0] == node) for e in edges] for node in nodes])
    gain = [-float(e[1] == end) for e in edges]
    solved = linprog(gain, A_eq=kept, b_eq=np.zeros(len(nodes)), bounds=[(0, e[2]) for e in edges])
    return -solved.fun


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_flow_is_the_optimum_of_a_linear_programme(depth):
    layers = random_layers(depth, 3, seed=depth)
    for row in range(3):
        found = attention_flow(layers, row)
        for column in range(3):
            assert found[column].item() == pytest.approx(
                greatest_flow(layers, row, column), abs=1e-5
            )


def test_a_bottleneck_limits_the_flow_where_rollout_multiplies():
    """From row 0 all leads through one node; its pipe to input 1 has the width 0.25."""
    first = torch.tensor([[0.75, 0.25], [0.0, 1.0]], dtype=torch.float64)
    second = torch.tensor([[0.5, 0.0], [0.0, 1.0]], dtype=torch.float64)
    layers = [first, second]
    assert attention_flow(layers, 0).tolist() == pytest.approx([0.5, 0.25], abs=1e-5)
    assert attention_rollout(layers)[0].tolist() == pytest.approx([0.375, 0.125])


def test_layers_of_a_translator_mix_source_and_target_as_the_model_does():
    translator = Translator.load("english_korean")
    recorded = teacher_forced_attention(translator, "I am a student", "나는 학생이다")
    layers = mixing_layers(recorded, 2)
    n_source = len(recorded["encoder.layers.0.self_attention"][0])
    assert len(layers) == 2 + 2 * 2
    for layer in layers:
        torch.testing.assert_close(layer.sum(1), torch.ones(len(layer)).double())
        assert not layer[:n_source, n_source:].any()  # the source never reads the target
    cross = recorded["decoder.layers.1.cross_attention"].double().mean(0)
    torch.testing.assert_close(layers[-1][n_source:, :n_source], cross / 2)
    assert torch.equal(layers[-1][:n_source, :n_source], torch.eye(n_source).double())
    own = recorded["encoder.layers.1.self_attention"].double().mean(0)
    half = torch.eye(n_source).double() / 2
    torch.testing.assert_close(layers[1][:n_source, :n_source], half + own / 2)
    rollout = attention_rollout(layers)
    torch.testing.assert_close(rollout.sum(1), torch.ones(len(rollout)).double())
