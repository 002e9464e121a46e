"""Each score is drawn as it is computed, each run as it was measured; what is empty is refused."""

import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex
from matplotlib.patches import Rectangle

from annotated_transformer.lab.figures import PALETTE, long_sentences, use_book_style
from annotated_transformer.lab.figures.long_sentences import SIDE, Line, lines_picture, ways_picture
from annotated_transformer.lab.variants.window import window_mask


def squares(axes, colour):
    """(query, key) of the unit squares of a colour."""
    found = [
        (int(p.get_y()), int(p.get_x()))
        for p in axes.patches
        if isinstance(p, Rectangle)
        and p.get_width() == p.get_height() == 1
        and to_hex(p.get_facecolor()) == to_hex(colour)
    ]
    return set(found)


def test_each_way_computes_what_is_said_of_it():
    use_book_style()
    ways_picture()
    explicit, tiles, window, linear, shared, _ = plt.gcf().axes
    every = {(i, j) for i in range(SIDE) for j in range(SIDE)}
    kept, forgotten = long_sentences._KEPT, long_sentences._FORGOTTEN
    assert squares(explicit, kept) == every
    assert squares(tiles, kept) == {(4, 2), (4, 3), (5, 2), (5, 3)}
    assert squares(tiles, kept) | squares(tiles, forgotten) == every
    seen = window_mask(SIDE, 1).nonzero().tolist()
    assert squares(window, kept) == {tuple(pair) for pair in seen}
    assert squares(linear, "white") == every
    state = linear.patches[-1]
    assert (state.get_width(), to_hex(state.get_facecolor())) == (2, PALETTE["value"].lower())
    assert len(shared.lines) == 4
    assert len(shared.patches) == 4 + 2


def lines():
    return [
        Line("a", [2, 4], [1.0, 2.0], "query"),
        Line("a", [2, 4], [1.5, 2.5], "query"),
        Line("bound", [2, 4], [3.0, 3.0], "neutral", dashed=True),
    ]


def test_panels_have_their_lines_one_axis_and_one_entry_for_each_name():
    use_book_style()
    lines_picture({"up": lines(), "down": lines()[:1]}, x="n", y=["s", "MiB"], until=3)
    figure = plt.gcf()
    up, down = figure.axes
    assert [(axes.get_title(), axes.get_ylabel()) for axes in (up, down)] == [
        ("up", "s"),
        ("down", "MiB"),
    ]
    drawn = [line for line in up.lines if len(line.get_xdata()) == 2][:3]
    assert [list(line.get_ydata()) for line in drawn] == [[1, 2], [1.5, 2.5], [3, 3]]
    assert [line.get_linestyle() for line in drawn] == ["-", "-", "--"]
    assert up.get_xscale() == "log"
    assert up.get_yscale() == "linear"
    assert [text.get_text() for text in down.get_xticklabels()] == ["2", "4"]
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == ["a", "bound"]
    assert up.lines[-1].get_xdata()[0] == 3


def test_what_cannot_be_drawn_is_refused():
    for panels in ({}, {"a": []}):
        with pytest.raises(ValueError, match="a panel has nothing to draw"):
            lines_picture(panels, x="n", y=[])
    with pytest.raises(ValueError, match="2 titles for 1 panels"):
        lines_picture({"a": lines()}, x="n", y=["s", "t"])
    with pytest.raises(ValueError, match="'a' has 2 x and 1 y"):
        lines_picture({"a": [Line("a", [1, 2], [1.0], "query")]}, x="n", y=["s"])
