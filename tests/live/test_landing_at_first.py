"""Figure *Landing* while its weights are under way: what one points at or has reached stays."""

import pytest

from live_page import write_page

DRAWN = "() => document.querySelector('[data-drawn]:not([aria-busy])')"
SET = """(text) => {
    const field = document.querySelector('textarea');
    field.value = text;
    field.dispatchEvent(new InputEvent('input'));
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    return write_page(tmp_path_factory.mktemp("landing"), "landing")


def details(page):
    """What is said of each Korean word while a hand is on it."""
    said = []
    for word in page.locator(".landing-row[lang=ko] button").all():
        word.hover()
        said.append(page.locator(".landing-detail").inner_text())
    return said


def test_at_rest_each_word_says_what_it_looked_at(browser, site):
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(site.as_uri())
    resting = details(page)
    assert all(" looked at " in line for line in resting)
    assert not [url for url in asked if "/weights/" in url]  # a hand over a word asks for none
    page.locator("textarea").focus()
    page.wait_for_function(DRAWN)
    assert details(page) == resting
    page.close()


def held_back(browser, site, **settings):
    """A page whose weights wait, and what lets them come."""
    page, held, released = browser.new_page(**settings), [], []

    def hold(route):
        held.append(route)
        if released:
            route.continue_()

    def release():
        released.append(True)
        for route in [*held]:
            route.continue_()
        page.wait_for_function(DRAWN)

    page.route("**/weights/*", hold)
    page.goto(site.as_uri())
    return page, release


FOCUSED = "() => document.activeElement.textContent"


def test_the_word_that_one_has_reached_keeps_the_focus_when_the_weights_come(browser, site):
    page, release = held_back(browser, site)
    page.locator("textarea").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    word = "의사는"
    assert page.evaluate(FOCUSED) == word
    release()
    assert page.evaluate(FOCUSED) == word
    assert page.locator(".landing-detail").inner_text().startswith(f"{word} looked at")
    # In another sentence it is the word at the same place.
    page.evaluate(SET, "Anna bought three books and two apples")
    page.wait_for_function("() => !document.querySelector('[aria-busy]')")
    assert page.evaluate(FOCUSED) == "책"
    page.close()


def test_the_first_tap_on_a_word_points_at_what_it_looked_at(browser, site):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
    page, release = held_back(browser, site, **phone)
    word = page.locator(".landing-row[lang=ko] button").nth(4)
    word.tap()
    release()
    assert page.locator(".landing-row[lang=ko] .landing-on").all_inner_texts() == ["탄"]
    assert page.locator(".landing-detail").inner_text().startswith("탄 looked at")
    page.close()
