"""The average of checkpoints against the mean of their files."""

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from torch import nn

from annotated_transformer.training.averaging import average_checkpoints
from annotated_transformer.training.recipe import TrainingRecipe
from annotated_transformer.training.run.checkpoints import save_checkpoint
from annotated_transformer.training.run.states import Progress
from annotated_transformer.training.step import make_optimizer


class Small(nn.Module):
    """A module with a weight, a shared name for it, and a buffer that is no parameter."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(5, 7))
        self.shared = self.weight
        self.bias = nn.Parameter(torch.randn(3) * 1e-4)
        self.register_buffer("count", torch.zeros(2))


@pytest.fixture
def saved(tmp_path):
    """Four checkpoints of different weights, and the module that they are of."""
    module = Small()
    optimizer = make_optimizer(module, TrainingRecipe())
    (module.weight.sum() + module.bias.sum()).backward()
    optimizer.step()
    paths = []
    for step in range(1, 5):
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn_like(parameter) * 10**step)
        module.count.fill_(step)
        paths.append(save_checkpoint(tmp_path, module, optimizer, Progress(step=step), "corpus"))
    return module, paths


def test_it_is_the_mean_of_the_files(saved):
    module, paths = saved
    files = [load_file(path / "model.safetensors") for path in paths[1:]]
    average_checkpoints(module, paths[1:])
    for name, parameter in module.named_parameters():
        mean = np.mean([file[name].astype(np.float64) for file in files], axis=0)
        assert np.array_equal(parameter.detach().numpy(), mean.astype(np.float32))
    assert module.shared is module.weight
    assert module.count.tolist() == [4, 4]  # no parameter: as in the last checkpoint


def test_the_mean_of_equal_weights_is_these_weights(saved):
    module, paths = saved
    for n in (1, 3, 7, 20):
        average_checkpoints(module, [paths[2]] * n)
        for name, weights in load_file(paths[2] / "model.safetensors").items():
            assert np.array_equal(
                module.get_buffer(name) if name == "count" else module.get_parameter(name).detach(),
                weights,
            )


def test_a_corrupt_checkpoint_is_not_averaged(saved):
    module, paths = saved
    file = paths[1] / "model.safetensors"
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(ValueError, match=r"step_000002.model\.safetensors is corrupt"):
        average_checkpoints(module, paths)
