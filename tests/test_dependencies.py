"""pyproject.toml declares what is imported.

The launch-copy test sees this whole environment, so only this one notices what a new machine lacks.
"""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

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


def undeclared(modules, requirements):
    """Return the modules that no required distribution provides."""
    declared = {normalized(requirement) for requirement in requirements}
    providers = packages_distributions()
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


def test_an_undeclared_import_is_found():
    modules = imported("import os\ndef f():\n    import yaml.nodes\n    from PIL import Image\n")
    assert modules == {"yaml", "PIL"}
    assert undeclared(modules, ["PyYAML>=6"]) == {"PIL"}
    assert undeclared({"no_such_module"}, ["pillow"]) == {"no_such_module"}


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "annotated_transformer" / "py.typed").is_file()
