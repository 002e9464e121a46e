"""Both answers stand in the row of their token; a frame is around each name and no other square."""

import pytest
from drawing import drawn
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.charts import specification
from annotated_transformer.lab.figures.reading_attention import names_chart, two_answers_picture

ENCODER, CROSS = "encoder.layers.0.self_attention", "decoder.layers.1.cross_attention"


def test_each_token_has_a_bar_on_either_side():
    two_answers_picture(["a", "b", "c"], ("looks", [0.2, 0.8, 0.0]), ("rests", [3.0, -1.0, 2.0]))
    left, right = plt.gcf().axes
    assert [axes.get_title() for axes in (left, right)] == ["looks", "rests"]
    assert [bar.get_width() for bar in left.patches] == [0.2, 0.8, 0.0]
    assert [bar.get_width() for bar in right.patches] == [3.0, -1.0, 2.0]
    assert [label.get_text() for label in left.get_yticklabels()] == ["a", "b", "c"]
    assert left.get_ylim() == (2.5, -0.5)  # the first token is at the top
    plt.close()


@pytest.mark.parametrize("tokens", [[], ["a"], ["a", "b", "c"]])
def test_a_side_without_a_value_for_each_token_is_refused(tokens):
    with pytest.raises(ValueError, match=f"'looks' has 2 values for {len(tokens)} tokens"):
        two_answers_picture(tokens, ("looks", [0.0, 1.0]), ("rests", [0.0] * len(tokens)))


def row(attention, kind, share):
    baselines = {"even": 10.4, "untrained": 20.0, "elsewhere": None}
    return {"attention": attention, "head": 0, "kind": kind, "share": share} | baselines


def test_the_map_frames_the_names_that_were_earned():
    rows = [row(CROSS, "writing", 80.2), row(ENCODER, "same", 60.0), row(ENCODER, "end", 3.0)]
    chart = names_chart(rows, {(ENCODER, 0): ["same"], (CROSS, 0): ["writing"]})
    specified = specification(chart, "a map")
    cells, frames = specified["layer"]
    squares = cells["layer"][0]["data"]["values"] if "data" in cells["layer"][0] else None
    squares = squares or cells["data"]["values"]
    assert len(squares) == 3
    assert squares[0]["share"] == 80
    assert (squares[0]["even"], squares[0]["elsewhere"]) == (10, 0)
    framed = {(value["head"], value["kind"]) for value in frames["data"]["values"]}
    assert framed == {("encoder 1.1", "same"), ("cross 2.1", "writing")}
    assert frames["encoding"]["y"]["sort"] == ["encoder 1.1", "cross 2.1"]
    assert frames["encoding"]["x"]["sort"] == ["same", "end", "writing"]
    assert "80" in drawn(chart)
