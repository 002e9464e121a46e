from pathlib import Path

import pytest
import torch
from conftest import CHECKED
from typechecking import CALLS

import annotated_transformer
from annotated_transformer.attention import attention

PACKAGE = Path(annotated_transformer.__file__).parent


def test_every_module_that_states_shapes_is_checked():
    for path in PACKAGE.rglob("*.py"):
        if "from jaxtyping import" in path.read_text():
            name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
            assert any(f"{name}.".startswith(f"{each}.") for each in CHECKED), name


@pytest.mark.parametrize("test", ["one", "another"])
def test_a_wrong_shape_is_refused_in_the_first_calls_of_each_test(test):
    query, key = torch.zeros(2, 3), torch.zeros(2, 4)
    for _ in range(CALLS):
        with pytest.raises(TypeError, match="d_k"):
            attention(query, key, key)
    with pytest.raises(ValueError, match="width"):  # the function's own check
        attention(query, key, key)
