"""Figures in which a movement is the idea move once by themselves, and come back to rest."""

import pytest

from live_page import write_page

NAMES = ("layer-normalization", "rotary", "training")
WAIT = 2500  # milliseconds, as wide.js
# Observers are told in the order in which they were made: the figure's own has been.
SEEN = """(name) => new Promise((done) => {
    const figure = document.querySelector(`live-${name}`);
    figure.scrollIntoView({block: 'center'});
    new IntersectionObserver(([{isIntersecting}], own) => {
        if (!isIntersecting) return;
        own.disconnect();
        done(figure.querySelector('.live-stage').innerText);
    }, {threshold: 0.6}).observe(figure);
})"""
TEXT = "(name) => document.querySelector(`live-${name} .live-stage`).innerText"
OTHER = "([name, rest]) => document.querySelector(`live-${name} .live-stage`).innerText !== rest"
SAME = OTHER.replace("!==", "===")


@pytest.fixture(scope="module")
def address_of(tmp_path_factory):
    folders = {name: tmp_path_factory.mktemp(name) for name in NAMES}
    return {name: write_page(folder, name).as_uri() for name, folder in folders.items()}


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def opened(browser, address_of, name):
    """Open the figure, whose clock stands still, and see it; returns the page and its text."""
    pages = []

    def opened(**settings):
        page = browser.new_page(viewport={"width": 1280, "height": 1200}, **settings)
        pages.append(page)
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.goto(address_of[name])
        return page, page.evaluate(SEEN, name)

    yield opened
    for page in pages:
        page.close()


def test_it_moves_once_in_view_and_comes_back(opened, name):
    page, rest = opened()
    assert page.evaluate(TEXT, name) == rest
    page.clock.run_for(WAIT)
    page.wait_for_function(OTHER, arg=[name, rest])
    page.clock.run_for(60_000)
    page.wait_for_function(SAME, arg=[name, rest])
    page.clock.run_for(60_000)
    assert page.evaluate(TEXT, name) == rest


def test_it_rests_where_motion_is_reduced(opened, name):
    page, rest = opened(reduced_motion="reduce")
    page.clock.run_for(WAIT + 1000)
    assert page.evaluate(TEXT, name) == rest


def test_it_rests_where_somebody_was_quicker(opened, name):
    page, rest = opened()
    page.locator(".live-stage").dispatch_event("pointerdown")
    page.clock.run_for(WAIT + 1000)
    assert page.evaluate(TEXT, name).startswith(rest)  # a screen reader may have been told more
