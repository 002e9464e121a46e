"""The threshold of doubt that is chosen on a validation split alone."""

import json
import shutil

import pytest

from annotated_transformer.saving import load_threshold
from annotated_transformer.shipped import MODELS
from experiments import doubt, doubt_valid

SENTENCES = 30


@pytest.mark.usefixtures("clean")
def test_it_is_chosen_on_one_split_tried_on_another_and_stored(tmp_path, monkeypatch):
    model = tmp_path / "english_korean"
    shutil.copytree(MODELS / "english_korean", model)
    recipe = doubt_valid.recipe_of("english_korean")
    monkeypatch.setattr(doubt_valid, "recipe_of", lambda _: recipe)
    out = tmp_path / "doubt_valid.json"
    words = ["--model", str(model), "--sentences", str(SENTENCES), "--out", str(out), "--store"]
    doubt_valid.STUDY.main(words)
    found = json.loads(out.read_text("utf-8"))
    for name in ("valid", "test"):
        part = found[name]
        assert part["sentences"] == SENTENCES
        assert 0.7 * SENTENCES < part["right"] <= SENTENCES
        assert part["wrong_marked"] + part["wrong_not_marked"] == SENTENCES - part["right"]
    alarms = found["valid"]["right_marked"]
    assert alarms <= doubt.FALSE_ALARMS * found["valid"]["right"]
    assert load_threshold(model) == found["threshold"]
