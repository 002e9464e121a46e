"""What identifies a run: it may be moved and extended, and is never quietly made another."""

import errno
import json
import shutil
import subprocess
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import get_type_hints

import pytest
import torch
from tiny_run import write_recipe

from annotated_transformer.cli import main
from annotated_transformer.lab.provenance import objection
from annotated_transformer.saving import load_model
from annotated_transformer.storage import atomic
from annotated_transformer.training import loop
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import Recipe, load_recipe
from annotated_transformer.training.recipe.schema import dump
from annotated_transformer.training.run import beginning
from annotated_transformer.training.run.checkpoints import checkpoints
from annotated_transformer.training.run.identity import (
    ADVICE,
    RULES,
    Sitting,
    another_recipe,
    other_conditions,
    rule_of,
)
from annotated_transformer.training.run.manifest import read_manifest
from annotated_transformer.training.run.trained import run_of


class Killed(BaseException):
    """Stands for SIGKILL inside one process: nothing in the program catches it."""


SETTINGS = ["training.steps=8", "training.checkpoint_every=4", "evaluation.splits=[]"]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A folder with a corpus, its recipe, a finished run, and one that was killed at update 6."""
    folder = tmp_path_factory.mktemp("a project") / "말뭉치 old"
    folder.mkdir()
    path = write_recipe(folder)
    train(load_recipe(path, SETTINGS), folder / "run", progress=False)
    with pytest.MonkeyPatch.context() as patch:
        dying_at(patch, 6)
        with pytest.raises(Killed):
            train(load_recipe(path, SETTINGS), folder / "cut", progress=False)
    return folder


@pytest.fixture
def copied(project, tmp_path):
    """A copy of that folder, elsewhere: to a run it looks like a move."""
    return shutil.copytree(project, tmp_path / "new place" / "새 곳")


def dying_at(patch, step):
    update = loop.train_step

    def dies(model, batches, optimizer, number, *arguments, **options):
        if number == step:
            raise Killed
        return update(model, batches, optimizer, number, *arguments, **options)

    patch.setattr(loop, "train_step", dies)


def resumed(folder, *settings, recipe="tiny_run.toml", run="cut", **options):
    recipe = load_recipe(folder / recipe, [*SETTINGS, *settings])
    return train(recipe, folder / run, resume=True, progress=False, **options)


def weights(run):
    return list(load_model(run)[0].parameters())


def assert_equal(ours, theirs):
    for mine, other in zip(weights(ours), weights(theirs), strict=True):
        assert torch.equal(mine, other)


def resealed(run, **changes):
    replace(read_manifest(run / "manifest.json"), **changes).write(run / "manifest.json")


# Every field of a recipe has its rule.


def test_every_field_of_a_recipe_has_a_rule():
    names = set()
    for name, kind in get_type_hints(Recipe).items():
        parts = [f"{name}.{item.name}" for item in fields(kind)] if is_dataclass(kind) else [name]
        names.update(parts)
    assert names == set(RULES)


VALUES = {
    "name": ("a", "b"),
    "description": ("a", "b"),
    "corpus.kind": ("files", "tsv"),
    "corpus.splits": ({}, {"train": ["x"]}),
    "corpus.languages": ([], ["en", "de"]),
    "corpus.variant": ("raw", "tok"),
    "corpus.lexicon": ("small", "large"),
    "corpus.reverse": (False, True),
    "tokenizer.kind": ("bpe", "word"),
    "model.preset": ("base", "big"),
    "model.overrides": (1, 2),
    "training.precision": ("auto", "float32"),
    "evaluation.splits": ([], ["test"]),
    "evaluation.length_penalties": ([], [0.6]),
    "evaluation.tokenize": ("13a", "char"),
}


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize("averaged", [0, 2])
def test_a_setting_makes_another_run_or_it_does_not(project, key, averaged):
    recipe = load_recipe(project / "tiny_run.toml", [f"training.average_checkpoints={averaged}"])
    old, new = recipe.to_dict(), recipe.to_dict()
    there, here = VALUES.get(key, (3, 4))
    section, _, name = key.rpartition(".")
    if key == "model.overrides":
        name = "d_ff"
    for content, value in ((old, there), (new, here)):
        (content[section] if section else content)[name] = value
    changed = another_recipe(old, new)
    shown = f"{section}.{name}".lstrip(".")
    averaging = averaged or key == "training.average_checkpoints"
    if RULES[key] == "identity" or (RULES[key] == "averaged" and averaging):
        assert changed == f"{shown} is {there!r} there and {here!r} here"
    else:
        assert changed is None
    assert rule_of(shown) == RULES[key]


# Moved, renamed, copied.


def test_a_moved_run_goes_on_as_if_it_had_stayed(project, copied):
    shutil.move(copied / "cut", copied / "renamed")
    resumed(copied, run="renamed")
    assert_equal(copied / "renamed", project / "run")


def test_a_recipe_with_the_line_ends_of_windows_is_the_same(project, copied):
    path = copied / "tiny_run.toml"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    resumed(copied)
    assert_equal(copied / "cut", project / "run")


def test_the_recipe_inside_the_run_will_do(project, copied):
    resumed(copied, recipe="cut/recipe.toml")
    assert_equal(copied / "cut", project / "run")


def texts(run, split="test"):
    return [pair.source for pair in run_of(run).read_split(split)]


def test_a_run_finds_its_corpus_wherever_both_were_moved(project, copied, tmp_path, monkeypatch):
    expected = (project / "test.en").read_text("utf-8").splitlines()
    hidden = project.with_name("hidden")
    project.rename(hidden)  # nothing is where it was
    try:
        assert texts(copied / "run") == expected
        monkeypatch.chdir(copied)
        assert texts(Path("run")) == expected
        monkeypatch.chdir(copied / "run")
        assert texts(Path()) == expected
        (tmp_path / "link").symlink_to(copied / "run")
        assert texts(tmp_path / "link") == expected
        assert texts(tmp_path / "link" / "model") == expected
    finally:
        hidden.rename(project)


def test_a_run_moved_alone_finds_what_stayed_or_says_where_it_looked(
    project, copied, tmp_path, capsys
):
    alone = shutil.move(copied / "run", tmp_path / "alone")
    assert texts(alone) == (project / "test.en").read_text("utf-8").splitlines()
    hidden = project.with_name("hidden")
    project.rename(hidden)
    try:
        assert main(["evaluate", str(alone), "--split", "test"]) == 1
        message = capsys.readouterr().err
        assert f"the split test is not at {tmp_path / 'test.en'} and not at {project}" in message
        assert "--recipe" in message
        recipe = str(copied / "tiny_run.toml")
        assert main(["evaluate", str(alone), "--split", "test", "--recipe", recipe]) == 0
        files = [f"--source={copied / 'test.en'}", f"--target={copied / 'test.ko'}"]
        assert main(["evaluate", str(alone), *files]) == 0
        edit(copied / "tiny_run.toml", "seed = 3", "seed = 4")
        with pytest.raises(ValueError, match=r"is not the recipe of .*seed is 3 there and 4 here"):
            run_of(alone, recipe)
    finally:
        hidden.rename(project)


def test_a_manifest_names_no_folder_in_what_identifies_the_run(project):
    found = read_manifest(project / "run" / "manifest.json")
    identity = json.dumps([found.recipe, found.corpus, found.start])
    assert str(project.parent) not in identity
    assert found.recipe["corpus"]["splits"]["test"] == ["../test.en", "../test.ko"]
    assert set(found.corpus) == {"train", "valid"}  # nothing is scored


# What makes another run of it is refused, with both values.


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


CHANGES = {
    "another training text": (
        lambda f: edit(f / "train.en", "cat", "cow"),
        "the text of the split train is another one: sha256 [0-9a-f]{12} there and [0-9a-f]{12} h",
    ),
    "another validation text": (
        lambda f: edit(f / "valid.ko", "본다", "보다"),
        "the text of the split valid is another one: sha256",
    ),
    "other checksums": (
        lambda f: edit(f / "cut" / "manifest.json", '"seed": 3', '"seed": 4'),
        "manifest.json was changed after the run wrote it",
    ),
    "another recipe beside the manifest": (
        lambda f: edit(f / "cut" / "recipe.toml", "warmup_steps = 6", "warmup_steps = 7"),
        r"recipe.toml was changed: training.warmup_steps is 7, and 6 in manifest.json",
    ),
    "a recipe that is none": (
        lambda f: (f / "cut" / "recipe.toml").write_text("name = "),
        "recipe.toml is damaged",
    ),
    "another tokenizer": (
        lambda f: shutil.copy(other_tokenizer(f), f / "cut" / "tokenizer.model"),
        r"the run was begun with the tokenizer [0-9a-f]{12}, .*tokenizer\.model is [0-9a-f]{12}",
    ),
    "another log": (
        lambda f: edit(f / "cut" / "log.jsonl", '"step": 2', '"step": 3'),
        "log.jsonl is not what the run wrote up to update 4",
    ),
    "no log": (
        lambda f: (f / "cut" / "log.jsonl").unlink(),
        "log.jsonl is not what the run wrote up to update 4",
    ),
}


def other_tokenizer(folder):
    recipe = load_recipe(folder / "tiny_run.toml", ["tokenizer.vocab_size=301"])
    corpus = beginning.open_corpus(recipe)
    path = folder / "other.model"
    path.write_bytes(beginning.make_tokenizer(corpus, recipe, path).to_bytes())
    return path


def everything_in(folder):
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("name", CHANGES)
def test_a_run_that_would_become_another_is_refused(copied, name):
    change, message = CHANGES[name]
    change(copied)
    before = everything_in(copied / "cut")
    with pytest.raises(ValueError, match=message):
        resumed(copied)
    if "log" not in name:  # seen when the checkpoint has been loaded
        assert everything_in(copied / "cut") == before


def test_another_text_of_a_scored_split_is_refused_at_both_ends(copied):
    settings = ["training.steps=1", 'evaluation.splits=["test"]']
    run = copied / "scored"
    recipe = load_recipe(copied / "tiny_run.toml", settings)
    train(recipe, run, progress=False)
    edit(copied / "test.ko", "본다", "보다")
    with pytest.raises(ValueError, match=r"split test is another one: sha256 .* in manifest\.json"):
        texts(run)
    longer = load_recipe(copied / "tiny_run.toml", [*settings, "training.steps=2"])
    with pytest.raises(ValueError, match="text of the split test is another one"):
        train(longer, run, resume=True, progress=False)


def test_a_run_killed_before_its_tokenizer_was_learned_keeps_no_old_one(copied, monkeypatch):
    out, path = copied / "early", copied / "tiny_run.toml"
    with monkeypatch.context() as patch:
        patch.setattr(beginning, "encode_corpus", lambda *_: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            train(load_recipe(path, SETTINGS), out, progress=False)
    assert (out / "tokenizer.model").exists()
    edit(copied / "train.en", "cat", "cow")
    with pytest.raises(ValueError, match="text of the split train is another one"):
        resumed(copied, run="early")


def test_edited_state_with_new_checksums_is_not_trained_on(project, copied, capsys):
    [checkpoint] = checkpoints(copied / "cut" / "checkpoints")
    edit(checkpoint / "state.json", '"epoch": ', '"epoch": 1')
    names = ("model.safetensors", "optimizer.safetensors", "random.safetensors", "state.json")
    sums = subprocess.run(["sha256sum", *names], cwd=checkpoint, check=True, capture_output=True)
    (checkpoint / "SHA256SUMS").write_bytes(sums.stdout)
    with pytest.raises(ValueError, match="not what this run wrote"):
        resumed(copied)


def test_a_checkpoint_of_another_run_is_set_aside(project, copied, capsys):
    other = copied / "other"
    train(load_recipe(copied / "tiny_run.toml", [*SETTINGS, "seed=9"]), other, progress=False)
    shutil.copytree(other / "checkpoints/step_000008", copied / "cut/checkpoints/step_000008")
    resumed(copied)
    assert "step_000008 is not what this run wrote" in capsys.readouterr().err
    assert (copied / "cut/checkpoints/corrupt_step_000008").is_dir()
    assert_equal(copied / "cut", project / "run")


# Other conditions.


@pytest.mark.parametrize("name", ADVICE)
def test_each_condition_is_named_with_both_values(copied, name):
    sitting = read_manifest(copied / "cut" / "manifest.json").sittings[-1]
    on_gpu = name == "gpu"
    here = replace(sitting, device="cuda", gpu="G 1") if on_gpu else sitting
    value = 7 if isinstance(getattr(sitting, name), int) else "another"
    there = replace(here, **{name: value})
    found = other_conditions(there, here)
    assert f"{name} {value} there and {getattr(here, name)} here" in found
    assert "--as-new-sitting" in found


def test_other_threads_are_refused_or_recorded(copied):
    path = copied / "cut" / "manifest.json"
    old = read_manifest(path).sittings[-1]
    resealed(copied / "cut", sittings=(replace(old, threads=5),))
    with pytest.raises(ValueError, match="threads 5 there and 1 here give other numbers; set OMP"):
        resumed(copied)
    record = resumed(copied, new_sitting=True).record
    sittings = [(s["from_step"], s["threads"]) for s in record["sittings"]]
    assert sittings == [(0, 5), (4, 1)]
    assert record["machine"]["threads"] == 5
    assert {item.name for item in fields(Sitting)} == set(record["sittings"][0])
    clean = {**record, "commit": "0" * 40, "continued_on": []}
    assert "its sittings differ in threads (5, 1)" in objection("x", clean)


def test_a_new_sitting_is_for_a_run_that_is_resumed(copied):
    with pytest.raises(ValueError, match="--as-new-sitting"):
        train(load_recipe(copied / "tiny_run.toml"), copied / "x", new_sitting=True, progress=False)
    assert not (copied / "x").exists()


# What may change, and a run that goes on after its end.


def test_what_changes_no_weight_may_change(project, copied):
    free = ["training.log_every=3", "training.keep_checkpoints=3", 'description="better"']
    run = resumed(copied, *free, 'evaluation.splits=["test"]', "evaluation.beam_size=2")
    assert_equal(copied / "cut", project / "run")
    assert run.record["settings"]["training"]["log_every"] == 3
    assert run.record["settings"]["description"] == "better"
    assert {score["split"] for score in run.record["scores"]} == {"test"}
    assert set(run.record["corpus"]) == {"train", "valid", "test"}


def test_a_finished_run_goes_on_to_the_bit(project, copied, capsys):
    longer = ["training.steps=15", "training.average_checkpoints=2"]
    path = copied / "tiny_run.toml"
    short = [*SETTINGS, "training.average_checkpoints=2", "training.steps=6"]
    train(load_recipe(path, short), copied / "two", progress=False)
    resumed(copied, *longer, run="two")
    said = capsys.readouterr().err
    assert "update 6 was validated because it was the last one" in said
    whole = train(load_recipe(path, [*SETTINGS, *longer]), copied / "whole", progress=False)
    assert_equal(copied / "two", copied / "whole")
    record = json.loads((copied / "two" / "record.json").read_text())
    assert record["averaged"] == whole.record["averaged"]
    assert record["settings"] == whole.record["settings"]
    losses = [[e["loss"] for e in r["curve"]] for r in (record, whole.record)]
    assert losses[0] == losses[1]
    assert [sitting["from_step"] for sitting in record["sittings"]] == [0, 6]


def test_a_run_cannot_be_shorter_than_it_is(copied):
    with pytest.raises(ValueError, match=r"steps is 3, but the run in .* has made 4 updates"):
        resumed(copied, "training.steps=3")


def test_a_finished_run_without_checkpoints_cannot_go_on(copied):
    shutil.rmtree(copied / "run" / "checkpoints")
    with pytest.raises(ValueError, match=r"finished run without its checkpoints.*\(--from\)"):
        resumed(copied, "training.steps=9", run="run")


def test_a_full_disk_at_the_beginning_leaves_nothing(copied, monkeypatch, capsys):
    def full(path):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(atomic, "_flush", full)
    recipe, out = str(copied / "tiny_run.toml"), copied / "deep" / "new"
    assert main(["train", recipe, "--out", str(out), "--steps", "1"]) == 1
    [line] = capsys.readouterr().err.splitlines()
    assert line.endswith(f"{out / 'manifest.json'}: No space left on device")
    assert not out.parent.exists()


def test_an_older_run_is_translated_with_and_not_continued(copied):
    (copied / "cut" / "manifest.json").unlink()
    (copied / "run" / "manifest.json").unlink()
    with pytest.raises(FileExistsError, match=r"older version, without manifest\.json: it can be"):
        resumed(copied)
    assert texts(copied / "run") == (copied / "test.en").read_text("utf-8").splitlines()


# A run that starts from a trained model.


def test_a_run_starts_from_a_trained_model(project, copied):
    model = project / "run"
    run = train(
        load_recipe(copied / "tiny_run.toml", [*SETTINGS, "training.learning_rate_scale=0"]),
        copied / "tuned",
        start=model,
        progress=False,
    )
    assert_equal(copied / "tuned", model)  # with no rate, nothing is learned
    assert run.tokenizer.fingerprint == load_model(model)[1].fingerprint
    assert run.record["start"]["model"] == "run"
    assert read_manifest(copied / "tuned" / "manifest.json").start == run.record["start"]
    recipe = load_recipe(copied / "tiny_run.toml", [*SETTINGS, "training.learning_rate_scale=0"])
    recipe = replace(recipe, training=replace(recipe.training, steps=9))
    with pytest.raises(
        ValueError,
        match="there and from weights that were drawn here",
    ):
        train(recipe, copied / "tuned", resume=True, progress=False)


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("model.d_ff=16", "model.d_ff is 32 in .*run and 16 in the recipe"),
        ("model.norm=pre", "model.norm is 'post' in .*run and 'pre' in the recipe"),
        ("tokenizer.vocab_size=310", "tokenizer.vocab_size is 300 in .*run and 310 in the recipe"),
    ],
)
def test_a_model_of_other_sizes_is_no_start(project, copied, setting, message):
    recipe = load_recipe(copied / "tiny_run.toml", [*SETTINGS, setting])
    with pytest.raises(ValueError, match=message):
        train(recipe, copied / "x", start=project / "run", progress=False)
    assert not (copied / "x").exists()


# Corpora that lack something.


def test_a_recipe_without_test_trains_and_says_that_nothing_is_scored(copied, capsys):
    edit(copied / "tiny_run.toml", 'test = ["test.en", "test.ko"]', "")
    edit(copied / "tiny_run.toml", 'splits = ["test"]', "")
    path, out = str(copied / "tiny_run.toml"), str(copied / "unscored")
    assert main(["train", path, "--out", out, "--steps", "1"]) == 0
    assert capsys.readouterr().out.count("no split is scored") == 2
    assert json.loads((copied / "unscored" / "record.json").read_text())["scores"] == []
    asked = load_recipe(path, ['evaluation.splits=["test"]', "training.steps=1"])
    with pytest.raises(ValueError, match="no split 'test'; there are train, valid"):
        train(asked, copied / "x", progress=False)
    test = f'corpus.splits.test=["{copied}/test.en", "{copied}/test.ko"]'
    assert load_recipe(path, [test]).evaluation.splits == ("test",)


ABSENT = {
    "missing": lambda path: path.unlink(),
    "empty": lambda path: path.write_bytes(b""),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
}


@pytest.mark.parametrize("split", ["train", "valid", "test"])
@pytest.mark.parametrize("fault", ABSENT)
def test_a_corpus_that_is_not_there_is_said_before_anything_slow(
    copied, monkeypatch, capsys, split, fault
):
    ABSENT[fault](copied / f"{split}.ko")
    monkeypatch.setattr("annotated_transformer.cli.commands.estimate", None)  # would be slow
    path, out = str(copied / "tiny_run.toml"), copied / "new"
    for command in (["train", path, "--out", str(out)], ["describe", path]):
        assert main(command) == 1
        [line] = capsys.readouterr().err.splitlines()
        assert f"{split}.ko" in line
    assert not out.exists()


def test_dump_of_the_manifest_is_the_recipe_of_the_run(project):
    run = project / "run"
    assert (run / "recipe.toml").read_text() == dump(read_manifest(run / "manifest.json").recipe)
