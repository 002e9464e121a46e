"""The comparison of ViT with a convolutional network, run with next to nothing."""

import pytest
import torch

from experiments.family import digit_runs, vit

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--labels", "20", "30", "--rates", "0.001", "0.01"]


def test_it_runs_and_its_record_repeats_itself(written):
    record = written(vit, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.vit", *OPTIONS])
    assert record["seed"] == [1, 2]
    found = [
        tuple(s[key] for key in ("seed", "model", "labels", "split")) for s in record["scores"]
    ]
    assert sorted(found) == sorted(
        (seed, name, n, split)
        for seed in (1, 2)
        for name in vit.CONTESTANTS
        for n in (20, 30)
        for split in ("train", "valid", "test")
    )
    assert all(0 <= score["value"] <= 100 for score in record["scores"])
    signatures = {score["signature"] for score in record["scores"] if score["split"] == "test"}
    assert signatures <= {"500 images|rate 0.001 of 2", "500 images|rate 0.01 of 2"}
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 12
    assert record["settings"]["parameters"]["ViT"] == 69_194


def test_accuracy_is_the_share_of_right_answers():
    images = torch.zeros(8, 1, 8, 8)
    images[:, 0, 0, :3] = torch.eye(3)[[0, 1, 2, 0, 1, 2, 0, 1]]
    labels = torch.tensor([0, 1, 2, 0, 1, 0, 1, 2])
    assert digit_runs.accuracy(lambda x: x[:, 0, 0, :3], (images, labels)) == 62.5


def test_the_convolutional_network_is_a_little_smaller():
    sizes = {
        name: sum(p.numel() for p in make().parameters()) for name, make in vit.CONTESTANTS.items()
    }
    assert sizes["ViT"] == 69_194
    assert 0.94 * sizes["ViT"] < sizes["CNN"] == 65_642


def test_a_seed_chooses_the_images_and_no_split_meets_another():
    first, second = digit_runs.chosen(50, 1), digit_runs.chosen(50, 2)
    assert not torch.equal(first.train[0], second.train[0])
    assert torch.equal(first.test[0], second.test[0])
    assert [len(images) for images, _ in first] == [50, 297, 500]
    whole = digit_runs.chosen(digit_runs.ALL, 1)
    rows = [set(map(tuple, images.flatten(1).tolist())) for images, _ in whole]
    assert sum(map(len, rows)) == 1_797 == len(set.union(*rows))


def test_an_epoch_has_every_image_once():
    data = digit_runs.chosen(200, 1).train
    epoch = list(digit_runs.batches(data, 4, torch.Generator().manual_seed(0)))
    found = torch.cat([images for images, _ in epoch]).flatten(1)
    assert sorted(found.tolist()) == sorted(data[0].flatten(1).tolist())


def test_more_labels_than_there_are_is_refused():
    with pytest.raises(ValueError, match="--labels 1001: there are 1000 images"):
        digit_runs.chosen(1_001, 1)
