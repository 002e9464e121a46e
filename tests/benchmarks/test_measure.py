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
