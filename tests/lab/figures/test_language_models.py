"""The picture has a box for each word and each answer, and a line for each word that is seen."""

import pytest
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.language_models import (
    Question,
    alike_chart,
    questions_picture,
)

GOOD = Question("gap", ["a", "_", "c"], ["", "b", ""], 1, [0, 1, 2])


def test_every_word_and_every_answer_has_a_box_and_every_sight_a_line():
    questions_picture([GOOD, Question("next", ["a", "b"], ["b", "c"], 0, [0])])
    above, below = plt.gcf().axes
    assert sorted(text.get_text() for text in above.texts) == ["_", "a", "b", "c"]
    assert sorted(text.get_text() for text in below.texts) == ["a", "b", "b", "c"]
    assert len(above.patches) == len(below.patches) == 4
    assert [line.get_xdata()[0] for line in above.lines] == [0, 1, 2]
    assert {line.get_xdata()[1] for line in above.lines} == {1}
    assert len(below.lines) == 1


@pytest.mark.parametrize(
    ("questions", "message"),
    [
        ([], "nothing to draw"),
        ([GOOD._replace(answers=["", "b"])], "3 words but 2 answers"),
        ([GOOD._replace(looking=0)], "asks nothing at 0"),
        ([GOOD._replace(looking=3)], "asks nothing at 3"),
        ([GOOD._replace(sees=[0, 5])], "no word 5"),
    ],
)
def test_a_panel_that_cannot_be_drawn_is_refused(questions, message):
    with pytest.raises(ValueError, match=message):
        questions_picture(questions)


def test_every_pair_of_texts_has_a_cell_with_its_cosine():
    spec = alike_chart(["a text", "other"], [[1.0, -0.126], [0.251, 1.0]]).to_dict()
    values = spec["data"]["values"]
    assert [(v["first"], v["second"], v["cosine"]) for v in values] == [
        (1, 1, 1.0),
        (1, 2, -0.13),
        (2, 1, 0.25),
        (2, 2, 1.0),
    ]
    assert [v["another"] for v in values] == ["a text", "other"] * 2
    labels = spec["layer"][0]["encoding"]["y"]["axis"]["labelExpr"]
    assert labels == '["a text  1", "other  2"][datum.value - 1]'


@pytest.mark.parametrize("cosines", [[], [[1.0]], [[1.0, 0.5], [0.5]]])
def test_a_pair_without_a_cosine_is_refused(cosines):
    with pytest.raises(ValueError, match="2 texts need 2 rows of 2 cosines"):
        alike_chart(["a", "b"], cosines)
