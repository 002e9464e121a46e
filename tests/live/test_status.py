"""What goes on is said on the screen, at the field; and what is long stays in the figure."""

import functools

import pytest

from browser import WIDTHS
from live_page import write_page

FIGURES = [
    *("attention", "decoding", "feed-forward", "heads", "journey", "map", "merges"),
    *("neighbours", "positions", "pronoun"),
]
WITH_SENTENCES = [name for name in FIGURES if name not in ("merges", "neighbours", "pronoun")]
TOP = 80  # pixels from the top of the screen to the figure
AT_REST = """async () => {
    await document.fonts.ready;
    const tops = () => [...document.querySelectorAll('.live-stage :not(progress)')].map((e) =>
        e.getBoundingClientRect().top);
    let [found, frames] = [tops(), 0];
    while (frames < 10) {
        await new Promise((done) => requestAnimationFrame(done));
        const now = tops();
        frames = String(now) === String(found) ? frames + 1 : 0;
        found = now;
    }
    return found;
}"""


@pytest.fixture(scope="module")
def address_of(tmp_path_factory):
    """The address of the page of a figure, which is written once."""

    @functools.cache
    def address_of(name):
        return write_page(tmp_path_factory.mktemp("live"), name).as_uri()

    return address_of


@pytest.fixture(params=WIDTHS)
def page(request, tab):
    tab.set_viewport_size({"width": request.param, "height": WIDTHS[request.param]})
    return tab


def is_seen(page, selector):
    box = page.locator(selector).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def open_field(page, name):
    """Show the part of the figure that has a field."""
    if name == "attention":
        page.get_by_role("button", name="In the trained model").click()


def at_rest(page):
    """Where everything stands once nothing has moved for ten frames."""
    return page.evaluate(AT_REST)


@pytest.mark.parametrize("name", FIGURES)
def test_the_bar_of_progress_is_on_the_screen_and_moves_nothing(address_of, page, name):
    page.route("**/weights/*", lambda route: None)  # for ever under way
    page.goto(address_of(name))
    page.add_style_tag(content=f"body {{ margin: {TOP}px 8px 0; }} figure {{ margin: 0; }}")
    open_field(page, name)
    before = at_rest(page)
    page.locator(".live-stage").dispatch_event("pointerdown")
    page.locator("progress").wait_for(state="visible")
    assert is_seen(page, "progress")
    assert page.locator(".live-message").inner_text() == "Loading the model."
    message, bar = (page.locator(part).bounding_box() for part in (".live-message", "progress"))
    assert bar["y"] >= message["y"] + message["height"] - 2  # under its letters
    assert is_seen(page, ".live-message")
    if name != "attention":  # there the message has come with the field
        assert at_rest(page) == before


@pytest.mark.parametrize("name", [*WITH_SENTENCES, "merges", "neighbours"])
def test_what_is_wrong_is_said_right_at_the_field(address_of, page, name):
    page.goto(address_of(name))
    page.add_style_tag(content=f"body {{ margin: {TOP}px 8px 0; }} figure {{ margin: 0; }}")
    open_field(page, name)
    field = page.locator(".live-field")
    field.fill("")
    page.wait_for_function(
        "document.querySelector('.live-message').textContent.startsWith('Write')"
    )
    below = page.locator(".live-message").bounding_box()["y"] - field.bounding_box()["y"]
    assert -80 < below < 120
    page.evaluate("scrollTo(0, 0)")
    assert is_seen(page, ".live-message")


LONG = ["a" * 64, "👩🏽‍🚀" * 5, "the " + "Wonderful" * 7 + " cat"]
STICKING_OUT = """() => {
    const stage = document.querySelector('.live-stage');
    const {paddingRight, borderRightWidth} = getComputedStyle(stage);
    const edge = parseFloat(paddingRight) + parseFloat(borderRightWidth);
    const right = (element) => element.getBoundingClientRect().right;
    const out = [...stage.querySelectorAll('*')].filter((e) => e.checkVisibility() &&
        !e.closest('.live-hidden, svg') && right(e) > right(stage) - edge + 0.5);
    return out.map((e) => `${e.localName}.${e.className} ${e.textContent.slice(0, 20)}`);
}"""
CUT = """() => [...document.querySelectorAll('.map-top *')].filter((row) =>
    row.scrollWidth > row.clientWidth + 1).map((row) => row.lang)"""


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", FIGURES[:-1])
def test_long_words_stay_in_the_figure(tab, address_of, name, width):
    tab.set_viewport_size({"width": width, "height": 844})
    tab.goto(address_of(name))
    tab.add_style_tag(content="body { margin: 0 24px; } figure { margin: 0; }")
    open_field(tab, name)
    for text in LONG:
        tab.locator(".live-field").fill(text)
        tab.wait_for_function("document.querySelector('[data-drawn]:not([aria-busy])')")
        assert tab.evaluate(STICKING_OUT) == []
        assert tab.evaluate(CUT) == []
        assert tab.evaluate("document.scrollingElement.scrollWidth") <= width


# About as wide as the letters of any font that a reader may have.
WIDE = "* { font-family: 'DejaVu Sans Mono', monospace !important; }"


@pytest.mark.parametrize("font", ["", WIDE], ids=["usual", "wide"])
@pytest.mark.parametrize(
    "name", ["masks", "attention", "layer-normalization", "clocks", "rotary", "training"]
)
def test_at_rest_nothing_sticks_out_of_a_narrow_screen(tab, address_of, name, font):
    tab.set_viewport_size({"width": 320, "height": 844})
    tab.goto(address_of(name))
    tab.add_style_tag(content=f"body {{ margin: 0 24px; }} figure {{ margin: 0; }} {font}")
    assert tab.evaluate(STICKING_OUT) == []
    for step in tab.get_by_role("group", name="Step").get_by_role("button").all():
        step.click()
        assert tab.evaluate(STICKING_OUT) == []
