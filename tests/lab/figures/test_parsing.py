"""Trees have all their words, labels and lines; the table a cell for each stretch; runs a mark."""

import pytest
from matplotlib import pyplot as plt

from annotated_transformer.lab.corpora.treebank import parse_trees
from annotated_transformer.lab.figures import PALETTE
from annotated_transformer.lab.figures.parsing import (
    curve_picture,
    mirrored_picture,
    shares_picture,
    table_picture,
    trees_picture,
)

(TREE,) = parse_trees("(S (NP (PRP he)) (VP (VBD saw) (NP (NN a)) (PP (IN of) (NP (NN b)))))")


def test_a_tree_has_its_words_and_labels_and_a_line_to_each_part():
    trees_picture({"one": TREE, "two": TREE})
    above, below = plt.gcf().axes
    for axes in (above, below):
        texts = sorted(text.get_text() for text in axes.texts)
        assert texts == sorted(
            [
                "S",
                "NP",
                "PRP",
                "he",
                "VP",
                "VBD",
                "saw",
                "NP",
                "NN",
                "a",
                "PP",
                "IN",
                "of",
                "NP",
                "NN",
                "b",
            ]
        )
        # One for each label but the topmost, and one for each word.
        assert len(axes.lines) == 10 + 5
        marked = [line for line in axes.lines if line.get_color() == PALETTE["key"]]
        assert len(marked) == 1
    assert above.get_title(loc="left") == "one"
    places = {text.get_text(): text.get_position() for text in above.texts}
    assert [places[word] for word in ("he", "saw", "b")] == [(0, 0), (1, 0), (4, 0)]
    assert places["S"][1] == 5


def test_the_table_has_a_cell_for_each_stretch_and_each_text_above_its_words():
    table_picture(["a", "b", "c"], {(0, 1): ["N .5"], (1, 3): ["*X .1", "Y .2"]})
    (axes,) = plt.gcf().axes
    assert len(axes.patches) == 6
    found = {text.get_text(): text for text in axes.texts}
    assert set(found) == {"a", "b", "c", "N .5", "X .1", "Y .2"}
    assert found["X .1"].get_color() == PALETTE["key"]
    assert found["X .1"].get_position()[0] == found["Y .2"].get_position()[0] == 1.5
    assert found["X .1"].get_position()[1] > found["Y .2"].get_position()[1]


def test_the_curve_has_a_mark_for_each_run_and_a_line_for_each_level():
    curve_picture(
        {"model": {10: [1, 2], 100: [3, 5]}, "other": {10: [4]}}, {"floor": 7.0}, unit="F1"
    )
    (axes,) = plt.gcf().axes
    mean, marks, _, one, level = axes.lines
    assert list(mean.get_ydata()) == [1.5, 4]
    assert list(zip(*marks.get_data(), strict=True)) == [(10, 1), (10, 2), (100, 3), (100, 5)]
    assert list(one.get_ydata()) == [4]
    assert level.get_ydata()[0] == 7
    assert [label.get_text() for label in axes.get_xticklabels()] == ["10", "20", "50", "100"]


def test_shares_have_a_row_for_each_parser_and_a_mark_for_each_run():
    shares_picture({"x": {"a": [1, 2], "b": [3]}, "y": {"a": [4], "b": [5]}}, unit="%")
    (axes,) = plt.gcf().axes
    found = [list(zip(*line.get_data(), strict=True)) for line in axes.lines]
    assert [[(x, round(y)) for x, y in marks] for marks in found] == [
        [(1, 0), (2, 0), (3, 1)],
        [(4, 0), (5, 1)],
    ]
    assert found[0][0][1] < found[1][0][1]  # one kind above the other
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a", "b"]
    assert [text.get_text() for text in plt.gcf().legends[0].get_texts()] == ["x", "y"]
    assert axes.get_xscale() == "linear"


def test_shares_of_very_different_sizes_are_drawn_by_their_ratios():
    shares_picture({"x": {"a": [0.01], "b": [1]}}, unit="nats", log_x=True)
    axis = plt.gca().xaxis
    assert axis.get_scale() == "log"
    assert axis.get_major_formatter().format_ticks([0.01, 1]) == ["0.01", "1"]


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ValueError, match="there is no tree"):
        trees_picture({})
    with pytest.raises(ValueError, match=r"no words \(0, 3\) in a sentence of 2"):
        table_picture(["a", "b"], {(0, 3): ["S"]})
    with pytest.raises(ValueError, match="0 series; expected 1 to 4"):
        curve_picture({}, {}, unit="F1")
    for kinds in ({}, {"x": {"a": [1]}, "y": {"b": [1]}}):
        with pytest.raises(ValueError, match="kinds that all have the same rows"):
            shares_picture(kinds, unit="%")
    with pytest.raises(ValueError, match="5 kinds; expected at most 4"):
        shares_picture({name: {"a": [1]} for name in "abcde"}, unit="%")


def test_mirrored_trees_share_their_words_and_hang_below_them():
    text = "(S (NP (PRP he)) (VP (VBD saw) (NP (NN a) (PP (IN of) (NP (NN b))))) (. .))"
    (written,) = parse_trees(text)
    mirrored_picture({"one": (written, written)}, sides=("written", "gold"))
    (axes,) = plt.gcf().axes
    places = [(text.get_text(), text.get_position()) for text in axes.texts]
    words = [(text, xy) for text, xy in places if xy[1] == 0]
    assert words == [(word, (n, 0)) for n, word in enumerate(["he", "saw", "a", "of", "b"])]
    up = sorted((text, x, y) for text, (x, y) in places if y > 0 and text != "written")
    down = sorted((text, x, -y) for text, (x, y) in places if y < 0 and text != "gold")
    assert up == down
    assert [text for text, _, _ in up] == ["NP", "NP", "NP", "PP", "S", "VP"]


def test_mirrored_trees_need_the_same_words():
    (other,) = parse_trees("(S (NN dog))")
    with pytest.raises(ValueError, match="the trees of 'a dog' have different words"):
        mirrored_picture({"a dog": (TREE, other)}, sides=("written", "gold"))
    with pytest.raises(ValueError, match="there is no pair"):
        mirrored_picture({}, sides=("written", "gold"))
