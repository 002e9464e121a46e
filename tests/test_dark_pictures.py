"""Stored pictures in the dark, and what scrolls: measured on pixels that the browser drew."""

import base64
import colorsys
import io

import pytest
import torch
from matplotlib import pyplot as plt
from PIL import Image

from annotated_transformer.lab.figures import PALETTE, TEXT_ON_LIGHT
from annotated_transformer.lab.figures.diffusion import images_picture
from rules import ROOT

STATIC = ROOT / "book" / "_static"
DARK_PAGE = (0x12, 0x12, 0x12)
"""The theme's background in the dark."""
SIDE = 20
# The theme's own rules, which ours have to beat.
THEME = """
html[data-theme=dark] img:not(.only-dark, .dark-light) { filter: brightness(.8) contrast(1.2) }
html[data-theme=dark] .bd-content div.cell_output img { background-color: #fff; padding: .5rem }
html { --pst-color-background: #fff; --pst-color-surface: #f3f4f5; --pst-color-text-base: #222832 }
html[data-theme=dark] { --pst-color-background: #121212; --pst-color-surface: #29313d;
  --pst-color-text-base: #ced6dd }
pre { background-color: var(--pst-color-surface) }
body { margin: 0; background: var(--pst-color-background) }
"""


def rgb(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


def contrast(one, other):
    """Contrast ratio of WCAG 2."""

    def light(colour):
        parts = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted(map(light, (one, other)))
    return (high + 0.05) / (low + 0.05)


def turn(one, other):
    """Degrees of the colour wheel between two colours."""
    first, second = (colorsys.rgb_to_hsv(*(c / 255 for c in x))[0] * 360 for x in (one, other))
    return abs((first - second + 180) % 360 - 180)


@pytest.fixture
def draw(browser, tmp_path):
    """Return what the browser draws of a page of one's own in the book's styles."""

    def drawn(body, theme="dark", before="() => 0"):
        styles = "".join((STATIC / name).read_text() for name in ("palette.css", "book.css"))
        page = f"<!doctype html><html data-theme={theme}><style>{THEME}{styles}</style>"
        page += f"<body class=bd-content><article>{body}</article>"
        (tmp_path / "page.html").write_text(page, encoding="utf-8")
        tab = browser.new_page(viewport={"width": 400, "height": 300})
        tab.goto((tmp_path / "page.html").as_uri())
        tab.evaluate(before)
        with Image.open(io.BytesIO(tab.screenshot())) as image:
            result = image.convert("RGB")
        tab.close()
        return result

    return drawn


def swatches(colours, classes=""):
    """A stored picture: a square of each colour in a row, in the output of a cell."""
    image = Image.new("RGBA", (SIDE * len(colours), SIDE))
    for place, colour in enumerate(colours):
        image.paste(colour, (place * SIDE, 0, (place + 1) * SIDE, SIDE))
    file = io.BytesIO()
    image.save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    picture = f'<img class="{classes}" src="data:image/png;base64,{data}">'
    return f"<div class=cell_output>{picture}</div>"


def seen(image, count):
    return [image.getpixel((SIDE * place + SIDE // 2, SIDE // 2)) for place in range(count)]


def test_a_colour_keeps_its_hue_in_the_dark_and_stands_out(draw):
    marks, words = ([rgb(colour) for colour in kind.values()] for kind in (PALETTE, TEXT_ON_LIGHT))
    after = seen(draw(swatches(marks + words)), len(marks + words))
    for place, (old, new) in enumerate(zip(marks + words, after, strict=True)):
        assert contrast(new, DARK_PAGE) >= (3 if place < len(marks) else 4.5), (old, new)
        if old[0] != old[1]:  # a grey has no hue, and the blue grey of words hardly one
            assert turn(old, new) <= 15 or max(old) - min(old) < 20, (old, new)


def test_white_paper_becomes_the_page_and_ink_is_light(draw):
    paper, ink, pale, full = seen(
        draw(swatches([(255, 255, 255), (0, 0, 0), (217, 234, 243), rgb(PALETTE["query"])])), 4
    )
    assert paper == DARK_PAGE
    assert contrast(ink, DARK_PAGE) >= 10
    # What is pale on white is the nearest to the page in the dark, too.
    assert contrast(pale, DARK_PAGE) < contrast(full, DARK_PAGE)


def test_a_light_page_shows_a_picture_as_it_is(draw):
    colours = [(255, 255, 255), (0, 0, 0), *map(rgb, PALETTE.values())]
    assert seen(draw(swatches(colours), theme="light"), len(colours)) == colours


def bars(colours, described=""):
    """A chart as Vega draws it: a bar of each colour, and under it a line."""
    marks = "".join(
        f'<path d="M{SIDE * place},0h{SIDE}v{SIDE}h-{SIDE}Z" fill="{colour}" {described}/>'
        f'<path d="M{SIDE * place},{1.5 * SIDE}h{SIDE}" stroke="{colour}" stroke-width="{SIDE}"/>'
        for place, colour in enumerate(colours)
    )
    return f'<div class=at-chart><svg width=300 height="{2 * SIDE}">{marks}</svg></div>'


def test_the_marks_of_a_chart_are_those_of_a_picture_in_the_dark(draw):
    colours = list(PALETTE.values())
    pictured = seen(draw(swatches([rgb(colour) for colour in colours])), len(colours))
    chart = draw(bars(colours))
    assert seen(chart, len(colours)) == pictured
    assert seen(chart.crop((0, SIDE, 400, 2 * SIDE)), len(colours)) == pictured
    light = draw(bars(colours), theme="light")
    assert seen(light, len(colours)) == [rgb(colour) for colour in colours]


def test_a_cell_on_which_a_number_stands_keeps_its_colour(draw):
    cell = draw(bars([PALETTE["query"]], 'aria-roledescription="rect mark"'))
    assert seen(cell, 1) == [rgb(PALETTE["query"])]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_where_black_and_white_are_meant_they_stay_and_words_are_read(draw, theme):
    """They stand on the page: there is no paper."""
    page = DARK_PAGE if theme == "dark" else (255, 255, 255)
    images_picture([torch.zeros(1, 1, 1)], ["name"])
    (axes,) = plt.gcf().axes
    words = rgb(axes.yaxis.label.get_color())
    colours = [(255, 255, 255), (0, 0, 0), words, (0, 0, 0, 0)]
    white, black, word, paper = seen(draw(swatches(colours, "at-paper"), theme), len(colours))
    assert min(white) > 200
    assert max(black) < 20
    assert paper == page
    assert contrast(word, page) >= 4.5


SCROLLS = "display:block; margin:0; width:300px; overflow:auto; white-space:pre"
WIDE = {
    "listing": f"<div class=highlight><pre style='{SCROLLS}'>{{}}</pre></div>",
    "formula": f"<div class=math><mjx-container style='{SCROLLS}'>{{}}</mjx-container></div>",
}
TO_THE_END = "() => { document.querySelector('pre, mjx-container').scrollLeft = 10_000; }"


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", WIDE)
def test_what_scrolls_has_a_shadow_where_there_is_more(draw, theme, kind):
    def edges(text, before="() => 0"):
        image = draw(WIDE[kind].format(text), theme, before)
        middle = image.getpixel((150, 4))
        return [contrast(image.getpixel((x, 4)), middle) > 1.15 for x in (1, 298)]

    long = "\n\n" + "x" * 200
    assert edges("\n\nshort") == [False, False]
    assert edges(long) == [False, True]
    assert edges(long, TO_THE_END) == [True, False]
