"""The comparison of students with and without a teacher, run with next to nothing."""

import json

import torch

from experiments.family import deit, digit_runs


def test_it_runs_and_its_record_repeats_itself(tmp_path):
    out = tmp_path / "deit.json"
    options = ["--seeds", "1", "--labels", "20", "--updates", "2", "--rate", "0.001"]
    deit.main([*options, "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"] == " ".join(
        ["python -m experiments.family.deit", *options, "--out", str(out)]
    )
    agreement = {
        score["contestant"]: score["value"]
        for score in record["scores"]
        if score["metric"] == "agreement"
    }
    assert agreement.keys() == deit.STUDENTS.keys()
    assert agreement["DeiT of the labels"] == 100
    assert agreement["DeiT of the CNN"] == agreement["one token, of the CNN"] < 100
    parts = [score["part"] for score in record["scores"] if score["metric"] == "accuracy"]
    assert parts.count("model") == 6
    assert parts.count("class token") == parts.count("distillation token") == 3


def test_images_are_moved_and_mixed_the_same_way_for_all():
    data = digit_runs.chosen(40, 1).train
    first, again = (list(deit.shown(data, 3, seed=5)) for _ in range(2))
    for (images, labels), (same, _) in zip(first, again, strict=True):
        assert torch.equal(images, same)
        assert images.shape == (40, 1, 8, 8)
        assert 0 <= images.min() <= images.max() <= 1
        assert sorted(labels.tolist()) == sorted(data[1].tolist())


def test_a_mixed_image_is_the_sum_of_two_that_were_moved():
    """With one image there is no other to mix with: what is left is where it was moved to."""
    image = torch.arange(1.0, 65).view(1, 1, 8, 8)
    padded = torch.nn.functional.pad(image, (1, 1, 1, 1))
    places = [padded[..., r : r + 8, c : c + 8] for r in range(3) for c in range(3)]
    found = set()
    for moved, _ in deit.shown((image, torch.tensor([3])), 60, seed=0):
        found |= {n for n, place in enumerate(places) if torch.allclose(moved, place)}
    assert found == set(range(9))


def test_one_token_learns_the_mean_of_both_answers():
    torch.manual_seed(0)
    model = deit.OneToken(digit_runs.vit_config()).eval()
    images, labels = digit_runs.chosen(20, 1).train
    answers = labels.flip(0)
    logs = model(images).log_softmax(-1)
    expected = -(logs[range(20), labels] + logs[range(20), answers]).mean() / 2
    torch.testing.assert_close(model.loss(images, labels, answers), expected)
