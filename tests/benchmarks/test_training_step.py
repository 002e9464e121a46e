"""The contestants of the training step: the same loss, equal precision, ratios by hand."""

from importlib.util import find_spec
from types import SimpleNamespace

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from benchmarks import measure, training_step
from benchmarks.peers import PEERS

PRODUCTS = ("mm", "addmm", "bmm", "baddbmm", "mkldnn_linear")
INSTALLED = [name for name in PEERS if name != "marian" or find_spec("transformers")]


class FormatsOfProducts(TorchDispatchMode):
    """Collects the number formats of what enters products of matrices, backward as well."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func.overloadpacket.__name__ in PRODUCTS:
            self.found |= {x.dtype for x in args if isinstance(x, torch.Tensor)}
        return func(*args, **(kwargs or {}))


def test_a_contestant_that_is_another_function_is_refused():
    class Fixed:
        def __init__(self, loss):
            self.loss = loss

        def run(self, task, index):
            assert (task, index) == ("loss", 0)
            return 0.0, self.loss

    assert training_step.check_losses({"a": Fixed(5.0), "b": Fixed(5.01)}) == {"a": 5.0, "b": 5.01}
    with pytest.raises(ValueError, match=r"b begins with a loss of 6\.0"):
        training_step.check_losses({"a": Fixed(5.0), "b": Fixed(6.0)})
    with pytest.raises(ValueError, match=r"a begins with a loss of 5\.0000, others with 6\.0"):
        training_step.check_losses({"a": Fixed(5.0)}, expected=6.0)


def test_precisions_run_one_after_the_other_and_share_rounds_and_first_loss(monkeypatch):
    expected, races = [], []

    def interleaved(makers, work, rounds, first):
        races.append(list(makers))
        first(dict.fromkeys(makers))
        return [dict.fromkeys(makers, number + 1.0) for number in range(rounds)], {
            name: {"peak": 2.0} for name in makers
        }

    def check_losses(workers, loss):
        expected.append(loss)
        return dict.fromkeys(workers, 5.0)

    monkeypatch.setattr(measure, "interleaved", interleaved)
    monkeypatch.setattr(training_step, "check_losses", check_losses)
    names = ["plain bfloat16", "ours float32", "plain float32"]
    options = SimpleNamespace(contestants=names, allocators=["kept"], rounds=2, threads=1)
    timed, memory, losses = training_step.race(options, ())
    full, half = ["ours float32", "plain float32, kept"], ["plain bfloat16, kept"]
    assert races == [full, half]
    assert expected == [None, 5.0], "the second race must begin with the loss of the first"
    assert timed == [dict.fromkeys(full + half, 1.0), dict.fromkeys(full + half, 2.0)]
    assert set(memory) == set(losses) == {*full, *half}


def test_ours_and_every_peer_take_part_in_both_precisions_and_peers_with_both_allocators():
    makers = training_step.makers_of(training_step.CONTESTANTS, ("kept", "default"), (), 1)
    peers = [
        f"{name} {precision}, {allocator}"
        for name in ("torch.nn", "marian", "plain")
        for precision in ("float32", "bfloat16")
        for allocator in ("kept", "default")
    ]
    assert list(makers) == ["ours float32", "ours bfloat16", *peers]
    assert {training_step.parts(title) for title in makers} == {
        (name, precision)
        for name in ("ours", "torch.nn", "marian", "plain")
        for precision in ("float32", "bfloat16")
    }


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
@pytest.mark.parametrize("name", ["ours", *INSTALLED])
def test_products_of_a_step_are_in_the_precision_of_its_name(name, precision, small_batches):
    config = measure.configuration("tiny")
    arrays = training_step.as_arrays(small_batches)
    work = training_step.make(f"{name} {precision}", config, arrays, 0)
    for task in ("loss", "step"):
        with FormatsOfProducts() as formats:
            work(task, 0)
        assert formats.found == {getattr(torch, precision)}, task


def test_all_contestants_begin_with_the_loss_of_the_same_function(small_batches):
    config = measure.configuration("tiny")
    arrays = training_step.as_arrays(small_batches)
    losses = {
        f"{name} {precision}": training_step.make(f"{name} {precision}", config, arrays, 0)(
            "loss", 0
        )
        for name in ("ours", *INSTALLED)
        for precision in ("float32", "bfloat16")
    }
    for title, loss in losses.items():
        tolerance = 1e-5 if "float32" in title else training_step.SAME_LOSS
        assert loss == pytest.approx(losses["ours float32"], rel=tolerance), title
        if "bfloat16" in title:
            assert loss != losses[title.replace("bfloat16", "float32")], "it is really another"


def test_a_contestant_that_there_is_not_is_named(small_batches):
    with pytest.raises(ValueError, match=r"no contestant 'plain float16'; there are ours float32"):
        training_step.make("plain float16", measure.configuration("tiny"), [], 0)


def test_ours_is_compared_with_the_best_peer_of_equal_precision():
    """By hand: in the three rounds 3/2, 4/2, 5/2 in float32, 6/1, 4/2, 9/2 in bfloat16."""
    timed = [
        {
            "ours float32": 2.0,
            "ours bfloat16": 1.0,
            "a float32, kept": 3.0,
            "a bfloat16, kept": 6.0,
        },
        {
            "ours float32": 2.0,
            "ours bfloat16": 2.0,
            "a float32, kept": 4.0,
            "a bfloat16, kept": 4.0,
        },
        {
            "ours float32": 2.0,
            "ours bfloat16": 2.0,
            "a float32, kept": 5.0,
            "a bfloat16, kept": 9.0,
        },
    ]
    for seconds in timed:
        seconds |= {"b float32, default": 7.0, "b bfloat16, default": 8.0}
    mebibytes = {
        "ours float32": 50.0,
        "ours bfloat16": 30.0,
        "a float32, kept": 120.0,
        "a bfloat16, kept": 90.0,
        "b float32, default": 100.0,
        "b bfloat16, default": 60.0,
    }
    memory = {name: {"peak": peak, "start": 10.0} for name, peak in mebibytes.items()}
    rows = training_step.rows_of(timed, memory, [12, 12, 12])
    assert [row["precision"] for row in rows] == ["float32", "bfloat16"] * 3
    full, half = training_step.verdicts(timed, rows)
    any_precision = {"fastest_of_any_precision": "a float32, kept"}
    assert full == {
        "contestant": "ours float32",
        "precision": "float32",
        "fastest_peer": "a float32, kept",
        "times_as_fast": {"median": 2.0, "lowest": 1.5, "highest": 2.5},
        **any_precision,
        "times_as_fast_as_any": {"median": 2.0, "lowest": 1.5, "highest": 2.5},
        "leanest_peer": "b float32, default",
        "memory_ratio": 0.5,
    }
    assert half == {
        "contestant": "ours bfloat16",
        "precision": "bfloat16",
        "fastest_peer": "a bfloat16, kept",
        "times_as_fast": {"median": 4.5, "lowest": 2.0, "highest": 6.0},
        **any_precision,
        "times_as_fast_as_any": {"median": 2.5, "lowest": 2.0, "highest": 3.0},
        "leanest_peer": "b bfloat16, default",
        "memory_ratio": 0.5,
    }


def test_without_a_peer_of_equal_precision_there_is_nothing_to_say():
    timed = [{"ours bfloat16": 1.0, "a float32, kept": 2.0}]
    memory = {name: {"peak": 2.0, "start": 1.0} for name in timed[0]}
    assert training_step.verdicts(timed, training_step.rows_of(timed, memory, [1])) == []
