"""Sliders: the style sheets colour each kind, and it is seen on a light and a dark page."""

import re

import pytest
from test_dark_pictures import THEME, contrast, rgb

from rules import ROOT

RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
SLIDER = re.compile(r'input\[type="range"\]|\.vega-bind input')
SHEETS = {
    path.name: re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for path in (ROOT / "book" / "_static").rglob("*.css")
}


def variables(scheme):
    """The colours of the theme, of the palette and of the live figures in a scheme."""
    found = {}
    for sheet in (THEME, SHEETS["palette.css"], SHEETS["live.css"]):
        for selectors, body in RULE.findall(sheet):
            if "dark" not in selectors or scheme == "dark":
                found |= dict(re.findall(r"(--[\w-]+):\s*(#\w+|var\([^;]+\))", body))
    return found


def colour(value, known):
    """What a value says in the end: #rrggbb."""
    while found := re.fullmatch(r"var\((--[\w-]+)(?:,\s*([^)]+))?\)", value.strip()):
        value = known.get(found[1]) or found[2]
    value = value.strip()
    return "#" + "".join(2 * digit for digit in value[1:]) if len(value) == 4 else value


def accents(scheme):
    """The accents of sliders in a scheme, by selector; where the dark has its own, that."""
    found = {}
    for sheet in SHEETS.values():
        for selectors, body in RULE.findall(sheet):
            accent = re.search(r"accent-color:\s*([^;}]+)", body)
            dark = "dark" in selectors
            if accent and SLIDER.search(selectors) and (scheme == "dark" or not dark):
                found[selectors.strip()] = accent[1]
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_kind_of_slider_has_an_accent_that_stands_out_on_the_page(scheme):
    known, found = variables(scheme), accents(scheme)
    for kind in (".at-chart", ".live-stage input", ".wide-track", ".map-track"):
        assert any(kind in selectors for selectors in found), kind
    page = rgb(colour("var(--pst-color-background)", known))
    for selectors, accent in found.items():
        assert contrast(rgb(colour(accent, known)), page) >= 3, (selectors, accent)


@pytest.mark.parametrize(
    ("sheet", "accent"), [("palette.css", "accent-color"), ("live.css", "--at-query-text")]
)
def test_a_slider_has_a_dark_track_and_a_light_accent_on_a_dark_page(sheet, accent):
    """With a dark accent Chromium draws a white track there."""
    [body] = [
        body
        for selectors, body in RULE.findall(SHEETS[sheet])
        if "dark" in selectors and SLIDER.search(selectors)
    ]
    assert re.search(r"color-scheme:\s*dark", body)
    assert accent in body
