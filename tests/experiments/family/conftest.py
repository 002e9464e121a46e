"""How a test runs a program of the family and reads its record."""

import json
import sys

import pytest


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Run a program with options, and return the record that it wrote."""

    def program(module, *options):
        out = tmp_path / "record.json"
        monkeypatch.setattr(sys, "argv", ["program", *options, "--out", str(out)])
        module.STUDY.main()
        return json.loads(out.read_text("utf-8"))

    return program
