import tomllib
from pathlib import Path

import pytest
import torch

import annotated_transformer
from annotated_transformer.attention import attention

PACKAGE = Path(annotated_transformer.__file__).parent


def test_every_module_that_states_shapes_is_checked():
    options = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["pytest"]
    (checked,) = [
        option.partition("=")[2].split(",")
        for option in options["ini_options"]["addopts"].split()
        if option.startswith("--jaxtyping-packages")
    ]
    states_shapes = {
        "annotated_transformer." + ".".join(path.relative_to(PACKAGE).with_suffix("").parts)
        for path in PACKAGE.rglob("*.py")
        if "from jaxtyping import" in path.read_text()
    }
    assert set(checked) == states_shapes | {"beartype.beartype"}


def test_a_wrong_shape_is_refused():
    query, key = torch.zeros(2, 3), torch.zeros(2, 4)
    with pytest.raises(TypeError, match="d_k"):
        attention(query, key, key)
