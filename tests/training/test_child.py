"""Work in C++ is done in a process of its own, which a signal ends at once."""

import errno
import os
import signal

import interrupted
import pytest
from forked import Forked, ends_of, wait_for_ends
from tiny_run import write_recipe

from annotated_transformer.cli import main
from annotated_transformer.tokenizer import Tokenizer
from annotated_transformer.training.child import in_child
from annotated_transformer.training.data import make_tokenizer, open_corpus
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run.signals import TrainingStopped, stopping_with


def failing(error):
    raise error


def test_the_answer_is_that_of_the_work():
    here = os.getpid()
    assert in_child(lambda: str(os.getpid()).encode()) != str(here).encode()
    assert in_child(lambda: bytes(10**6)) == bytes(10**6)  # more than a pipe holds


def test_an_error_comes_through():
    with pytest.raises(ValueError, match="line 3"):
        in_child(lambda: failing(ValueError("line 3")))
    with pytest.raises(FileNotFoundError) as raised:
        in_child(lambda: failing(FileNotFoundError(errno.ENOENT, "not there", "a file")))
    assert raised.value.filename == "a file"


def test_a_child_that_is_ended_is_told_of():
    with pytest.raises(ChildProcessError, match="ended too early"):
        in_child(lambda: os.kill(os.getpid(), signal.SIGKILL))


def test_a_tokenizer_is_the_same_to_the_byte(tmp_path):
    recipe = load_recipe(write_recipe(tmp_path))
    corpus = open_corpus(recipe)
    lines = [line for pair in corpus["train"] for line in (pair.source, pair.target)]
    ours = make_tokenizer(corpus, recipe, tmp_path / "none")
    assert ours.to_bytes() == Tokenizer.train(lines, vocab_size=300).to_bytes()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_work_at_once(tmp_path, number):
    def deaf():
        (tmp_path / str(os.getpid())).touch()
        os.kill(os.getppid(), number)
        while True:
            signal.pause()

    with pytest.raises(TrainingStopped) as stopped, stopping_with("asked to stop"):
        in_child(deaf)
    assert stopped.value.signal == number
    [path] = tmp_path.iterdir()
    with pytest.raises(ProcessLookupError):
        os.kill(int(path.name), 0)


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_run_that_learns_its_tokenizer_stops_with_one_sentence(
    tmp_path, monkeypatch, capsys, number, status
):
    def deaf(*_, **__):
        os.kill(os.getppid(), number)
        while True:
            signal.pause()

    command = ["train", str(write_recipe(tmp_path)), "--out", str(tmp_path / "run")]
    with monkeypatch.context() as patch:
        patch.setattr(Tokenizer, "train", deaf)
        assert main(command) == status
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("annotated-transformer: stopped before training")
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGHUP])
def test_a_child_ends_with_its_parent(tmp_path, number):
    parent = Forked(interrupted.learning, tmp_path)
    ends = ends_of(tmp_path, 1, parent)
    parent.send_signal(number)
    parent.end()
    wait_for_ends(ends)
