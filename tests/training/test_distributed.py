"""Several processes train as one: the same updates, and one stops when another dies."""

import json
import os
import signal
import subprocess
import sys

import interrupted
import pytest
import several_processes
import torch
from forked import two_ranks
from tiny_run import write_recipe

from annotated_transformer.cli import main
from annotated_transformer.saving import load_model
from annotated_transformer.training import distributed
from annotated_transformer.training.distributed import ALONE, choose_device, join_processes
from annotated_transformer.training.loop import train
from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.run.checkpoints import checkpoints

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def curve(directory):
    entries = map(json.loads, (directory / "log.jsonl").read_text().splitlines())
    return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]


def torchrun(*arguments):
    """Start two processes as a reader does; return exit status and standard error."""
    command = [*TORCHRUN, *map(str, arguments)]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def training(recipe, out, *more):
    return ["train", str(recipe), f"--out={out}", *more]


def finish(ranks):
    for status, errors in [rank.end() for rank in ranks]:
        assert status == 0, errors


# The law: one update of many is the update of one, in float64.


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    directory = tmp_path_factory.mktemp("reports")
    finish(two_ranks(several_processes.main, directory))
    return [json.loads((directory / f"{rank}.json").read_text()) for rank in (0, 1)]


def test_two_processes_make_the_updates_of_one(reports):
    updates, validation, weights = several_processes.updates(ALONE)
    for report in reports:
        found, its_validation, its_weights = report["results"]
        for ours, theirs in zip(updates, found, strict=True):
            assert theirs == pytest.approx(ours, rel=1e-12)
        assert its_validation == pytest.approx(validation, rel=1e-12)
        assert its_weights == pytest.approx(weights, rel=0, abs=1e-12)
    assert reports[0]["results"] == reports[1]["results"]
    assert updates[0][1] > several_processes.SETTINGS.clip_norm  # clipping took part


def test_a_loss_that_is_not_finite_on_one_process_stops_all(reports):
    assert [report["failure"].partition(",")[0] for report in reports] == [
        "step 2: the loss is inf"
    ] * 2


def test_processes_tell_each_other_who_they_are(reports):
    assert [report["gathered"] for report in reports] == [[0, 1], [0, 1]]


# Whole runs, by torchrun where that takes part in what is tested.


def test_a_run_of_two_processes_is_the_run_of_one(tmp_path):
    path = write_recipe(tmp_path)
    settings = ["model.dropout=0.0", "training.precision=float32", "training.accumulate=2"]
    settings += ["training.tokens_per_batch=500", "training.average_checkpoints=2"]
    one = train(load_recipe(path, settings), tmp_path / "one", progress=False)
    command = training(path, tmp_path / "two", *(f"--set={setting}" for setting in settings))
    status, errors = torchrun("-m", "annotated_transformer", *command)
    assert status == 0, errors
    ours, theirs = curve(tmp_path / "one"), curve(tmp_path / "two")
    assert [entry["epoch"] for entry in theirs] == [entry["epoch"] for entry in ours]
    for number, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        # Sums of float32 in another order; Adam divides small differences by small gradients, so
        # that they grow, on some processors more than on others.
        share = {"valid_accuracy"} & mine.keys()
        rest = {name: value for name, value in mine.items() if name not in share}
        assert {name: other[name] for name in rest} == pytest.approx(
            rest, rel=1e-4 if number == 0 else 5e-3
        )
        for name in share:
            assert other[name] == pytest.approx(mine[name], abs=0.02)  # 3 of 151 tokens
    weights = [load_model(tmp_path / name)[0].parameters() for name in ("one", "two")]
    for mine, other in zip(*weights, strict=True):
        # An update moves a weight by up to 0.1. In another run, with another seed or half the
        # batch, 97 % and more of each tensor are farther away than this.
        assert ((other - mine).abs() > 2e-3).double().mean() < 0.2
    record = json.loads((tmp_path / "two" / "record.json").read_text())
    assert record["machine"]["processes"] == 2
    assert one.record["machine"]["processes"] == 1
    assert record["averaged"]["steps"] == [8, 12]
    assert {score["metric"] for score in record["scores"]} == {"BLEU", "chrF", "exact_match"}


def test_a_killed_rank_ends_all_and_a_stopped_run_continues_to_the_bit(tmp_path):
    whole, broken, path = tmp_path / "whole", tmp_path / "broken", write_recipe(tmp_path)
    settings = ["training.steps=20", "training.checkpoint_every=5", "training.validate_every=6"]
    path.write_text(load_recipe(path, [*settings, "evaluation.splits=[]"]).to_toml())
    uninterrupted = two_ranks(main, training(path, whole))

    # Without torchrun: it ends the other rank as well, which may come before that rank can speak.
    ranks = two_ranks(interrupted.killed, 8, *training(path, broken))
    (status, errors), (died, _) = [rank.end() for rank in ranks]
    assert died == -signal.SIGKILL
    assert status > 0
    assert "rank 0 lost contact with another process" in errors
    assert 5 <= len(curve(broken)) < 8

    resume = training(path, broken, "--resume")
    _, errors = torchrun(interrupted.__file__, 14, *resume)
    assert errors.count(f"saved in {broken}; --resume continues") == 2
    assert "stopped after step 14," in errors
    assert checkpoints(broken / "checkpoints")[-1].name == "step_000014"

    with pytest.raises(ValueError, match=r"processes 2 there and 1 here give other numbers"):
        train(load_recipe(path), broken, resume=True, progress=False)
    finish(two_ranks(main, resume))
    finish(uninterrupted)
    assert curve(broken) == curve(whole)
    assert len(curve(whole)) == 20
    weights = [load_model(run)[0].parameters() for run in (whole, broken)]
    for mine, other in zip(*weights, strict=True):
        assert torch.equal(mine, other)


def test_an_error_of_rank_0_is_the_error_of_all(tmp_path):
    path = write_recipe(tmp_path)
    (tmp_path / "valid.ko").write_text("\n", "utf-8")
    ends = [rank.end() for rank in two_ranks(main, training(path, tmp_path / "run"))]
    assert [status for status, _ in ends] == [1, 1]
    assert "annotated-transformer: error: " in ends[0][1]
    assert "valid.ko" in ends[0][1]
    assert not (tmp_path / "run").exists()


# Who is who.


def test_a_process_by_itself_is_alone(monkeypatch):
    for name in distributed.LAUNCHED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WORLD_SIZE", "2")  # as some clusters leave it behind
    with join_processes(torch.device("cpu")) as (ranks, device):
        assert (ranks, device) == (ALONE, torch.device("cpu"))
    assert ALONE.sum([1.5, 2.0]) == [1.5, 2.0]
    assert ALONE.largest(3) == 3
    assert ALONE.gather("x") == ["x"]
    with ALONE.main_first():
        done = True
    assert done


def test_other_ranks_draw_other_dropout_and_always_the_same():
    drawn = []
    for rank in (0, 1, 2, 1):
        torch.manual_seed(7)
        distributed.Ranks(rank, 3).seed(7)
        drawn.append(torch.rand(4).tolist())
    torch.manual_seed(7)
    assert drawn[0] == torch.rand(4).tolist()
    assert drawn[1] == drawn[3]
    assert drawn[0] != drawn[1] != drawn[2]


@pytest.mark.parametrize(
    ("device", "rank", "message"),
    [
        ("cuda", "2", "process 2 of this machine has no GPU: there are 2"),
        ("cuda:1", "1", "say cuda"),
    ],
)
def test_each_process_needs_a_gpu_of_its_own(monkeypatch, device, rank, message):
    environment = {"RANK": rank, "WORLD_SIZE": "3", "MASTER_ADDR": "localhost", "MASTER_PORT": "1"}
    for name, value in {**environment, "LOCAL_RANK": rank}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ValueError, match=message), join_processes(torch.device(device)):
        pass


@pytest.mark.parametrize(
    ("name", "value"),
    [("RANK", "2"), ("WORLD_SIZE", "0"), ("MASTER_PORT", "65536"), ("MASTER_ADDR", "")],
)
def test_an_environment_that_contradicts_itself_is_refused(monkeypatch, name, value):
    whole = {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "localhost", "MASTER_PORT": "29500"}
    for key, text in {**whole, name: value}.items():
        monkeypatch.setenv(key, text)
    monkeypatch.setattr(distributed.dist, "init_process_group", lambda _: pytest.fail("it waits"))
    message = f"the environment has .*{name}='{value}'.*start with torchrun, or unset them"
    with pytest.raises(ValueError, match=message), join_processes(torch.device("cpu")):
        pass


def test_a_machine_that_is_not_found_is_refused(monkeypatch):
    whole = {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "a..b", "MASTER_PORT": "29500"}
    for key, text in whole.items():
        monkeypatch.setenv(key, text)
    with pytest.raises(ValueError, match=r"MASTER_ADDR='a\.\.b', which is no machine"):
        distributed.rank_and_size()


@pytest.mark.parametrize("left", [{"RANK": "1"}, {"WORLD_SIZE": "4"}, {"RANK": "", "X": "1"}])
def test_who_is_alone_is_the_first_of_one_whatever_another_program_left(monkeypatch, left):
    for name in distributed.LAUNCHED:
        monkeypatch.delenv(name, raising=False)
    for name, value in left.items():
        monkeypatch.setenv(name, value)
    assert distributed.rank_and_size() == (0, 1)


def test_processes_that_do_not_find_each_other_say_so(monkeypatch):
    place = {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "node7", "MASTER_PORT": "29500"}
    for name, value in place.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    def refuse(backend):
        raise distributed.dist.DistNetworkError("no route\nand a long trace")

    monkeypatch.setattr(distributed.socket, "getaddrinfo", lambda *_: [])  # a name that is known
    monkeypatch.setattr(distributed.dist, "init_process_group", refuse)
    message = r"rank 1 does not find the other processes at node7:29500 \(no route\)$"
    with pytest.raises(ConnectionError, match=message), join_processes(torch.device("cpu")):
        pass


@pytest.mark.parametrize(("chosen", "threads"), [(None, 3), ("5", None)])
def test_processes_divide_the_cores_unless_threads_were_chosen(monkeypatch, chosen, threads):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    if chosen:
        monkeypatch.setenv("OMP_NUM_THREADS", chosen)
    monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: range(7), raising=False)
    seen = []
    monkeypatch.setattr(torch, "set_num_threads", seen.append)
    distributed._share_cores()
    assert seen == ([threads] if threads else [])


@pytest.mark.parametrize(
    ("name", "message"), [("tpu", "none of auto, cpu, cuda"), ("cuda", "finds 0 GPUs")]
)
def test_device_that_is_not_there(monkeypatch, name, message):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    with pytest.raises(ValueError, match=message):
        choose_device(name)


@pytest.mark.parametrize("name", ["cpu:foo", "cpu:", "cpu:1", "cuda:x", "cuda:-1", "cudax", ""])
def test_device_that_is_none_is_named(monkeypatch, name):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(ValueError, match=f"device '{name}' is none of auto, cpu, cuda"):
        choose_device(name)


def test_device_number_is_checked_against_the_gpus_there(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert choose_device("cuda:1") == torch.device("cuda:1")
    with pytest.raises(ValueError, match=r"device 'cuda:9': PyTorch finds 2 GPUs here"):
        choose_device("cuda:9")


def test_automatic_device(monkeypatch):
    for available, name in ((False, "cpu"), (True, "cuda")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: available)  # noqa: B023
        assert choose_device("auto").type == name
