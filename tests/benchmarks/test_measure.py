"""What the programs share: turns, ratios within a round, the command as typed, errors in a line."""

import json

import pytest

from benchmarks import decoding, measure, peers
from experiments.study import Option

SEED = Option("--seed", 0)


def test_ratios_are_taken_within_a_round():
    timed = [{"a": 2.0, "b": 1.0}, {"a": 30.0, "b": 10.0}, {"b": 1.0}]
    assert measure.ratio(timed, "a", "b") == {"median": 2.5, "lowest": 2.0, "highest": 3.0}


def test_the_order_moves_on_by_one_in_each_round_and_the_first_warms_up():
    found = list(measure.turns(["a", "b", "c"], 4))
    assert [number for number, _ in found] == [-1, 0, 1, 2, 3]
    assert ["".join(order) for _, order in found] == ["abc", "abc", "bca", "cab", "abc"]


def test_a_median_is_of_the_rounds_in_which_one_took_part():
    timed = [{"a": 1.0, "b": 7.0}, {"a": 2.0}, {"a": 9.0}]
    assert measure.median(timed, "a") == 2
    assert measure.median(timed, "b") == 7
    assert measure.curve_of(timed[:1], tokens=3) == [{"tokens": 3, "round": 1, "seconds": timed[0]}]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (peers.MissingPeerError("transformers"), "transformers is not installed"),
        (measure.ContestantError("the process ended"), "the process ended"),
        (ValueError("no such thing"), "no such thing"),
    ],
)
def test_what_a_user_can_mend_is_one_line(error, message, tmp_path):
    def absent(_):
        raise error

    made = measure.Benchmark("some", "", absent, SEED)
    with pytest.raises(SystemExit, match=f"^benchmarks: error: {message}"):
        made.main(["--out", f"{tmp_path}/x.json"])


def test_times_beside_other_work_have_a_record_of_their_own():
    given = [decoding.STUDY.parser().parse_args(words) for words in ([], ["--busy", "1"])]
    names = {decoding.STUDY.place(each).name for each in given}
    assert names == {"benchmark_decoding_small.json", "benchmark_decoding_small_busy.json"}


def test_a_command_is_what_was_typed_but_for_the_folders_of_what_lies_elsewhere(tmp_path):
    made = measure.Benchmark(
        "some", "", lambda given: {"rows": [given.size], "curve": []}, SEED, Option("--data-dir")
    )
    words = ["--data-dir", "/data/multi30k", "--size", "base"]
    made.main([*words, "--out", f"{tmp_path}/x.json"])
    record = json.loads((tmp_path / "x.json").read_text("utf-8"))
    told = "python -m benchmarks.some --data-dir multi30k --size base --out "
    assert record["command"] == f"{told}x.json"
    assert (record["benchmark"], record["seed"], record["rows"]) == ("some", 0, ["base"])
    made.typed = [*words, "--out", "book/results/x.json"]
    assert made.command(None) == f"{told}book/results/x.json"
