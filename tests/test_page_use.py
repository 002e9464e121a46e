"""The built pages used without a mouse, by readers whom motion disturbs, and without JavaScript."""

import pytest
from accessibility import violations

from browser import THEMES, serve, visit

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
