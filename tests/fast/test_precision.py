"""Formulas take float16 without an overflow that their results do not have."""

import ast
from pathlib import Path

import pytest
import torch

import annotated_transformer
from annotated_transformer.attention import attention, attention_weights
from annotated_transformer.fast.attention import few_queries_attention, formula
from annotated_transformer.lab.baselines.recurrent import additive_attention
from annotated_transformer.lab.variants.linear import (
    causal_linear_attention,
    linear_attention,
    linear_attention_weights,
)
from annotated_transformer.lab.variants.tiled import tiled_attention
from annotated_transformer.layers import layer_norm
from annotated_transformer.training.loss import label_smoothing_loss, label_smoothing_loss_explicit

LARGE = 200.0
"""Products of two such numbers pass the end of float16, 65,504, when 64 of them are added."""


def vectors(scale=LARGE, seed=0, shape=(2, 5, 64)):
    """Make numbers that float16 has."""
    generator = torch.Generator().manual_seed(seed)
    return (scale * torch.randn(shape, generator=generator)).half()


QUERY, KEY, VALUE = vectors(), vectors(seed=1), vectors(seed=2)
ONE_OF_FIVE = torch.full((2, 5, 64), -9.0).half().index_fill(1, torch.tensor([2]), 9.0)
TARGET = torch.randint(1, 30_000, (2, 5), generator=torch.Generator().manual_seed(3))
FAR_APART = torch.tensor([0.0, 60_000.0, -60_000.0, 0.0]).expand(2, 5, 4).half()
CASES = {
    attention: (QUERY, KEY, VALUE),
    attention_weights: (QUERY, KEY),
    few_queries_attention: (QUERY, KEY, VALUE, None, None),
    formula: (QUERY, KEY, VALUE, None, None),
    tiled_attention: (QUERY, KEY, VALUE),
    linear_attention: (QUERY, KEY, VALUE),
    causal_linear_attention: (QUERY, KEY, VALUE),
    linear_attention_weights: (QUERY, KEY),
    additive_attention: (0 * QUERY, ONE_OF_FIVE, VALUE, torch.full((64,), 3_000.0).half()),
    layer_norm: (vectors(2_000.0), torch.ones(64).half(), torch.zeros(64).half()),
    label_smoothing_loss: (vectors(9.0, shape=(2, 5, 30_000)), TARGET),
    label_smoothing_loss_explicit: (FAR_APART, torch.ones(2, 5, dtype=torch.long)),
}
"""Each formula with arguments for which its intermediate results have no place in float16."""


def in_float64(argument):
    """Return numbers as they are, in float64."""
    if isinstance(argument, torch.Tensor) and argument.is_floating_point():
        return argument.double()
    return argument


@pytest.mark.parametrize("function", CASES, ids=lambda function: function.__name__)
def test_float16_gives_what_float64_gives(function):
    wanted = function(*map(in_float64, CASES[function]))
    found = function(*CASES[function])
    for one, other in zip(
        found if isinstance(found, tuple) else [found],
        wanted if isinstance(wanted, tuple) else [wanted],
        strict=True,
    ):
        assert one.dtype == torch.float16
        torch.testing.assert_close(one.double(), other, rtol=4e-3, atol=1e-3)


def decorated():
    """Yield the names of all functions of the package that compute float16 in float32."""
    for path in Path(annotated_transformer.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(
                isinstance(name, ast.Name) and name.id == "float16_in_float32"
                for name in node.decorator_list
            ):
                yield node.name


def test_each_formula_that_promises_it_is_tried():
    assert sorted(decorated()) == sorted(function.__name__ for function in CASES)
