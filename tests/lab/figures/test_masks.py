"""The panels of *Masks* show zeros, shares and names as they are."""

import math

import pytest
import torch
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.masks import mask_panels
from annotated_transformer.masks import causal_mask


def test_panels_cross_out_exact_zeros_only():
    flow = torch.tensor([[1.0, 0.0], [1e-30, 2.0]])
    mask_panels({"mask": causal_mask(2), "flow": flow}, ["a", "b"])
    mask_axis, flow_axis = plt.gcf().axes
    for axis in (mask_axis, flow_axis):
        assert [(text.get_position(), text.get_text()) for text in axis.texts] == [((1, 0), "×")]
    shades = flow_axis.images[0].get_array()
    assert shades[1, 0] == pytest.approx(0.15)
    assert shades[1, 1] == pytest.approx(1)
    assert shades[0, 1] == 0


def test_panels_that_cannot_be_drawn_are_refused():
    with pytest.raises(ValueError, match=r"'mask' has shape \(2, 2\), but there are 3 words"):
        mask_panels({"mask": causal_mask(2)}, ["a", "b", "c"])
    with pytest.raises(ValueError, match="0 panels"):
        mask_panels({}, [])
    with pytest.raises(ValueError, match="no words for mask"):
        mask_panels({"mask": causal_mask(2)}, {"other": ["a", "b"]})
    for wrong in (math.nan, -1.0):
        with pytest.raises(ValueError, match="'flow' holds a negative number or NaN"):
            mask_panels({"flow": torch.tensor([[wrong]])}, ["a"])
