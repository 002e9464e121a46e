"""The family's front door: what it has, and what it does not load until asked."""

import math
import subprocess
import sys

import pytest
import torch
from family_tiny import TINY

from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.lab import family
from annotated_transformer.layers import FeedForward
from count_new import members

HEAVY = ("scipy", "sklearn", "transformers", "diffusers", "matplotlib", "altair", "pandas")


def test_importing_the_family_loads_no_optional_package():
    """Scikit-learn has the digits and SciPy the matching; who needs neither need not have them."""
    program = (
        "import sys, annotated_transformer.lab.family as f\n"
        f"print(*[name for name in {HEAVY} if name in sys.modules])\n"
        "print(f.__file__)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded, file = result.stdout.splitlines()
    assert loaded == ""
    assert file == family.__file__


def test_every_member_comes_with_its_configuration():
    for name, member in members().items():
        assert f"{name}Config" in family.__all__, name
        assert issubclass(member.Config, getattr(family, f"{name}Config")), name
        assert member.__name__ == name


def test_every_name_is_there_once_and_public():
    assert len(set(family.__all__)) == len(family.__all__)
    for name in family.__all__:
        assert getattr(family, name).__module__.startswith("annotated_transformer.lab.family.")


@pytest.mark.parametrize("name", members())
def test_the_sublayers_of_every_member_start_as_those_of_the_paper_do(name):
    """PyTorch's own linear maps start smaller, and with biases that are not zero."""
    torch.manual_seed(0)
    model = members()[name](getattr(family, f"{name}Config")(**TINY[name]))
    linears = []
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            linears += [module.w_key, module.w_value, module.w_output]
        if isinstance(module, FeedForward):
            linears += [module.inner, module.outer]
    assert linears
    for linear in linears:
        bound = math.sqrt(6 / (linear.in_features + linear.out_features))
        assert 0.95 * bound < linear.weight.abs().max() <= bound
        assert linear.bias is None or not linear.bias.any()
