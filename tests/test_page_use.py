"""The built pages used without a mouse, by readers whom motion disturbs, and without JavaScript."""

import pytest
from accessibility import violations

from browser import THEMES, TIMEOUT, serve, visit
from core import screens
from firefox import launch_firefox

PLACES = [("book/index", 1280), ("book/attention", 1280), ("book/attention", 390), ("search", 390)]
WALKED = [
    *((*place, theme) for place in PLACES for theme in THEMES),
    *(("book/transformer", 1280, "light"), ("book/command_line", 390, "dark")),
]
# What Tab has to reach: what is shown and can be used, numbered in the order of the page. Of a
# group of radio buttons Tab reaches one, and the arrow keys the others.
NUMBER_CONTROLS = """() => {
    const able = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
    const shown = {checkVisibilityCSS: true, visibilityProperty: true};
    const entry = (radio) => radio.checked || !document.querySelector(
        `input[type="radio"][name="${CSS.escape(radio.name)}"]:checked`);
    return [...document.querySelectorAll(able)].filter((control) =>
        control.checkVisibility(shown) && control.tabIndex >= 0 && !control.disabled
            && (control.type !== 'radio' || entry(control))
    ).map((control, number) => {
        control.dataset.control = number;
        return control.outerHTML.slice(0, 120);
    });
}"""
# The list of a page's sections folds those that one is not in: they are not reached, nor seen. And
# a live figure that is drawn meanwhile puts other controls in the place of its first ones.
FOLDED_MEANWHILE = """(numbers) => numbers.filter((number) => {
    const control = document.querySelector(`[data-control="${number}"]`);
    return !control || control.closest('.page-toc') && !control.checkVisibility(
        {checkVisibilityCSS: true, visibilityProperty: true});
})"""
FOCUSED = """() => {
    const control = document.activeElement;
    if (control === document.body) return null;
    const {outlineStyle, outlineWidth} = getComputedStyle(control);
    const box = control.getClientRects()[0];
    // Of a listing higher than the window, or a row wider than it, what lies in the window counts.
    const middle = (from, to, size) => (Math.max(from, 0) + Math.min(to, size)) / 2;
    const [x, y] = [middle(box.left, box.right, window.innerWidth),
        middle(box.top, box.bottom, window.innerHeight)];
    const there = document.elementFromPoint(x, y);
    window.unexpected ??= 10000;
    return {
        number: Number(control.dataset.control ??= window.unexpected++),
        html: control.outerHTML.slice(0, 120),
        outlined: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
        covered: !(control.contains(there) || there?.contains(control)),
    };
}"""
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => done()))"
# What comes into view may still be drawn, and push what has the focus under something else for a
# few frames.
FRAMES = 30
# How far what is in view moves while the page loads, as the browser measures it: 0.1 disturbs.
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((entry) => ({
    value: entry.value,
    moved: entry.sources.map(({node, previousRect: from, currentRect: to}) => [
        node?.localName ?? node?.textContent.slice(0, 40), from.y, from.height, to.y, to.height]),
})))).observe({type: 'layout-shift', buffered: true});"""
DRAWN = "() => document.querySelector('live-map.live-on .map-token')"
MOVING = """() => [...document.querySelectorAll('*')].filter((element) => {
    const {animationName, transitionDuration, scrollBehavior} = getComputedStyle(element);
    return animationName !== 'none' || scrollBehavior === 'smooth'
        || transitionDuration.split(',').some((duration) => parseFloat(duration) > 0);
}).map((element) => element.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def address(html):
    with serve(html) as address:
        yield address


def walk(opened):
    """Press Tab until the focus leaves the page or comes back to where it was; return each stop."""
    stops = {}
    while True:
        opened.page.keyboard.press("Tab")
        stop = opened.evaluate(FOCUSED)
        for _ in range(FRAMES):
            if stop is None or not stop["covered"]:
                break
            opened.page.evaluate(NEXT_FRAME)
            stop = opened.evaluate(FOCUSED)
        if stop is None or stop["number"] in stops:
            return list(stops.values())
        stops[stop["number"]] = stop


def faults(opened):
    """What somebody with a keyboard alone misses: controls, and where the focus is."""
    controls = opened.evaluate(NUMBER_CONTROLS)
    stops = walk(opened)
    missed = {*range(len(controls))} - {stop["number"] for stop in stops}
    missed -= set(opened.page.evaluate(FOLDED_MEANWHILE, sorted(missed)))
    return (
        [f"not reached: {controls[number]}" for number in sorted(missed)]
        + [f"focus not seen: {stop['html']}" for stop in stops if not stop["outlined"]]
        + [f"covered: {stop['html']}" for stop in stops if stop["covered"]]
    )


@pytest.mark.parametrize(("name", "width", "theme"), WALKED)
def test_every_control_is_reached_and_seen_by_keyboard(browser, address, name, width, theme):
    with visit(browser, f"{address}/{name}.html", width=width, theme=theme) as opened:
        opened.page.emulate_media(
            reduced_motion="reduce"
        )  # nothing is on its way when it is looked at
        assert (name, faults(opened)) == (name, [])


MENUS = {
    ".primary-toggle": "#pst-primary-sidebar-modal",
    ".secondary-toggle": "#pst-secondary-sidebar-modal",
    ".search-button": "#pst-search-dialog",
}


@pytest.mark.parametrize(("button", "dialog"), MENUS.items())
def test_a_menu_is_opened_and_left_by_keyboard(browser, address, button, dialog):
    """While it is open axe finds nothing; afterwards the focus is where it was."""
    is_open = f"() => document.querySelector('{dialog}').open"
    has_focus = "() => document.activeElement.closest('{}') !== null"
    with visit(browser, f"{address}/book/index.html", width=390, theme="light") as opened:
        opened.page.locator(f"{button}:visible").focus()
        opened.page.keyboard.press("Enter")
        assert opened.evaluate(is_open)
        assert opened.evaluate(has_focus.format(dialog))
        assert violations(opened.page) == []
        opened.page.keyboard.press("Escape")
        assert not opened.evaluate(is_open)
        assert opened.evaluate(has_focus.format(button))


def test_nothing_moves_for_those_who_asked_for_that(browser, address):
    with visit(browser, f"{address}/book/index.html", width=1280, theme="light") as opened:
        assert opened.evaluate(MOVING) != []
        opened.page.emulate_media(reduced_motion="reduce")
        assert opened.evaluate(MOVING) == []


@pytest.mark.parametrize("edition", ["", "ko/"])
@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024), (1280, 720), (1280, 900)])
def test_the_first_page_does_not_move_while_it_loads(browser, address, edition, width, height):
    size = {"width": width, "height": height}
    page = browser.new_page(viewport=size, reduced_motion="reduce")
    page.set_default_timeout(TIMEOUT)
    page.add_init_script(SHIFTS)
    page.route("**/*.woff2", lambda route: route.abort())  # a face that comes late rewraps lines
    page.goto(f"{address}/{edition}book/index.html", wait_until="load")
    page.wait_for_function(DRAWN)
    page.evaluate("() => document.fonts.ready")
    for _ in range(FRAMES):
        page.evaluate(NEXT_FRAME)
    shifts = page.evaluate("() => window.shifts")
    page.close()
    assert sum(shift["value"] for shift in shifts) < 0.05, shifts


# --- folds: what is in them is found by its address

FOLDED = "book/attention"
ANCHORS = """() => [...document.querySelectorAll('article .at-folded')].flatMap(
    (fold) => [fold, ...fold.querySelectorAll('[id]')]
).filter((part) => part.id && !part.closest('svg, .at-chart')).map(({id}) => id)"""
CLOSE_ALL = """() => {
    for (const fold of document.querySelectorAll('article details')) fold.open = false;
}"""
# Where a reader who was sent to an id stands: what is closed around it, and whether it is in view.
ARRIVED = """(id) => {
    const target = document.getElementById(id);
    const {top} = target.getBoundingClientRect();
    const closed = target.closest('details:not([open])');
    const bar = document.querySelector('.bd-header-article')?.getBoundingClientRect().bottom ?? 0;
    const title = target.matches('.at-folded')
        ? target.previousElementSibling.getBoundingClientRect() : target.getBoundingClientRect();
    return {
        closed: closed?.outerHTML.slice(0, 120) ?? null,
        seen: top >= 0 && top < innerHeight && title.top >= bar - 1,
    };
}"""
HERE = {"closed": None, "seen": True}


def anchors_in_folds(page):
    found = list(dict.fromkeys(page.evaluate(ANCHORS)))
    assert {"how-large-a-dot-product-is", "attention-before", "thm-score"} <= set(found)
    assert "equation-eq-one-query" not in found  # it stands in the core
    return found


def arrive(page, where, anchor):
    """Close all folds, visit an address on the page, and return where that leads."""
    page.evaluate(CLOSE_ALL)
    page.goto(f"{where}#{anchor}")
    page.evaluate(NEXT_FRAME)
    return page.evaluate(ARRIVED, anchor)


def test_an_address_in_a_fold_opens_it(browser, address):
    with visit(browser, f"{address}/{FOLDED}.html", width=1280, theme="light") as opened:
        for anchor in anchors_in_folds(opened.page):
            found = arrive(opened.page, f"{address}/{FOLDED}.html", anchor)
            assert (anchor, found) == (anchor, HERE)
        assert opened.errors == []


def test_an_address_in_a_fold_opens_it_without_javascript(browser, address):
    context = browser.new_context(java_script_enabled=False)
    for anchor in (
        "how-large-a-dot-product-is",
        "thm-jacobian",
        "fig-gradient",
        "ex-shift",
    ):
        page = context.new_page()
        page.goto(f"{address}/{FOLDED}.html#{anchor}")
        assert (anchor, page.locator(f"#{anchor}").first.is_visible()) == (anchor, True)
        assert page.locator("details.at-second-reading[open]").count() == 1
        page.close()
    context.close()


def test_an_address_in_a_fold_opens_it_in_firefox(address):
    with launch_firefox() as firefox:
        page = firefox.new_page()
        page.goto(f"{address}/{FOLDED}.html")
        for anchor in anchors_in_folds(page)[::4]:
            found = arrive(page, f"{address}/{FOLDED}.html", anchor)
            assert (anchor, found) == (anchor, HERE)
        assert firefox.errors == []


def test_folds_are_closed_until_a_button_opens_them_all(browser, address):
    with visit(browser, f"{address}/{FOLDED}.html", width=390, theme="light") as opened:
        page = opened.page
        sections = page.locator("details.at-second-reading")
        openly = page.locator("details.at-second-reading[open]")
        assert sections.count() >= 9
        assert openly.count() == 0
        for name, result in (("Open all", sections.count()), ("Close all", 0)):
            page.get_by_role("button", name=name).click()
            assert openly.count() == result
        sections.first.locator("> summary").click()
        assert openly.count() == 1
        assert page.get_by_role("button", name="Open all").is_visible()


def test_what_is_printed_is_open_and_closed_again_afterwards(browser, address):
    with visit(browser, f"{address}/{FOLDED}.html", width=1280, theme="light") as opened:
        folds = opened.page.locator("details:is(.at-second-reading, .dropdown):not([open])")
        closed = folds.count()
        assert closed >= 14
        opened.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        assert folds.count() == 0
        opened.evaluate("() => dispatchEvent(new Event('afterprint'))")
        assert folds.count() == closed


def test_without_javascript_there_is_no_button_and_folds_open(browser, address):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/{FOLDED}.html")
    assert page.locator(".at-open-all").is_hidden()
    page.locator("details.at-second-reading > summary").first.click()
    assert page.locator("details.at-second-reading[open]").count() == 1
    context.close()


# The room that Vega made for a legend's word against the width that it has: both in the same face.
FACES_OF_CHARTS = """() => [...new Set([...document.querySelectorAll('.at-chart svg text')].map(
    (text) => [text.getAttribute('font-family'), getComputedStyle(text).fontFamily].join('|')))]"""


def test_a_chart_is_measured_in_the_face_that_it_is_drawn_in(browser, address):
    """Else its words run into each other: what Vega gives them room for is narrower."""
    with visit(browser, f"{address}/book/masks.html", width=1280, theme="light") as opened:
        faces = opened.evaluate(FACES_OF_CHARTS)
    assert faces, "no chart was drawn"
    for face in faces:
        measured, drawn = face.replace(", ", ",").replace("'", '"').split("|")
        assert measured == drawn
        assert drawn.startswith('"Annotated Sans"')


def test_how_far_the_first_picture_is_can_be_asked_for(browser, address):
    """That it is near on every page is a check of tests/test_pages.py."""
    picture, second_reading = screens(browser, address, [FOLDED.removeprefix("book/")])["attention"]
    assert 0 < picture <= 2 < second_reading


# --- the checks themselves, on pages broken on purpose


@pytest.mark.parametrize(
    ("body", "complaint"),
    [
        (
            "<button onkeydown='event.preventDefault()'>a</button><button>b</button>",
            "not reached: ",
        ),
        ("<button style='outline: none'>a</button>", "focus not seen: "),
        ("<button>a</button><p style='position: fixed; inset: 0'>", "covered: "),
        (
            "<pre tabindex=0 style='height: 9999px'>a</pre><p style='position: fixed; inset: 0'>",
            "covered: ",
        ),
    ],
)
def test_what_a_keyboard_misses_is_seen(browser, tmp_path, body, complaint):
    style = "<style>:focus-visible { outline: 2px solid }</style>"
    for name, text in (
        ("bad", body),
        ("good", "<button>a</button><pre tabindex=0 style='height: 9999px'>b</pre>"),
    ):
        (tmp_path / f"{name}.html").write_text(f"<!doctype html>{style}{text}", encoding="utf-8")
    with serve(tmp_path) as folder:
        with visit(browser, f"{folder}/good.html", width=390, theme="light") as opened:
            assert faults(opened) == []
        with visit(browser, f"{folder}/bad.html", width=390, theme="light") as opened:
            assert [fault.startswith(complaint) for fault in faults(opened)] == [True]
