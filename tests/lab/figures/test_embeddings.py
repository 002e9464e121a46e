import pytest
import torch
from matplotlib import pyplot as plt
from matplotlib.colors import same_color

from annotated_transformer.lab.analysis.subwords import learn_merges, merge_text
from annotated_transformer.lab.figures.embeddings import (
    lookup_picture,
    merges_picture,
    next_token_chart,
)


def test_every_piece_id_and_component_is_drawn():
    rows = torch.randn(2, 16)
    axes = lookup_picture("나는", ["▁나", "는"], [7, 9], rows)
    texts = {text.get_text() for text in axes.texts}
    assert {"나는", "▁나", "는", "7", "9"} <= texts
    drawn = [image.get_array() for image in axes.images]
    assert [array[:, 0].tolist() for array in drawn] == rows[:, :12].tolist()
    plt.close()


def test_rows_must_match_the_ids():
    with pytest.raises(ValueError, match="1 pieces, 2 ids and 2 rows"):
        lookup_picture("나", ["▁나"], [7, 9], torch.zeros(2, 3))


@pytest.mark.parametrize("n", [0, 9, 2_000])
def test_as_many_pieces_as_fit(n):
    with pytest.raises(ValueError, match=f"{n} pieces, .*expected as many of each, 1 to 8"):
        lookup_picture("a " * n, ["▁a"] * n, [7] * n, torch.zeros(n, 3))


def test_a_heading_and_its_tokens_for_each_prefix():
    records = [
        {"after": "a", "token": "x", "probability": 0.9},
        {"after": "a", "token": "y", "probability": 0.1},
        {"after": "b", "token": "x", "probability": 1.0},
    ]
    chart = next_token_chart(records).to_dict()
    assert '["after a", "x", "y", "after b", "x"]' in chart["encoding"]["y"]["axis"]["labelExpr"]
    points = chart["data"]["values"]
    assert [point["line"] for point in points] == [1, 2, 4]
    assert [point["place"] for point in points] == ["likeliest", "other", "likeliest"]
    with pytest.raises(ValueError, match="no records"):
        next_token_chart([])


def test_each_row_shows_the_words_after_one_more_merge():
    merges = list(learn_merges(["ab ab abc b"], 3))
    axes = merges_picture(["abc", "ab"], merges)
    for step in range(4):
        texts = [text for text in axes.texts if text.get_position()[1] == step]
        shown = [t.get_text() for t in sorted(texts, key=lambda t: t.get_position()[0])]
        assert shown == merge_text("abc ab", merges[:step])
    plt.close()


def test_the_piece_that_a_merge_made_is_filled_in_its_row_only():
    merges = list(learn_merges(["ab ab abc b"], 3))
    axes = merges_picture(["abc", "ab"], merges)
    for box, text in zip(axes.patches, axes.texts, strict=True):
        step = int(text.get_position()[1])
        new = step > 0 and text.get_text() == merges[step - 1].piece
        assert same_color(box.get_facecolor(), "white") != new
        assert box.get_width() == pytest.approx(len(text.get_text()) - 0.12)
    plt.close()


@pytest.mark.parametrize("words", [[], ["a b"], ["a" * 30]])
def test_words_that_cannot_be_drawn_are_refused(words):
    with pytest.raises(ValueError, match="merges_picture: "):
        merges_picture(words, [])
