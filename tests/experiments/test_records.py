"""`make records`: every record has its command, and what is made is left alone."""

import json
import os
import shlex
import signal
import sys

import interrupted
import pytest
from forked import Forked, ends_of, wait_for_ends

from annotated_transformer.lab import records
from annotated_transformer.lab.provenance import UNSEALED
from annotated_transformer.lab.records import RESULTS, record
from annotated_transformer.storage.records import write_record
from experiments import records as makes
from experiments import study

HERE = "a" * 40
TRAIN = "annotated-transformer train r --out {runs}"
COMMANDS = {"first": "python -m experiments.first --data-dir {data}", "second": TRAIN}


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """A book without records and two commands, which leave records as the real ones do."""
    monkeypatch.setattr(records, "RESULTS", tmp_path)
    monkeypatch.setattr(makes, "RESULTS", tmp_path)
    monkeypatch.setattr(makes, "commit", lambda: HERE)
    commands = {n: c.replace("{runs}", str(tmp_path / "run")) for n, c in COMMANDS.items()}
    monkeypatch.setattr(makes, "commands", lambda: commands)
    seen = []

    def carry_out(name, words):
        seen.append((name, words))
        path = tmp_path / ("run/record.json" if name == "second" else f"{name}.json")
        path.parent.mkdir(exist_ok=True)
        said = commands[name].replace("{data}", "m30k")
        write_record(path, {"command": said, "commit": HERE, "wall_seconds": 90, "curve": []})

    monkeypatch.setattr(makes, "_carry_out", carry_out)
    return seen


def start(monkeypatch, *options):
    monkeypatch.setattr(sys, "argv", ["records", *options])
    makes.main()


def test_all_are_made_in_order_and_only_once(calls, tmp_path, monkeypatch, capsys):
    start(monkeypatch)
    assert [name for name, _ in calls] == ["first", "second"]
    assert calls[1][1][-3:] == ["--out", str(tmp_path / "run"), "--resume"]
    assert record("second")["command"] == TRAIN.replace("{runs}", str(tmp_path / "run"))
    assert not capsys.readouterr().out.startswith("made")
    start(monkeypatch)
    assert len(calls) == 2
    (tmp_path / "second.json").unlink()
    start(monkeypatch)
    assert len(calls) == 2  # the run was finished: its record is copied again
    assert record("second")
    assert "made      2 min  first: python" in capsys.readouterr().out


def test_only_some_are_made_and_a_list_makes_none(calls, monkeypatch):
    start(monkeypatch, "--only", "second", "--list")
    assert calls == []
    start(monkeypatch, "--only", "second")
    assert [name for name, _ in calls] == ["second"]


@pytest.mark.parametrize("change", [{"commit": "b" * 40}, {"command": "another"}])
def test_a_record_of_another_commit_or_command_is_made_again(calls, tmp_path, monkeypatch, change):
    start(monkeypatch)
    fields = {k: x for k, x in record("first").items() if k != "seal"}
    write_record(tmp_path / "first.json", fields | change)
    start(monkeypatch)
    assert [name for name, _ in calls] == ["first", "second", "first"]


def test_a_finished_run_of_another_commit_is_not_taken(calls, tmp_path, monkeypatch):
    start(monkeypatch, "--only", "second")
    monkeypatch.setattr(makes, "commit", lambda: "c" * 40)
    with pytest.raises(ValueError, match="of commit aaaaaaa, the checkout is at ccccccc: move "):
        start(monkeypatch, "--only", "second")
    run = json.loads((tmp_path / "run/record.json").read_text())
    write_record(
        tmp_path / "run/record.json", run | {"commit": "c" * 40, "continued_on": ["d" * 40]}
    )
    with pytest.raises(
        ValueError, match=r"record\.json is refused: its run began on commit ccccccc"
    ):
        start(monkeypatch, "--only", "second")


def test_nothing_begins_with_changes(calls, monkeypatch):
    monkeypatch.setattr(makes, "commit", lambda: HERE + "-dirty")
    with pytest.raises(ValueError, match="begins on a clean commit"):
        start(monkeypatch)
    assert calls == []


def test_a_command_that_fails_is_named(capfd):
    """By a program of Python itself, which takes no time."""
    with pytest.raises(ValueError, match=r"heads: .* ended with status 2: json\.tool --no"):
        makes._carry_out("heads", ["json.tool", "--no-such-option"])
    assert "usage: python -m json.tool" in capfd.readouterr().err


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells their ends")
def test_what_makes_a_record_ends_with_make_records_also_where_that_is_killed(tmp_path):
    parent = Forked(interrupted.making_a_record, tmp_path)
    ends = ends_of(tmp_path, 1, parent)
    parent.send_signal(signal.SIGKILL)
    parent.end()
    wait_for_ends(ends)


def test_every_record_has_a_command_and_is_what_it_makes():
    commands = makes.commands()
    names = {path.stem for path in RESULTS.glob("*.json")}
    assert names - UNSEALED <= commands.keys()
    for name in names - UNSEALED:
        assert makes.is_made(name, commands[name], record(name)["commit"])


@pytest.mark.parametrize("name", makes.commands())
def test_a_command_writes_the_record_that_it_stands_for(name):
    """Into runs/NAME, or where its program puts it by default."""
    *_, last = makes.commands()[name].split(" && ")
    words = shlex.split(last)
    if words[0] == "annotated-transformer":
        assert words[words.index("--out") + 1] == f"runs/{name}"
    else:
        assert words[:2] == ["python", "-m"]
        *rooms, program = words[2].split(".")
        assert study.RESULTS.parents[1].joinpath(*rooms, f"{program}.py").is_file()
        assert program.removesuffix("_step") in name
