"""An exercise has a box for each token; the chart of distances shows what T5 computes."""

import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex

from annotated_transformer.lab.figures import PALETTE
from annotated_transformer.lab.figures.text_to_text import Exercise, bucket_chart, exercises_picture

GOOD = Exercise("infilling", ["a", "_", "d"], ["a", "b", "c", "d"], ["_"])


def test_every_token_has_a_box_and_gaps_are_grey():
    exercises_picture([GOOD, GOOD._replace(reads=["d"])])
    above, below = plt.gcf().axes
    assert [text.get_text() for text in above.texts] == ["a", "_", "d", "a", "b", "c", "d"]
    assert len(below.texts) == 5
    rims = [to_hex(patch.get_edgecolor()).upper() for patch in above.patches]
    read, gap, written = (PALETTE[role].upper() for role in ("source", "neutral", "target"))
    assert rims == [read, gap, read, *[written] * 4]


@pytest.mark.parametrize(
    ("exercises", "message"),
    [
        ([], "nothing to draw"),
        ([GOOD._replace(reads=[])], "'infilling' reads or writes nothing"),
        ([GOOD, GOOD._replace(writes=[])], "'infilling' reads or writes nothing"),
    ],
)
def test_a_panel_that_cannot_be_drawn_is_refused(exercises, message):
    with pytest.raises(ValueError, match=message):
        exercises_picture(exercises)


def test_the_chart_has_one_bucket_for_each_near_distance_and_one_for_all_far_ones():
    points = bucket_chart(32, 128, 200).to_dict()["data"]["values"]
    before = [point["bucket"] for point in points if point["key"] == "before"]
    after = [point["bucket"] for point in points if point["key"] == "after"]
    assert before[:7] == [1, 2, 3, 4, 5, 6, 7]
    assert set(before[127:]) == {15}
    assert before == sorted(before)
    assert [number + 16 for number in before] == after
    assert len(before) == 200
