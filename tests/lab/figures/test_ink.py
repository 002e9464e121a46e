"""Numbers on shaded cells have the contrast that small letters need, on every shade and page."""

import io

import numpy as np
import pytest
import torch
from PIL import Image

from annotated_transformer.lab.figures import attention_chart
from annotated_transformer.lab.figures.charts import chart_html, chart_png, specification
from annotated_transformer.lab.figures.language_models import alike_chart
from annotated_transformer.lab.figures.multi_head_attention import share_map
from browser import launch
from offline_assets import vega_bundle
from rules import ROOT

PAGES = {"light": (255, 255, 255), "dark": (0x12, 0x12, 0x12)}
LEAST = 4.5  # WCAG 2, of text of this size
# Of each number of a map its colour, and of the cell behind it the colour and how opaque it is.
DRAWN = """(map) => {
    const cells = [...map.querySelectorAll('path[aria-roledescription="rect mark"]')];
    return [...map.querySelectorAll('.role-mark.mark-text text')].map((number, i) => {
        const [ink, cell] = [getComputedStyle(number), getComputedStyle(cells[i])];
        return [ink.fill, cell.fill, Number(cell.fillOpacity), number.textContent];
    });
}"""


def attention_map():
    """A weight in 64 cells, with all shades around the one at which the ink changes."""
    steps = torch.cat([torch.linspace(0, 0.85, 44), torch.linspace(0.86, 1, 20)])
    return attention_chart(steps.reshape(8, 8), ["w"] * 8, ["w"] * 8), 1


def cosine_map():
    cosines = torch.linspace(-0.1, 1, 121).reshape(11, 11).tolist()
    return alike_chart(["text"] * 11, cosines), 1


def map_of_shares():
    values = [
        {"head": f"{share // 10}", "kind": f"{share % 10}", "share": share} for share in range(101)
    ]
    heads, kinds = ([f"{n}" for n in range(end)] for end in (11, 10))
    return share_map(values, column="kind", columns=kinds, heads=heads, label_angle=0), 100


MAPS = {"attention": attention_map, "cosine": cosine_map, "share": map_of_shares}


def light(colour):
    """The relative luminance of WCAG 2."""
    c = np.asarray(colour) / 255
    linear = np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    low, high = sorted([light(one), light(other)])
    return (high + 0.05) / (low + 0.05)


def rgb(css):
    return [int(part) for part in css.removeprefix("rgb(").removesuffix(")").split(",")]


@pytest.fixture(scope="module")
def drawn():
    """Return what the browser draws of each map on each page, in the styles of the book."""
    styles = (ROOT / "book/_static/palette.css").read_text(encoding="utf-8")
    charts = [chart_html(specification(make()[0], name), 640) for name, make in MAPS.items()]
    body = f"<style>{styles}</style><script>{vega_bundle()}</script>" + "".join(charts)
    found = {}
    with launch() as browser:
        page = browser.new_page()
        page.evaluate("window.vegaLoaded = (embed) => { window.vegaEmbed = embed; }")
        for theme in PAGES:
            page.set_content(f"<html data-theme={theme}>{body}")
            maps = page.locator('[data-state="drawn"]:has(svg.marks)')
            maps.nth(len(MAPS) - 1).wait_for()
            found |= {(theme, name): maps.nth(i).evaluate(DRAWN) for i, name in enumerate(MAPS)}
    return found


@pytest.mark.parametrize("theme", PAGES)
@pytest.mark.parametrize("name", MAPS)
def test_a_number_stands_out_from_its_cell_on_every_shade(drawn, name, theme):
    full, numbers = MAPS[name]()[1], drawn[theme, name]
    shades = sorted(shade for *_, shade, _ in numbers)
    assert shades[0] == 0
    assert shades[-1] == 1
    assert max(np.diff(shades)) < 0.021
    for ink, cell, shade, number in numbers:
        value = float(number.replace("\u2212", "-"))
        assert shade == pytest.approx(np.clip(value / full, 0, 1), abs=0.0051)
        seen = np.add(np.multiply(shade, rgb(cell)), np.multiply(1 - shade, PAGES[theme]))
        assert contrast(rgb(ink), seen) >= LEAST, (theme, number)


def test_the_ink_of_the_picture_that_stands_in_for_a_chart_is_black_too():
    """The ink of its other words, which is nearly black, would not do on the deepest cells."""
    spec = specification(attention_chart(torch.tensor([[0.92]]), [""], [""]), "one cell")
    with Image.open(io.BytesIO(chart_png(spec, 200))) as picture:
        pixels = np.asarray(picture.convert("RGB")).reshape(-1, 3)
    cell = np.median(pixels[(np.ptp(pixels, axis=1) > 100)], axis=0)
    assert contrast(pixels[light(pixels).argmin()], cell) >= LEAST
