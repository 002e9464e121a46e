"""Laws that members share, each written once; a new member of the zoo is tried by being there."""

import json
import re

import pytest
import torch
from family_oracle import disturbed
from zoo import ZOO, build, tensors_of

from annotated_transformer.lab import family
from annotated_transformer.lab.corpora.scenes import scenes
from annotated_transformer.lab.family import fit
from count_new import members

NAMES = [name for name in ZOO if name.partition(",")[0].partition(" with")[0] in members()]
DETECTORS = [name for name in NAMES if "DETR" in name]


def small(name):
    """Return a member in float32 with weights that are nowhere as they begin, and its inputs."""
    model, inputs = build(name)
    disturbed(model)
    inputs = [x.float() if x.is_floating_point() else x for x in inputs]
    model.float().train()(*inputs)  # a BatchNorm counts
    return model.eval(), inputs


def test_every_member_is_tried():
    assert {type(build(name)[0]).__name__ for name in NAMES} == set(members())


@pytest.mark.parametrize("name", NAMES)
@torch.no_grad()
def test_what_was_saved_is_loaded_again(name, tmp_path):
    model, inputs = small(name)
    model.save(tmp_path / "model")
    torch.manual_seed(9)  # what is drawn when a model is made is in the file too
    again = type(model).load(tmp_path / "model")
    assert again.config == model.config
    assert not again.training
    weights = again.state_dict()
    assert weights.keys() == model.state_dict().keys()
    assert all(torch.equal(weights[key], x) for key, x in model.state_dict().items())
    outputs = tensors_of(model(*inputs))
    assert outputs
    assert all(map(torch.equal, outputs, tensors_of(again(*inputs))))
    content = json.loads((tmp_path / "model" / "config.json").read_text())
    assert content["member"] == type(model).__name__


@pytest.mark.parametrize("name", NAMES)
def test_a_description_counts_every_parameter_once_and_names_the_source(name):
    model, _ = build(name)
    first, *lines = model.describe().splitlines()
    total = sum(parameter.numel() for parameter in model.parameters())
    kind = type(model).__name__
    assert re.fullmatch(rf"{kind} \(.+ \d{{4}}\), {total:,} parameters", first)
    assert sum(int(line.rpartition(" ")[2].replace(",", "")) for line in lines) == total
    assert all(hasattr(model, line.strip().partition(":")[0]) for line in lines)


@pytest.mark.parametrize("name", DETECTORS)
@torch.no_grad()
def test_permuted_queries_give_permuted_predictions(name):
    model, (images,) = build(name)
    disturbed(model)
    order = torch.tensor([3, 0, 4, 2, 1])
    logits, boxes = model(images)
    model.queries.copy_(model.queries[order])
    again_logits, again_boxes = model(images)
    torch.testing.assert_close(again_logits, logits[:, order])
    torch.testing.assert_close(again_boxes, boxes[:, order])
    assert not torch.allclose(again_boxes, boxes)


@pytest.mark.parametrize("name", DETECTORS)
@torch.no_grad()
def test_the_loss_does_not_know_the_order_of_the_objects(name):
    model, (images,) = build(name)
    boxes = [0.2 + 0.3 * torch.rand(n, 4, dtype=torch.float64) for n in (2, 3)]
    classes = [torch.tensor([1, 2]), torch.tensor([0, 2, 1])]
    expected, order = model.loss(images, boxes, classes), torch.tensor([2, 0, 1])
    other = [boxes[0], boxes[1][order]]
    shuffled = model.loss(images, other, [classes[0], classes[1][order]])
    torch.testing.assert_close(shuffled, expected)
    assert not torch.allclose(model.loss(images, other, classes), expected)


@pytest.mark.parametrize("kind", ["DETR", "DeformableDETR"])
def test_a_detector_learns_scenes_and_all_gradients_are_finite(kind):
    torch.manual_seed(0)
    sizes = {"n_layers": 1, "d_model": 32, "d_ff": 24, "n_heads": 2, "dropout": 0.0, "channels": 1}
    sizes |= {"widths": (8, 12, 16), "depths": (), "n_classes": 10, "n_queries": 5}
    model = getattr(family, kind)(getattr(family, f"{kind}Config")(**sizes))
    made = scenes("train", 6, side=16, max_objects=2)
    batch = made.images, made.boxes, made.classes
    losses = fit(model, [batch] * 40, rate=3e-3, clip=0.5)
    assert losses[-1] < 0.7 * losses[0]
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)
