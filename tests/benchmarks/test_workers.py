"""A worker has memory and variables of its own, and tells its errors."""

import multiprocessing
import os
import signal

import interrupted
import pytest
import torch
from forked import Forked, ends_of, wait_for_ends

from benchmarks.workers import ContestantError, Worker, busy_cores, peak, resident


def failing(message):
    raise ValueError(message)


def allocate(mebibytes):
    held = []

    def work():
        held.append(torch.ones(mebibytes * 2**18))
        return len(held)

    return work


def test_a_worker_reports_memory_of_its_own_and_its_errors():
    worker = Worker(allocate, (64,), threads=1)
    seconds, count = worker.run()
    assert seconds > 0
    assert count == 1
    assert worker.run()[1] == 2
    memory = worker.memory()
    assert 128 <= memory["peak"] - memory["made"] < 160
    assert memory["start"] <= memory["made"] <= memory["peak"]
    worker.close()
    before = set(multiprocessing.active_children())
    with pytest.raises(ContestantError, match="ValueError: no such size"):
        Worker(failing, ("no such size",), threads=1)
    assert set(multiprocessing.active_children()) <= before
    assert 0 < resident() <= peak()


def beginning(mebibytes):
    context = multiprocessing.get_context("spawn")
    filled = context.Event()
    process = context.Process(target=waiting, args=(mebibytes, filled))
    process.start()
    filled.wait()

    def work():
        process.kill()
        process.join()

    return work


def waiting(mebibytes, filled):
    held = torch.ones(mebibytes * 2**18)
    filled.set()
    while True:
        held += 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="only Linux tells it")
def test_the_peak_counts_processes_that_a_contestant_has_begun():
    worker = Worker(beginning, (64,), threads=1)
    begun = worker.memory()
    assert begun["peak"] > begun["made"] + 64
    worker.run()
    assert worker.memory()["peak"] < begun["peak"] - 64
    worker.close()


def variable(name):
    return lambda: os.environ.get(name)


def test_a_worker_gets_its_variables():
    worker = Worker(variable, ("A_NAME",), threads=1, environment={"A_NAME": "a value"})
    assert worker.run()[1] == "a value"
    worker.close()
    assert "A_NAME" not in os.environ


def break_off(seen, before):
    seen += set(multiprocessing.active_children()) - before
    raise RuntimeError("in the block")


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells their ends")
@pytest.mark.parametrize(
    ("program", "count"), [(interrupted.beside_busy_cores, 2), (interrupted.measuring, 1)]
)
def test_what_a_benchmark_starts_ends_with_it_also_where_it_is_killed(tmp_path, program, count):
    benchmark = Forked(program, tmp_path)
    ends = ends_of(tmp_path, count, benchmark)
    benchmark.send_signal(signal.SIGKILL)
    benchmark.end()
    wait_for_ends(ends)


def test_busy_cores_end_with_their_block_even_after_an_error():
    # What an earlier test of this process began may still be on its way out.
    before = set(multiprocessing.active_children())
    others = []
    with pytest.raises(RuntimeError, match="in the block"), busy_cores(2):
        break_off(others, before)
    assert len(others) == 2
    assert not any(other.is_alive() for other in others)
