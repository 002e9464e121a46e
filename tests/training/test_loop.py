"""Whole runs on a made-up corpus."""

import json
import math
import os
import signal
from dataclasses import replace

import pytest
import torch
from safetensors.torch import load_file
from tiny_run import write_recipe

from annotated_transformer.lab.run_data import prepare_data
from annotated_transformer.saving import load_model
from annotated_transformer.storage.machine import commit
from annotated_transformer.training import loop
from annotated_transformer.training.batching import token_batches
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run.checkpoints import checkpoints
from annotated_transformer.training.run.signals import TrainingStopped
from annotated_transformer.training.step import uses_bfloat16, validate


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    directory = tmp_path_factory.mktemp("finished")
    recipe = load_recipe(write_recipe(directory))
    torch.set_num_threads(1)
    return recipe, train(recipe, directory / "run", progress=False, command="the command")


def test_run_gives_model_tokenizer_curve_and_record(finished):
    _, run = finished
    assert not run.model.training
    assert run.model.config.vocab_size == run.tokenizer.vocab_size
    assert [entry["step"] for entry in run.curve] == list(range(1, 13))
    validated = [entry["step"] for entry in run.curve if "valid_loss" in entry]
    assert validated == [5, 10, 12]
    assert run.curve[-1]["loss"] < run.curve[0]["loss"]
    assert run.record == json.loads((run.directory / "record.json").read_text())


def test_record_has_what_the_book_reads(finished):
    _, run = finished
    record = run.record
    assert record["recipe"] == "tiny_run"
    assert record["command"] == "the command"
    assert record["seed"] == 3
    assert record["commit"] == commit()
    assert record["machine"]["torch"] == torch.__version__
    assert record["machine"]["threads"] == 1
    bfloat16 = uses_bfloat16("auto", torch.device("cpu"))
    assert record["precision"] == ("bfloat16" if bfloat16 else "float32")
    assert record["machine"]["cores"] >= 1
    assert record["machine"]["processor"]
    assert record["started"].endswith("+00:00")
    assert record["wall_seconds"] > 0
    assert record["curve"] == run.curve
    assert record["parameters"] == sum(p.numel() for p in run.model.parameters())
    assert {(score["split"], score["metric"]) for score in record["scores"]} == {
        ("test", "BLEU"),
        ("test", "chrF"),
        ("test", "exact_match"),
    }
    assert record["settings"]["training"]["steps"] == 12
    assert record["settings"]["corpus"]["splits"]["train"] == ["train.en", "train.ko"]
    assert str(run.directory.parent) not in json.dumps(record)


def test_the_length_penalty_is_chosen_on_the_validation_split_alone(tmp_path, monkeypatch):
    """Scores are made up: on valid 0.8 is best, on test another would be."""
    asked = []

    def evaluate(translator, pairs, *, split, tokenize, progress):
        asked.append((split, len(pairs), translator.alpha))
        bleu = {0.2: 1.0, 0.8: 3.0, 1.4: 3.0}[translator.alpha]
        value = bleu if split == "valid" else 10 + translator.alpha
        return [{"split": split, "metric": metric, "value": value} for metric in ("chrF", "BLEU")]

    monkeypatch.setattr("annotated_transformer.evaluation.evaluate", evaluate)
    penalties = "evaluation.length_penalties=[0.2, 0.8, 1.4]"
    splits = 'evaluation.splits=["valid", "test"]'
    recipe = load_recipe(write_recipe(tmp_path), [penalties, splits, "training.steps=1"])
    record = train(recipe, tmp_path / "run", progress=False).record
    tried = [("valid", 10, 0.2), ("valid", 10, 0.8), ("valid", 10, 1.4)]
    assert asked == [*tried, ("valid", 10, 0.8), ("test", 6, 0.8)]
    assert [(t["length_penalty"], t["value"]) for t in record["length_penalties"]] == [
        *[(0.2, 1.0), (0.8, 3.0), (1.4, 3.0)]
    ]
    assert {s["value"] for s in record["scores"] if s["split"] == "test"} == {10.8}


def test_run_directory_has_its_parts(finished):
    recipe, run = finished
    assert {path.name for path in run.directory.iterdir()} == {
        "manifest.json",
        "recipe.toml",
        "tokenizer.model",
        "checkpoints",
        "log.jsonl",
        "tensorboard",
        "lock",
        "model",
        "record.json",
    }
    assert [path.name for path in checkpoints(run.directory / "checkpoints")] == [
        "step_000008",
        "step_000012",
    ]
    copy = load_recipe(run.directory / "recipe.toml")
    assert str(run.directory.parent) not in (run.directory / "recipe.toml").read_text()
    for split, paths in copy.corpus.splits.items():
        assert tuple(path.resolve() for path in paths) == recipe.corpus.splits[split]
    assert replace(copy, corpus=recipe.corpus) == recipe
    loaded, tokenizer = load_model(run.directory)
    assert tokenizer.fingerprint == run.tokenizer.fingerprint
    for ours, theirs in zip(loaded.parameters(), run.model.parameters(), strict=True):
        assert torch.equal(ours, theirs)


def test_the_best_model_is_the_one_with_the_least_validation_loss(finished):
    recipe, run = finished
    validated = [entry for entry in run.curve if "valid_loss" in entry]
    best = min(validated, key=lambda entry: entry["valid_loss"])
    model, tokenizer = load_model(run.directory / "checkpoints" / "best")
    data = prepare_data(recipe, run.directory / "tokenizer.model")
    plan = token_batches(data.valid, recipe.training.tokens_per_batch)
    assert validate(model, data.valid, plan)["valid_loss"] == best["valid_loss"]
    assert tokenizer.fingerprint == run.tokenizer.fingerprint
    about = {"step": best["step"], "valid_loss": best["valid_loss"]}
    description = json.loads((run.directory / "checkpoints/best/config.json").read_text())
    assert description["training"] == run.record["best"] == about


def test_a_worse_validation_does_not_replace_the_best_model(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path), ["evaluation.splits=[]"])
    losses = iter([3.0, 2.0, 2.5])  # at steps 5, 10 and 12
    monkeypatch.setattr(
        loop, "validate", lambda *_: {"valid_loss": next(losses), "valid_accuracy": 0.5}
    )
    run = train(recipe, tmp_path / "run", progress=False)
    assert run.record["best"] == {"step": 10, "valid_loss": 2.0}
    best, last = (load_model(run.directory / name)[0] for name in ("checkpoints/best", "model"))
    assert not torch.equal(best.output.weight, last.output.weight)


def test_a_resumed_run_knows_the_best_model_of_before(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path), ["evaluation.splits=[]"])
    losses = iter([2.0, KeyboardInterrupt(), 3.0, 2.5])  # at steps 5, 10, then 10 and 12

    def validated(*_):
        loss = next(losses)
        if isinstance(loss, KeyboardInterrupt):
            raise loss
        return {"valid_loss": loss, "valid_accuracy": 0.5}

    monkeypatch.setattr(loop, "validate", validated)
    with pytest.raises(KeyboardInterrupt):
        train(recipe, tmp_path / "run", progress=False)
    best = tmp_path / "run" / "checkpoints" / "best" / "model.safetensors"
    before = best.read_bytes()
    run = train(recipe, tmp_path / "run", resume=True, progress=False)
    assert run.record["best"] == {"step": 5, "valid_loss": 2.0}
    assert best.read_bytes() == before


def test_the_model_is_the_mean_of_the_last_checkpoints_if_the_recipe_says_so(tmp_path):
    settings = ["training.keep_checkpoints=4", "training.average_checkpoints=3"]
    settings += ["training.steps=14", "evaluation.splits=[]"]
    recipe = load_recipe(write_recipe(tmp_path), settings)
    run = train(recipe, tmp_path / "run", progress=False)
    files = [
        load_file(run.directory / f"checkpoints/step_{step:06d}/model.safetensors")
        for step in (8, 12, 14)
    ]
    for name, weight in run.model.named_parameters():
        assert torch.equal(weight, (sum(file[name].double() for file in files) / 3).float())
    assert run.record["averaged"]["steps"] == [8, 12, 14]
    data = prepare_data(recipe, run.directory / "tokenizer.model")
    plan = token_batches(data.valid, recipe.training.tokens_per_batch)
    assert {**run.record["averaged"], "steps": None} == {
        "steps": None,
        **validate(run.model, data.valid, plan),
    }
    description = json.loads((run.directory / "model/config.json").read_text())
    assert description["training"] == {"steps": [8, 12, 14]}


def without_time(curve):
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in curve]


def test_same_recipe_same_numbers_and_another_seed_others(finished, tmp_path):
    recipe, run = finished
    again = train(recipe, tmp_path / "again", progress=False)
    assert without_time(again.curve) == without_time(run.curve)
    assert again.record["scores"] == run.record["scores"]
    path = write_recipe(tmp_path)
    other = train(load_recipe(path, ["seed=4"]), tmp_path / "other", progress=False)
    assert other.curve[0]["loss"] != run.curve[0]["loss"]


def test_a_run_whose_loss_is_not_finite_names_the_step_and_keeps_what_was_saved(
    tmp_path, monkeypatch
):
    recipe = load_recipe(write_recipe(tmp_path))
    step = loop.train_step

    def poisoned(model, batches, optimizer, n, *arguments, **options):
        if n == 7:
            torch.nn.init.constant_(model.source_embedding.weight, math.nan)
        return step(model, batches, optimizer, n, *arguments, **options)

    monkeypatch.setattr(loop, "train_step", poisoned)
    with pytest.raises(FloatingPointError, match="step 7: the loss is nan"):
        train(recipe, tmp_path / "run", progress=False)
    assert [path.name for path in checkpoints(tmp_path / "run" / "checkpoints")] == ["step_000004"]
    assert not (tmp_path / "run" / "model").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_the_update_saves_and_stops(tmp_path, monkeypatch, number):
    recipe = load_recipe(write_recipe(tmp_path))
    step = loop.train_step

    def signalled(model, batches, optimizer, n, *arguments, **options):
        if n == 6:
            os.kill(os.getpid(), number)
        return step(model, batches, optimizer, n, *arguments, **options)

    before = signal.getsignal(number)
    monkeypatch.setattr(loop, "train_step", signalled)
    with pytest.raises(TrainingStopped, match="stopped after step 6") as stopped:
        train(recipe, tmp_path / "run", progress=False)
    assert stopped.value.signal == number
    assert checkpoints(tmp_path / "run" / "checkpoints")[-1].name == "step_000006"
    assert signal.getsignal(number) is before


def test_unreadable_evaluation_split_is_found_before_training(tmp_path):
    recipe = load_recipe(write_recipe(tmp_path), ['evaluation.splits=["dev"]'])
    with pytest.raises(ValueError, match="no split 'dev'"):
        train(recipe, tmp_path / "run", progress=False)
    assert not (tmp_path / "run" / "log.jsonl").exists()


def test_commit_outside_a_checkout_is_unknown(monkeypatch, tmp_path):
    monkeypatch.setattr("annotated_transformer.storage.machine.__file__", str(tmp_path / "x.py"))
    assert commit() == "unknown"
