"""`annotated-transformer` that is ended, or waits to be ended, when an update of its run begins.

A test that only looks on could come too late on a busy machine: here nothing is left to a clock.
Started by torchrun: `python interrupted.py 14 train RECIPE ...` is stopped before update 14.
"""

import importlib
import itertools
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from unittest import mock

from annotated_transformer.cli import main
from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding import workers as side_by_side
from annotated_transformer.decoding.workers import Workers
from annotated_transformer.training import cost, loop
from annotated_transformer.training.child import in_child
from annotated_transformer.training.run import writer
from annotated_transformer.training.run.directory import RunDirectory
from annotated_transformer.training.run.signals import stopping_with
from annotated_transformer.transformer import Transformer


def _before(step, act):
    """Let `act` happen before that update of the run."""
    update = loop.train_step

    def acting(model, batches, optimizer, number, *arguments, **options):
        if number == step:
            act()
        return update(model, batches, optimizer, number, *arguments, **options)

    loop.train_step = acting


def waiting(step, *arguments):
    """Never get further than that update: somebody kills this process before or then."""

    def wait():
        while True:
            signal.pause()

    _before(step, wait)
    return main(arguments)


def killed(step, *arguments):
    """The process of rank 1 gets SIGKILL before that update."""
    if os.environ["RANK"] == "1":
        _before(step, lambda: os.kill(os.getpid(), signal.SIGKILL))
    return main(arguments)


def killed_at(number, folder, *arguments):
    """Get SIGKILL before that access to a file in the folder: open, rename, remove and the like."""
    accesses = itertools.count(1)

    def kill(event, values):
        about_a_file = event == "open" or event.startswith("os.")
        if about_a_file and any(folder in str(v) for v in values) and next(accesses) == number:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(kill)
    # What is said of the cost is no part of a run: one product tells it, not products for a while.
    brief = partial(cost.matmul_rate, seconds=0.0)
    with mock.patch.object(cost, "matmul_rate", brief):
        return main(arguments)


def stopped(step, *arguments):
    """Before that update torchrun gets SIGTERM, which it passes on: only rank 0 heeds it."""
    arrived, first = [], os.environ["RANK"] == "0"

    def listen():
        handler = signal.getsignal(signal.SIGTERM)

        def note(*given):
            arrived.append(given)
            if first:
                handler(*given)

        signal.signal(signal.SIGTERM, note)

    def stop():
        if first:
            os.kill(os.getppid(), signal.SIGTERM)
        while not arrived:
            time.sleep(0.01)

    # No rank begins an update before all have begun the one before: both listen in time.
    _before(step - 1, listen)
    _before(step, stop)
    return main(arguments)


def full_disk(step, *arguments):
    """Let the checkpoint of that update meet a limit on the size of a file.

    Python cannot fill a disk, but the system's refusal is the same.
    """
    save = writer.save_checkpoint

    def limited(directory, model, optimizer, state, corpus, **options):
        size = 9_000 if state.step == step else -1
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, -1))
        return save(directory, model, optimizer, state, corpus, **options)

    writer.save_checkpoint = limited
    return main(arguments)


def reporting(folder, *_):
    """Leave a file with the number of this process, then wait to be ended."""
    (folder / str(os.getpid())).touch()
    while True:
        signal.pause()


def with_workers(folder):
    """Search with two workers that never end by themselves; their files are beside `folder`."""
    tempfile.tempdir = str(folder.with_name("temporary"))
    multiprocessing.current_process()._config["daemon"] = False  # it may start processes
    side_by_side.multiprocessing = SimpleNamespace(
        get_context=lambda _: multiprocessing.get_context("fork"),
    )
    config = TransformerConfig.tiny(vocab_size=20, n_layers=1, d_model=8, d_ff=8, n_heads=1)
    with stopping_with("interrupted"):
        search = partial(reporting, folder)
        list(Workers(2).search(Transformer(config).eval(), search, [[(5, 2)], [(6, 2)]]))


def beside_busy_cores(folder):
    """Keep two cores busy, and never end."""
    with forking("benchmarks.workers") as workers, workers.busy_cores(2):
        for process in multiprocessing.active_children():
            (folder / str(process.pid)).touch()
        signal.pause()


def measuring(folder):
    """Wait for a contestant whose work never ends."""
    with forking("benchmarks.workers") as workers:
        workers.Worker(partial, (reporting, folder), threads=1).run()


def making_a_record(folder):
    """Wait for a command of `make records` that never ends."""
    program = SimpleNamespace(run_module=lambda name, **_: reporting(folder))
    with forking("experiments.records") as records, mock.patch.object(records, "runpy", program):
        records._carry_out("heads", ["experiments.heads"])


@contextmanager
def forking(name):
    """Start what a module starts in no time, from a process that is a child itself."""
    module = importlib.import_module(name)  # not found where torchrun starts this file
    multiprocessing.current_process()._config["daemon"] = False  # it may start processes
    fork = SimpleNamespace(
        get_context=lambda _: multiprocessing.get_context("fork"),
        active_children=multiprocessing.active_children,
    )
    with mock.patch.object(module, "multiprocessing", fork):
        yield module


def learning(folder):
    """Wait for a child that never ends by itself."""
    in_child(partial(reporting, folder))


def holding(directory, locked):
    """Be a run in progress for as long as this process lives."""
    run = RunDirectory(directory)
    run.lock()
    locked.set()
    signal.pause()


if __name__ == "__main__":
    number, *rest = sys.argv[1:]
    sys.exit(stopped(int(number), *rest))
