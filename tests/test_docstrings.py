"""A docstring of a function says first what to do: it begins with a verb in the imperative.

Classes, attributes and properties are things; theirs say what the thing is.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "annotated_transformer"
LEFT_OUT = {
    "minimal.py": "its docstrings are shapes and formulas, to be read beside the paper",
    "lab/records.py": "its docstrings name what a record has",
    "lab/corpora/english_korean": "a rule of the grammar shows a sentence that it draws",
}
WORDS = """
add alternate announce apply ask attend average begin bring broadcast build call carry check
choose collect compare compute continue convert convolve copy count cut decode delete describe
display divide do draw drop encode end enlarge estimate exchange fetch fill find fit frame give
go highlight hold import join judge keep lay leave let link list load log look make map mark
match measure merge move multiply name normalise open pad paint pair parse pass place prepare
print project put raise read refuse register release remove rename reorder replace restore
return round run sample save say scale score search send serialise set share shift silence sort
split spread stack step strip subtract sum switch take tell time train translate transpose turn
undo update wait walk widen work write yield
"""
VERBS = frozenset(WORDS.split())
"""Those in use; a new one is welcome here, a noun is not."""


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions and methods in a module that are no properties."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            decorators = " ".join(map(ast.unparse, node.decorator_list))
            if "property" not in decorators and ".setter" not in decorators:
                yield node


def without_verb(source: str) -> list[str]:
    """Return the functions whose docstring begins with another word than a verb, and the word."""
    faults = []
    for node in functions(ast.parse(source)):
        first = (ast.get_docstring(node) or "return").split()[0].strip(",.;:")
        if first.lower() not in VERBS or not first[0].isalpha():
            faults.append(f"{node.name} (line {node.lineno}): {first}")
    return faults


def modules() -> list[str]:
    """Return the modules of the package, but for those that are left out."""
    names = (path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.py"))
    return sorted(name for name in names if not name.startswith(tuple(LEFT_OUT)))


def test_what_is_left_out_is_there_and_would_not_pass():
    for name in LEFT_OUT:
        path = PACKAGE / name
        files = [path] if path.is_file() else [*path.rglob("*.py")]
        assert any(without_verb(file.read_text("utf-8")) for file in files), name


@pytest.mark.parametrize("name", modules())
def test_the_docstring_of_a_function_begins_with_a_verb(name):
    assert without_verb((PACKAGE / name).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("docstring", "word"),
    [
        ("The mean of x.", "The"),
        ("Whether x is there.", "Whether"),
        ("Returns the mean.", "Returns"),
        ("What comes out.", "What"),
        ("(batch, length) to logits.", "(batch"),
        ("Logits of each class.", "Logits"),
    ],
)
def test_a_noun_is_no_verb(docstring, word):
    source = f'def f(x):\n    """{docstring}"""\n'
    assert without_verb(source) == [f"f (line 1): {word}"]


@pytest.mark.parametrize(
    "source",
    [
        'def f(x):\n    """Return the mean of x."""\n',
        "def f(x):\n    pass\n",
        'class A:\n    """A thing."""\n    @property\n    def f(self):\n        """The mean."""\n',
    ],
)
def test_verbs_things_and_silence_pass(source):
    assert without_verb(source) == []
