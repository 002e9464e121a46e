"""The live figure *Clocks* against `sinusoidal_encoding` and the theorem on offsets."""

import math
import re

import pytest
import torch

from annotated_transformer.positions import sinusoidal_encoding
from live_page import write_page


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("clocks"), "clocks").as_uri()


@pytest.fixture
def page(tab, address):
    tab.goto(address)
    return tab


def slide(page, **values):
    for name, value in values.items():
        page.get_by_label(f"position {name}").fill(str(value))


def places(page):
    return [int(page.get_by_label(f"position {name}").input_value()) for name in "pq"]


def numbers(text):
    return [float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", text.replace("\u2212", "-"))]


def faces(page):
    """Angle and cosine of each clock."""
    return [numbers(text)[1:] for text in page.locator(".clocks-faces li").all_inner_texts()]


def product(page):
    return numbers(page.locator(".clocks-found").inner_text())[1]


@pytest.mark.parametrize(("p", "q"), [(12, 20), (0, 60), (60, 0), (31, 31), (7, 8), (44, 0)])
def test_angles_and_product_are_those_of_the_encoding(page, p, q):
    slide(page, p=p, q=q)
    assert places(page) == [p, q]
    rows = sinusoidal_encoding(61, 16)
    assert product(page) == pytest.approx((rows[p] @ rows[q]).item(), abs=0.0051)
    for i, (angle, cosine) in enumerate(faces(page)):
        turn = abs(p - q) * 10_000 ** (-i / 8)
        assert cosine == pytest.approx(math.cos(turn), abs=0.0051)
        between = math.degrees(abs(math.remainder(turn, 2 * math.pi)))
        assert angle == pytest.approx(between, abs=0.51 if between > 9 else 0.051)


def test_hands_point_at_sine_and_cosine(page):
    slide(page, p=5, q=33)
    rows = sinusoidal_encoding(61, 16)
    hands = page.locator(".clocks-faces line").evaluate_all(
        "lines => lines.map((l) => [l.x2.baseVal.value, l.y2.baseVal.value])"
    )
    for n, hand in enumerate(hands):
        sine, cosine = rows[(5, 33)[n % 2], 2 * (n // 2) :][:2].tolist()
        assert hand == pytest.approx([30 * sine, -30 * cosine], abs=0.01)


def test_the_heat_map_holds_the_encoding(page):
    cells = page.locator(".clocks-table rect[fill-opacity]").evaluate_all(
        "cells => cells.map((c) => [c.x.baseVal.value, c.y.baseVal.value,"
        " (c.classList.contains('clocks-below') ? -1 : 1) * c.getAttribute('fill-opacity')])"
    )
    values = [value for _, _, value in sorted(cells)]  # as they stand: from the left, then down
    table = torch.tensor(values, dtype=torch.float64).view(61, 16)
    torch.testing.assert_close(table, sinusoidal_encoding(61, 16).double(), atol=0.0051, rtol=0)


def test_moved_together_the_hands_turn_and_the_angles_stay(page):
    slide(page, p=9, q=3)
    before, at = faces(page), page.locator(".clocks-faces line").first.get_attribute("x2")
    page.get_by_label("both together").focus()
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    assert places(page) == [14, 8]
    assert faces(page) == before
    assert page.locator(".clocks-faces line").first.get_attribute("x2") != at
    page.keyboard.press("End")
    assert places(page) == [60, 54]
    page.keyboard.press("Home")
    assert places(page) == [6, 0]
    assert faces(page) == before


def lefts(page):
    """Where each position begins."""
    cells = page.locator(".clocks-table rect[fill-opacity]")
    return cells.evaluate_all("cells => cells.map((c) => c.getBoundingClientRect().left)")[::16]


def test_the_marks_stand_at_their_positions(page):
    slide(page, p=0, q=50)
    for name, place in (("first", 0), ("second", 50)):
        box = page.locator(f".clocks-table rect.place-{name}").bounding_box()
        middle = box["x"] + box["width"] / 2
        assert lefts(page)[place] < middle < lefts(page)[place + 1]


@pytest.mark.parametrize(
    ("taken", "to", "wanted"),
    [(12, 3, [3, 20]), (21, 40, [12, 40]), (16, 30, [26, 34]), (16, 60, [52, 60]), (1, 1, [1, 20])],
    ids=["p", "q, from beside it", "both, by the band", "both, to the end", "a click"],
)
def test_positions_are_dragged_along_the_table(page, taken, to, wanted):
    at = lefts(page)
    width = at[1] - at[0]
    box = page.locator(".clocks-table svg").bounding_box()
    page.mouse.move(at[taken] + width / 2, box["y"] + 90)
    page.mouse.down()
    page.mouse.move(at[to] + width / 2, box["y"] + 120, steps=3)
    page.mouse.up()
    page.mouse.move(at[30], box["y"] + 90)  # no button is down any more
    assert places(page) == wanted


def test_it_says_in_words_where_the_rows_are(page):
    slide(page, p=1, q=0)
    text = page.locator("live-clocks").inner_text()
    assert "p and q are 1 position apart." in text
    spoken = page.locator("[aria-live=polite]")
    assert spoken.inner_text().startswith("p and q are 1 position apart.")
    both = page.get_by_label("both together")
    assert both.get_attribute("aria-valuetext") == "1 and 0"


def test_both_together_is_off_where_it_cannot_move(page):
    both = page.get_by_label("both together")
    slide(page, p=60, q=0)
    assert both.is_disabled()
    slide(page, q=1)
    assert both.is_enabled()
