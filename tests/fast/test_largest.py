"""The largest numbers in two steps are those that `topk` and `max` find in one."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.fast import largest as module
from annotated_transformer.fast.largest import first_largest, largest


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(module, "BLOCK", 5)
    monkeypatch.setattr(module, "FEW", 10)


@st.composite
def rows(draw):
    """Few different numbers, so that many are equal; -inf as for a token that is never written."""
    n = draw(st.integers(1, 34))
    numbers = st.sampled_from([-torch.inf, -2.0, 0.0, 0.5, 1.0, 3.0])
    drawn = [draw(st.lists(numbers, min_size=n, max_size=n)) for _ in range(3)]
    return torch.tensor(drawn)


@given(rows(), st.data())
def test_they_are_those_of_topk(x, data):
    k = data.draw(st.integers(1, x.size(-1)))
    values, places = largest(x, k)
    assert torch.equal(values, x.topk(k, dim=-1).values)
    assert torch.equal(x.gather(-1, places), values)
    for row in places.tolist():
        assert len(set(row)) == k


@given(rows())
def test_the_first_of_equals_is_the_largest(x):
    values, places = first_largest(x)
    for row, value, place in zip(x.tolist(), values.tolist(), places.tolist(), strict=True):
        assert value == [max(row)]
        assert place == [row.index(max(row))]


def test_there_may_be_several_dimensions_and_numbers_that_are_no_numbers():
    x = torch.randn(2, 3, 33)
    for k in (1, 4, 12):
        for found, expected in zip(largest(x, k), x.topk(k, dim=-1), strict=True):
            assert torch.equal(found, expected)
    x[1, 2, 7] = torch.nan
    assert largest(x, 2)[0][1, 2].isnan().any()
    assert first_largest(x)[0][1, 2].isnan().all()


def test_blocks_of_the_usual_size(monkeypatch):
    monkeypatch.undo()
    x = torch.randn(4, 3 * 1024 + 17)
    for found, expected in zip(largest(x, 6), x.topk(6, dim=-1), strict=True):
        assert torch.equal(found, expected)
    for found, expected in zip(first_largest(x), x.max(dim=-1, keepdim=True), strict=True):
        assert torch.equal(found, expected)
