"""The house: few modules at the root, none of them long, and imports that point one way."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from count_lines import count, statements
from printed import printed
from rules import ROOT, prose, read

PACKAGE = ROOT / "annotated_transformer"
FOLDERS = ("annotated_transformer", "experiments", "benchmarks", "book/_tools", "book/_ext")
OUTSIDE = {"book", "tests", "experiments", "benchmarks"} | {
    path.stem for folder in ("book/_tools", "book/_ext") for path in (ROOT / folder).glob("*.py")
}
SECTION_3 = ("config", "masks", "attention", "positions", "layers", "transformer")
OTHERS = r"the (?:others of its|rest of the file's) (\d+) lines are docstrings or empty"
MODEL = (*SECTION_3, "minimal", "variants", "fast", "decoding")


def modules():
    """Return path and dotted name, without the package's own, of every module of the package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


class ForTypes(ast.NodeTransformer):
    """Leaves out what is imported for the checker of types alone."""

    def visit_If(self, node):
        return None if getattr(node.test, "id", "") == "TYPE_CHECKING" else self.generic_visit(node)


def imports(source, package=""):
    """Return all dotted names that a source imports, anywhere in it.

    `from a import b` may mean the module a.b: both are in the result. `package` is where the module
    lies, for imports that begin with a dot.
    """
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = [".".join(above)] if node.level else []
            home = ".".join([*base, *([node.module] if node.module else [])])
            names |= {home} | {f"{home}.{alias.name}" for alias in node.names}
    return names


def own_imports(name, path, without=None):
    """Return the modules of the package, without its name, that one of its modules imports."""
    inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
    package = ".".join(filter(None, ["annotated_transformer", inside]))
    source = path.read_text("utf-8")
    if without is not None:
        source = ast.unparse(without.visit(ast.parse(source)))
    found = imports(source, package)
    prefix = "annotated_transformer."
    return {imported.removeprefix(prefix) for imported in found if imported.startswith(prefix)}


def reached(start, graph):
    """Return the modules that some modules lead to, each with one that imports it."""
    waiting, found = [(name, name) for name in start], {}
    while waiting:
        name, importer = waiting.pop()
        if name not in found:
            found[name] = importer
            waiting += [(imported, name) for imported in graph[name] if imported in graph]
    return found


def room(name):
    return name.partition(".")[0]


def test_at_most_twenty_modules_stand_at_the_root():
    assert len(list(PACKAGE.glob("*.py"))) <= 20


@pytest.mark.parametrize("folder", FOLDERS)
def test_few_modules_have_more_than_300_lines(folder):
    """A sign to look, not a wall to build against."""
    files = list((ROOT / folder).rglob("*.py"))
    assert files
    lines = {str(path): len(path.read_text("utf-8").splitlines()) for path in files}
    long = {path: n for path, n in lines.items() if n > 300}
    assert len(long) <= 3
    assert all(n <= 350 for n in long.values()), long


FLOORS = [
    *(
        "checks moved",
        "text storage",
        "corpora",
        "config tokenizer masks",
        "fast",
        "layers attention",
    ),
    *("positions", "variants.alibi variants.rotary", "variants", "transformer", "inspection"),
    "alignment minimal",
    *("decoding.cache decoding.packed", "decoding", "saving", "shipped translation"),
    *("translator", "evaluation", "training", "export", "cli", "lab"),
]
"""The rooms of the house from its ground up; a module may import its own floor and those below."""


def floor(name):
    """Return the number of a module's floor: that of the longest name in the list that it has."""
    numbers = {room: n for n, rooms in enumerate(FLOORS) for room in rooms.split()}
    parts = name.split(".")
    above = [".".join(parts[:end]) for end in range(len(parts), 0, -1)]
    return next((numbers[each] for each in above if each in numbers), None)


@cache
def graph():
    """Return what each module of the package imports of it."""
    names = modules()
    return {
        name: {imported for imported in own_imports(name, path, ForTypes()) if imported in names}
        for name, path in names.items()
        if name not in ("", "__main__")  # the front door, which imports nothing, and its other side
    }


def test_no_import_runs_upwards():
    floors = {name: floor(name) for name in graph()}
    assert [name for name, number in floors.items() if number is None] == []
    wrong = {
        (name, imported)
        for name, found in graph().items()
        for imported in found
        if floors[imported] > floors[name]
    }
    assert wrong == set()


def test_the_library_never_imports_the_laboratory():
    wrong = {
        (name, imported)
        for name, found in graph().items()
        for imported in found
        if room(imported) == "lab" and room(name) != "lab"
    }
    assert wrong == set()


def test_no_imports_run_in_a_circle():
    """A package is imported by what lies in it, without a line that says so."""
    imported = {
        name: {each for each in found if not f"{name}.".startswith(f"{each}.")}
        for name, found in graph().items()
    }
    for name, found in imported.items():
        assert name not in reached(found, imported), name


def test_the_training_loop_loads_a_small_part_of_the_house():
    code = """
import sys
import annotated_transformer.training.loop
print(*(name for name in sys.modules if name.startswith("annotated_transformer")))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert len(loaded) <= 60
    assert [name for name in loaded if ".lab" in name] == []


def test_what_a_page_prints_wraps_at_its_columns():
    """The list for editors in pyproject.toml is what `make lint` takes from the pages."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["tool"]["ruff"]["format"]["exclude"] == printed()


def test_nothing_of_the_model_leads_to_training():
    graph = {name: own_imports(name, path) for name, path in modules().items() if name}
    start = [name for name in graph if room(name) in MODEL]
    assert {room(name) for name in start} >= {*SECTION_3, "variants", "fast", "decoding"}
    found = reached(start, graph)
    assert {(by, name) for name, by in found.items() if room(name) == "training"} == set()


def test_the_package_imports_nothing_from_outside_of_it():
    wrong = {
        (name, imported)
        for name, path in modules().items()
        for imported in imports(path.read_text("utf-8"), "annotated_transformer")
        if room(imported) in OUTSIDE
    }
    assert wrong == set()


def test_imports_are_found_wherever_they_stand():
    source = """
import a.b
from c import d
if TYPE_CHECKING:
    from .e import f
def g():
    from ..h import i
    import j
"""
    expected = {"a.b", "c", "c.d", "p.q.e", "p.q.e.f", "p.h", "p.h.i", "j"}
    assert imports(source, "p.q") == expected
    assert reached(["x"], {"x": {"y"}, "y": {"z"}, "z": set()}) == {"x": "x", "y": "x", "z": "y"}


COUNTED = '''"""What the file is.

More of it.
"""

import torch  # for tensors

LIMIT = 3
"""How many."""


def double(x):
    """Twice x."""
    # A check comes first.
    check_number(x)
    if x > LIMIT:
        raise ValueError(
            f"{x} is too many"
        )

    return 2 * x


def check_number(x):
    """Refuse what is no number."""
    if x != x:
        raise ValueError("no number")
    for other in (1, 2):
        # why
        if other == x:
            raise ValueError
'''


def test_lines_are_counted_by_what_they_are():
    assert count(COUNTED) == {
        "code": 4,  # import, LIMIT, def double, return
        "checks": 5 + 6,
        "docstrings": 7,
        "comments": 2,
        "blank": 7,
    }
    assert sum(count(COUNTED).values()) == len(COUNTED.splitlines())


def test_a_statement_counts_once_and_an_import_not_at_all():
    assert statements(COUNTED) == 3  # LIMIT, def double, return
    assert statements("x = (\n    1,\n    2,\n)\nif x: # why\n    pass\n") == 3
    assert statements("from a import (\n    b,\n)\n\n\n@c\ndef f(\n    x,\n): ...\n") == 2


def test_an_if_that_does_more_than_raise_is_code():
    source = "if x:\n    y = 1\n    raise ValueError\nelse:\n    z = '#'\n"
    assert count(source) == {"code": 4, "checks": 1, "docstrings": 0, "comments": 0, "blank": 0}


def test_the_command_prints_each_file_and_the_sum(tmp_path):
    (tmp_path / "a.py").write_text(COUNTED)
    (tmp_path / "b.py").write_text("x = 1\n")
    command = [sys.executable, ROOT / "book/_tools/count_lines.py", "a.py", "b.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["statements", "code", "checks", "docstrings", "comments", "blank"]
    assert rows[1:] == [
        ["a.py", "3", "4", "11", "7", "2", "7"],
        ["b.py", "1", "1", "0", "0", "0", "0"],
        ["together", "4", "5", "11", "7", "2", "7"],
    ]


def test_the_whole_model_is_as_short_as_promised():
    minimal = count((PACKAGE / "minimal.py").read_text("utf-8"))
    assert minimal["code"] <= 130
    assert minimal["checks"] == 0


def test_pages_say_how_long_the_whole_model_is():
    source = (PACKAGE / "minimal.py").read_text("utf-8")
    kinds, lines = count(source), len(source.splitlines())
    pages = [ROOT / "README.md", *(ROOT / "book").glob("*.md"), *(ROOT / "book").glob("*.ipynb")]
    said = {
        page.name: (re.findall(r"(\d+) lines\s+of\s+code", text), re.findall(OTHERS, text))
        for page in pages
        if "lines" in (text := page.read_text("utf-8"))
    }
    said = {name: found for name, found in said.items() if found != ([], [])}
    assert said.keys() >= {"README.md", "index.md", "transformer.ipynb"}
    code, whole = str(kinds["code"]), str(lines)
    assert {name: found for name, found in said.items() if {*found[0]} != {code}} == {}
    assert said["transformer.ipynb"][1] == [whole]
    assert kinds["code"] + kinds["docstrings"] + kinds["blank"] == lines


def test_the_six_files_of_section_3_are_as_short_as_promised():
    """Statements, because the shapes in a signature wrap it over many lines."""
    sources = [(PACKAGE / f"{name}.py").read_text("utf-8") for name in SECTION_3]
    assert sum(map(statements, sources)) <= 270
    assert sum(count(source)["checks"] for source in sources) <= 41


NAMED = re.compile(r"(?<![\w/.*-])((?:\w+/)*[a-z_]\w*\.py)\b")
ELSEWHERE = {"wsj_parsing.py"}
"""Files of other programs."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_file_that_a_comment_names_is_there(folder):
    files = {
        f"/{path.relative_to(ROOT).as_posix()}"
        for place in (*FOLDERS, "tests")
        for path in (ROOT / place).rglob("*.py")
    }
    wrong = {
        (path.name, name)
        for path in (ROOT / folder).rglob("*.py")
        for name in NAMED.findall(path.read_text("utf-8"))
        if name not in ELSEWHERE and not any(file.endswith(f"/{name}") for file in files)
    }
    assert wrong == set()


MARGIN = re.compile(r"\*\*Code\*\*: (?:in `([\w/]+)/` )?(.+)")


@pytest.mark.parametrize(
    "page", sorted((ROOT / "book").glob("*.ipynb")), ids=lambda path: path.stem
)
def test_every_file_in_the_margin_of_a_page_is_there(page):
    """Below the package or the repository itself, so that a reader finds it there."""
    named = {
        Path(folder) / name
        for folder, names in MARGIN.findall(prose(read(page)))
        for name in re.findall(r"`([\w/]+(?:\.py|/))`", names)
    }
    assert {
        path for path in named if not any((at / path).exists() for at in (PACKAGE, ROOT))
    } == set()
