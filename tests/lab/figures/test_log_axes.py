"""Logarithmic axes: their ticks, in a chart and in a picture, and in every stored chart."""

import pytest
from drawing import stored_charts
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures import line_chart, log_axis, set_log_axis, use_book_style
from annotated_transformer.lab.figures.log_axes import MOST, log_ticks, tick_name


@pytest.mark.parametrize(
    ("values", "ends", "ticks"),
    [
        ([32, 1, 8], [1, 32], [1, 2, 4, 8, 16, 32]),
        ([16, 4096], [16, 4096], [16, 64, 256, 1024, 4096]),
        ([0.25, 0.5], [0.25, 0.5], [0.25, 0.5]),
        ([0.43, 4.6], [0.4, 5], [0.5, 1, 2, 5]),
        ([0.3, 3], [0.3, 3], [0.5, 1, 2]),
        ([1728, 393_216], [1000, 400_000], [1000, 10_000, 100_000]),
        ([2e-6, 31.6], [2e-6, 40], [1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10]),
        ([8e-7, 31.6], [8e-7, 40], [1e-6, 1e-4, 0.01, 1]),
        ([5e-5, 0.97], [5e-5, 1], [1e-4, 1e-3, 0.01, 0.1, 1]),
        ([3, 4.4], [3, 5], [3, 4, 5]),
        ([7, 7], [3.5, 14], [4, 5, 6, 7, 8, 9, 10]),
    ],
)
def test_ticks_are_powers_of_two_or_1_2_and_5_or_powers_of_ten(values, ends, ticks):
    assert log_ticks(values) == (ends, ticks)


@pytest.mark.parametrize("values", [[], [0, 1], [-1.0], [float("inf")], [float("nan")]])
def test_what_a_logarithmic_axis_cannot_show_is_refused(values):
    with pytest.raises(ValueError, match="expected positive numbers"):
        log_ticks(values)


def test_the_ticks_are_few_and_every_value_is_on_the_axis():
    for power in range(-9, 9):
        for factor in (1, 1.3, 2, 7, 40, 999, 1e5, 3e9):
            values = [1.7 * 10.0**power, 1.7 * 10.0**power * factor]
            (low, high), ticks = log_ticks(values)
            assert low <= values[0], values
            assert values[1] <= high, values
            assert 2 <= len(ticks) <= MOST, values
            assert all(low <= tick <= high for tick in ticks), values


def test_a_tick_is_written_in_full():
    assert [tick_name(tick) for tick in (1e-6, 0.05, 1, 20_000)] == [
        *("0.000001", "0.05", "1", "20,000")
    ]


def test_a_picture_has_the_ticks_and_no_others():
    use_book_style()
    _, axes = plt.subplots()
    axes.plot([200, 5700], [1, 2])
    set_log_axis(axes, "x", [200, 5700])
    assert [label.get_text() for label in axes.get_xticklabels()] == [
        *("200", "500", "1,000", "2,000", "5,000")
    ]
    assert list(axes.get_xticks(minor=True)) == []
    plt.close("all")


def test_a_chart_has_them_on_the_axes_that_are_meant():
    rows = [{"n": n, "t": t} for n, t in ((4, 0.43), (64, 4.6))]
    encoding = line_chart(rows, x="n", y="t", log_y=True).to_dict()["encoding"]
    assert encoding["y"]["axis"]["values"] == [0.5, 1, 2, 5]
    assert encoding["y"]["scale"] == {"type": "log", "domain": [0.4, 5], "nice": False}
    assert "axis" not in encoding["x"]


def log_channels(part):
    """Yield the channels of a specification that are logarithmic."""
    if isinstance(part, dict):
        if isinstance(part.get("scale"), dict) and part["scale"].get("type") == "log":
            yield part
        part = list(part.values())
    if isinstance(part, list):
        for item in part:
            yield from log_channels(item)


def test_every_logarithmic_axis_of_the_book_has_the_ticks_of_its_ends():
    count = 0
    for where, spec in stored_charts():
        for channel in log_channels(spec):
            count += 1
            expected = log_axis(channel["scale"]["domain"])
            found = [channel["axis"]["values"], channel["axis"]["format"]]
            assert found == [expected["axis"]["values"], expected["axis"]["format"]], where
    assert count > 20
