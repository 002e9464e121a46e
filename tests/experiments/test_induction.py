"""The record of a tiny run, and moments that follow from a curve made by hand."""

import json

import pytest

from experiments import induction

FIRST, SECOND = (f"encoder.layers.{n}.self_attention" for n in range(2))


def entry(step, previous, successor, loss):
    return {
        "step": step,
        FIRST: [[0.1, 0.0], [previous, 0.0]],
        SECOND: [[0.0, successor], [0.1, 0.1]],
        "as in training": {"new": 4.0, "foretold": loss},
    }


def test_moments_are_those_of_the_best_heads_and_of_the_loss():
    curve = [entry(0, 0.0, 0.0, 4.0), entry(10, 0.9, 0.1, 3.5), entry(20, 0.9, 0.8, 0.5)]
    found = induction.moments(curve, known=2.0)
    assert found["previous"] == {"attention": FIRST, "head": 1, "score": 0.9, "step": 10}
    assert found["induction"] == {"attention": SECOND, "head": 0, "score": 0.8, "step": 20}
    assert found["gain"] == {"score": 0.75, "step": 20}


def test_a_run_is_recorded_with_every_head_and_its_removal(tmp_path, monkeypatch):
    monkeypatch.setattr(induction, "TESTS", 8)
    out = tmp_path / "record.json"
    options = ["--seeds", "1", "--layers", "1", "2", "--steps", "4", "--every", "2"]
    induction.STUDY.main([*options, "--out", str(out)])
    record = json.loads(out.read_text("utf-8"))
    assert record["command"].endswith("--seeds 1 --layers 1 2 --steps 4 --every 2")
    assert [e["step"] for e in record["curve"]] == [0, 2, 4, 0, 2, 4]
    assert [row["layers"] for row in record["rows"]] == [1, 2]
    assert len(record["removed"]) == 4 + 8
    assert {len(e[SECOND]) for e in record["curve"] if SECOND in e} == {4}


def test_measuring_more_rarely_than_the_run_is_long_is_refused(capsys):
    with pytest.raises(SystemExit):
        induction.STUDY.main(["--steps", "5", "--every", "10"])
    assert "--steps 5: fewer than --every 10" in capsys.readouterr().err
