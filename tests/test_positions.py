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


@given(st.integers(1, 20), st.integers(0, 40), st.integers(0, 20))
def test_a_shift_turns_each_pair_by_an_angle_of_its_own(half, position, offset):
    """Section 3.5: PE(t + k) is a linear function of PE(t), the same at every position t."""
    angles = [offset / 10_000 ** (i / half) for i in range(half)]
    turns = [[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in angles]
    shift = torch.block_diag(*torch.tensor(turns, dtype=torch.float64))
    torch.set_default_dtype(torch.float64)
    try:
        encoding = sinusoidal_encoding(position + offset + 1, 2 * half)
    finally:
        torch.set_default_dtype(torch.float32)
    torch.testing.assert_close(encoding[position] @ shift, encoding[position + offset])


@pytest.mark.parametrize("d_model", [4, 64, 512])
def test_wavelengths_grow_by_one_factor_and_stay_below_the_paper_s_longest(d_model):
    """Section 3.5: a geometric progression from 2 pi; 10,000 times 2 pi is never reached."""
    angles = torch.atan2(*sinusoidal_encoding(2, d_model)[1].double().view(-1, 2).T)
    lengths = 2 * math.pi / angles
    assert lengths[0].item() == pytest.approx(2 * math.pi)
    factor = 10_000 ** (2 / d_model)
    torch.testing.assert_close(
        lengths[1:] / lengths[:-1], torch.full_like(lengths[1:], factor), rtol=1e-3, atol=0
    )
    assert lengths[-1].item() == pytest.approx(2 * math.pi * 10_000 / factor, rel=1e-3)


@pytest.mark.parametrize(
    ("length", "d_model", "base"),
    [(-1, 4, 1e4), (3, 0, 1e4), (3, -2, 1e4), (3, 4, 0.0), (3, 4, -2.0), (3, 4, math.nan)],
)
def test_sizes_that_no_sinusoids_have(length, d_model, base):
    said = f"no sinusoids for length={length}, d_model={d_model}:|base={base} must be a positive"
    with pytest.raises(ValueError, match=said):
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
