"""The live figure *LayerNorm* against the package's sublayers with the same numbers."""

import base64
import math
import re

import pytest
import torch

from annotated_transformer.layers import FeedForward, Residual
from live_page import write_page

# Float32Array as base64: as JSON the numbers would take long.
DRAWN = """() => {
    const {drawn} = AnnotatedTransformer.norms, random = drawn(1);
    const text = ({data}) => btoa(Array.from(new Uint8Array(data.buffer),
        (byte) => String.fromCharCode(byte)).join(''));
    return {rows: text(random.rows), networks: random.networks.map((pair) => pair.map(text))};
}"""
STEPS = """({scale, norm}) => {
    const {drawn, pass, compared} = AnnotatedTransformer.norms;
    return compared(pass(drawn(1), scale, norm));
}"""
C = 0.32


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    page = browser.new_page(reduced_motion="reduce")  # it does not begin by itself
    folder = tmp_path_factory.mktemp("live")
    page.goto(write_page(folder, "layer-normalization").as_uri())
    return page


def numbers(text, *shape):
    data = torch.frombuffer(bytearray(base64.b64decode(text)), dtype=torch.float32)
    return data.double().view(shape)


@pytest.fixture(scope="module")
def drawn(page):
    """The rows that go in, and the two matrices of each sublayer."""
    found = page.evaluate(DRAWN)
    pairs = [(numbers(w1, 256, 64), numbers(w2, 64, 256)) for w1, w2 in found["networks"]]
    return numbers(found["rows"], 1, 16, 64), pairs


@pytest.mark.parametrize("norm", ["post", "pre"])
@pytest.mark.parametrize("scale", [0.0, 1.0, 1.5])
def test_rows_pass_as_through_the_package_s_sublayers(page, drawn, norm, scale):
    first, pairs = drawn
    network = FeedForward(64, 256).double()
    torch.nn.init.zeros_(network.inner.bias)
    torch.nn.init.zeros_(network.outer.bias)
    residual = Residual(64, dropout=0.0, norm=norm).double()
    x = first
    steps = page.evaluate(STEPS, {"scale": scale, "norm": norm})
    for pair, step in zip([None, *pairs], steps, strict=True):
        if pair:
            network.inner.weight.data, network.outer.weight.data = pair[0], scale * pair[1]
            x = residual(x, network).detach()
        assert step["size"] == pytest.approx(x.square().mean().sqrt().item(), abs=1e-4)
        cosine = torch.cosine_similarity(x, first, dim=-1).mean().item()
        assert step["cosine"] == pytest.approx(cosine, abs=1e-4)


def test_the_numbers_follow_glorot(drawn):
    weights = torch.cat([matrix.flatten() for pair in drawn[1] for matrix in pair])
    assert weights.abs().max() <= math.sqrt(6 / (64 + 256))
    assert weights.var().item() == pytest.approx(2 / (64 + 256), rel=0.01)
    assert abs(weights.mean()) < 0.001


def shown(page, sublayers, scale):
    page.get_by_label("Sublayers passed").fill(str(sublayers))
    button = page.get_by_role("button", name=scale, exact=True)
    button.click()
    page.locator("live-layer-normalization").evaluate("figure => figure.update()")
    assert button.get_attribute("aria-pressed") == "true"
    return page.locator(".norms-sides p:last-child").all_inner_texts()


def test_what_is_said_is_the_formula_of_the_chapter_and_near_what_is_measured(page):
    for sublayers, scale in [(0, "1.0"), (12, "1.0"), (24, "0.5"), (24, "1.5")]:
        c = C * float(scale) ** 2
        sizes = (1, math.sqrt(1 + c * sublayers))
        cosines = ((1 + c) ** (-sublayers / 2), 1 / math.sqrt(1 + c * sublayers))
        texts = shown(page, sublayers, scale)
        for text, size, cosine in zip(texts, sizes, cosines, strict=True):
            found = [float(number) for number in re.findall(r"\d+\.\d+", text)]
            measured_size, own_size, measured_cosine, own_cosine = found
            assert (own_size, own_cosine) == pytest.approx((size, cosine), abs=0.0051)
            assert measured_size == pytest.approx(size, rel=0.1)
            assert measured_cosine == pytest.approx(cosine, abs=0.1)


def test_numbers_below_zero_have_a_minus_sign(page):
    said = [shown(page, depth, "1.5") for depth in range(12, 25)]
    text = " ".join(line for lines in said for line in lines)
    assert "\u22120." in text
    assert "-" not in text.replace("Post-LN", "").replace("Pre-LN", "")
    assert "\u22120.00" not in text


def test_a_reader_who_hears_it_is_told_which_numbers_change(page):
    shown(page, 12, "1.0")
    slider = page.get_by_role("slider", name="Sublayers passed", exact=True)
    assert slider.get_attribute("aria-valuetext") == "12 of 24"
    said = page.locator(".norms-sides [aria-live=polite][aria-atomic=true]").all_text_contents()
    assert [line.partition(": Size ")[0] for line in said] == ["Post-LN (the paper)", "Pre-LN"]


ENDS = """(line) => [line.x2, line.y2].map(({baseVal}) => baseVal.value)"""
INSIDE = """(text) => {
    const {x, y, width, height} = text.getBBox(), view = text.ownerSVGElement.viewBox.baseVal;
    return x >= view.x && x + width <= view.x + view.width && y >= view.y && y + height <= 24;
}"""


def test_the_arrows_are_as_long_as_the_width_lets_the_longest_be(page):
    longest = 0
    for scale in ("0.5", "1.0", "1.5"):
        for sublayers in (1, 5, 12, 24):
            texts = shown(page, sublayers, scale)
            arrows = page.locator(".norms-now").all()
            for arrow, text in zip(arrows, texts, strict=True):
                found = re.findall(r"-?\d+\.\d+", text.replace("\u2212", "-"))
                size, _, cosine, _ = map(float, found)
                x, y = arrow.evaluate(ENDS)
                assert math.hypot(x, y) == pytest.approx(92 * size, abs=0.6)
                assert -y == pytest.approx(92 * size * cosine, abs=2)
                longest = max(longest, x)
            names = page.locator(".norms-now-name").all()
            assert all(name.evaluate(INSIDE) for name in names)
    assert 0.9 * 400 < longest < 400


def test_the_label_at_an_arrow_has_its_size_and_its_angle(page):
    for sublayers in (1, 12, 24):
        texts = shown(page, sublayers, "1.0")
        labels = page.locator(".norms-now-name").all_text_contents()
        for text, label in zip(texts, labels, strict=True):
            size, _, cosine, _ = (float(number) for number in re.findall(r"\d+\.\d+", text))
            found = re.fullmatch(r"after (\d+): size ([\d.]+), (\d+)°", label)
            assert int(found[1]) == sublayers
            assert float(found[2]) == size
            assert math.cos(math.radians(int(found[3]))) == pytest.approx(cosine, abs=0.015)
    shown(page, 0, "1.0")
    assert page.locator(".norms-now-name").count() == 0
