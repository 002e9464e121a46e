"""The live figure *Rotary* turns queries and keys as the package does."""

import math
import re

import pytest
import torch

from annotated_transformer.variants.rotary import rotate
from live_page import write_page

UNIT = 36
ZERO, HEIGHT = 76, 36  # of the curve


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("rotary"), "rotary").as_uri()


@pytest.fixture
def page(tab, address):
    tab.emulate_media(reduced_motion="reduce")  # it does not begin by itself
    tab.goto(address)
    return tab


def slide(page, query, key):
    page.get_by_label("position of the query:").fill(str(query))
    page.get_by_label("position of the key:").fill(str(key))


def vectors(page):
    found = page.evaluate("document.querySelector('live-rotary').vectors")
    return torch.tensor(found, dtype=torch.float64)


def drawn(page, kind):
    """Query and key as the tips of their hands; kind is of the faint ones or of the turned ones."""
    lines = page.locator(f".rotary-dials line{kind}").evaluate_all(
        "lines => lines.map((l) => [l.x2.baseVal.value, -l.y2.baseVal.value])"
    )
    return torch.tensor(lines, dtype=torch.float64).view(4, 2, 2).transpose(0, 1).flatten(1) / UNIT


def number(text):
    return float(text.replace("\u2212", "-").replace(" ", ""))


def products(page):
    return [number(text) for text in page.locator(".rotary-product").all_inner_texts()]


def angle_texts(page):
    return page.locator(".rotary-dials li:has(svg) .rotary-angle").all_inner_texts()


def said(page):
    """Offset, sum and score; the score is said twice."""
    total = number(page.locator(".rotary-sum").inner_text().removeprefix("= "))
    score = page.locator(".rotary-sum + .rotary-angle").inner_text().removeprefix("÷ √8 = ")
    wanted = r"Query minus key is (.+): the score is (.+), wherever they stand\."
    text = page.locator("live-rotary .live-stage > p[aria-live]").inner_text()
    offset, again = re.fullmatch(wanted, text).groups()
    assert again == score
    return [number(offset), total, number(score)]


def curve(page):
    """The score for each position of the key, as it is drawn."""
    path = page.locator(".rotary-curve").get_attribute("d")
    points = [[float(x) for x in point.split()] for point in path.removeprefix("M").split("L")]
    assert [x for x, _ in points] == [place + 0.5 for place in range(61)]
    return torch.tensor([(ZERO - y) / HEIGHT for _, y in points], dtype=torch.float64)


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize(("query", "key"), [(5, 2), (0, 0), (60, 0), (3, 41)])
def test_hands_and_products_are_those_of_the_package(page, query, key, fresh):
    if fresh:
        page.get_by_role("button", name="Draw another query and key").click()
        assert not torch.equal(vectors(page), torch.tensor([[0.6], [0.95]]).expand(2, 8))
    slide(page, query, key)
    q, k = vectors(page)
    q_turned = rotate(q[None], torch.tensor([query]))[0]
    k_turned = rotate(k[None], torch.tensor([key]))[0]
    turned = torch.stack([q_turned, k_turned])
    torch.testing.assert_close(drawn(page, ":not(.rotary-still)"), turned, atol=1e-4, rtol=0)
    torch.testing.assert_close(drawn(page, ".rotary-still"), vectors(page), atol=1e-4, rtol=0)
    each = (q_turned * k_turned).view(4, 2).sum(-1)
    assert products(page) == pytest.approx(each.tolist(), abs=0.0051)
    angles = [text.removesuffix("° apart") for text in angle_texts(page)]
    wanted = torch.cosine_similarity(q_turned.view(4, 2), k_turned.view(4, 2))
    assert [math.cos(math.radians(int(angle))) for angle in angles] == pytest.approx(
        wanted.tolist(), abs=0.01
    )
    total = each.sum().item()
    assert said(page) == pytest.approx([query - key, total, total / math.sqrt(8)], abs=0.0051)
    keys = rotate(k.expand(61, 8), torch.arange(61))
    torch.testing.assert_close(curve(page), keys @ q_turned / math.sqrt(8), atol=4e-4, rtol=0)
    tip = float(page.locator(".rotary-line .place-second-tip").get_attribute("cy"))
    assert (ZERO - tip) / HEIGHT == pytest.approx(total / math.sqrt(8), abs=1e-6)


def test_moved_together_every_product_stays(page):
    slide(page, 4, 9)
    before, words, at = products(page), said(page), drawn(page, ":not(.rotary-still)")
    page.get_by_label("both together").focus()
    for key, places in (("ArrowRight", ["5", "10"]), ("End", ["55", "60"]), ("Home", ["0", "5"])):
        page.keyboard.press(key)
        labels = ("position of the query:", "position of the key:")
        assert [page.get_by_label(label).input_value() for label in labels] == places
        assert products(page) == before
        assert said(page) == words
        assert not torch.allclose(drawn(page, ":not(.rotary-still)"), at)


def test_the_curve_travels_with_the_query_and_keeps_its_form(page):
    slide(page, 10, 4)
    before = curve(page)
    slide(page, 31, 4)
    torch.testing.assert_close(curve(page)[21:], before[:40], atol=8e-4, rtol=0)
    assert not torch.allclose(curve(page), before, atol=0.1)


@pytest.mark.parametrize(
    ("taken", "to", "wanted"),
    [(30, 40, [40, 12]), (11, 0, [30, 0]), (21, 30, [39, 21]), (21, 60, [60, 42])],
    ids=["query", "key, from beside it", "both, by the band", "both, to the end"],
)
def test_positions_are_dragged_along_the_line(page, taken, to, wanted):
    before = said(page)
    box = page.locator(".rotary-line > svg").bounding_box()
    at = [box["x"] + (place + 0.5) * box["width"] / 61 for place in range(61)]
    page.mouse.move(at[taken], box["y"] + 90)
    page.mouse.down()
    page.mouse.move(at[to], box["y"] + 60, steps=3)
    page.mouse.up()
    page.mouse.move(at[30], box["y"] + 90)  # no button is down any more
    labels = ("position of the query:", "position of the key:")
    assert [int(page.get_by_label(label).input_value()) for label in labels] == wanted
    assert (said(page) == before) == (taken == 21)


def test_the_slow_pairs_hardly_turn(page):
    speeds = page.locator(".rotary-dials li:has(svg) .rotary-speed")
    for i, text in enumerate(speeds.all_inner_texts()):
        step = float(re.search(r"[\d.]+", text)[0])
        assert step == pytest.approx(math.degrees(10_000 ** (-i / 4)), rel=0.05)


def test_other_vectors_fit_the_dials_and_the_first_come_back(page):
    first = vectors(page)
    another = page.get_by_role("button", name="Draw another query and key")
    for _ in range(20):
        another.focus()
        page.keyboard.press("Enter")
        lengths = vectors(page).view(2, 4, 2).norm(dim=-1)
        assert 0.4 <= lengths.min() <= lengths.max() <= 1.1
    page.get_by_role("button", name="Back to the first query and key").click()
    assert torch.equal(vectors(page), first)
