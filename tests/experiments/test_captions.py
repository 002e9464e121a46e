"""What is said of a model of captions, by a run of a few updates on nearly the same ones."""

import json

import pytest

from annotated_transformer import load_recipe, train
from experiments import captions

RECIPE = """
name = "few"
[corpus]
kind = "files"
[corpus.splits]
train = ["train.en", "train.de"]
valid = ["train.en", "train.de"]
[tokenizer]
vocab_size = 300
[model]
preset = "tiny"
n_layers = 1
d_model = 16
d_ff = 32
n_heads = 2
[training]
steps = 4
tokens_per_batch = 64
warmup_steps = 2
[evaluation]
splits = ["valid"]
beam_size = 3
length_penalties = [0.4, 1.2]
"""
TEXT = [caption.replace(" .", " today .") for caption in captions.CAPTIONS]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("captions")
    for language in ("en", "de"):
        (folder / f"train.{language}").write_text("\n".join(TEXT) + "\n", "utf-8")
    (folder / "few.toml").write_text(RECIPE, "utf-8")
    train(load_recipe(folder / "few.toml"), folder / "run", progress=False, device="cpu")
    return folder / "run"


@pytest.mark.usefixtures("clean")
def test_each_is_translated_as_the_run_says(run, tmp_path):
    out = tmp_path / "captions.json"
    captions.STUDY.main(["--model", str(run), "--out", str(out)])
    found = json.loads(out.read_text("utf-8"))
    chosen = json.loads((run / "manifest.json").read_text("utf-8"))["finished"]["length_penalty"]
    assert chosen in (0.4, 1.2)
    assert (found["beam_size"], found["length_penalty"]) == (3, chosen)
    assert [entry["source"] for entry in found["curve"]] == list(captions.CAPTIONS)
    assert all(entry["doubt"] > 0 for entry in found["curve"])


@pytest.mark.usefixtures("clean")
def test_a_sentence_of_the_training_split_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr(captions, "CAPTIONS", ("a bird sings .", TEXT[2]))
    out = tmp_path / "captions.json"
    given = captions.STUDY.parser().parse_args(["--model", str(run), "--out", str(out)])
    with pytest.raises(ValueError, match=TEXT[2]):
        captions.STUDY.carry_out(given)
    assert not out.exists()
