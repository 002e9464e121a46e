"""Every object, slot, look and mask is drawn where it is; what cannot be drawn is refused."""

import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from annotated_transformer.lab.figures.detection_and_prompts import (
    Clicked,
    Slot,
    detections_picture,
    looks_picture,
    masks_picture,
    pairs_picture,
    slots_picture,
)
from annotated_transformer.lab.figures.palette import TEXT_ON_LIGHT

IMAGE = torch.arange(64.0).view(8, 8) / 64
BOX = torch.tensor([0.5, 0.25, 0.5, 0.25])  # of 8 pixels: x 2 to 6, y 1 to 3
BOXES = torch.stack([BOX, BOX.flip(0)])
ROW = Clicked(IMAGE, (5.0, 2.0), torch.stack([IMAGE > 0.5, IMAGE > 0.9]), ["a", "b"])


def frames(axes, colour):
    """Left, top, width and height of the rectangles of a colour."""
    return [
        (*patch.get_xy(), patch.get_width(), patch.get_height())
        for patch in axes.patches
        if to_hex(patch.get_edgecolor()) == TEXT_ON_LIGHT[colour].lower()
    ]


def test_a_matching_is_a_line_from_each_object_to_its_slot():
    slots = [Slot("none", None, None), Slot("b", BOX, 1), Slot("a", None, 0)]
    slots_picture(IMAGE, BOXES, slots)
    (axes,) = plt.gcf().axes
    assert [text.get_text() for text in axes.texts] == ["none", "b", "a"]
    assert frames(axes, "target") == [(2, 1, 4, 2), (1, 2, 2, 4)]
    assert frames(axes, "query") == [(2, 1, 4, 2)]
    middles = [text.get_position()[0] for text in axes.texts]
    ends = [line.get_xydata() for line in axes.lines]
    assert [start.tolist() for start, _ in ends] == [[2, 6], [4, 3]]  # below the box
    assert [end[0] for _, end in ends] == middles[1:]
    assert all(8 < end[1] < text.get_position()[1] for _, end in ends for text in axes.texts)


@pytest.mark.parametrize(
    ("slots", "message"),
    [([], "no slot to draw"), ([Slot("a", None, 2)], "'a' is matched with object 2 of 2")],
)
def test_slots_that_cannot_be_drawn_are_refused(slots, message):
    with pytest.raises(ValueError, match=message):
        slots_picture(IMAGE, BOXES, slots)


def test_the_box_around_both_is_the_smallest_and_panels_have_one_scale():
    first, second = torch.tensor([1.0, 1, 2, 2]), torch.tensor([4.0, 2, 2, 2])
    pairs_picture([("apart", first, second), ("same", first, first)])
    apart, same = plt.gcf().axes
    assert apart.get_title() == "apart"
    hull = apart.patches[0]
    assert hull.get_hatch()
    assert (*hull.get_xy(), hull.get_width(), hull.get_height()) == (0, 0, 5, 3)
    assert same.patches[0].get_width() == 2
    ratio = apart.get_subplotspec().get_gridspec().get_width_ratios()
    spans = [axes.get_xlim()[1] - axes.get_xlim()[0] for axes in (apart, same)]
    assert spans[0] / spans[1] == pytest.approx(ratio[0] / ratio[1])


def test_each_look_has_a_point_and_a_line_to_it():
    looks = torch.tensor([[0.5, 0.5], [2.5, 1.5], [4.0, 0.0]])
    looks_picture(4, (1.5, 1.5), [("three", looks), ("one", looks[:1])])
    three, one = plt.gcf().axes
    points = [line.get_xydata() for line in three.lines if line.get_marker() == "o"]
    assert points[0].tolist() == looks.tolist()
    rays = [x.get_xydata().tolist() for x in one.lines if x.get_linewidth() == 0.7]
    assert rays == [[[1.5, 1.5], [0.5, 0.5]]]
    with pytest.raises(ValueError, match="'far' has a look outside 0 to 4"):
        looks_picture(4, (1.5, 1.5), [("far", looks + 1)])


def test_found_boxes_are_drawn_on_their_own_image():
    images = IMAGE.expand(2, 1, 8, 8)
    detections_picture(images, [BOXES, BOXES[:1]], [BOXES[:0], BOXES[1:]])
    nothing, one = plt.gcf().axes
    assert frames(nothing, "query") == []
    assert frames(nothing, "target") == [(2, 1, 4, 2), (1, 2, 2, 4)]
    assert frames(one, "query") == [(1, 2, 2, 4)]


def test_found_boxes_are_drawn_three_images_in_a_row():
    detections_picture(IMAGE.expand(5, 1, 8, 8), [BOXES] * 5, [BOXES] * 5)
    specs = [axes.get_subplotspec() for axes in plt.gcf().axes]
    places = [(spec.rowspan.start, spec.colspan.start) for spec in specs]
    assert places == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1)]


def test_the_click_and_each_mask_are_where_they_were_given():
    masks_picture([ROW, ROW._replace(click=(0.0, 7.0))])
    axes = plt.gcf().axes
    assert len(axes) == 6
    clicks = [axes[i].lines[0].get_xydata().tolist() for i in (0, 3)]
    assert clicks == [[[5, 2]], [[0, 7]]]
    assert [panel.get_title() for panel in axes[:3]] == ["", "a", "b"]
    for panel, mask in zip(axes[1:3], ROW.masks, strict=True):
        seen = torch.tensor(panel.images[1].get_array())[..., 3] > 0
        assert torch.equal(seen, mask)


def test_rows_of_unequal_masks_and_no_picture_are_refused():
    with pytest.raises(ValueError, match=r"rows with \[1, 2\] masks"):
        masks_picture([ROW, ROW._replace(masks=ROW.masks[:1], titles=["a"])])
    for nothing in (
        lambda: pairs_picture([]),
        lambda: looks_picture(4, (1, 1), []),
        lambda: detections_picture(IMAGE.expand(0, 1, 8, 8), [], []),
    ):
        with pytest.raises(ValueError, match="nothing to draw"):
            nothing()
