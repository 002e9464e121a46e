"""What the shift is for, run with next to nothing; what is proved of windows that stay."""

import pytest
import torch

from annotated_transformer.lab.corpora.digits import SIDE
from experiments.family import digit_runs, swin

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--fours", "3", "--rates", "0.001", "0.01"]


@pytest.fixture(scope="module")
def scenes():
    """Ten fours of scenes."""
    data = digit_runs.chosen(200, 1).train
    return swin.fours(data, 10, torch.Generator().manual_seed(3))


def windows_of(images):
    """The four squares of each scene: top left, top right, bottom left, bottom right."""
    both = range(0, 2 * SIDE, SIDE)
    corners = [(row, column) for row in both for column in both]
    return torch.stack([images[:, 0, r : r + SIDE, c : c + SIDE] for r, c in corners], dim=1)


def test_it_runs_and_its_record_repeats_itself(written):
    record = written(swin, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.swin", *OPTIONS])
    assert {
        (score["seed"], score["model"], score["split"])
        for score in record["scores"]
        if score["metric"] == "accuracy"
    } == {
        (seed, name, split)
        for seed in (1, 2)
        for name in swin.CONTESTANTS
        for split in ("train", "valid", "test")
    }
    reach = [(s["layers"], s["value"]) for s in record["scores"] if s["metric"] == "reach"]
    assert reach == 2 * [("W, W", 16), ("W, SW", 36), ("W, SW, W, SW", 64)]
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 6


def test_a_scene_is_two_digits_in_two_windows_and_its_label_says_whether_they_are_one(scenes):
    images, labels = scenes
    digits, names = digit_runs.chosen(200, 1).train
    known = {
        tuple(image): name
        for image, name in zip((2 * digits - 1).flatten(1).tolist(), names.tolist(), strict=True)
    }
    for scene, label in zip(windows_of(images), labels.tolist(), strict=True):
        full = [tuple(x.flatten().tolist()) for x in scene if (x != swin.PAPER).any()]
        assert len(full) == 2
        assert full[0] != full[1]
        assert (known[full[0]] == known[full[1]]) == bool(label)


def test_no_window_alone_says_anything(scenes):
    """In each four, every content of a window is in as many scenes of either label."""
    images, labels = scenes
    for four, answers in zip(windows_of(images).split(4), labels.split(4), strict=True):
        assert answers.tolist() == [1, 1, 0, 0]
        for window in four.transpose(0, 1).flatten(2).tolist():
            assert sorted(window[:2]) == sorted(window[2:])


def logits_of_fours(shifted, scenes):
    torch.manual_seed(0)
    model = swin.swin(shifted=shifted).double().eval()
    return model(scenes[0].double()).unflatten(0, (-1, 4))


def test_windows_that_stay_give_a_sum_and_a_sum_is_wrong_once_in_four(scenes):
    found = logits_of_fours(False, scenes)
    torch.testing.assert_close(found[:, :2].sum(1), found[:, 2:].sum(1), rtol=0, atol=1e-12)
    margin = found[..., 1] - found[..., 0]
    right = (margin > 0) == torch.tensor([True, True, False, False])
    assert right.sum(1).max() <= 3
    joined = logits_of_fours(True, scenes)
    assert (joined[:, :2].sum(1) - joined[:, 2:].sum(1)).abs().min() > 1e-6


def test_the_shift_alone_tells_both_swins_apart():
    stay, shifted = (swin.CONTESTANTS[name]() for name in ("Swin, windows stay", "Swin"))
    assert (stay.config.shifted, shifted.config.shifted) == (False, True)
    shapes = [{key: x.shape for key, x in m.state_dict().items()} for m in (stay, shifted)]
    assert shapes[0] == shapes[1]
    vit = swin.CONTESTANTS["ViT"]()
    sizes = [sum(p.numel() for p in m.parameters()) for m in (stay, shifted, vit)]
    assert sizes[0] == sizes[1]
    assert 0.95 < sizes[2] / sizes[0] < 1.05


def test_gradients_are_finite_where_a_window_is_paper_alone(scenes):
    for shifted in (False, True):
        model = swin.swin(shifted=shifted)
        model.loss(*scenes).backward()
        assert all(p.grad.isfinite().all() for p in model.parameters())


def test_no_scenes_are_refused():
    with pytest.raises(ValueError, match="n=0 must be a positive integer"):
        swin.fours(digit_runs.chosen(200, 1).train, 0, torch.Generator())


def test_every_update_sees_new_scenes_and_a_seed_repeats_them():
    data = digit_runs.chosen(200, 1).train
    first, again, other = (
        list(swin.batches(data, 2, torch.Generator().manual_seed(seed))) for seed in (1, 1, 2)
    )
    assert torch.equal(first[1][0], again[1][0])
    assert not torch.equal(first[0][0], first[1][0])
    assert not torch.equal(first[0][0], other[0][0])
    assert first[0][0].shape == (4 * swin.FOURS, 1, 2 * SIDE, 2 * SIDE)
