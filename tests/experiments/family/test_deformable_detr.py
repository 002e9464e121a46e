"""DETR and Deformable DETR side by side, run with next to nothing; what tells contestants apart."""

import pytest
import torch

from annotated_transformer.lab.corpora.scenes import scenes
from experiments.family import deformable_detr

OPTIONS = ["--seeds", "1", "--steps", "2", "--first", "2", "--scenes", "20", "--tests", "3"]
OPTIONS += ["--rates", "0.001", "0.01"]


@pytest.fixture(scope="module")
def contestants():
    made = {}
    for name, make in deformable_detr.CONTESTANTS.items():
        torch.manual_seed(0)
        made[name] = make()
    return made


def test_it_runs_and_its_record_repeats_itself(written, monkeypatch):
    monkeypatch.setattr(deformable_detr, "TIMED", 1)
    record = written(deformable_detr, *OPTIONS)
    assert record["command"] == " ".join(["python -m experiments.family.deformable_detr", *OPTIONS])
    found = [(s["seed"], s["model"], s["split"], s["metric"]) for s in record["scores"]]
    assert sorted(found) == sorted(
        (1, name, *what)
        for name in deformable_detr.CONTESTANTS
        for what in (("test", "AP50"), ("train", "milliseconds"))
    )
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 4
    assert all(0 <= entry["AP50"] <= 100 for entry in record["curve"])


def test_the_command_of_its_record_says_its_defaults(says_its_defaults):
    assert says_its_defaults(deformable_detr, "deformable_detr")


def test_focal_detr_finds_the_same_boxes_and_differs_in_the_class_head_alone(contestants):
    plain, focal = contestants["DETR"], contestants["DETR, focal loss"]
    images = scenes("train", 2).images
    torch.testing.assert_close(plain(images)[1], focal(images)[1])
    differing = {
        name for name, x in focal.state_dict().items() if x.shape != plain.state_dict()[name].shape
    }
    assert differing == {"class_head.weight", "class_head.bias"}
    likely = focal(images)[0].sigmoid()
    assert likely.mean().item() == pytest.approx(0.01, rel=0.5)


def test_focal_detr_has_the_class_loss_of_deformable_detr(contestants):
    focal, other = contestants["DETR, focal loss"], contestants["Deformable DETR"]
    logits, answers = torch.randn(2, 8, 10), torch.randint(11, (2, 8))
    assert torch.equal(focal.class_costs(logits), other.class_costs(logits))
    assert torch.equal(focal.class_loss(logits, answers), other.class_loss(logits, answers))


def test_all_convolutions_are_alike_and_both_deformable_ones_differ_in_maps(contestants):
    shapes = [
        {name: x.shape for name, x in model.backbone.state_dict().items()}
        for model in contestants.values()
    ]
    assert all(each == shapes[0] for each in shapes)
    one, two = (contestants[name] for name in ("Deformable, one map", "Deformable DETR"))
    assert (len(one.levels), len(two.levels)) == (1, 2)
    images = torch.rand(1, 1, 24, 24)
    sizes = [[x.size(-1) for x in m.project(m.backbone(images))] for m in (one, two)]
    assert sizes == [[3], [6, 3]]
    assert contestants["DETR"].backbone(images)[-1].size(-1) == 3


def test_gradients_of_all_contestants_are_finite(contestants):
    made = scenes("train", 4)
    for model in contestants.values():
        model.loss(made.images, made.boxes, made.classes).backward()
        assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
