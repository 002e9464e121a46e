"""pyproject.toml declares what is imported.

The launch-copy test sees this whole environment, so only this one notices what a new machine lacks.
"""

import ast
import re
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager
from test_layout import imports, own_imports, reached
from test_layout import modules as package_modules

import annotated_transformer
from rules import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OPTIONAL = PROJECT["optional-dependencies"]
EXTRAS = [pin for extra in OPTIONAL.values() for pin in extra]
# What the package imports only when it is asked to: it neither builds the pages nor tests itself.
ON_REQUEST = [pin for name in OPTIONAL.keys() - {"site", "test"} for pin in OPTIONAL[name]]
FOLDERS = {
    "annotated_transformer": PROJECT["dependencies"] + ON_REQUEST,
    "book/_ext": PROJECT["dependencies"] + EXTRAS,
    "book/_tools": PROJECT["dependencies"] + EXTRAS,
    "tests": PROJECT["dependencies"] + EXTRAS,
}
OWN = {"annotated_transformer", "benchmarks", "experiments", "faults"} | {
    path.stem
    for folder in ("book/_ext", "book/_tools", "tests")
    for path in (ROOT / folder).glob("*.py")
}


def normalized(requirement):
    name = re.match(r"[\w.-]+", requirement).group()
    return re.sub(r"[-_.]+", "-", name).lower()


def imported(source):
    """Return the top-level modules that a file imports, wherever in it."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            modules.add(node.module.partition(".")[0])
    return modules - set(sys.stdlib_module_names)


distributions_of_modules = cache(packages_distributions)


def undeclared(modules, requirements):
    """Return the modules that no required distribution provides."""
    declared = {normalized(requirement) for requirement in requirements}
    providers = distributions_of_modules()
    return {
        module
        for module in modules - OWN
        if declared.isdisjoint(normalized(name) for name in providers.get(module, []))
    }


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_is_imported_is_declared(folder):
    # `make mutants` installs its tool into an environment of its own.
    files = [file for file in (ROOT / folder).rglob("*.py") if file.parent.name != "mutants"]
    modules = set().union(*(imported(file.read_text(encoding="utf-8")) for file in files))
    assert modules - OWN, "nothing was looked at"
    assert undeclared(modules, FOLDERS[folder]) == set()


@cache
def package():
    """Return of each module of the package what it imports of the package, and what of others."""
    paths = package_modules()
    own = {name: own_imports(name, path) for name, path in paths.items()}
    return own, {name: imported(path.read_text("utf-8")) for name, path in paths.items()}


def modules_behind(notebook):
    """Return what is imported by the cells of a notebook, and by modules that they lead to."""
    cells = [cell.source for cell in nbformat.read(notebook, 4).cells if cell.cell_type == "code"]
    source = TransformerManager().transform_cell("\n".join(cells))
    own, others = package()
    asked = {name.removeprefix("annotated_transformer.") for name in imports(source)}
    start = {annotated_transformer._HOME.get(name, name) for name in asked}
    return imported(source).union(*(others[name] for name in reached(start & own.keys(), own)))


@pytest.mark.parametrize("name", sorted(path.stem for path in (ROOT / "book").glob("*.ipynb")))
def test_the_extra_of_the_book_brings_what_its_chapters_import(name):
    """A launch copy installs the package with it and nothing else."""
    modules = modules_behind(ROOT / "book" / f"{name}.ipynb")
    assert "torch" in modules
    assert undeclared(modules, PROJECT["dependencies"] + OPTIONAL["book"]) == set()


def test_what_a_chapter_imports_by_way_of_the_package_is_found():
    assert "scipy" in modules_behind(ROOT / "book" / "detection_and_prompts.ipynb")
    assert set(OPTIONAL["family"]) < set(OPTIONAL["book"])


def test_an_undeclared_import_is_found():
    modules = imported("import os\ndef f():\n    import yaml.nodes\n    from PIL import Image\n")
    assert modules == {"yaml", "PIL"}
    assert undeclared(modules, ["PyYAML>=6"]) == {"PIL"}
    assert undeclared({"no_such_module"}, ["pillow"]) == {"no_such_module"}


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "annotated_transformer" / "py.typed").is_file()
