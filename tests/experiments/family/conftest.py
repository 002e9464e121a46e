"""How a test runs a program of the family and reads its record."""

import json
import shlex
import sys

import pytest

from experiments.records import commands


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Run a program with options, and return the record that it wrote."""

    def program(module, *options):
        out = tmp_path / "record.json"
        monkeypatch.setattr(sys, "argv", ["program", *options, "--out", str(out)])
        module.STUDY.main()
        return json.loads(out.read_text("utf-8"))

    return program


@pytest.fixture
def says_its_defaults():
    """Whether the command of a record says just what the program does without any option."""

    def compare(module, name):
        command = commands()[f"family_{name}"]
        parser = module.STUDY.parser()
        assert vars(parser.parse_args(shlex.split(command)[3:])) == vars(parser.parse_args([]))
        return command == module.STUDY.command(parser.parse_args([]))

    return compare
