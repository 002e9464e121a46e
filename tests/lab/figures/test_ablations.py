"""Each row is drawn at its differences, and the mark says the verdict."""

import pytest
from matplotlib import pyplot as plt

from annotated_transformer.config import TABLE3
from annotated_transformer.lab.analysis.table3 import Difference
from annotated_transformer.lab.figures.ablations import signs_picture

ROWS = [
    Difference("A: n_heads=1", 0.37, (0.3, 0.4, 0.5), 0.1),
    Difference("C: n_layers=8", -0.04, (0.6, 0.5, 0.7), 0.1),
    Difference("E: positions=learned", 0.0, (0.05, -0.01, 0.02), 0.2),
]


def test_marks_stand_at_the_differences_and_say_the_verdict():
    signs_picture(ROWS, "perplexity")
    (axes,) = plt.gcf().axes
    drawn = [line for line in axes.lines if len(line.get_xdata()) == 3]
    assert [tuple(line.get_xdata()) for line in drawn] == [row.ours for row in ROWS]
    heights = [set(line.get_ydata()) for line in drawn]
    assert [{round(y) for y in row} for row in heights] == [{0}, {1}, {2}]
    assert [line.get_marker() for line in drawn] == ["o", "X", "|"]
    papers = [line for line in axes.lines if line.get_marker() == "D"]
    assert [line.get_xdata()[0] for line in papers] == [0.37, -0.04, 0.0]
    # In its row the paper's mark is above ours: the axis of the rows points downwards.
    for paper, (ours,), place in zip(papers, heights, range(3), strict=True):
        assert place - 0.5 < paper.get_ydata()[0] < place < ours < place + 0.5
    top, bottom = reversed(axes.get_ylim())
    assert top < bottom
    names = ["A: 1 head", "C: 8 layers", "E: learned positions"]
    assert [label.get_text() for label in axes.get_yticklabels()] == names
    bands = [(band.get_x(), band.get_width()) for band in axes.patches]
    assert bands == [(-0.1, 0.2), (-0.1, 0.2), (-0.2, 0.4)]


def test_a_mark_is_named_as_it_is_drawn():
    signs_picture(ROWS, "perplexity")
    figure = plt.gcf()
    (legend,) = figure.legends
    named = {
        text.get_text(): (mark.get_marker(), mark.get_color())
        for text, mark in zip(legend.get_texts(), legend.legend_handles, strict=True)
    }
    marks = [line for line in figure.axes[0].lines if line.get_marker() != "None"]
    drawn = {(line.get_marker(), line.get_color()) for line in marks}
    assert named["the paper, one run"][0] == "D"
    assert set(named.values()) == drawn
    for row in ROWS:
        (mark,) = [line for line in marks if tuple(line.get_xdata()) == row.ours]
        assert named[f"ours: {row.verdict}"] == (mark.get_marker(), mark.get_color())


def test_a_size_of_ours_that_is_not_the_papers_stands_behind_it():
    here = {"A: n_heads=1": "n_heads=1, d_k=128, d_v=128", "C: n_layers=8": "n_layers=4"}
    signs_picture(ROWS, "loss", here)
    names = [label.get_text() for label in plt.gcf().axes[0].get_yticklabels()]
    assert names == ["A: 1 head", "C: 8 layers (4)", "E: learned positions"]


def test_every_row_of_the_paper_is_named_in_words():
    rows = [row for row in TABLE3 if row not in ("base", "big")]
    signs_picture([Difference(row, 0.1, (0.1,), 0.0) for row in rows], "loss")
    names = [label.get_text() for label in plt.gcf().axes[0].get_yticklabels()]
    assert not [name for name in names if "=" in name or "_" in name]
    assert len(set(names)) == len(rows)


def test_no_rows_are_refused():
    with pytest.raises(ValueError, match="no rows"):
        signs_picture([], "BLEU")
