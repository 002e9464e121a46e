"""One contract for every command: its help, what it refuses and with which status, its records.

The commands are those of the code's own lists: each module of `experiments/` and `benchmarks/` that
can be carried out, and each subcommand of `annotated-transformer`. A new one is tested by being
there.
"""

import argparse
import ast
import importlib
import shlex
from functools import cache

import pytest

from annotated_transformer.cli import arguments, main
from annotated_transformer.lab.records import RESULTS, record
from experiments import records
from experiments.study import Study
from rules import ROOT

END = 'if __name__ == "__main__":\n    STUDY.main()\n'
TOOLS = {"experiments.records"}
"""Commands that measure nothing and so are no studies."""
OF_THEIR_OWN = {"family_electra", "family_scaling"}
"""Records of the family that were made with options of their own."""
WORDS = {int: "many", float: "much"}
"""What is no number of this kind."""


def programs():
    """Return the names of all modules that can be carried out."""
    return [
        ".".join(path.relative_to(ROOT).with_suffix("").parts)
        for folder in ("experiments", "benchmarks")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if "\nif __name__ ==" in path.read_text("utf-8")
    ]


STUDIES = [name for name in programs() if name not in TOOLS]
[SUBCOMMANDS] = [
    action.choices
    for action in arguments.parser()._actions
    if isinstance(action, argparse._SubParsersAction)
]


@cache
def study(module):
    return importlib.import_module(module).STUDY


def commands():
    """Return what starts each command with the words given, and its parser, by name."""
    found = {name: (lambda words, name=name: study(name).main(words)) for name in STUDIES}
    for name in SUBCOMMANDS:
        found[f"annotated-transformer {name}"] = lambda words, name=name: main([name, *words])
    found["experiments.records"] = records.main
    return found


def parser_of(name):
    if name in STUDIES:
        return study(name).parser()
    return SUBCOMMANDS.get(name.removeprefix("annotated-transformer "))


def ended(name, words, capsys):
    """Return status, standard output and the lines on standard error of a command."""
    with pytest.raises(SystemExit) as end:
        commands()[name](words)
    output = capsys.readouterr()
    return end.value.code, output.out, output.err.splitlines()


def test_what_can_be_carried_out_is_a_study_or_a_tool():
    assert set(programs()) >= TOOLS
    assert len(STUDIES) > 55
    for name in STUDIES:
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        assert isinstance(study(name), Study), name
        assert study(name).module == name
        assert path.read_text("utf-8").endswith(END), name
        docstring = ast.get_docstring(ast.parse(path.read_text("utf-8")))
        assert f"python -m {name}" in docstring
        assert docstring.startswith(study(name).description)


@pytest.mark.parametrize("name", commands())
def test_help_names_every_option_and_is_no_error(name, capsys):
    status, output, errors = ended(name, ["--help"], capsys)
    assert (status, errors) == (0, [])
    spoken = name if " " in name else f"python -m {name}"
    assert output.startswith(f"usage: {spoken} ")
    if parser := parser_of(name):
        for action in parser._actions:
            assert all(flag in output for flag in action.option_strings)


@pytest.mark.parametrize("name", commands())
def test_help_that_cannot_be_written_is_said(name, capfd, monkeypatch):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        with pytest.raises(SystemExit) as end:
            commands()[name](["--help"])
    assert end.value.code == 1
    [line] = capfd.readouterr().err.splitlines()
    assert line.endswith("error: standard output: No space left on device")


@pytest.mark.parametrize("name", SUBCOMMANDS)
def test_an_option_has_one_value(name, capsys):
    for action in SUBCOMMANDS[name]._actions:
        takes_one = action.nargs != 0 and not isinstance(action, argparse._AppendAction)
        if action.option_strings and takes_one:
            flag = action.option_strings[-1]
            status, output, errors = ended(
                f"annotated-transformer {name}", ["place", flag, "1", flag, "2"], capsys
            )
            assert (status, output) == (2, "")
            assert f"argument {flag}: it is " in errors[-1]
            assert errors[-1].endswith("; give it once")


@pytest.mark.parametrize("name", commands())
def test_an_option_that_is_not_there_is_named_with_the_usage(name, capsys):
    status, output, errors = ended(name, ["--no-such-option", "1"], capsys)
    assert (status, output) == (2, "")
    assert errors[0].startswith("usage: ")
    assert ": error: " in errors[-1]


def wrong_words():
    """Return, of every option of every command that takes no word, one that it does not take."""
    for name in [*STUDIES, *(f"annotated-transformer {each}" for each in SUBCOMMANDS)]:
        for action in parser_of(name)._actions:
            if action.option_strings and (action.choices or action.type in WORDS):
                yield name, action.option_strings[-1], WORDS.get(action.type, "no-such-choice")


@pytest.mark.parametrize("name", [*STUDIES, *(f"annotated-transformer {n}" for n in SUBCOMMANDS)])
def test_a_value_that_an_option_does_not_take_is_named(name, capsys):
    for command, flag, word in wrong_words():
        if command == name:
            needed = [] if name in STUDIES else ["place"]
            status, output, errors = ended(name, [*needed, flag, word], capsys)
            assert (status, output) == (2, "")
            assert f"argument {flag}" in errors[-1] or f"/{flag}: " in errors[-1]
            assert repr(word) in errors[-1]


def words_of(name):
    """Return program and options of a record's command, as it is called today."""
    words = shlex.split(record(name).command)
    return (words[2], words[3:]) if words[:2] == ["python", "-m"] else (words[0], words[1:])


@pytest.mark.parametrize("name", sorted(path.stem for path in RESULTS.glob("*.json")))
def test_the_command_of_every_record_still_runs_and_makes_a_record_of_that_name(name):
    """It is taken without an error; and a study repeats it to the letter."""
    program, words = words_of(name)
    if program == "annotated-transformer":
        assert vars(arguments.parser().parse_args(words))
        return
    made = study(program)
    given = made.parser().parse_args(words)
    made.check(given)
    given.out = given.out or made.place(given)
    assert given.out.stem == name
    if type(made).__name__ == "Benchmark":
        made.typed = words
    assert made.command(given) == record(name).command


@pytest.mark.parametrize("name", [n for n in records.commands() if n.startswith("family_")])
def test_the_command_of_a_member_s_record_says_what_its_program_does_without_options(name):
    command = records.commands()[name]
    _, _, program, *words = shlex.split(command)
    parser = study(program).parser()
    alone = parser.parse_args([])
    said = vars(parser.parse_args(words)) == vars(alone)
    assert (said and command == study(program).command(alone)) is (name not in OF_THEIR_OWN)
