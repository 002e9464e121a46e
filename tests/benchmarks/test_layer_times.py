"""The layers of Table 1 are timed alike, and the record's command repeats it."""

import math

from annotated_transformer.lab.records import RESULTS, record
from benchmarks import layer_times


def test_pytorch_s_recurrence_is_timed_with_as_many_weights_as_ours():
    found = layer_times.layers(8)
    sizes = {name: sum(p.numel() for p in layer.parameters()) for name, layer in found.items()}
    assert sizes["recurrence, nn.RNN"] == sizes["recurrence, our loop"] == 2 * 64
    best = layer_times.lowest(found, [4, 8], 8, rounds=2)
    assert set(best) == {(name, length) for name in found for length in (4, 8)}
    assert all(0 <= seconds < math.inf for seconds in best.values())


def test_the_record_s_command_writes_that_record_and_no_other():
    found = record("layer_times")
    words = found.command.split(" ")
    assert words[:3] == ["python", "-m", "benchmarks.layer_times"]
    given = layer_times.STUDY.parser().parse_args(words[3:])
    assert layer_times.STUDY.place(given) == RESULTS / "layer_times.json"
    assert given.d_model == found["d_model"]
    given.out = layer_times.STUDY.place(given)
    assert layer_times.STUDY.command(given) == found.command
    assert found["machine"]["threads"] == 1
