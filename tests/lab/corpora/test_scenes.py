"""Scenes of digits: the gold answers say what the images show."""

import pytest
import torch

from annotated_transformer.lab.corpora.digits import digits
from annotated_transformer.lab.corpora.scenes import (
    BACKGROUND,
    INK,
    SEEN,
    _placed,
    in_sight,
    scenes,
    tight_boxes,
)


def test_shapes_and_ranges():
    made = scenes("train", 20, seed=1, side=27, max_objects=4, dimming=0.3, noise=0.1)
    assert made.images.shape == (20, 1, 27, 27)
    assert made.class_map.shape == (20, 27, 27)
    assert made.images.min() >= 0
    assert made.images.max() <= 1
    counts = {len(boxes) for boxes in made.boxes}
    assert counts == {1, 2, 3, 4}
    for boxes, classes, masks in zip(made.boxes, made.classes, made.masks, strict=True):
        assert boxes.shape == (len(classes), 4)
        assert masks.shape == (len(classes), 27, 27)
        assert ((classes >= 0) & (classes < BACKGROUND)).all()


def test_a_seed_is_a_scene():
    first, again = scenes("train", 5, seed=3, noise=0.1), scenes("train", 5, seed=3, noise=0.1)
    assert torch.equal(first.images, again.images)
    assert all(map(torch.equal, first.boxes, again.boxes))
    assert not torch.equal(first.images, scenes("train", 5, seed=4, noise=0.1).images)


def test_a_longer_batch_begins_with_the_shorter_one():
    assert torch.equal(scenes("test", 3).class_map, scenes("test", 7).class_map[:3])


def test_boxes_are_tight_around_masks():
    made = scenes("test", 30, side=24)
    for boxes, masks in zip(made.boxes, made.masks, strict=True):
        for (x, y, width, height), mask in zip((24 * boxes).tolist(), masks, strict=True):
            rows, columns = mask.nonzero().T
            assert x - width / 2 == pytest.approx(columns.min().item(), abs=1e-4)
            assert x + width / 2 == pytest.approx(columns.max().item() + 1, abs=1e-4)
            assert y - height / 2 == pytest.approx(rows.min().item(), abs=1e-4)
            assert y + height / 2 == pytest.approx(rows.max().item() + 1, abs=1e-4)


def test_a_pixel_belongs_to_one_object_and_the_class_map_says_which():
    made = scenes("train", 40, side=16, max_objects=4)
    for classes, masks, class_map in zip(made.classes, made.masks, made.class_map, strict=True):
        assert masks.sum(0).max() == 1
        assert (class_map[~masks.any(0)] == BACKGROUND).all()
        for digit, mask in zip(classes, masks, strict=True):
            assert (class_map[mask] == digit).all()


def test_of_two_that_overlap_the_later_is_on_top():
    whole = torch.zeros(2, 2, 3, dtype=torch.bool)
    whole[0, 0], whole[1, :, 1] = True, True
    assert in_sight(whole).tolist() == [
        [[True, False, True], [False, False, False]],
        [[False, True, False], [False, True, False]],
    ]


def test_enough_of_every_digit_stays_in_sight():
    generator = torch.Generator().manual_seed(0)
    ink, _ = digits("train", 4)
    parts = []
    for _ in range(20):
        whole = _placed(ink[:, 0], 16, generator) >= INK
        parts.append(in_sight(whole).sum((1, 2)) / whole.sum((1, 2)))
    assert torch.stack(parts).min() >= SEEN
    assert torch.stack(parts).min() < 1


def shown(split):
    """Each scene of one digit, cut out of its place: 8 x 8 pixels on a canvas of 8 x 8."""
    return scenes(split, 100, side=8, max_objects=1)


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_split_shows_digits_of_its_own_alone(split):
    made = shown(split)
    images, labels = digits(split)
    same = (made.images[:, None] == images[None]).flatten(2).all(2)
    assert same.any(1).all()
    assert torch.equal(labels[same.byte().argmax(1)], torch.cat(made.classes))
    other, _ = digits("test" if split == "train" else "train")
    assert not (made.images[:, None] == other[None]).flatten(2).all(2).any()


def test_without_noise_and_dimming_a_mask_shows_the_ink_of_its_digit():
    bright, dim = scenes("train", 10), scenes("train", 10, dimming=0.5)
    for image, masks in zip(bright.images, bright.masks, strict=True):
        assert (image[0][masks.any(0)] >= 0.25).all()
    assert all(map(torch.equal, bright.masks, dim.masks))
    assert dim.images.sum() < bright.images.sum()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"split": "valid"}, "no split 'valid'"),
        ({"n": 0}, "n=0 must be a positive integer"),
        ({"side": 7, "max_objects": 1}, "side=7 has room for 0 digits"),
        ({"side": 16, "max_objects": 5}, "max_objects=5, but side=16 has room for 4"),
        ({"max_objects": 0}, "max_objects=0 must be a positive integer"),
        ({"noise": -0.1}, "noise=-0.1 must be at least 0"),
        ({"dimming": 1.0}, "dimming=1.0 must be at least 0 and below 1"),
    ],
)
def test_scenes_that_cannot_be_are_refused(arguments, message):
    arguments = {"split": "train", "n": 2} | arguments
    with pytest.raises(ValueError, match=message):
        scenes(arguments.pop("split"), arguments.pop("n"), **arguments)


def test_an_empty_mask_has_no_box():
    with pytest.raises(ValueError, match="an empty mask has no box"):
        tight_boxes(torch.zeros(1, 4, 4, dtype=torch.bool))
