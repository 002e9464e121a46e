"""What the programs share: ratios within a round, errors in a line."""

import pytest

from benchmarks import measure, peers


def test_ratios_are_taken_within_a_round():
    timed = [{"a": 2.0, "b": 1.0}, {"a": 30.0, "b": 10.0}, {"b": 1.0}]
    assert measure.ratio(timed, "a", "b") == {"median": 2.5, "lowest": 2.0, "highest": 3.0}


def test_what_a_user_can_mend_is_one_line(capsys):
    def absent():
        raise peers.MissingPeerError("transformers")

    with pytest.raises(SystemExit, match=r"^benchmarks: error: transformers is not installed"):
        measure.run(absent)


def test_times_beside_other_work_have_a_record_of_their_own():
    names = set()
    for options in ([], ["--busy", "1"]):
        parser = measure.arguments("decoding", "")
        parser.add_argument("--busy", type=int, default=0)
        names.add(measure.parsed(parser, options, "decoding").out.name)
    assert names == {"benchmark_decoding_small.json", "benchmark_decoding_small_busy.json"}


def test_a_command_names_places_that_lie_elsewhere_without_their_directories(monkeypatch, tmp_path):
    words = ["benchmarks/decoding.py", "--data-dir", "/data/multi30k", "--size", "small"]
    monkeypatch.setattr("sys.argv", [*words, "--out", str(tmp_path / "x.json")])
    told = "python -m benchmarks.decoding --data-dir multi30k --size small --out "
    assert measure.command() == f"{told}x.json"
    monkeypatch.setattr("sys.argv", [*words, "--out", "book/results/x.json"])
    assert measure.command() == f"{told}book/results/x.json"
