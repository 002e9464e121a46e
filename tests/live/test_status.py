"""What goes on is said on the screen, at the field; and what is long stays in the figure."""

import pytest

from browser import WIDTHS
from live_page import write_page

FIGURES = [
    *("attention", "decoding", "feed-forward", "heads", "journey", "landing", "merges"),
    *("neighbours", "positions", "pronoun"),
]
WITH_SENTENCES = [name for name in FIGURES if name not in ("merges", "neighbours", "pronoun")]
TOP = 80  # pixels from the top of the screen to the figure
TOPS = """() => [...document.querySelectorAll('.live-stage :not(progress)')].map((e) =>
    e.getBoundingClientRect().top)"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("live")


@pytest.fixture(params=WIDTHS)
def page(request, browser):
    size = {"width": request.param, "height": WIDTHS[request.param]}
    page = browser.new_page(viewport=size)
    yield page
    page.close()


def is_seen(page, selector):
    box = page.locator(selector).bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def at_rest(page):
    """Where everything stands once nothing has moved for ten frames."""
    page.evaluate("document.fonts.ready.then(() => null)")
    tops, frames = page.evaluate(TOPS), 0
    while frames < 10:
        page.evaluate("new Promise((done) => requestAnimationFrame(() => done()))")
        now = page.evaluate(TOPS)
        tops, frames = now, frames + 1 if now == tops else 0
    return tops


@pytest.mark.parametrize("name", FIGURES)
def test_the_bar_of_progress_is_on_the_screen_and_moves_nothing(folder, page, name):
    page.route("**/weights/*", lambda route: None)  # for ever under way
    page.goto(write_page(folder, name).as_uri())
    page.add_style_tag(content=f"body {{ margin: {TOP}px 8px 0; }} figure {{ margin: 0; }}")
    before = at_rest(page)
    page.locator(".live-stage").dispatch_event("pointerdown")
    page.locator("progress").wait_for(state="visible")
    assert is_seen(page, "progress")
    assert page.locator(".live-message").inner_text() == "Loading the model."
    if name != "attention":  # there it stands at the field, far below what needs no model
        assert is_seen(page, ".live-message")
        assert at_rest(page) == before


@pytest.mark.parametrize("name", [*WITH_SENTENCES, "merges", "neighbours"])
def test_what_is_wrong_is_said_right_below_the_field(folder, page, name):
    page.goto(write_page(folder, name).as_uri())
    page.add_style_tag(content=f"body {{ margin: {TOP}px 8px 0; }} figure {{ margin: 0; }}")
    field = page.locator(".live-field")
    field.fill("")
    page.wait_for_function(
        "document.querySelector('.live-message').textContent.startsWith('Write')"
    )
    below = page.locator(".live-message").bounding_box()["y"] - field.bounding_box()["y"]
    assert 0 < below < 120
    if name != "attention":
        page.evaluate("scrollTo(0, 0)")
        assert is_seen(page, ".live-message")


LONG = ["a" * 64, "👩🏽‍🚀" * 5, "the " + "Wonderful" * 7 + " cat"]
STICKING_OUT = """() => {
    const stage = document.querySelector('.live-stage');
    const edge = parseFloat(getComputedStyle(stage).paddingRight) + 1;
    const right = (element) => element.getBoundingClientRect().right;
    const out = [...stage.querySelectorAll('*')].filter((e) => e.checkVisibility() &&
        !e.closest('.live-hidden, svg') && right(e) > right(stage) - edge + 0.5);
    return out.map((e) => `${e.localName}.${e.className} ${e.textContent.slice(0, 20)}`);
}"""
CUT = """() => [...document.querySelectorAll('.landing-row')].filter((row) =>
    row.scrollWidth > row.clientWidth + 1).map((row) => row.lang)"""


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", FIGURES[:-1])
def test_long_words_stay_in_the_figure(browser, folder, name, width):
    page = browser.new_page(viewport={"width": width, "height": 844})
    page.goto(write_page(folder, name).as_uri())
    page.add_style_tag(content="body { margin: 0 24px; } figure { margin: 0; }")
    for text in LONG:
        page.locator(".live-field").fill(text)
        page.wait_for_function("document.querySelector('[data-drawn]:not([aria-busy])')")
        assert page.evaluate(STICKING_OUT) == []
        assert page.evaluate(CUT) == []
        assert page.evaluate("document.scrollingElement.scrollWidth") <= width
    page.close()


@pytest.mark.parametrize(
    "name", ["masks", "attention", "layer-normalization", "clocks", "rotary", "training"]
)
def test_at_rest_nothing_sticks_out_of_a_narrow_screen(browser, folder, name):
    page = browser.new_page(viewport={"width": 320, "height": 844})
    page.goto(write_page(folder, name).as_uri())
    page.add_style_tag(content="body { margin: 0 24px; } figure { margin: 0; }")
    assert page.evaluate(STICKING_OUT) == []
    for step in page.get_by_role("group", name="Step").get_by_role("button").all():
        step.click()
        assert page.evaluate(STICKING_OUT) == []
    page.close()
