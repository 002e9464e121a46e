"""Several masks against one, run with next to nothing; what an ambiguous click is scored by."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.corpora.numbers import numbers
from experiments.family import sam

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--scenes", "20", "--tests", "3"]
OPTIONS += ["--rates", "0.001", "0.01"]
MEANINGS = ("alone", "digit", "number", "nearer", "drawn")


@pytest.fixture(scope="module")
def data():
    return numbers("train", 10, seed=1)


def test_it_runs_and_its_record_repeats_itself(written):
    record = written(sam, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.sam", *OPTIONS])
    found = [
        (s["seed"], s["model"], s["meaning"], s["mask"]) for s in record["scores"] if "mask" in s
    ]
    assert sorted(found) == sorted(
        (seed, name, meaning, who)
        for seed in (1, 2)
        for name in sam.CONTESTANTS
        for meaning in MEANINGS
        for who in ("preferred", "best")
    )
    most = [s["value"] for s in record["scores"] if s["model"] == "one mask at most"]
    assert most[0] == most[1]
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 6


def answers(data, *masks):
    """A model that gives these masks (image, click, side, side) and scores for each."""
    ious, scores = zip(*masks, strict=True)
    logits = 2 * torch.stack(ious, 2).float() - 1

    def model(images, clicks, labels):
        assert labels.eq(1).all()
        return logits, torch.tensor(scores).expand(*clicks.shape[:2], -1)

    return model


def both(data):
    """The two meanings of each click; of the digit alone, twice the digit."""
    number = data.number[:, None].repeat(1, 3, 1, 1)
    number[:, 2] = data.digits[:, 2]
    return data.digits, number


def test_who_always_means_the_digit_is_right_for_one_meaning_and_by_its_part_for_the_other(data):
    digit, number = both(data)
    found = sam.results(answers(data, (digit, 0.0)), data)
    part = (digit.sum((2, 3)) / number.sum((2, 3)))[:, :2].mean().item()
    for who in ("preferred", "best"):
        for meaning in ("alone", "digit", "nearer"):
            assert found[meaning, who] == pytest.approx(100)
        assert found["number", who] == pytest.approx(100 * part)
        assert found["drawn", who] == pytest.approx(sam.most_of_one_mask(data))


def test_the_best_of_two_is_right_for_both_meanings_and_the_preferred_one_is_not(data):
    digit, number = both(data)
    found = sam.results(answers(data, (digit, 0.0), (number, 1.0)), data)
    assert {found[meaning, "best"] for meaning in MEANINGS} == {100}
    assert found["number", "preferred"] == found["nearer", "preferred"] == 100
    assert found["digit", "preferred"] < 75
    assert found["drawn", "preferred"] == pytest.approx(sam.most_of_one_mask(data))


def test_quality_is_the_mean_over_clicks_and_both_of_their_meanings(data):
    empty = torch.zeros_like(data.digits)
    only_alone = empty.clone()
    only_alone[:, 2] = data.digits[:, 2]
    assert sam.quality(answers(data, (only_alone, 0.0)), data) == pytest.approx(100 / 3)
    digit, _ = both(data)
    expected = (100 + 2 * sam.most_of_one_mask(data)) / 3
    assert sam.quality(answers(data, (digit, 1.0), (empty, 0.0)), data) == pytest.approx(expected)
    assert sam.quality(answers(data, (digit, 0.0), (empty, 1.0)), data) == 0


@given(st.lists(st.booleans(), min_size=9, max_size=9), st.integers(1, 6), st.integers(2, 8))
def test_no_mask_has_more_of_both_meanings_than_one_of_them_exactly(mask, n_digit, n_number):
    """Of nine pixels, the first are the digit; with those after them they are the number."""
    n_digit = min(n_digit, n_number)
    chosen = {i for i, taken in enumerate(mask) if taken}
    meanings = set(range(n_digit)), set(range(n_number))
    drawn = sum(len(chosen & m) / len(chosen | m) for m in meanings) / 2
    assert drawn <= (1 + n_digit / n_number) / 2 + 1e-12


def test_half_of_the_clicks_on_a_number_mean_it_and_none_on_the_digit_alone():
    data = numbers("train", 300, seed=2)
    gold = sam.meant(data, torch.Generator().manual_seed(0))
    whole = (gold == data.number[:, None]).all(3).all(2)
    single = (gold == data.digits).all(3).all(2)
    assert (whole ^ single).all()
    assert not whole[:, 2].any()
    assert 120 < whole[:, 0].sum() < 180
    assert 120 < whole[:, 1].sum() < 180
    assert (whole[:, 0] != whole[:, 1]).any()


def test_a_batch_has_clicks_on_its_own_digits_and_a_seed_repeats_it(data):
    first, again = (
        list(sam.batches(data, 2, torch.Generator().manual_seed(5), size=4)) for _ in range(2)
    )
    for batch, same in zip(first, again, strict=True):
        assert all(map(torch.equal, batch, same))
        images, clicks, labels, gold = batch
        assert images.shape == (4, 1, sam.SIDE, sam.SIDE)
        assert labels.shape == (4, 3, 1)
        for image, points, masks in zip(images[:, 0], clicks[:, :, 0].long(), gold, strict=True):
            for (x, y), mask in zip(points.tolist(), masks, strict=True):
                assert mask[y, x]
                assert image[y, x] >= 0.25
    assert not torch.equal(first[0][1], first[1][1])


def test_only_the_number_of_masks_and_who_learns_tell_the_contestants_apart():
    one, three, relaxed = (make() for make in sam.CONTESTANTS.values())
    assert (one.config.n_masks, three.config.n_masks) == (1, 3)
    assert vars(one.config) | {"n_masks": 3} == vars(three.config) == vars(relaxed.config)
    shapes = [{name: x.shape for name, x in m.state_dict().items()} for m in (three, relaxed)]
    assert shapes[0] == shapes[1]


def learners(model, data):
    """Which of the masks for one click have a gradient."""
    clicks, labels = sam.asked(data, torch.Generator().manual_seed(0))
    model.loss(data.images[:1], clicks[:1, :1], labels[:1, :1], data.digits[:1, :1]).backward()
    masks = list(model.decoder.filters)[1:]  # the first answers several clicks
    return [any(p.grad is not None and p.grad.any() for p in each.parameters()) for each in masks]


def test_one_mask_learns_from_a_click_or_all_if_it_is_relaxed(data):
    found = {}
    for name in ("three masks", "three masks, relaxed"):
        torch.manual_seed(0)
        found[name] = learners(sam.CONTESTANTS[name](), data)
    assert sum(found["three masks"]) == 1
    assert all(found["three masks, relaxed"])


def test_the_relaxed_loss_is_a_tenth_that_of_all_answers():
    losses = torch.tensor([[[1.0, 2.0, 6.0]]])
    model = sam.CONTESTANTS["three masks, relaxed"]()
    assert model.of_answers(losses).item() == pytest.approx(0.9 * 1 + 0.1 * 3)
