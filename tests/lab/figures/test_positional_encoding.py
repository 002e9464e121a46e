"""The charts of the chapter on positions compute what `sinusoidal_encoding` computes."""

import math
import re

import pytest
import torch
from drawing import drawn, number
from matplotlib import pyplot as plt

from annotated_transformer.lab.figures.charts import CONTAINER_WIDTH, specification
from annotated_transformer.lab.figures.positional_encoding import (
    clocks_chart,
    encoding_picture,
    explorer_chart,
    shares_chart,
)
from annotated_transformer.positions import sinusoidal_encoding


@pytest.mark.parametrize(
    ("d_model", "log_base", "p", "q"),
    [(64, 4, 12, 20), (2, 4, 50, 6), (128, 2, 3, 60), (8, 0, 7, 7)],
)
def test_the_explorer_shows_the_inner_product_of_the_two_encodings(d_model, log_base, p, q):
    picture = drawn(explorer_chart(), d_model=d_model, log_base=log_base, p=p, q=q)
    encoding = sinusoidal_encoding(61, d_model, 10.0**log_base)
    expected = (encoding[p] @ encoding[q]).item() / (d_model / 2)
    (found,) = re.findall(r">p and q: ([^<]+)<", picture)
    assert number(found) == pytest.approx(expected, abs=6e-4)


def test_the_hands_of_the_explorer_are_the_components_of_the_pair():
    picture = drawn(explorer_chart(), d_model=16, pair=40, p=9, q=30)  # a pair that is not there
    last = sinusoidal_encoding(31, 16)[:, -2:]
    found = re.findall(
        r"component 2i \(sine\): (\S+); component 2i \+ 1 \(cosine\): ([^\s;]+)", picture
    )
    hands = {tuple(number(x) for x in pair) for pair in found}
    for position in (9, 30):
        assert any(hand == pytest.approx(last[position].tolist(), abs=1e-6) for hand in hands)


def test_a_clock_points_where_sine_and_cosine_say():
    picture = drawn(clocks_chart(6, 100, 5))
    found = re.findall(r"position: (\d+); pair i: (\d+); turn: ([^\s;\"]+)", picture)
    assert len(found) == 5 * 3
    encoding = sinusoidal_encoding(5, 6, 100.0)
    for position, pair, turn in found:
        sine, cosine = encoding[int(position), 2 * int(pair) :][:2].tolist()
        angle = math.radians(number(turn))
        assert (math.sin(angle), math.cos(angle)) == pytest.approx((sine, cosine), abs=1e-6)


def test_clocks_need_pairs_and_positions():
    wrong = ((5, 100, 3), (0, 100, 3), (4, 100, 0), (4, 100, 10**7), (4, 0, 3), (4, math.nan, 3))
    for d_model, base, n_positions in wrong:
        message = f"d_model={d_model}, base={base} and n_positions={n_positions}; expected"
        with pytest.raises(ValueError, match=message):
            clocks_chart(d_model, base, n_positions)


def test_terms_keep_their_order_and_their_number():
    rows = [{"head": "1", "term": term, "share": 0.25} for term in "dbca"]
    chart = specification(shares_chart(rows), "shares")
    assert chart["encoding"]["color"]["scale"]["domain"] == ["d", "b", "c", "a"]
    # Lines between the bars are the page's, and on a phone a long name has a line of its own.
    assert chart["mark"]["stroke"] == "var(--pst-color-background, white)"
    columns = chart["encoding"]["color"]["legend"]["columns"]["expr"]
    assert columns == f"{CONTAINER_WIDTH} < 480 ? 1 : 2"
    with pytest.raises(ValueError, match="0 terms; expected one to four"):
        shares_chart([])


def test_the_heat_map_holds_the_encoding_a_row_for_each_position():
    encoding_picture(9, 6)
    (image,) = plt.gcf().axes[0].images
    torch.testing.assert_close(torch.tensor(image.get_array().data), sinusoidal_encoding(9, 6))
    assert image.get_clim() == (-1, 1)
