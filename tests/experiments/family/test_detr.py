"""Both comparisons of detectors, run with next to nothing; what tells the contestants apart.

First what holds for both commands, then the rules of who learns what, then the way from DETR to
Deformable DETR.
"""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from annotated_transformer.lab.analysis.average_precision import Detections, box_iou
from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family.detr.boxes import box_distance
from experiments.family import deformable_detr, detectors, detr, scene_detection
from experiments.family.detectors import DEFORMABLE, RULES

OPTIONS = ["--seeds", "1", "2", "--steps", "2", "--first", "2", "--scenes", "20", "--tests", "3"]
OPTIONS += ["--rates", "0.001", "0.01"]


@pytest.fixture(scope="module")
def data():
    return scenes("train", 12, seed=1)


def built(name):
    torch.manual_seed(0)
    return (RULES | DEFORMABLE)[name]().eval()


COMPARISONS = {"detr": (detr, RULES), "deformable_detr": (deformable_detr, DEFORMABLE)}
MEASURED = {
    "detr": {
        ("test", metric, suppression)
        for metric in ("AP50", "duplicates", "false alarms")
        for suppression in (False, True)
    },
    "deformable_detr": {("test", "AP50", None), ("train", "milliseconds", None)},
}


@pytest.mark.parametrize("name", COMPARISONS)
def test_it_runs_and_its_record_repeats_itself(name, written, monkeypatch):
    monkeypatch.setattr(detr, "TIMED", 1)
    module, contestants = COMPARISONS[name]
    record = written(module, *OPTIONS)
    assert record["benchmark"] == f"family_{name}"
    assert record["command"] == " ".join([f"python -m experiments.family.{name}", *OPTIONS])
    found = [
        (s["seed"], s["model"], s["split"], s["metric"], s.get("suppression"))
        for s in record["scores"]
    ]
    assert len(found) == len(set(found))
    assert set(found) == {
        (seed, model, *what) for seed in (1, 2) for model in contestants for what in MEASURED[name]
    }
    assert [entry["step"] for entry in record["curve"]] == [1, 2] * 8
    assert all(0 <= entry["AP50"] <= 100 for entry in record["curve"])
    assert record["settings"]["parameters"].keys() == contestants.keys()


@pytest.mark.parametrize("name", RULES | DEFORMABLE)
def test_gradients_of_all_contestants_are_finite(name, data):
    model = built(name)
    model.loss(data.images, data.boxes, data.classes).backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


def test_no_rule_has_weights():
    assert len({sum(p.numel() for p in make().parameters()) for make in RULES.values()}) == 1


def gradients(model):
    return {name: p.grad for name, p in model.named_parameters()}


def test_with_one_object_and_one_slot_all_rules_are_one():
    """There is nothing to choose: losses and gradients of all three are equal."""
    torch.manual_seed(1)
    made = scenes("train", 3, max_objects=1)
    found = []
    for kind in (detectors.DETR, detectors.ManyToOne, detectors.Overlap):
        torch.manual_seed(0)
        model = kind(detectors.DETRConfig(**detectors.SIZES | {"n_queries": 1}))
        loss = model.loss(made.images, made.boxes, made.classes)
        loss.backward()
        found.append((loss, gradients(model)))
    for loss, grads in found[1:]:
        torch.testing.assert_close(loss, found[0][0])
        torch.testing.assert_close(grads, found[0][1])


def set_loss_of(model, boxes, *gold):
    """The loss of the boxes of one image, all slots alike unsure of the class."""
    logits = torch.zeros(1, len(boxes), model.config.n_classes + 1)
    return model.set_loss(logits, boxes[None], *([x] for x in gold))


@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(1, 3))
def test_many_to_one_is_the_mean_over_slots_of_the_least_distance(seed, n_slots, n_objects):
    """The classes are equally likely, so that they do not decide."""
    model = built("many to one")
    drawn = torch.rand(n_slots + n_objects, 4, generator=torch.Generator().manual_seed(seed)) + 0.01
    boxes, gold = drawn.split([n_slots, n_objects])
    least = [min(box_distance(box, own).item() for own in gold) for box in boxes]
    found = set_loss_of(model, boxes, gold, torch.arange(n_objects)).item()
    uniform = torch.tensor(model.config.n_classes + 1.0).log().item()
    assert found == pytest.approx(uniform + sum(least) / n_slots, rel=1e-5)


def test_who_overlaps_an_object_or_is_the_nearest_to_it_learns_it_and_the_others_are_silent():
    cost = torch.tensor([[0.0, 9.0], [1.0, 8.0], [2.0, 7.0], [3.0, 6.0]])
    iou = torch.tensor([[0.9, 0.0], [0.5, 0.0], [0.4, 0.0], [0.3, 0.1]])
    # The second image has one object, the last of all, which no slot overlaps.
    costs, ious = torch.full((2, 4, 3), torch.inf), torch.zeros(2, 4, 3)
    costs[0, :, :2], ious[0, :, :2] = cost, iou
    costs[1, :, 2] = torch.tensor([5.0, 4.0, 6.0, 7.0])
    overlap, many = built("overlap"), built("many to one")
    none = detectors.SILENT
    assert overlap.choice(costs, ious).tolist() == [[0, 0, none, 1], [none, 2, none, none]]
    assert many.choice(costs, ious).tolist() == [[0, 0, 0, 0], [2, 2, 2, 2]]


@pytest.mark.parametrize("name", ["many to one", "overlap"])
def test_images_of_a_batch_do_not_meet(name, data):
    """The boxes' part of the loss is that of all images alone, by their slots that speak."""
    torch.manual_seed(2)
    model = built(name)
    logits, boxes = torch.zeros(12, 8, 11), torch.rand(12, 8, 4) + 0.01
    together = model.set_loss(logits, boxes, data.boxes, data.classes)
    apart = [
        model.set_loss(logits[:1], box[None], [gold], [label])
        for box, gold, label in zip(boxes, data.boxes, data.classes, strict=True)
    ]
    if name == "many to one":  # as many slots speak in each
        torch.testing.assert_close(together, torch.stack(apart).mean())
    assert min(apart) < together < max(apart)


def test_a_silent_slot_learns_that_there_is_no_object_and_no_box():
    model = built("overlap")
    near, far = [0.2, 0.2, 0.2, 0.2], [0.8, 0.8, 0.2, 0.2]
    boxes = torch.tensor([near, far], requires_grad=True)
    logits = torch.zeros(1, 2, 11, requires_grad=True)
    gold = [torch.tensor([near]) + 0.01], [torch.tensor([7])]
    model.set_loss(logits, boxes[None], *gold).backward()
    assert boxes.grad[0].abs().sum() > 0
    assert boxes.grad[1].abs().sum() == 0
    assert logits.grad[0].argmin(-1).tolist() == [7, 10]  # what each is pushed towards


def test_positions_at_entry_are_added_once(data):
    """With the positions of the image at zero, both models see a bag of places; else not."""
    model, layered = built("positions at entry"), built("set matching")
    assert model.state_dict().keys() == layered.state_dict().keys()
    first = model.encoder[0]
    seen = []
    first.register_forward_pre_hook(lambda _, inputs: seen.append(inputs))
    model(data.images)
    x, _, place = seen[0]
    assert not place.any()
    plain = model.project(model.backbone(data.images)[-1]).flatten(2).mT
    added = x - plain
    real = torch.ones(1, 3, 3, dtype=torch.bool)
    expected = detectors.image_positions(real, 64, x.dtype).expand_as(added)
    torch.testing.assert_close(added, expected, rtol=0, atol=1e-5)


def test_object_queries_at_entry_are_what_the_decoder_begins_with(data):
    model = built("positions at entry")
    seen = []
    model.decoder[0].register_forward_pre_hook(lambda _, inputs: seen.append(inputs))
    model(data.images)
    y, _, queries, place, _ = seen[0]
    assert torch.equal(y, model.queries.expand_as(y))
    assert not queries.any()
    assert not place.any()


def found_twice(data, confidence):
    """Every object twice, and something in a corner of no size that is none of them."""
    corner = torch.tensor([[0.001, 0.001, 0.001, 0.001]])
    results = []
    for boxes, classes in zip(data.boxes, data.classes, strict=True):
        said = torch.cat((classes, classes, classes[:1]))
        results.append(
            Detections(
                torch.cat((boxes, boxes, corner)),
                said,
                torch.tensor(confidence)[[0] * len(boxes) + [1] * len(boxes) + [2]],
            )
        )
    return results


def test_duplicates_and_false_alarms_are_counted_on_100_objects(data):
    n_objects = sum(map(len, data.classes))
    alarms = 100 * len(data.images) / n_objects
    assert detr.errors(found_twice(data, [0.9, 0.8, 0.7]), data) == pytest.approx((100, alarms))
    assert detr.errors(found_twice(data, [0.9, 0.8, 0.4]), data) == (100, 0)
    assert detr.errors(found_twice(data, [0.9, 0.4, 0.4]), data) == (0, 0)


def test_quality_is_the_precision_after_suppression(data, monkeypatch):
    """Two of one class that lie on each other would be suppressed: of these scenes none are."""
    found = [  # a second time before the next image's first
        each._replace(confidence=each.confidence - i / 50)
        for i, each in enumerate(found_twice(data, [0.9, 0.899, 0.1]))
    ]
    for boxes, classes in zip(data.boxes, data.classes, strict=True):
        close = (box_iou(boxes[:, None], boxes) > 0.5) & (classes[:, None] == classes)
        assert close.sum() == len(boxes)
    monkeypatch.setattr(detr, "detections", lambda model, images: found)
    assert detr.quality_after_suppression(None, data) == pytest.approx(100)
    assert scene_detection.precision(found, data) < 100


def test_focal_detr_finds_the_same_boxes_and_differs_in_the_class_head_alone():
    plain, focal = built("DETR"), built("DETR, focal loss")
    images = scenes("train", 2).images
    torch.testing.assert_close(plain(images)[1], focal(images)[1])
    differing = {
        name for name, x in focal.state_dict().items() if x.shape != plain.state_dict()[name].shape
    }
    assert differing == {"class_head.weight", "class_head.bias"}
    likely = focal(images)[0].sigmoid()
    assert likely.mean().item() == pytest.approx(0.01, rel=0.5)


def test_focal_detr_has_the_class_loss_of_deformable_detr():
    focal, other = built("DETR, focal loss"), built("Deformable DETR")
    logits, answers = torch.randn(2, 8, 10), torch.randint(11, (2, 8))
    assert torch.equal(focal.class_costs(logits), other.class_costs(logits))
    assert torch.equal(focal.class_loss(logits, answers), other.class_loss(logits, answers))


def test_all_convolutions_are_alike_and_both_deformable_ones_differ_in_maps():
    shapes = [
        {name: x.shape for name, x in model.backbone.state_dict().items()}
        for model in map(built, DEFORMABLE)
    ]
    assert all(each == shapes[0] for each in shapes)
    one, two = (built(name) for name in ("Deformable, one map", "Deformable DETR"))
    assert (len(one.levels), len(two.levels)) == (1, 2)
    images = torch.rand(1, 1, 24, 24)
    sizes = [[x.size(-1) for x in m.project(m.backbone(images))] for m in (one, two)]
    assert sizes == [[3], [6, 3]]
    assert built("DETR").backbone(images)[-1].size(-1) == 3
