from pathlib import Path

import pytest
import torch
from conftest import IMAGES, UNCHECKED

import annotated_transformer
from annotated_transformer.attention import attention

PACKAGE = Path(annotated_transformer.__file__).parent


def test_every_module_that_states_shapes_is_checked():
    for path in PACKAGE.rglob("*.py"):
        if "from jaxtyping import" in path.read_text():
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            assert name in IMAGES or not name.startswith(UNCHECKED), name


def test_a_wrong_shape_is_refused():
    query, key = torch.zeros(2, 3), torch.zeros(2, 4)
    with pytest.raises(TypeError, match="d_k"):
        attention(query, key, key)
