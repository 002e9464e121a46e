"""The family's front door: what it has, and what it does not load until asked."""

import math
import subprocess
import sys
from typing import Any

import pytest
import torch

from annotated_transformer import family
from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.layers import FeedForward
from count_new import members

HEAVY = ("scipy", "sklearn", "transformers", "diffusers", "matplotlib", "altair", "pandas")


def test_importing_the_family_loads_no_optional_package():
    """Scikit-learn has the digits and SciPy the matching; who needs neither need not have them."""
    program = (
        "import sys, annotated_transformer.family as f\n"
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
        assert getattr(family, name).__module__.startswith("annotated_transformer.family.")


LAYERS: dict[str, Any] = {"n_layers": 1, "d_model": 32, "d_ff": 64, "n_heads": 2}
TEXTS = LAYERS | {"vocab_size": 12, "max_length": 10}
IMAGES = LAYERS | {"n_channels": 1, "n_classes": 3, "image_size": 4, "patch_size": 2}
OBJECTS = LAYERS | {"n_classes": 3, "channels": 1, "widths": (8, 12), "depths": ()}
STAGES: dict[str, Any] = {"n_layers": (1, 1), "n_heads": (1, 2), "n_channels": 1, "n_classes": 3}
PATCHES: dict[str, Any] = {"patch": (3, 3), "stride": (2, 2), "ratio": (2, 1), "widening": (2, 2)}
DECODER = {"width": 32, "decoder_heads": 2, "decoder_ff": 24, "score_ff": 10}
TINY: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("BERT", "GPT", "BART", "T5"), TEXTS),
    "ELECTRA": TEXTS | {"generator_share": 2},
    **dict.fromkeys(("ViT", "DeiT"), IMAGES),
    "DiT": IMAGES | {"n_steps": 30},
    "Swin": STAGES | {"d_model": 32, "patch_size": 2, "window": 2},
    "SegFormer": STAGES | PATCHES | {"d_model": (32, 32), "d_head": 16},
    "DETR": OBJECTS | {"n_queries": 5},
    "DeformableDETR": OBJECTS | {"n_queries": 5, "n_maps": 2, "n_levels": 2, "n_points": 2},
    "SAM": LAYERS | DECODER | {"side": 16, "patch": 4, "channels": 1},
}


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
