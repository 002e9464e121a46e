"""SegFormer without positions on larger scenes, run with next to nothing; its mean IoU."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.corpora.scenes import BACKGROUND
from experiments.family import segformer

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--scenes", "20", "--tests", "3"]
OPTIONS += ["--rates", "0.001", "0.01"]
MAPS = st.integers(2, 5).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(*[st.integers(0, n - 1)] * 2), min_size=1, max_size=30),
    )
)


def test_it_runs_and_its_record_repeats_itself(written):
    record = written(segformer, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.segformer", *OPTIONS])
    found = [(score["seed"], score["model"], score["side"]) for score in record["scores"]]
    assert sorted(found) == sorted(
        (seed, name, side)
        for seed in (1, 2)
        for name in segformer.CONTESTANTS
        for side in (24, 36, 48)
    )
    assert all(0 <= score["value"] <= 100 for score in record["scores"])
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 6


@given(MAPS)
def test_mean_iou_is_that_of_sets_of_pixels(drawn):
    n_classes, pixels = drawn
    ratios = []
    for number in range(n_classes):
        found, wanted = (
            {place for place, pair in enumerate(pixels) if pair[side] == number} for side in (0, 1)
        )
        if found | wanted:
            ratios.append(len(found & wanted) / len(found | wanted))
    found, wanted = torch.tensor(pixels).T
    value = segformer.mean_iou(found, wanted, n_classes)
    assert math.isclose(value, 100 * sum(ratios) / len(ratios), rel_tol=1e-12, abs_tol=1e-12)


def test_quality_is_the_mean_iou_of_the_most_likely_class_of_each_pixel():
    """Sixty images, left 3; right is 5 in the last thirty, which the model takes for background."""
    wanted = torch.full((60, 8, 8), BACKGROUND)
    wanted[:, :, :4] = 3
    wanted[30:, :, 4:] = 5

    def model(x):
        logits = torch.zeros(len(x), segformer.N_CLASSES, 2, 2)  # four times coarser
        logits[:, 3, :, 0] = logits[:, BACKGROUND, :, 1] = 1
        return logits

    found = segformer.quality(model, (torch.zeros(60, 1, 8, 8), wanted))
    assert found == pytest.approx(100 * (1 + 1 / 2 + 0) / 3)


def parameters(model):
    return {name: x.shape for name, x in model.named_parameters()}


def test_only_the_convolution_and_the_places_tell_the_contestants_apart():
    whole, none, learned = (parameters(make()) for make in segformer.CONTESTANTS.values())
    mixing = {name for name in whole if ".mix." in name}
    assert len(mixing) == 4
    assert none == {name: shape for name, shape in whole.items() if name not in mixing}
    tables = {shape for name, shape in learned.items() if name.endswith("table")}
    assert tables == {(1, 32, 12, 12)}
    assert sorted([*none.values(), *tables]) == sorted(learned.values())


def test_learned_places_are_added_as_they_are_and_stretched_over_a_larger_image():
    torch.manual_seed(0)
    places = segformer.Places(2, 3).double()
    assert torch.equal(
        places(torch.zeros(1, 3, 3, 2, dtype=torch.float64))[0].permute(2, 0, 1), places.table[0]
    )
    with torch.no_grad():
        places.table.copy_(torch.arange(3.0).expand(1, 2, 3, 3))  # the column's number
    wide = places(torch.zeros(1, 6, 6, 2, dtype=torch.float64))[0, :, :, 0]
    expected = torch.tensor([0, 0.25, 0.75, 1.25, 1.75, 2], dtype=torch.float64).expand(6, 6)
    torch.testing.assert_close(wide, expected)


@pytest.mark.parametrize("side", segformer.OBJECTS)
def test_scenes_of_every_size_have_as_many_digits_for_their_area(side):
    """The mean of 1 to n digits is (n + 1) / 2; the same seed gives the same scenes."""
    mean = (segformer.OBJECTS[side] + 1) / 2
    assert mean / side**2 == 2 / 24**2
    images, classes = segformer.examples("test", 2, seed=4, side=side)
    assert images.shape == (2, 1, side, side)
    assert classes.shape == (2, side, side)
    assert torch.equal(images, segformer.examples("test", 2, seed=4, side=side)[0])
