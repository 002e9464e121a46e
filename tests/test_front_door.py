"""`from annotated_transformer import ...` gives every name and loads none before that."""

import ast
import inspect
import subprocess
import sys

import pytest

import annotated_transformer
from rules import ROOT

FILE = ROOT / "annotated_transformer" / "__init__.py"
HEAVY = ("torch", "numpy", "sacrebleu", "sentencepiece", "safetensors", "matplotlib", "altair")


def in_a_new_process(program):
    """Run a program that prints; return its standard output and fail with its error."""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def seen_by_type_checkers():
    """Return name and module of each import below `if TYPE_CHECKING`."""
    (block,) = [
        node for node in ast.parse(FILE.read_text("utf-8")).body if isinstance(node, ast.If)
    ]
    return {
        alias.name: node.module.removeprefix("annotated_transformer.")
        for node in block.body
        for alias in node.names
    }


def test_the_three_lists_of_names_are_one():
    assert seen_by_type_checkers() == annotated_transformer._HOME
    assert sorted(annotated_transformer._HOME) == annotated_transformer.__all__
    assert set(annotated_transformer.__all__) <= set(dir(annotated_transformer))


def test_every_name_is_the_object_of_its_module():
    for name, home in annotated_transformer._HOME.items():
        obj = getattr(annotated_transformer, name)
        assert obj is getattr(sys.modules[f"annotated_transformer.{home}"], name)
        assert inspect.unwrap(obj).__module__ == obj.__module__


@pytest.mark.parametrize(
    "first",
    [
        "",
        "import annotated_transformer.attention",
        "from annotated_transformer.attention import MultiHeadAttention",
        "import annotated_transformer.transformer",
    ],
)
def test_attention_is_the_function_whatever_was_imported_first(first):
    lines = [first, "from annotated_transformer import attention", "print(attention.__qualname__)"]
    assert in_a_new_process("\n".join(lines)) == "attention\n"


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'annotated_transformer' has no attribute 'Nonsense'"):
        _ = annotated_transformer.Nonsense
    with pytest.raises(ImportError, match="Nonsense"):
        from annotated_transformer import Nonsense  # noqa: F401, PLC0415


@pytest.mark.parametrize("module", ["annotated_transformer", "annotated_transformer.cli"])
@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["nonsense"]])
def test_help_waits_for_no_heavy_module(module, arguments):
    program = f"""
import runpy, sys
sys.argv = ["annotated-transformer", *{arguments}]
try:
    if {module!r} == "annotated_transformer":
        runpy.run_module("annotated_transformer", run_name="__main__")
    else:
        from annotated_transformer.cli import main
        main()
except SystemExit as end:
    print("status", end.code)
print("loaded", [name for name in {HEAVY} if name in sys.modules])
"""
    lines = in_a_new_process(program).splitlines()
    assert lines[-2:] == [f"status {2 if arguments == ['nonsense'] else 0}", "loaded []"]
