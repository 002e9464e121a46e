"""The engine of the live figures in Chromium, from a folder, with the weights it was given."""

import pytest
from live_engine import open_engine

from firefox import launch_firefox


@pytest.fixture(scope="module")
def engine(browser, tmp_path_factory):
    """The engine with the weights that the book has."""
    return open_engine(browser, tmp_path_factory.mktemp("live"), bits=8)


@pytest.fixture(scope="module")
def exact_engine(browser, tmp_path_factory):
    """The engine with the weights as they were trained."""
    return open_engine(browser, tmp_path_factory.mktemp("exact"), bits=32)


@pytest.fixture(scope="module")
def one_tab(browser):
    page = browser.new_page()
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    yield page
    page.close()


@pytest.fixture
def tab(one_tab):
    """A page with nothing in it. Opening one takes longer than most tests, so a module has one.

    A test opens a document of its own in it, so nothing that scripts have changed is left; what
    belongs to the page is set back here.
    """
    one_tab.errors = []
    one_tab.goto("about:blank")
    one_tab.mouse.move(0, 0)
    yield one_tab
    one_tab.unroute_all()
    one_tab.emulate_media(media="null")
    assert one_tab.errors == []


@pytest.fixture(scope="module")
def firefox():
    """A headless Firefox that reaches no other host."""
    with launch_firefox() as firefox:
        yield firefox
