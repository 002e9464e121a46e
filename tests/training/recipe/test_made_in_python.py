"""A recipe that is made in Python is checked as one from a file is: no value of another type."""

import dataclasses
import typing
from collections.abc import Mapping
from typing import Literal, get_origin

import numpy as np
import pytest
import torch
from typechecking import unchecked

from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.recipe.recipes import Recipe

WHOLE = load_recipe("english_korean_small")
SECTIONS = {"": WHOLE} | {
    field.name: getattr(WHOLE, field.name)
    for field in dataclasses.fields(Recipe)
    if dataclasses.is_dataclass(getattr(WHOLE, field.name))
}
BAD = {
    int: (True, 1.5, "2", torch.tensor(3), None, [1]),
    float: (True, "0.5", torch.tensor(0.5), None),
    bool: (1, "true", None),
    str: (3, None, b"text"),
    Literal: ("nothing", 3, None, ["bpe"]),
    tuple: ("test", 3, (None,), {"test": 1}),
    Mapping: ("test", 3, [("test", 1)]),
}
FIELDS = [
    (section, name, get_origin(hint) or hint)
    for section, settings in SECTIONS.items()
    for name, hint in typing.get_type_hints(type(settings)).items()
]


@pytest.mark.parametrize(("section", "name", "kind"), FIELDS)
def test_a_value_of_another_type_is_named(section, name, kind):
    for value in BAD.get(kind, (3, None, {"steps": 3})):  # a section
        with unchecked(), pytest.raises(ValueError, match=f"^{name} = .* is not ") as error:
            dataclasses.replace(SECTIONS[section], **{name: value})
        assert "\n" not in str(error.value)


def test_numbers_of_numpy_and_lists_are_written_as_any():
    with unchecked():
        changed = dataclasses.replace(
            WHOLE,
            seed=np.uint8(3),
            training=dataclasses.replace(
                WHOLE.training, steps=np.int64(30), label_smoothing=np.float64(0.2)
            ),
            evaluation=dataclasses.replace(WHOLE.evaluation, splits=["test"]),
        )
    text = changed.to_toml()
    for line in ("seed = 3", "steps = 30", "label_smoothing = 0.2", 'splits = ["test"]'):
        assert f"{line}\n" in text
    assert changed.evaluation.splits == ("test",)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (r'"C:\temp\new.tsv"', r"splits\.train: .*\\temp\\new.* has a control character"),
        (r'"C:\data\a.tsv"', r"is no TOML: .*; mend it there; a backslash stands between single"),
    ],
)
def test_a_path_of_windows_in_double_quotes_is_refused_with_what_to_write(tmp_path, path, words):
    """Of two such paths one is no TOML, and the other another path: a tab and a line feed."""
    recipe = tmp_path / "recipe.toml"
    corpus = f'[corpus]\nkind = "tsv"\n[corpus.splits]\ntrain = {path}\nvalid = "b.tsv"\n'
    recipe.write_text(f'name = "x"\n{corpus}')
    with pytest.raises(ValueError, match=words):
        load_recipe(str(recipe))
    recipe.write_text(f'name = "x"\n{corpus}'.replace(path, path.replace('"', "'")))
    assert load_recipe(str(recipe)).corpus.splits["train"]
