"""Each row is drawn at its differences, and the mark says the verdict."""

import pytest
from matplotlib import pyplot as plt

from annotated_transformer.lab.analysis.table3 import Difference
from annotated_transformer.lab.figures.ablations import signs_picture

ROWS = [
    Difference("A: n_heads=1", 0.37, (0.3, 0.4, 0.5), 0.1),
    Difference("C: n_layers=8", -0.04, (0.6, 0.5, 0.7), 0.1),
    Difference("E: positions=learned", 0.0, (0.05, -0.01, 0.02), 0.2),
]


def test_marks_stand_at_the_differences_and_say_the_verdict():
    signs_picture(ROWS, "perplexity")
    paper, ours = plt.gcf().axes
    drawn = [line for line in ours.lines if len(line.get_xdata()) == 3]
    assert [tuple(line.get_xdata()) for line in drawn] == [row.ours for row in ROWS]
    assert [set(line.get_ydata()) for line in drawn] == [{0}, {1}, {2}]
    assert [line.get_marker() for line in drawn] == ["o", "X", "|"]
    assert [line.get_xdata()[0] for line in paper.lines[:3]] == [0.37, -0.04, 0.0]
    assert [label.get_text() for label in paper.get_yticklabels()] == [row.row for row in ROWS]
    bands = [(band.get_x(), band.get_width()) for band in ours.patches]
    assert bands == [(-0.1, 0.2), (-0.1, 0.2), (-0.2, 0.4)]
    assert paper.get_xlim() == ours.get_xlim()


def test_a_size_of_ours_that_is_not_the_papers_stands_behind_it():
    here = {"A: n_heads=1": "n_heads=1, d_k=128, d_v=128", "C: n_layers=8": "n_layers=4"}
    signs_picture(ROWS, "loss", here)
    names = [label.get_text() for label in plt.gcf().axes[0].get_yticklabels()]
    assert names == ["A: n_heads=1", "C: n_layers=8 (4)", "E: positions=learned"]


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        signs_picture([], "BLEU")
