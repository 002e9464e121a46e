"""Scenes of numbers: what a click may mean is what the gold masks say."""

import pytest
import torch

from annotated_transformer.lab.corpora.digits import SIDE, digits
from annotated_transformer.lab.corpora.numbers import clicks, numbers
from annotated_transformer.lab.corpora.scenes import INK


@pytest.fixture(scope="module")
def made():
    return numbers("train", 60, seed=1, side=27)


def rows_of(mask):
    return set(mask.nonzero()[:, 0].tolist())


def test_shapes_and_ranges(made):
    assert made.images.shape == (60, 1, 27, 27)
    assert made.digits.shape == (60, 3, 27, 27)
    assert made.classes.shape == (60, 3)
    assert made.images.min() == 0
    assert made.images.max() == 1
    assert made.digits.flatten(2).any(2).all()


def test_every_pixel_of_ink_is_of_one_digit(made):
    assert torch.equal(made.digits.any(1), made.images[:, 0] >= INK)
    assert made.digits.sum(1).max() == 1


def test_a_scene_is_three_images_of_the_split_two_of_them_side_by_side(made):
    images, labels = digits("train")
    known = {
        tuple(image): label
        for image, label in zip(images.flatten(1).tolist(), labels.tolist(), strict=True)
    }
    for image, masks, classes in zip(made.images[:, 0], made.digits, made.classes, strict=True):
        found = {}
        for top in range(27 - SIDE + 1):
            for left in range(27 - SIDE + 1):
                square = image[top : top + SIDE, left : left + SIDE]
                label = known.get(tuple(square.flatten().tolist()))
                if label is not None:
                    own = torch.zeros_like(image, dtype=torch.bool)
                    own[top : top + SIDE, left : left + SIDE] = square >= INK
                    place = next(i for i, mask in enumerate(masks) if torch.equal(mask, own))
                    found[place] = top, left, label
        assert [found[i][2] for i in range(3)] == classes.tolist()
        assert found[0][0] == found[1][0]
        assert found[0][1] + SIDE == found[1][1]


def test_a_number_is_its_two_digits(made):
    assert torch.equal(made.number, made.digits[:, 0] | made.digits[:, 1])


def test_the_digit_alone_shares_no_row_with_the_number_and_is_above_or_below(made):
    above = 0
    for number, alone in zip(made.number, made.digits[:, 2], strict=True):
        assert rows_of(number).isdisjoint(rows_of(alone))
        above += min(rows_of(alone)) < min(rows_of(number))
    assert 15 < above < 45


def test_all_places_of_the_canvas_are_used():
    wide = numbers("test", 300, side=18)
    for masks in (wide.number, wide.digits[:, 2]):
        assert masks.any(0).any(1).sum() == 18  # rows
        assert masks.any(0).any(0).sum() >= 16  # columns; few digits reach the edge of theirs


def test_a_seed_is_a_scene():
    first, again, other = (numbers("train", 4, seed=seed) for seed in (3, 3, 4))
    assert torch.equal(first.images, again.images)
    assert not torch.equal(first.images, other.images)


def test_clicks_are_pixels_of_their_mask_and_reach_all_of_them():
    generator = torch.Generator().manual_seed(0)
    masks = numbers("train", 1, seed=2).digits
    found = [set() for _ in range(3)]
    for _ in range(400):
        at = clicks(masks, generator)
        assert at.shape == (1, 3, 2)
        for own, (x, y) in zip(found, at[0].int().tolist(), strict=True):
            own.add((y, x))
    for own, mask in zip(found, masks[0], strict=True):
        assert own == set(map(tuple, mask.nonzero().tolist()))


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="no split 'valid'"):
        numbers("valid", 1)
    with pytest.raises(ValueError, match="n=0 must be a positive integer"):
        numbers("train", 0)
    with pytest.raises(ValueError, match="side=15 is too small for a number"):
        numbers("train", 1, side=15)
    with pytest.raises(ValueError, match="an empty mask has no pixel"):
        clicks(torch.zeros(1, 4, 4, dtype=torch.bool), torch.Generator())
