import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from typechecking import unchecked

from annotated_transformer.positions import SinusoidalPositions, sinusoidal_encoding


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
