"""A search takes as many threads as wait for no other program, and gives all of them back."""

from types import SimpleNamespace

import pytest
import torch

from annotated_transformer.config import TransformerConfig
from annotated_transformer.decoding import threads
from annotated_transformer.decoding.threads import undisturbed_threads
from annotated_transformer.decoding.workers import one_by_one
from annotated_transformer.transformer import Transformer

SECONDS = {
    "quiet": ({1: 1.0, 2: 0.6, 4: 0.4}, 4),
    "too small to gain": ({1: 1.0, 2: 1.0, 4: 2.9}, 4),
    "two cores taken": ({1: 1.0, 2: 0.6, 4: 80.0}, 2),
    "all taken": ({1: 1.0, 2: 70.0, 4: 80.0}, 1),
}
"""Of a product by the number of its threads, and how many are to be taken of four."""


@pytest.fixture
def four(monkeypatch):
    """Four threads, and nothing known of the cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    monkeypatch.setattr(threads, "_CORES", SimpleNamespace(free=lambda: None))
    yield
    torch.set_num_threads(before)


@pytest.mark.parametrize("case", SECONDS)
@pytest.mark.usefixtures("four")
def test_all_threads_or_half_of_them_again_and_again_until_none_waits(monkeypatch, case):
    seconds, expected = SECONDS[case]
    monkeypatch.setattr(threads, "seconds_of_product", seconds.__getitem__)
    with undisturbed_threads() as count:
        assert count == torch.get_num_threads() == expected
    assert torch.get_num_threads() == 4


def test_one_thread_is_not_timed(monkeypatch):
    monkeypatch.setattr(threads, "seconds_of_product", None)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    with undisturbed_threads() as count:
        assert count == 1
    torch.set_num_threads(before)


@pytest.mark.usefixtures("four")
def test_a_search_has_them_and_also_one_that_fails_gives_them_back(monkeypatch):
    monkeypatch.setattr(threads, "seconds_of_product", SECONDS["two cores taken"][0].__getitem__)
    model = Transformer(TransformerConfig.tiny(vocab_size=10))
    counts = []

    def search(model, source):
        counts.append(torch.get_num_threads())
        if len(counts) == 2:
            raise ValueError("the second")
        return []

    found = one_by_one(model, search, [[[3, 2]], [[4, 2]]])
    assert next(found) == []
    assert torch.get_num_threads() == 4
    with pytest.raises(ValueError, match="the second"):
        next(found)
    assert counts == [2, 2]
    assert torch.get_num_threads() == 4


@pytest.mark.usefixtures("four")
def test_a_product_is_timed_with_the_threads_that_it_is_to_have():
    assert threads.seconds_of_product(2) > 0
    assert torch.get_num_threads() == 2


@pytest.mark.parametrize("case", SECONDS)
@pytest.mark.usefixtures("four")
def test_a_run_is_told_where_its_threads_would_wait(monkeypatch, case):
    seconds, expected = SECONDS[case]
    monkeypatch.setattr(threads, "seconds_of_product", seconds.__getitem__)
    monkeypatch.setattr(threads, "PAUSE", 0)
    told = threads.advice()
    assert (told is None) == (expected == 4)
    assert told is None or ("4 threads wait" in told and f"OMP_NUM_THREADS={expected} " in told)
    assert torch.get_num_threads() == 4


def test_with_one_thread_a_run_begins_without_a_look_at_the_cores(monkeypatch):
    looked = []
    monkeypatch.setattr(threads.time, "sleep", looked.append)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    assert threads.advice() is None
    torch.set_num_threads(before)
    assert looked == []


@pytest.mark.parametrize(
    ("free", "expected"), [(4.0, 4), (3.75, 4), (3.6, 3), (2.1, 2), (0.9, 1), (-0.2, 1), (60.0, 4)]
)
@pytest.mark.usefixtures("four")
def test_cores_that_others_use_are_left_to_them(monkeypatch, free, expected):
    monkeypatch.setattr(threads, "_CORES", SimpleNamespace(free=lambda: free))
    monkeypatch.setattr(threads, "seconds_of_product", SECONDS["quiet"][0].get)
    monkeypatch.setitem(SECONDS["quiet"][0], 3, 0.5)
    with undisturbed_threads() as count:
        assert count == torch.get_num_threads() == expected


@pytest.mark.parametrize("alike", [False, True])
@pytest.mark.parametrize("niceness", [0, 19])
def test_what_others_use_is_all_that_is_used_but_by_this_program(monkeypatch, niceness, alike):
    """Two cores of four, which are its own; under `nice` its time is counted elsewhere.

    What others use under `nice` counts where it has the same share as this program (`alike`).
    """
    clock = SimpleNamespace(now=100.0, own=7.0, used=[0.0, 20.0, 30.0, 0.0])
    monkeypatch.setattr(threads.time, "perf_counter", lambda: clock.now)
    monkeypatch.setattr(threads.time, "process_time", lambda: clock.own)
    monkeypatch.setattr(threads.os, "nice", lambda _: niceness, raising=False)
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: {1, 2}, raising=False)
    monkeypatch.setattr(threads, "_sessions_share_alike", lambda: alike)
    clock.nice = [0.0, 50.0, 60.0, 0.0]
    monkeypatch.setattr(
        threads.psutil,
        "cpu_times",
        lambda percpu: [
            SimpleNamespace(user=used, nice=nice, idle=1e9)
            for used, nice in zip(clock.used, clock.nice, strict=True)
        ],
    )
    cores = threads.Cores()

    def later(seconds, own, others):
        clock.now += seconds
        clock.own += own
        normal = own * (not niceness) + others * (not alike)
        clock.used = [99.0, clock.used[1], clock.used[2] + normal, 99.0]
        gives_way = own * bool(niceness) + (others if alike else 1e6)
        clock.nice = [1e9, clock.nice[1] + gives_way, clock.nice[2], 99.0]
        return cores.free()

    assert later(0.06, 0.06, 0.0) is None  # too short to say anything
    assert later(0.06, 0.06, 0.096) == pytest.approx(1.2)  # both looks together
    assert later(0.02, 0.02, 0.0) == pytest.approx(1.2)  # what was known last
    assert later(2.0, 4.0, 0.0) == pytest.approx(2.0)
    assert later(1.0, 1.5, 0.5) == pytest.approx(1.5)
    assert later(60.0, 0.0, 30.0) == pytest.approx(1.5)


@pytest.mark.parametrize("told", [OSError("no /proc"), [SimpleNamespace(user=1.0)]])
def test_a_system_that_does_not_tell_of_its_cores_leaves_it_to_the_product(monkeypatch, told):
    """No /proc, or core 1 is switched off and the second in the list is core 2."""

    def cpu_times(percpu):
        if isinstance(told, OSError):
            raise told
        return told

    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(threads.psutil, "cpu_times", cpu_times)
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda _: {0, 2}, raising=False)
    monkeypatch.setattr(threads.time, "perf_counter", lambda: clock.now)
    cores = threads.Cores()
    clock.now = 1.0
    assert cores.free() is None


@pytest.mark.parametrize(("text", "alike"), [("1\n", True), ("0\n", False), (None, False)])
def test_sessions_share_alike_where_linux_says_so(monkeypatch, tmp_path, text, alike):
    path = tmp_path / "sched_autogroup_enabled"
    if text is not None:
        path.write_text(text)
    monkeypatch.setattr(threads, "AUTOGROUPS", path)
    assert threads._sessions_share_alike.__wrapped__() is alike
