"""The digits: both splits, without a common image, the same everywhere."""

import pytest
import torch
from sklearn.datasets import load_digits

from annotated_transformer.lab.corpora.digits import digits


def test_the_splits_are_all_images_with_their_labels():
    data = load_digits()
    expected = sorted(
        (label, *pixels)
        for label, pixels in zip(data.target, (data.images / 16).reshape(-1, 64), strict=True)
    )
    found = []
    for split, n in (("train", 1297), ("test", 500)):
        images, labels = digits(split)
        assert images.shape == (n, 1, 8, 8)
        found += [
            (label, *pixels)
            for label, pixels in zip(labels.tolist(), images.flatten(1).tolist(), strict=True)
        ]
    assert sorted(found) == expected


def test_the_first_labels_stay_the_same_and_hold_every_digit():
    images, labels = digits("train", 50)
    assert torch.equal(images, digits("train")[0][:50])
    assert set(labels.tolist()) == set(range(10))


@pytest.mark.parametrize(
    ("split", "n", "message"),
    [
        ("valid", None, "no split 'valid'"),
        ("test", 501, "n=501: the split test has 500"),
        ("test", 0, "n=0"),
    ],
)
def test_what_there_is_not_is_named(split, n, message):
    with pytest.raises(ValueError, match=message):
        digits(split, n)
