"""Pictures of the three attentions and of pronouns say what their rows say."""

import pytest
import torch
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.charts import specification
from annotated_transformer.lab.figures.encoder_decoder import (
    alignment_chart,
    attention_by_part_chart,
    road_picture,
    three_attentions,
)


def test_a_cell_is_drawn_where_a_row_may_read_and_darker_for_more_weight():
    allowed = torch.tensor([[1, 1, 0], [1, 1, 0], [1, 1, 1]]).bool()
    weights = torch.tensor([[0.9, 0.1, 0.0], [0.5, 0.5, 0.0], [0.2, 0.8, 1.0]])
    axes = three_attentions(allowed, weights, ["I", "am"], ["나는"])
    cells = {(int(p.get_y()), int(p.get_x())): p.get_facecolor() for p in axes.patches}
    assert set(cells) == {(i, j) for i, j in allowed.nonzero().tolist()}
    assert sum(cells[0, 0]) < sum(cells[0, 1])
    assert sum(cells[2, 1]) < sum(cells[2, 0])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["I", "am", "나는"]
    plt.close()
    with pytest.raises(ValueError, match="2 words for 3 rows"):
        three_attentions(allowed, weights, ["I"], ["나는"])


def values_of(chart):
    specified = specification(chart, "")
    (data,) = specified.get("datasets", {None: specified.get("data", {}).get("values")}).values()
    return data


def test_the_alignment_chart_has_a_mark_for_each_row():
    rows = [
        {"layer": 1, "step": "output", "head": 0, "AER": 21.4},
        {"layer": 1, "step": "input", "head": None, "AER": 60.0},
    ]
    first, second = values_of(alignment_chart(rows))
    assert (first["head"], first["alignment error (%)"]) == ("layer 2, head 1", 21)
    assert second["head"] == "layer 2, mean of heads"
    assert first["row belongs to"] != second["row belongs to"]


def test_both_readings_of_a_head_stand_next_to_each_other():
    name = "encoder.layers.1.self_attention"
    rows = [
        {"attention": name, "head": head, "part": "it", "reading": reading, "share": 12.4}
        for reading in ("subject", "object")
        for head in (0, 1)
    ]
    rows.append(rows[0] | {"attention": "decoder.layers.0.cross_attention"})
    chart = specification(attention_by_part_chart(rows), "")
    assert {value["part"] for value in values_of(attention_by_part_chart(rows))} == {"it"}
    assert chart["layer"][0]["encoding"]["y"]["sort"] == [
        "encoder 2.1, subject",
        "encoder 2.1, object",
        "encoder 2.2, subject",
        "encoder 2.2, object",
        "cross 1.1, subject",
    ]
    with pytest.raises(ValueError, match="no rows"):
        attention_by_part_chart([])


def test_the_road_has_an_arrow_for_each_word_of_each_step():
    """From the adjective to its two carriers, from them and from the noun up, and two upwards."""
    words = ["The", "fox", "slept", "because", "it", "was", "tired"]
    axes = road_picture(words, "그 여우가", adjective=6, carriers=(4, 0), noun=(0, 1))
    texts = [text.get_text() for text in axes.texts if text.get_text()]
    arrows = [text for text in axes.texts if not text.get_text()]
    assert texts[: len(words)] == words
    assert "그 여우가" in texts
    assert sum(text in ("1", "2", "3") for text in texts) == 3
    assert len(arrows) == 2 + 2 + 2 + 2
    plt.close()


@pytest.mark.parametrize("name", [str, lambda text: text[:5], lambda text: 2 * text])
def test_the_road_reaches_the_boxes_however_wide_their_words_are(name):
    words = ["The", "fox", "slept", "because", "it", "was", "tired"]
    axes = road_picture(words, "opening", adjective=6, carriers=(4,), noun=(0, 1))
    boxes = [text for text in axes.texts if text.get_bbox_patch()]
    for text in boxes:
        text.set_text(name(text.get_text()))
    axes.figure.canvas.draw()
    lefts = {text: text.get_bbox_patch().get_window_extent().x0 for text in boxes}
    reaching = [text for text in axes.texts if not text.get_text() and text.xycoords in boxes]
    assert len(reaching) == 1 + 2
    point = axes.figure.dpi / 72
    for arrow in reaching:
        tip = arrow.arrow_patch.get_window_extent().x1
        assert 0 < lefts[arrow.xycoords] - tip < 3 * point
    plt.close()
