"""The pictures of *LayerNorm and residuals* show what the functions compute."""

import math

import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.patches import Rectangle

from annotated_transformer.lab.figures.layer_normalization import (
    averaged_picture,
    circle_picture,
    theory_chart,
)


def drawn_points(axes):
    lines = [line for line in axes.lines if line.get_marker() == "o"]
    return torch.tensor([[line.get_xdata()[0], line.get_ydata()[0]] for line in lines])


def test_rows_that_differ_by_shift_and_scale_end_at_one_point_of_the_circle():
    x = torch.tensor([3.0, -1.0, 0.5], dtype=torch.float64)
    circle_picture(torch.stack([x, 4 * x, x + 10]), ["x", "4x", "x + 10"])
    points = drawn_points(plt.gca())
    starts, ends = points[::2], points[1::2]
    torch.testing.assert_close(
        ends.norm(dim=1), torch.full((3,), math.sqrt(3)).double(), rtol=1e-5, atol=0
    )
    torch.testing.assert_close(ends, ends[:1].expand(3, 2), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(starts[2], starts[0], rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(starts[1], 4 * starts[0], rtol=1e-5, atol=1e-5)


def test_each_norm_frames_what_it_averages_and_padding_is_hatched():
    averaged_picture([["I", "am", "here"], ["Go"]], d_model=5)
    layer, batch = plt.gcf().axes
    for axes, frame in ((layer, (5, 1)), (batch, (1, 6))):
        cells = [p for p in axes.patches if isinstance(p, Rectangle)]
        assert (cells[-1].get_width(), cells[-1].get_height()) == frame
        assert sum(bool(cell.get_hatch()) for cell in cells[:-1]) == 2 * 5
        inside = [cell for cell in cells[:-1] if cell.get_facecolor()[:3] != (1, 1, 1)]
        assert len(inside) == frame[0] * frame[1]


def test_invalid_pictures_are_refused():
    with pytest.raises(ValueError, match="2 rows, but 1 names"):
        circle_picture(torch.zeros(2, 3), ["x"])
    with pytest.raises(ValueError, match="no rows to draw"):
        circle_picture(torch.zeros(0, 3), [])
    for sentences, d_model in (([], 4), ([["I"], []], 4), ([["I"]], 1), ([["I"] * 2000], 4)):
        with pytest.raises(ValueError, match="averaged_picture"):
            averaged_picture(sentences, d_model)


def test_theory_is_dashed_and_has_the_axes_of_the_measurement():
    records = [{"depth": n, "size": 2.0**-n, "stack": "a", "more": 0} for n in (1, 2, 4)]
    fields = {"x": "depth", "y": "size", "by": "stack"}
    measured, theory = theory_chart(records, records[:2], **fields).to_dict()["layer"]
    assert len(measured["data"]["values"]) == 3
    assert theory["data"]["values"] == [{"depth": n, "size": 2.0**-n, "stack": "a"} for n in (1, 2)]
    assert "strokeDash" in theory["mark"]
    assert "strokeDash" not in measured["mark"]
    for axis in ("x", "y"):
        assert theory["encoding"][axis] == measured["encoding"][axis]
        assert theory["encoding"][axis]["scale"]["type"] == "log"
    straight = theory_chart(records, records, **fields, x_ticks=[1, 4]).to_dict()["layer"][0]
    assert straight["encoding"]["x"]["axis"]["values"] == [1, 4]
    assert "type" not in straight["encoding"]["x"]["scale"]
    with pytest.raises(ValueError, match="no records"):
        theory_chart([], [], **fields)
    with pytest.raises(ValueError, match="size=-1 on a logarithmic axis"):
        theory_chart(records, [{"depth": 1, "size": -1, "stack": "a"}], **fields)
