import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from rotations import turned_by_blocks
from typechecking import unchecked

from annotated_transformer.variants.rotary import rotate


def float64(*shape):
    return torch.randn(*shape, dtype=torch.float64)


@pytest.mark.parametrize("d_k", [2, 6, 10])
def test_rotations_are_those_of_the_block_matrices(d_k):
    x, positions = float64(2, 3, 5, d_k), [0, 1, 4, 2, 700]
    found = rotate(x, torch.tensor(positions))
    torch.testing.assert_close(found, turned_by_blocks(x, positions))


def test_rotations_are_products_of_complex_numbers():
    x = float64(7, 8)
    angle = torch.arange(7)[:, None] / 100.0 ** (torch.arange(4, dtype=torch.float64) / 4)
    numbers = torch.view_as_complex(x.view(7, 4, 2)) * torch.polar(torch.ones_like(angle), angle)
    found = rotate(x, torch.arange(7), base=100.0)
    torch.testing.assert_close(found, torch.view_as_real(numbers).flatten(-2))


@given(st.integers(1, 12), st.integers(0, 400), st.integers(0, 400), st.integers(0, 400))
def test_a_turned_inner_product_depends_on_the_offset_alone(pairs, query, key, shift):
    q, k = float64(1, 2 * pairs), float64(1, 2 * pairs)
    at = [torch.tensor([position]) for position in (query, key, query + shift, key + shift)]
    here = (rotate(q, at[0]) * rotate(k, at[1])).sum()
    there = (rotate(q, at[2]) * rotate(k, at[3])).sum()
    torch.testing.assert_close(here, there, rtol=1e-9, atol=1e-9)
    torch.testing.assert_close(rotate(q, at[0]).norm(), q.norm())


def test_an_odd_width_cannot_be_turned():
    with pytest.raises(ValueError, match="d_k=3 is odd: rotary positions turn pairs"):
        rotate(torch.randn(2, 3), torch.arange(2))


@pytest.mark.parametrize("base", [0.0, -2.0, math.nan, math.inf])
def test_rotations_need_a_positive_base(base):
    with pytest.raises(ValueError, match=f"base={base} must be a positive number"):
        rotate(torch.randn(2, 4), torch.arange(2), base=base)


def test_rotations_need_a_position_for_each_vector():
    with unchecked(), pytest.raises(ValueError, match="3 positions for 5 vectors: give one"):
        rotate(torch.randn(5, 4), torch.arange(3))
    one, x = torch.tensor([7]), torch.randn(5, 4)
    torch.testing.assert_close(rotate(x, one), rotate(x, one.expand(5)))
