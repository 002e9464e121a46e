"""The threshold of doubt that is chosen on a validation split alone."""

import json
import shutil

import pytest

from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.records import record
from annotated_transformer.measured import load_threshold
from annotated_transformer.shipped import MODELS
from experiments import doubt, doubt_valid


@pytest.mark.usefixtures("clean")
def test_it_is_chosen_on_one_split_tried_on_another_and_stored(tmp_path, monkeypatch):
    """The splits are sentences that were judged: which of the translations are right is known."""
    judged = [each for each in record("doubt")["curve"] if not each["refused"]]
    parts = {"valid": judged[:24], "test": judged[24:40]}
    pairs = {
        name: [SentencePair(e["sentence"], e["translation"] if e["right"] else "-") for e in part]
        for name, part in parts.items()
    }
    model = tmp_path / "english_korean"
    shutil.copytree(MODELS / "english_korean", model)
    recipe = doubt_valid.recipe_of("english_korean")
    monkeypatch.setattr(doubt_valid, "recipe_of", lambda _: recipe)
    monkeypatch.setattr(doubt_valid, "read_split", lambda _, name: pairs[name])
    out = tmp_path / "doubt_valid.json"
    words = ["--model", str(model), "--sentences", "20", "--out", str(out), "--store"]
    doubt_valid.STUDY.main(words)
    found = json.loads(out.read_text("utf-8"))
    for name, size in (("valid", 20), ("test", 16)):
        part, right = found[name], sum(e["right"] for e in parts[name][:size])
        assert 0 < right < size
        assert (part["sentences"], part["right"]) == (size, right)
        assert part["wrong_marked"] + part["wrong_not_marked"] == size - right
    threshold, sound = found["threshold"], [e["doubt"] for e in parts["valid"][:20] if e["right"]]
    alarms = sum(value > threshold for value in sound)
    assert alarms <= doubt.FALSE_ALARMS * len(sound)
    assert min(sound) < threshold < max(e["doubt"] for e in judged)
    assert load_threshold(model) == threshold
