"""The largest few, against a full sort."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from annotated_transformer.fast.largest import largest


@settings(max_examples=60)
@given(
    n=st.integers(1, 40) | st.sampled_from([127 * 3, 500, 8_000, 2_003]),
    k=st.integers(1, 9),
    values=st.integers(2, 50),  # few values: many are equal
    seed=st.integers(0, 2**16),
)
def test_they_are_the_first_of_the_sorted_ones(n, k, values, seed):
    k = min(k, n)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(values, (3, 2, n), generator=generator).float()
    x[x == 0] = -torch.inf
    found, places = largest(x, k)
    assert torch.equal(found, x.sort(dim=-1, descending=True).values[..., :k])
    assert torch.equal(x.gather(-1, places), found)
    assert all(len(set(row)) == k for row in places.flatten(0, 1).tolist())


@pytest.mark.parametrize("at", [0, 249, 250, 5_000, 7_999])
def test_members_of_one_group_and_of_several_are_found(at):
    """Of 8,000 numbers those 250 apart are in one group."""
    x, best = torch.zeros(1, 8_000), [(at + further) % 8_000 for further in (0, 250, 1, 4_000)]
    x[0, best] = torch.tensor([4.0, 3, 2, 1])
    values, places = largest(x, 4)
    assert values.tolist() == [[4, 3, 2, 1]]
    assert places.tolist() == [best]


def test_nan_is_larger_than_any_number_as_for_topk():
    x = torch.randn(1, 500)
    x[0, 77] = torch.nan
    assert largest(x, 2)[1][0, 0] == 77
