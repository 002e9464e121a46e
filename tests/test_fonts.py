"""No check on a page depends on the fonts of a machine: what measures text brings its own font.

The tests of the checks are run again here, with their own fixture, in a browser whose usual font is
narrow, and in one whose usual font is wide.
"""

import inspect

import pytest
import test_pages
from fonts import BROUGHT, OTHERS, OWN_FONT, write_settings
from fontTools.ttLib import TTFont

from browser import launch

NO_MATTER = {"test_what_goes_wrong_is_seen"}  # whether a script or a request fails
ON_A_SNIPPET = {
    name: test
    for name, test in vars(test_pages).items()
    if name.startswith("test_") and "open_snippet" in inspect.signature(test).parameters
}
open_snippet = test_pages.open_snippet
globals().update({name: test for name, test in ON_A_SNIPPET.items() if name not in NO_MATTER})
LINE = "how wide a line is"
WIDTH = "() => document.querySelector('i').getBoundingClientRect().width"
KINDS = ("", "font-family: serif", "font-family: 'Segoe UI', sans-serif", "font-family: monospace")


def width(file):
    """Return how wide the line is in a font, in letters of 64 pixels, as the file says."""
    with TTFont(file) as font:
        glyphs, advances = font.getBestCmap(), font["hmtx"]
        units = sum(advances[glyphs[ord(character)]][0] for character in LINE)
        return 64 * units / font["head"].unitsPerEm


@pytest.fixture(scope="module", params=OTHERS)
def usual_font(request):
    return request.param


@pytest.fixture(scope="module")
def browser(usual_font, tmp_path_factory):
    """A browser on a machine that offers one font for all kinds of text."""
    settings = write_settings(tmp_path_factory.mktemp("fonts"), OTHERS[usual_font])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FONTCONFIG_FILE", str(settings))
        with launch() as browser:
            yield browser


def test_none_of_them_is_forgotten():
    assert ON_A_SNIPPET.keys() > NO_MATTER
    assert "test_what_is_left_out_for_axe_hides_no_fault" in ON_A_SNIPPET
    assert len(ON_A_SNIPPET) >= 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_is_wide_as_its_font_and_a_snippet_as_its_own(
    browser, usual_font, open_snippet, kind
):
    style = f"font-size: 64px; font-style: normal; white-space: nowrap; {kind}"
    line = f'<i style="{style}">{LINE}</i>'
    page = browser.new_page()
    page.set_content(line)
    brought = width(BROUGHT / f"{usual_font.replace(' ', '')}.ttf")
    assert page.evaluate(WIDTH) == pytest.approx(brought, rel=0.03)
    page.close()
    own = width(OWN_FONT)
    assert abs(own - brought) > 0.06 * own
    found = open_snippet(line, lambda opened: opened.evaluate(WIDTH))
    assert found == pytest.approx(own, rel=0.03)
