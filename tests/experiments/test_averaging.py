"""The means of a run's last checkpoints, against means taken with plain arithmetic."""

import sys

import pytest
import torch
from safetensors.torch import load_file
from tiny_run import write_recipe

from annotated_transformer import Transformer, load_recipe, train
from annotated_transformer.lab.run_data import prepare_data
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.step import validate
from experiments import averaging


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("run")
    settings = ["training.keep_checkpoints=3", "evaluation.splits=[]"]
    recipe = load_recipe(write_recipe(directory), settings)
    train(recipe, directory / "run", progress=False, device="cpu")
    checkpoints = sorted((directory / "run/checkpoints").glob("step_*"))
    tokenizer = directory / "run/tokenizer.model"
    curve, scores = averaging.measure(recipe, tokenizer, checkpoints)
    return recipe, tokenizer, checkpoints, curve, scores


def test_every_checkpoint_and_every_mean_is_validated(finished):
    recipe, tokenizer, checkpoints, curve, _ = finished
    assert [entry.get("checkpoint") for entry in curve] == [
        *(checkpoint.name for checkpoint in checkpoints),
        *[None] * 3,
    ]
    assert {entry["seed"] for entry in curve} == {recipe.seed}
    data = prepare_data(recipe, tokenizer)
    model = Transformer(recipe.model.config(data.tokenizer.vocab_size))
    plan = token_batches(data.valid, recipe.training.tokens_per_batch, origin="valid")
    tensors = [load_file(checkpoint / "model.safetensors") for checkpoint in checkpoints]
    for n in (1, 2, 3):
        mean = {
            name: torch.stack([one[name] for one in tensors[-n:]]).double().mean(0).float()
            for name in tensors[0]
        }
        model.load_state_dict(mean, strict=False)
        wanted = validate(model, data.valid, plan)["valid_loss"]
        assert curve[2 + n]["valid_loss"] == pytest.approx(wanted, rel=1e-5)
    assert curve[2]["valid_loss"] == curve[3]["valid_loss"]


def test_the_last_weights_translate_and_so_does_the_mean_of_five_where_there_are_five(finished):
    *_, scores = finished
    assert {score["averaged"] for score in scores} == {1}
    assert {"exact_match", "BLEU"} <= {score["metric"] for score in scores}


def test_a_mean_of_five_needs_five_checkpoints(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["averaging", "--keep", "4"])
    with pytest.raises(SystemExit):
        averaging.STUDY.main()
    assert "--keep 4: the mean of 5 is measured" in capsys.readouterr().err
