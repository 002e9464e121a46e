"""Every test of a figure begins and ends with no figure open."""

import pytest
from matplotlib import pyplot as plt


@pytest.fixture(autouse=True)
def _no_figure_stays():
    plt.close("all")
    yield
    plt.close("all")
