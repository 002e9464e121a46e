import pytest
import torch

from annotated_transformer.checks.tensors import check_mask


@pytest.mark.parametrize("shape", [(3, 4), (4,), (2, 4, 4), (1, 3, 3), (2, 2, 3, 4)])
def test_shapes_that_do_not_fit(shape):
    scores_shape = (2, 3, 4)
    if shape in {(3, 4), (4,)}:
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)
        return
    with pytest.raises(ValueError, match=rf"mask of shape \({shape[0]}, .* does not fit scores"):
        check_mask(torch.ones(shape, dtype=torch.bool), scores_shape)
