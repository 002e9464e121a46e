"""The event files that TensorBoard reads, read back by TensorBoard's own reader."""

import os
import subprocess
import sys
import time

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tiny_run import write_recipe

from annotated_transformer.training import loop
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run import writer as metrics
from annotated_transformer.training.run.writer import tensorboard


def curves(directory):
    """What TensorBoard shows: for every name, the steps and their values."""
    events = EventAccumulator(str(directory))
    events.Reload()
    return {
        name: [(event.step, event.value) for event in events.Scalars(name)]
        for name in events.Tags()["scalars"]
    }


class Killed(BaseException):
    """Stands for SIGKILL."""


def test_tensorboard_shows_the_log_and_no_step_twice(tmp_path, monkeypatch):
    recipe = load_recipe(write_recipe(tmp_path), ["evaluation.splits=[]"])
    step = loop.train_step

    def dies(model, batches, optimizer, n, *arguments, **options):
        if n == 8:
            raise Killed
        return step(model, batches, optimizer, n, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr(loop, "train_step", dies)
        with pytest.raises(Killed):
            train(recipe, tmp_path / "run", progress=False)
    directory = tmp_path / "run" / "tensorboard"
    assert [n for n, _ in curves(directory)["loss"]] == list(range(1, 8))
    time.sleep(1)  # the files are named by the second, and read in the order of their names
    run = train(recipe, tmp_path / "run", resume=True, progress=False)  # from step 4
    assert len(list(directory.iterdir())) == 2
    shown = curves(directory)
    for name in ("loss", "gradient_norm", "learning_rate", "tokens", "valid_loss"):
        expected = [(entry["step"], entry[name]) for entry in run.curve if name in entry]
        assert shown[name] == [(n, pytest.approx(value, rel=1e-6)) for n, value in expected]
    assert "step" not in shown


def test_without_the_package_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(metrics, "find_spec", lambda name: None)
    with tensorboard(tmp_path / "tensorboard", 0) as add:
        add({"step": 1, "loss": 2.0})
    assert list(tmp_path.iterdir()) == []


def test_the_package_is_imported_by_a_run_only():
    program = "import sys, annotated_transformer; sys.exit('tensorboard' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, env=dict(os.environ))
