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
    with pytest.raises(ContestantError, match="ValueError: no such size"):
        Worker(failing, ("no such size",), threads=1)
    assert 0 < resident() <= peak()


def beginning(mebibytes):
    process = multiprocessing.get_context("spawn").Process(target=waiting, args=(mebibytes,))
    process.start()

    def work():
        process.kill()
        process.join()

    return work


def waiting(mebibytes):
    held = torch.ones(mebibytes * 2**18)
    while True:
        held += 1


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="only Linux tells it")
def test_the_peak_counts_processes_that_a_contestant_has_begun():
    worker = Worker(beginning, (64,), threads=1)
    alone = peak()
    while (memory := worker.memory())["peak"] < memory["made"] + 64:
        pass
    assert memory["peak"] > memory["made"] + 64
    worker.run()
    assert worker.memory()["peak"] < memory["peak"]
    assert alone > 0
    worker.close()


def variable(name):
    return lambda: os.environ.get(name)


def test_a_worker_gets_its_variables():
    worker = Worker(variable, ("A_NAME",), threads=1, environment={"A_NAME": "a value"})
    assert worker.run()[1] == "a value"
    worker.close()
    assert "A_NAME" not in os.environ


def break_off(seen):
    seen += multiprocessing.active_children()
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
    others = []
    with pytest.raises(RuntimeError, match="in the block"), busy_cores(2):
        break_off(others)
    assert len(others) == 2
    assert not any(other.is_alive() for other in others)
