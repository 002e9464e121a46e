import pytest
import torch
from typechecking import unchecked

from annotated_transformer.variants.alibi import linear_bias


@pytest.mark.parametrize("n_heads", [1, 2, 3, 8])
def test_biases_term_by_term(n_heads):
    query, key = [4, 0, 9], [0, 7, 3, 4]
    found = linear_bias(n_heads, torch.tensor(query), torch.tensor(key))
    for head in range(n_heads):
        for i, p in enumerate(query):
            for j, q in enumerate(key):
                slope = 1 / 2 ** (8 * (head + 1) / n_heads)
                assert found[head, i, j].item() == pytest.approx(-slope * abs(p - q))


def test_no_heads_have_no_slopes():
    for n_heads in (0, -2, 2.5):
        message = f"n_heads={n_heads} must be a positive integer"
        with unchecked(), pytest.raises(ValueError, match=message):
            linear_bias(n_heads, torch.arange(2), torch.arange(2))


def test_slopes_of_eight_heads_are_those_of_the_paper():
    """Section 3: for 8 heads, 1/2, 1/4, ..., 1/256."""
    slopes = -linear_bias(8, torch.tensor([1]), torch.tensor([0]))[:, 0, 0]
    assert slopes.tolist() == [1 / 2**h for h in range(1, 9)]
