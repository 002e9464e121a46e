import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.positions import (
    LearnedPositions,
    SinusoidalPositions,
    sinusoidal_encoding,
)


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
