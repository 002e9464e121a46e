"""The pictures show the images and walks that they are given, by their names."""

import numpy as np
import pytest
import torch
from matplotlib import colors
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import PALETTE, PHONE_WIDTH
from annotated_transformer.lab.figures.diffusion import images_picture, walks_picture


def test_each_image_is_where_its_row_and_column_say_from_black_to_white():
    rows = torch.arange(2 * 3 * 4).view(2, 3, 2, 2) / 12 - 1
    images_picture(list(rows), ["above", "below"], ["a", "b", "c"])
    panels = plt.gcf().axes
    assert [panel.get_title() for panel in panels] == ["a", "b", "c", "", "", ""]
    assert [panel.get_ylabel() for panel in panels] == ["above", "", "", "below", "", ""]
    for panel, image in zip(panels, rows.flatten(0, 1), strict=True):
        (shown,) = panel.images
        np.testing.assert_array_equal(shown.get_array(), image.numpy())
        assert shown.get_clim() == (-1, 1)
        assert shown.cmap(0.0)[:3] == (0, 0, 0)  # black


@pytest.mark.parametrize("n", [3, 6, 7, 10])
def test_a_row_of_images_fits_on_a_phone_and_stands_on_the_page_itself(n):
    images_picture([torch.zeros(n, 2, 2)], ["one"])
    figure = plt.gcf()
    assert figure.get_figwidth() <= PHONE_WIDTH + 1e-9
    assert figure.get_facecolor()[3] == 0


@pytest.mark.parametrize(
    ("rows", "names", "columns", "message"),
    [
        ([], [], [], r"rows have \[\] images"),
        ([torch.zeros(2, 1, 1), torch.zeros(3, 1, 1)], ["a", "b"], [], r"rows have \[2, 3\]"),
        ([torch.zeros(2, 1, 1)], [], [], "0 names and 0 titles for 1 rows of 2"),
        ([torch.zeros(2, 1, 1)], ["a"], ["x"], "1 names and 1 titles for 1 rows of 2"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(rows, names, columns, message):
    with pytest.raises(ValueError, match=message):
        images_picture(rows, names, columns)


def test_a_walk_is_drawn_as_it_is_and_its_end_gives_the_colour():
    walks = torch.tensor([[0.5, -0.2, 1.0], [0.5, 0.7, -1.0]])
    walks_picture(walks)
    white, black = plt.gca().lines
    np.testing.assert_array_equal(white.get_ydata(), np.float32(walks[0]))
    np.testing.assert_array_equal(black.get_ydata(), np.float32(walks[1]))
    assert colors.same_color(white.get_color(), PALETTE["query"])
    assert colors.same_color(black.get_color(), PALETTE["key"])
    assert white.get_linewidth() < black.get_linewidth()


@pytest.mark.parametrize("shape", [(0, 3), (3, 1)])
def test_no_walk_is_refused(shape):
    with pytest.raises(ValueError, match="expected one walk or more"):
        walks_picture(torch.zeros(shape))
