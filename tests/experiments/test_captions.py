"""What is said of a model of captions, by a run of a few updates on another text."""

import json

import pytest
from tiny_run import write_recipe

from annotated_transformer import load_recipe, train
from experiments import captions

SETTINGS = ("beam_size=3", 'splits=["valid"]', "length_penalties=[0.4, 1.2]")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("captions")
    recipe = load_recipe(write_recipe(folder), [f"evaluation.{each}" for each in SETTINGS])
    train(recipe, folder / "run", progress=False, device="cpu")
    return folder / "run"


def measured(run, out):
    captions.STUDY.carry_out(
        captions.STUDY.parser().parse_args(["--model", str(run), "--out", str(out)])
    )
    return json.loads(out.read_text("utf-8"))


@pytest.mark.usefixtures("clean")
def test_each_is_translated_as_the_run_says(run, tmp_path, monkeypatch):
    ours = ("a cat sees the dog", "a friend sees the man today")
    monkeypatch.setattr(captions, "CAPTIONS", ours)
    found = measured(run, tmp_path / "captions.json")
    chosen = json.loads((run / "manifest.json").read_text("utf-8"))["finished"]["length_penalty"]
    assert chosen in (0.4, 1.2)
    assert (found["beam_size"], found["length_penalty"]) == (3, chosen)
    assert [entry["source"] for entry in found["curve"]] == list(ours)
    assert all(entry["doubt"] > 0 for entry in found["curve"])


@pytest.mark.usefixtures("clean")
@pytest.mark.parametrize(
    ("caption", "message"),
    [
        ("the cat sees a dog today", "the training split has 'the cat sees a dog today'"),
        ("\U0001f436" * 3, "refuses '\U0001f436\U0001f436\U0001f436': "),
    ],
)
def test_a_sentence_that_says_nothing_of_the_model_is_refused(
    run, tmp_path, monkeypatch, caption, message
):
    monkeypatch.setattr(captions, "CAPTIONS", ("a cat sees the dog", caption))
    out = tmp_path / "captions.json"
    with pytest.raises(ValueError, match=message):
        measured(run, out)
    assert not out.exists()
