import pytest
import torch
from typechecking import unchecked

from annotated_transformer.attention import attention
from annotated_transformer.masks import causal_mask, check_mask, padding_mask


def test_causal_mask_written_out():
    expected = [
        [1, 0, 0, 0, 0],
        [1, 1, 0, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]
    assert causal_mask(5).tolist() == [[bool(x) for x in row] for row in expected]


def test_padding_mask_written_out():
    mask = padding_mask(torch.tensor([[5, 6, 2, 0], [7, 2, 0, 0]]))
    assert mask.shape == (2, 1, 1, 4)
    assert mask[:, 0, 0].tolist() == [[True, True, True, False], [True, True, False, False]]


def test_padding_and_causal_combine_by_and():
    mask = padding_mask(torch.tensor([[1, 5, 0]])) & causal_mask(3)
    assert mask[0, 0].int().tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 0]]


@pytest.mark.parametrize("shape", [(3, 4), (4,), (2, 4, 4), (1, 3, 3), (2, 2, 3, 4)])
def test_shapes_that_do_not_fit(shape):
    scores_shape = (2, 3, 4)
    if shape in {(3, 4), (4,)}:
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)
        return
    with pytest.raises(ValueError, match=rf"mask of shape \({shape[0]}, .* does not fit scores"):
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)


def test_additive_mask_is_refused_by_attention():
    x = torch.zeros(3, 4)
    with unchecked(), pytest.raises(ValueError, match=r"dtype torch\.float32; it must be torch\.b"):
        attention(x, x, x, torch.zeros(3, 3))
