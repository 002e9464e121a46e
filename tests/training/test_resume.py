"""A run that was ended at any moment and resumed equals one that was never ended, to the bit."""

import json
import os
import random
import signal
import time
from dataclasses import replace

import interrupted
import pytest
import torch
from forked import CONTEXT, Forked
from patience import PATIENCE
from safetensors.torch import load_file
from tiny_run import write_recipe

from annotated_transformer import translator
from annotated_transformer.cli import main
from annotated_transformer.saving import load_model
from annotated_transformer.storage import atomic
from annotated_transformer.training import loop
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run import beginning, writer
from annotated_transformer.training.run import directory as runs
from annotated_transformer.training.run import finish as finishing


class Killed(BaseException):
    """Stands for SIGKILL inside one process: nothing in the program catches it."""


def curve(directory):
    entries = map(json.loads, (directory / "log.jsonl").read_text().splitlines())
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]


def assert_same_run(ours, theirs):
    assert curve(ours) == curve(theirs)
    for name in ("model", "checkpoints/best"):
        a, b = load_model(ours / name)[0], load_model(theirs / name)[0]
        for mine, other in zip(a.parameters(), b.parameters(), strict=True):
            assert torch.equal(mine, other)
        descriptions = [(run / name / "config.json").read_text() for run in (ours, theirs)]
        assert descriptions[0] == descriptions[1]
    records = [json.loads((run / "record.json").read_text()) for run in (ours, theirs)]
    for key in ("best", "averaged"):
        assert records[0][key] == records[1][key]


@pytest.fixture(scope="module")
def recipe(tmp_path_factory):
    # Two batches per update, 12 updates over several epochs: every part of the position matters.
    path = write_recipe(tmp_path_factory.mktemp("corpus"))
    settings = ("accumulate=2", "tokens_per_batch=500", "average_checkpoints=2", "validate_every=3")
    overrides = [f"training.{setting}" for setting in settings]
    return load_recipe(path, [*overrides, "evaluation.splits=[]"])


@pytest.fixture(scope="module")
def uninterrupted(recipe, tmp_path_factory):
    torch.set_num_threads(1)
    directory = tmp_path_factory.mktemp("runs") / "uninterrupted"
    run = train(recipe, directory, progress=False)
    assert run.curve[-1]["epoch"] >= 2
    return directory


def die_at(monkeypatch, name, number):
    """Let a function of the loop, or of what it calls, die at its n-th call."""
    owner, _, name = name.rpartition(".")
    modules = {"writer": writer, "finish": finishing, "run": runs.RunDirectory, "": loop}
    modules |= {"begin": beginning, "translator": translator}
    module = modules[owner]
    calls, function = [], getattr(module, name)

    def dies(*arguments, **options):
        calls.append(1)
        if len(calls) == number:
            raise Killed
        return function(*arguments, **options)

    monkeypatch.setattr(module, name, dies)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        *[("begin.open_corpus", 1), ("begin.make_tokenizer", 1), ("begin.encode_corpus", 1)],
        ("restore_last", 1),
        *[("train_step", number) for number in (1, 2, 3, 4, 5, 6, 9, 11, 12)],
        *[("validate", number) for number in (1, 3)],
        *[("run.append_log", number) for number in (1, 5, 12)],
        *[("writer.save_model", number) for number in (1, 2, 3)],
        *[("writer.save_checkpoint", number) for number in (1, 2, 3)],
        *[("writer.remove_old", number) for number in (1, 3)],
        *[("finish.average_checkpoints", 1), ("finish.save_model", 1)],
        *[("translator.Translator", 1), ("finish.write_record", 1)],
    ],
)
def test_death_at_any_moment_changes_nothing(
    recipe, uninterrupted, tmp_path, monkeypatch, name, number
):
    """Thirty moments: before the first update, at updates, and wherever something is written."""
    with monkeypatch.context() as patch:
        die_at(patch, name, number)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    torch.manual_seed(99)
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)


SEED = 34
"""Of the moments below; another gives others, and must do as well."""
ACCESSES = 450
"""A whole run opens, renames or removes files of its folder less often, so some runs end."""


def test_thirty_kills_at_random_moments_change_nothing(recipe, uninterrupted, tmp_path):
    """Real ones, before any access to a file; a run that goes on may be killed again."""
    moments, kills, runs = random.Random(SEED), [], 0
    while len(kills) < 30:
        run, begun, ended = tmp_path / f"run {runs}", len(kills), -signal.SIGKILL
        while ended == -signal.SIGKILL:
            kills.append(moments.randrange(1, ACCESSES))
            recipe_file = str(uninterrupted / "recipe.toml")
            arguments = ("train", recipe_file, "--out", str(run), *["--resume"] * run.exists())
            process = Forked(interrupted.killed_at, kills[-1], str(run), *arguments)
            ended, errors = process.end()
        kills.pop()  # the run ended before
        assert ended == 0, (kills[begun:], errors)
        assert_same_run(run, uninterrupted)
        runs += 1


@pytest.mark.parametrize("part", ["manifest.json", "recipe.toml", "tokenizer.model"])
@pytest.mark.parametrize("moment", ["half written", "written"])
def test_death_while_a_run_is_begun_changes_nothing(
    recipe, uninterrupted, tmp_path, monkeypatch, part, moment
):
    def dies(path, content):
        if path.name == part and moment == "half written":
            (path.parent / f".{path.name}.abc.partial").write_bytes(content[:9])
            raise Killed
        write_bytes(path, content)
        if path.name == part:
            raise Killed

    write_bytes = atomic.write_bytes
    with monkeypatch.context() as patch:
        for module in (atomic, runs):
            patch.setattr(module, "write_bytes", dies)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)
    assert not list((tmp_path / "run").rglob("*.partial"))


def test_a_kill_while_the_model_is_replaced_is_no_obstacle(
    recipe, uninterrupted, tmp_path, monkeypatch
):
    with monkeypatch.context() as patch:
        die_at(patch, "translator.Translator", 1)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    (tmp_path / "run" / "model").rename(tmp_path / "run" / ".model.old")
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)
    assert not list((tmp_path / "run").glob(".*"))


def test_the_log_is_cut_back_to_the_checkpoint(recipe, uninterrupted, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 8)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    log = tmp_path / "run" / "log.jsonl"
    assert [entry["step"] for entry in curve(log.parent)] == [1, 2, 3, 4, 5, 6, 7]
    with log.open("a") as file:
        file.write('{"step": 8, "lo')  # the line that the kill interrupted
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 1)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", resume=True, progress=False)
    assert [entry["step"] for entry in curve(log.parent)] == [1, 2, 3, 4]
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)


def test_leftovers_of_a_killed_writer_are_no_obstacle(recipe, uninterrupted, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 6)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    half = tmp_path / "run" / "checkpoints" / ".step_000008.abc.partial"
    half.mkdir()
    (half / "model.safetensors").write_bytes(b"half")
    (tmp_path / "run" / ".record.json.abc.partial").touch()
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)
    assert not list((tmp_path / "run").rglob("*.partial"))


@pytest.mark.parametrize("moment", [3, 10])  # the second lies among the last that are averaged
def test_signal_then_resume_changes_nothing(recipe, uninterrupted, tmp_path, monkeypatch, moment):
    step = loop.train_step

    def signalled(model, batches, optimizer, n, *arguments, **options):
        if n == moment:
            os.kill(os.getpid(), signal.SIGTERM)
        return step(model, batches, optimizer, n, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "train_step", signalled)
        with pytest.raises(KeyboardInterrupt):
            train(recipe, tmp_path / "run", progress=False)
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)


@pytest.mark.parametrize("line", ['{"loss": 1.0}', '{"step": "x"}', '{"step": true}', "3", "{"])
def test_a_damaged_log_is_named_with_its_line(recipe, tmp_path, monkeypatch, line):
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 6)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    with (tmp_path / "run" / "log.jsonl").open("a") as log:
        log.write(line + "\n")
    with pytest.raises(ValueError, match=r"log\.jsonl, line 6 is corrupt"):
        train(recipe, tmp_path / "run", resume=True, progress=False)


@pytest.mark.parametrize("name", ["model.safetensors", "state.json", "SHA256SUMS"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "removed"])
def test_a_corrupt_last_checkpoint_falls_back_to_the_one_before_and_says_so(
    recipe, uninterrupted, tmp_path, monkeypatch, capsys, name, damage
):
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 11)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    file = tmp_path / "run" / "checkpoints" / "step_000008" / name
    content = file.read_bytes()
    if damage == "removed":
        file.unlink()
    elif damage == "cut":
        file.write_bytes(content[:-5])
    else:
        file.write_bytes(content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 1)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", resume=True, progress=False)
    said = capsys.readouterr().err
    assert "step_000008" in said
    assert "continuing from step_000004, this one is now corrupt_step_000008" in said
    assert [entry["step"] for entry in curve(tmp_path / "run")] == [1, 2, 3, 4]
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)


def flip(file):
    content = file.read_bytes()
    file.write_bytes(content[:-5] + bytes([content[-5] ^ 1]) + content[-4:])


def test_a_damaged_checkpoint_is_left_out_of_the_mean_and_that_is_said(
    recipe, tmp_path, monkeypatch, capsys
):
    training = replace(recipe.training, keep_checkpoints=3, average_checkpoints=3)
    recipe, out = replace(recipe, training=training), tmp_path / "run"
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 10)
        with pytest.raises(Killed):
            train(recipe, out, progress=False)
    flip(out / "checkpoints" / "step_000004" / "model.safetensors")  # not the last one
    run = train(recipe, out, resume=True, progress=False)
    said = capsys.readouterr().err
    assert "step_000004" in said
    assert "it is now corrupt_step_000004, and 2 are averaged" in said
    assert run.record["averaged"]["steps"] == [8, 12]
    saved = load_model(out / "model")[0].state_dict()
    files = [load_file(out / f"checkpoints/step_{n:06d}/model.safetensors") for n in (8, 12)]
    for name, weights in files[0].items():
        mean = (weights.double() + files[1][name]) / 2
        torch.testing.assert_close(saved[name].double(), mean, rtol=1e-6, atol=0)


def test_no_intact_checkpoint_to_average_is_an_error(recipe, tmp_path, monkeypatch):
    out, finish = tmp_path / "run", loop.finish

    def damaged(*arguments, **options):
        for file in out.glob("checkpoints/step_*/model.safetensors"):
            flip(file)
        return finish(*arguments, **options)

    monkeypatch.setattr(loop, "finish", damaged)
    with pytest.raises(ValueError, match=r"no checkpoint is intact: .*step_000008.*step_000012"):
        train(recipe, out, progress=False)
    assert not (out / "record.json").exists()
    assert (out / "checkpoints" / "step_000008").is_dir()


@pytest.mark.parametrize("number", [1, 2])
def test_a_kill_while_the_best_model_is_replaced_leaves_one(
    recipe, uninterrupted, tmp_path, monkeypatch, number
):
    # Step 9 replaces the model of step 6: killed before or after the new one got its name.
    rename, calls = atomic._rename, []

    def dies(partial, path):
        if path.name == "best":
            calls.append(1)
            if len(calls) == 3:
                path.rename(path.with_name(".best.old"))
                if number == 2:
                    partial.rename(path)
                raise Killed
        rename(partial, path)

    with monkeypatch.context() as patch:
        patch.setattr(atomic, "_rename", dies)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 1)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", resume=True, progress=False)
    best = tmp_path / "run" / "checkpoints" / "best"
    assert best.is_dir()
    load_model(best)
    train(recipe, tmp_path / "run", resume=True, progress=False)
    assert_same_run(tmp_path / "run", uninterrupted)


# Directories that are taken.


def test_a_run_in_progress_keeps_others_out_and_its_death_lets_them_in(recipe, tmp_path):
    out = tmp_path / "run"
    with runs.RunDirectory(out) as run:
        run.lock()
        for resume in (False, True):
            with pytest.raises(FileExistsError, match=r"run is in use: another process is train"):
                train(recipe, out, resume=resume, progress=False)
    assert [path.name for path in out.iterdir()] == ["lock"]
    locked = CONTEXT.Event()
    holder = Forked(interrupted.holding, out, locked)
    assert locked.wait(PATIENCE)
    with pytest.raises(FileExistsError, match="in use"):
        train(recipe, out, progress=False)
    holder.send_signal(signal.SIGKILL)
    assert holder.end()[0] == -signal.SIGKILL
    train(recipe, out, progress=False)


def test_another_process_that_came_first_is_noticed_under_the_lock(recipe, tmp_path, monkeypatch):
    opened = beginning.open_corpus

    def overtaken(*arguments):
        monkeypatch.setattr(beginning, "open_corpus", opened)
        train(recipe, tmp_path / "run", progress=False)
        return opened(*arguments)

    monkeypatch.setattr(beginning, "open_corpus", overtaken)
    with pytest.raises(FileExistsError, match="finished run of this recipe"):
        train(recipe, tmp_path / "run", progress=False)


def test_the_commit_of_a_record_is_that_of_the_first_sitting(recipe, tmp_path, monkeypatch):
    for sitting, version in enumerate(("a" * 40, "a" * 40, "b" * 40), start=1):
        run = runs.RunDirectory(tmp_path / "run", commit=version)
        monkeypatch.setattr(loop, "RunDirectory", lambda _, run=run: run)
        with monkeypatch.context() as patch:
            if sitting < 3:
                die_at(patch, "train_step", 6)
                with pytest.raises(Killed):
                    train(recipe, run.path, resume=True, progress=False)
            else:
                record = train(recipe, run.path, resume=True, progress=False).record
    assert record["commit"] == "a" * 40
    assert record["continued_on"] == ["b" * 40]


def test_unfinished_run_wants_resume(recipe, tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 2)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    with pytest.raises(FileExistsError, match="unfinished run of this recipe; add --resume"):
        train(recipe, tmp_path / "run", progress=False)


def test_finished_run_is_not_touched(recipe, uninterrupted):
    before = (uninterrupted / "record.json").read_bytes()
    for resume in (False, True):
        with pytest.raises(FileExistsError, match="finished run of this recipe"):
            train(recipe, uninterrupted, resume=resume, progress=False)
    assert (uninterrupted / "record.json").read_bytes() == before


@pytest.mark.parametrize("resume", [False, True])
def test_run_of_another_recipe_is_not_touched(recipe, uninterrupted, tmp_path, resume):
    other = load_recipe(uninterrupted / "recipe.toml", ["training.warmup_steps=7"])
    with pytest.raises(FileExistsError, match=r"another recipe: training\.warmup_steps is 6 there"):
        train(other, uninterrupted, resume=resume, progress=False)


def test_directory_with_other_files_is_not_touched(recipe, tmp_path):
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(FileExistsError, match=r"no run but other files, such as thesis\.txt"):
        train(recipe, tmp_path, progress=False)
    with pytest.raises(FileExistsError, match="is a file"):
        train(recipe, tmp_path / "thesis.txt", progress=False)


def test_half_written_files_of_another_program_are_not_touched(recipe, tmp_path):
    (tmp_path / ".thesis.partial").touch()
    with pytest.raises(FileExistsError, match=r"no run but other files, such as \.thesis\.partial"):
        train(recipe, tmp_path, progress=False)
    assert [path.name for path in tmp_path.iterdir()] == [".thesis.partial"]


# Input that is refused.

BAD_INPUT = {
    "files of different lengths": (["train.en", lambda text: text[:-1] + "\n!\n"], [], "81 lines"),
    "an empty line": (["valid.ko", lambda text: "\n" + text], [], "line 1: the line is empty"),
    "a line that is too long": (["test.en", lambda text: "the " * 64 + text], [], "at most 64"),
    "a vocabulary too large": ([], ["tokenizer.vocab_size=99999"], "99999 is too large"),
    "a vocabulary too small": ([], ["tokenizer.vocab_size=261"], "261 is too small"),
    "batches too small": ([], ["training.tokens_per_batch=5"], "train, line 1: .*at most 5"),
}


@pytest.mark.parametrize("fault", BAD_INPUT)
@pytest.mark.parametrize("there", [False, True])
def test_refused_input_leaves_the_output_as_it_was(tmp_path, fault, there):
    path, out = write_recipe(tmp_path), tmp_path / "deep" / "run"
    change, overrides, message = BAD_INPUT[fault]
    if there:
        out.mkdir(parents=True)
    if change:
        file, damage = tmp_path / change[0], change[1]
        file.write_text(damage(file.read_text("utf-8")), "utf-8")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match=message):
        train(load_recipe(path, overrides), out, progress=False)
    assert sorted(tmp_path.rglob("*")) == before
    write_recipe(tmp_path)
    train(load_recipe(path, ["training.steps=1", "evaluation.splits=[]"]), out, progress=False)


def test_changed_training_data_is_noticed(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path))
    with monkeypatch.context() as patch:
        die_at(patch, "train_step", 6)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    source = tmp_path / "train.en"
    source.write_text(source.read_text().replace("cat", "dog"))
    with pytest.raises(ValueError, match="text of the split train is another one: sha256"):
        train(recipe, tmp_path / "run", resume=True, progress=False)


# The real thing: processes and SIGKILL.

SETTINGS = {
    "model.d_model": 32,
    "model.d_ff": 32,
    "training.steps": 40,
    "training.warmup_steps": 10,
    "training.tokens_per_batch": 512,
    "training.average_checkpoints": 2,
    "training.validate_every": 20,
    "training.checkpoint_every": 7,
    "evaluation.splits": "[]",
}


def command(recipe, out, *more):
    settings = [f"--set={key}={value}" for key, value in SETTINGS.items()]
    return ["train", str(recipe), *settings, f"--out={out}", *more]


def kill_between(log, n_lines, step, arguments):
    """Start a run and kill it, with SIGKILL, between that line of its log and that update."""
    process = Forked(interrupted.waiting, step, *arguments)
    deadline = time.monotonic() + PATIENCE
    while not log.exists() or log.read_bytes().count(b"\n") < n_lines:
        assert process.poll() is None, process.errors()
        assert time.monotonic() < deadline
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    assert process.end()[0] == -signal.SIGKILL


def test_kill_9_and_resume_gives_the_same_losses(tmp_path):
    recipe, whole, killed = write_recipe(tmp_path), tmp_path / "whole", tmp_path / "killed"
    uninterrupted = Forked(main, command(recipe, whole))
    resume = command(recipe, killed, "--resume")
    kill_between(killed / "log.jsonl", 9, 20, command(recipe, killed))
    assert 9 <= len(curve(killed)) < 20
    kill_between(killed / "log.jsonl", 23, 36, resume)
    assert 23 <= len(curve(killed)) < 36
    for process in (Forked(main, resume), uninterrupted):
        status, errors = process.end()
        assert status == 0, errors
    assert len(curve(whole)) == 40
    assert_same_run(killed, whole)
