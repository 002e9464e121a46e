"""What the tests of experiments share: no run of theirs is kept where another one could find it."""

import pytest

from experiments import study


@pytest.fixture(autouse=True)
def runs_of_its_own(monkeypatch, tmp_path):
    """Keep runs in a folder of the test."""
    monkeypatch.setattr(study, "RUNS", tmp_path / "kept runs")


@pytest.fixture
def clean(monkeypatch):
    """Let the checkout be clean, whatever it is."""
    monkeypatch.setattr(study, "commit", lambda: "0" * 40)
