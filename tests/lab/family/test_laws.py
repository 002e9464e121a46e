"""Laws that all members share, each written once; a new one in the zoo is tried by being there.

What the detectors alone share stands in `test_detectors.py`.
"""

import copy
import json
import re

import pytest
import torch
from family_oracle import disturbed
from zoo import ZOO, build, tensors_of

from count_new import members

NAMES = [name for name in ZOO if name.partition(",")[0].partition(" with")[0] in members()]


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


READERS = [name for name in NAMES if not build(name)[1][0].is_floating_point()]


@pytest.mark.parametrize("name", READERS)
@torch.no_grad()
def test_texts_on_another_device_than_the_model_are_refused(name):
    """PyTorch would look up what is not there."""
    model, inputs = small(name)
    for ours, ids in ((model, inputs[0].to("meta")), (copy.deepcopy(model).to("meta"), inputs[0])):
        with pytest.raises(ValueError, match=r"is on (meta|cpu), the .* on (cpu|meta): move one"):
            getattr(ours, "encode", ours)(ids)
