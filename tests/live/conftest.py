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
def firefox():
    """A headless Firefox that reaches no other host."""
    with launch_firefox() as firefox:
        yield firefox
