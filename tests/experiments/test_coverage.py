"""What the words left out tell: a small corpus, and judgements that are known."""

import json
import shutil

import pytest

from annotated_transformer import load_recipe
from annotated_transformer.corpora import SentencePair
from annotated_transformer.lab.analysis import word_translation
from annotated_transformer.shipped import MODELS, load_coverage
from annotated_transformer.training.data import read_split
from experiments import coverage


@pytest.mark.usefixtures("clean")
def test_it_is_learned_counted_and_stored(tmp_path, monkeypatch):
    model = shutil.copytree(MODELS / "english_korean", tmp_path / "model")
    recipe = load_recipe("english_korean")
    pairs = list(read_split(recipe.corpus, "train"))[:3_000]
    splits = {"train": pairs, "valid": [SentencePair("I am a student", "나는 학생이다")] * 3}
    judged = {
        ("I am a student", "나는 학생이다"): True,
        ("I am a student", "나는"): False,
        ("I am a student", "학생이다"): False,
    }
    monkeypatch.setattr(coverage, "recipe_of", lambda _: recipe)
    monkeypatch.setattr(coverage, "read_split", lambda _, name: splits[name])
    monkeypatch.setattr(coverage, "judgements", lambda: judged)
    monkeypatch.setattr(word_translation, "LEAST_SEEN", 5)
    out = tmp_path / "coverage.json"
    coverage.STUDY.main(["--model", str(model), "--out", str(out), "--store"])
    found = json.loads(out.read_text("utf-8"))
    counts = {row["translations"]: (row["number"], row["leave_out"]) for row in found["rows"]}
    assert counts == {"references": (3, 0), "right": (1, 0), "wrong": (2, 1)}
    stored = load_coverage(model).tokens
    assert "student" in stored
    assert found["words"] == len(stored)
    assert found["tokens"] == sum(map(len, stored.values()))
