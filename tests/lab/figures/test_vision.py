"""Every patch is a token in its order, windows lie where they are said to, digits have names."""

import pytest
import torch
from matplotlib import pyplot as plt

from annotated_transformer.lab.corpora.scenes import BACKGROUND, scenes
from annotated_transformer.lab.figures.vision import (
    Sight,
    patches_picture,
    scenes_picture,
    windows_picture,
)

SIGHT = Sight("W", torch.eye(6) > 0, (1, 2), 4, 2)


def words(axes):
    return [text.get_text() for text in axes.texts]


def test_each_patch_is_drawn_in_reading_order_after_the_first_tokens():
    image = torch.arange(36.0).view(6, 6) / 36
    patches_picture(image, 3, ("class", "teacher"))
    whole, sentence = plt.gcf().axes
    assert words(whole) == ["1", "2", "3", "4"]
    assert words(sentence) == ["class", "teacher", "1", "2", "3", "4"]
    drawn = [torch.tensor(found.get_array()) for found in sentence.images]
    wanted = [image[:3, :3], image[:3, 3:], image[3:, :3], image[3:, 3:]]
    assert all(map(torch.equal, drawn, wanted))
    corners = [tuple(box.get_xy()) for box in sentence.patches]
    assert corners == sorted(corners, key=lambda corner: (corner[1], corner[0]))
    assert [found.get_extent()[0] for found in sentence.images] == [x for x, _ in corners[2:]]


def test_an_image_that_does_not_fall_into_patches_is_refused():
    with pytest.raises(ValueError, match="side 5 does not fall into patches of 2 x 2"):
        patches_picture(torch.zeros(5, 5), 2)


def test_a_panel_shows_what_is_seen_from_the_place_and_the_windows():
    windows_picture([SIGHT, SIGHT._replace(title="none", shift=0)])
    shifted, still = plt.gcf().axes
    assert torch.equal(torch.tensor(shifted.images[0].get_array()), SIGHT.seen)
    assert shifted.get_title() == "W"

    def thick(axes):
        """Where lines cross the picture, by the height of its horizontal ones."""
        found = [line for line in axes.lines if line.get_linewidth() == 2]
        return sorted({line.get_ydata()[0] for line in found if line.get_xdata()[1] == 1})

    assert thick(shifted) == [0, 2, 6]
    assert thick(still) == [0, 4, 6]
    dot = shifted.lines[-1]
    assert (dot.get_xdata()[0], dot.get_ydata()[0]) == (2.5, 1.5)


@pytest.mark.parametrize(
    ("sights", "message"),
    [([], "nothing to draw"), ([SIGHT._replace(place=(0, 6))], r"no place \(0, 6\)")],
)
def test_windows_that_cannot_be_drawn_are_refused(sights, message):
    with pytest.raises(ValueError, match=message):
        windows_picture(sights)


def test_each_scene_stands_above_its_digits():
    small, large = (scenes("test", n, side=side, max_objects=3) for n, side in ((2, 24), (1, 48)))
    scenes_picture(small, large)
    above, below = plt.gcf().axes[:3], plt.gcf().axes[3:]
    assert [len(axes.images[0].get_array()) for axes in above] == [24, 24, 48]
    classes = [*small.classes, *large.classes]
    assert [words(axes) for axes in below] == [list(map(str, found.tolist())) for found in classes]
    maps = [*small.class_map, *large.class_map]
    for axes, class_map in zip(below, maps, strict=True):
        taken = torch.tensor(axes.images[0].get_array())
        assert torch.equal(taken, class_map != BACKGROUND)


def test_no_scene_is_refused():
    with pytest.raises(ValueError, match="nothing to draw"):
        scenes_picture()
