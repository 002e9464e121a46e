"""Every command ends in a record that a book can read.

Never a time: what a test machine does meanwhile is no property of the code. Hugging Face's peer
lives in an environment of its own (`benchmarks/requirements.txt`), so what is tested is that its
absence is named; that it computes the same losses, `training_step` itself checks before it times.
"""

import importlib
import json
import sys
from types import SimpleNamespace

import pytest
from forked import CONTEXT

from benchmarks import workers

COMMANDS = {
    "training_step": [
        *("--tokens", "128", "--contestants", "ours float32", "plain bfloat16"),
        *("--allocators", "default"),
    ],
    "decoding": [
        *("--sentences", "5", "--batch-size", "2", "--tokens", "4"),
        *("--contestants", "ours", "ours int8, workers", "ctranslate2 int8"),
    ],
    "utilisation": ["--tokens", "128", "--contestants", "ours float32"],
    "growth": ["--lengths", "8", "16", "--tokens", "16", "32", "--sentence", "8"],
    "long_sentences": ["--lengths", "16", "64", "--window", "8", "--device", "cpu"],
    "caching": ["--lengths", "3", "5", "--sentences", "2"],
    "choices": [
        *("--tokens", "128", "--keys", "4", "--others", "chunk 128", "memory given back"),
    ],
    "profile_step": ["--tokens", "128", "--precision", "float32"],
    "profile_decoding": ["--batch-size", "3", "--tokens", "4"],
}


@pytest.fixture(scope="module", autouse=True)
def forked_workers():
    """Fork the contestants from a process that has imported torch, so that each need not.

    What a worker gets and answers is the same; `test_workers` starts them as a benchmark does.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "multiprocessing", SimpleNamespace(get_context=lambda _: CONTEXT))
        yield


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_ends_in_a_record(name, tmp_path, monkeypatch, capsys):
    out = tmp_path / "record.json"
    options = ["--size", "tiny", "--rounds", "2", "--threads", "1", "--out", str(out)]
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *options, *COMMANDS[name]])
    importlib.import_module(f"benchmarks.{name}").STUDY.main()
    record = json.loads(out.read_text("utf-8"))
    wanted = {"benchmark", "command", "commit", "machine", "seed", "started", "wall_seconds"}
    assert wanted | {"curve", "scores", "rows"} <= record.keys()
    assert record["benchmark"] == name
    assert record["command"].startswith(f"python -m benchmarks.{name} --size tiny")
    assert str(tmp_path) not in out.read_text("utf-8")
    assert record["machine"]["threads"] == 1
    assert record["rows"]
    assert record["curve"]
    for entry in record["curve"]:
        assert all(seconds > 0 for seconds in entry["seconds"].values())
    assert str(out) in capsys.readouterr().out


def test_fewer_cores_than_none_cannot_be_busy(capsys):
    with pytest.raises(SystemExit):
        importlib.import_module("benchmarks.decoding").STUDY.main(["--busy", "-1"])
    assert "--busy is a number of cores, 0 or more, not -1" in capsys.readouterr().err
