"""What each live figure keeps at rest: letters one can read, in places of their own; no motion."""

import pytest

from live_page import write_page
from rules import ROOT

NAMES = sorted(
    path.stem.replace("_", "-")
    for path in (ROOT / "book" / "_static" / "live" / "figures").glob("*.js")
    if ".ko" not in path.name and path.stem != "map"
)
"""All but the map, which test_map_layout.py looks at, with sentences of all lengths."""
LACKING = set()
"""Letters that are too small, or outside of a phone, in figures that are still to be drawn anew."""
WIDTHS = {390: 844, 1280: 900}
SMALLEST = 12  # pixels
FAULTS = """([name, smallest]) => {
    const stage = document.querySelector(`live-${name} .live-stage`);
    const size = (element) => {
        const {fontSize} = getComputedStyle(element);
        const drawn = element.closest('svg[viewBox]');
        if (!drawn) return parseFloat(fontSize);
        const {a, b} = drawn.getScreenCTM();
        return parseFloat(fontSize) * Math.hypot(a, b);
    };
    const boxes = [];
    const walker = document.createTreeWalker(stage, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        if (!node.data.trim() || element.closest('.live-hidden, option')) continue;
        if (!element.checkVisibility({visibilityProperty: true})) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const box of range.getClientRects()) {
            if (box.width) boxes.push({element, box, text: node.data.trim().slice(0, 24)});
        }
    }
    const wrong = [];
    for (const {element, box, text} of boxes) {
        const pixels = size(element);
        if (pixels < smallest - 0.05) wrong.push(`“${text}” has ${pixels.toFixed(1)} pixels`);
        if (box.left < -1 || box.right > innerWidth + 1) wrong.push(`“${text}” is outside`);
    }
    boxes.forEach((one, n) => boxes.slice(n + 1).forEach((other) => {
        const [p, q] = [one.box, other.box];
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        // Boxes of letters are a little higher than what is seen of them.
        if (wide > 1.5 && high > 5) wrong.push(`“${one.text}” lies on “${other.text}”`);
    }));
    if (stage.scrollWidth > stage.clientWidth + 1) wrong.push('it scrolls sideways');
    return wrong;
}"""
MOVING = """(name) => document.getAnimations().filter(({playState, effect}) =>
    playState === 'running' && effect.target.closest(`live-${name}`)).length"""


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """All figures below each other, for somebody who asks for less motion."""
    page = browser.new_page(reduced_motion="reduce")
    page.goto(write_page(tmp_path_factory.mktemp("grammar"), *NAMES).as_uri())
    page.add_style_tag(content="body { margin: 0 16px; } figure { margin: 0; }")
    page.evaluate("() => document.fonts.ready")
    yield page
    page.close()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_letters_are_large_enough_and_lie_on_no_others(page, width, name):
    page.set_viewport_size({"width": width, "height": WIDTHS[width]})
    if (width, name) in LACKING and page.evaluate(FAULTS, [name, SMALLEST]):
        pytest.xfail("this figure does not follow the grammar yet")
    assert page.evaluate(FAULTS, [name, SMALLEST]) == []


@pytest.mark.parametrize("name", NAMES)
def test_whoever_asks_for_less_motion_sees_a_picture_at_rest(page, name):
    assert page.evaluate(MOVING, name) == 0
    assert page.locator(f"live-{name} .live-stage").inner_text().strip()
