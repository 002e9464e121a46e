"""The package alone: installed with what it declares and no extra, it trains and translates."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from tiny_run import write_recipe

from rules import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
BOOK = PROJECT["optional-dependencies"]["book"]
LEFT_OUT = shutil.ignore_patterns(".*", "_build", "runs", "__pycache__", "build", "*.egg-info")
STEPS = """
import sys
from annotated_transformer import Translator, load_recipe, train
run = train(load_recipe(sys.argv[1], ["training.steps=2"]), sys.argv[2])
print("steps", run.curve[-1]["step"])
Translator.load(sys.argv[2])("the cat sees a dog")
print("loaded", sorted({name.partition(".")[0] for name in sys.modules} & set(sys.argv[3:])))
"""


def required(requirements):
    """Return the installed distributions that requirements lead to, by name."""
    found, waiting = {}, [Requirement(text) for text in requirements]
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", requirement.name).lower()
        if name in found or not (requirement.marker is None or requirement.marker.evaluate()):
            continue
        try:
            found[name] = distribution(name)
        except PackageNotFoundError:  # pip will say so if it is needed here
            continue
        waiting += [Requirement(text) for text in found[name].requires or ()]
    return found


def modules_of(distributions):
    """Return the top-level folders and files that distributions have installed."""
    return {
        (Path(installed.locate_file("")), file.parts[0])
        for installed in distributions.values()
        for file in installed.files or ()
        if file.parts[0] != ".." and not file.parts[0].startswith("__")
    }


def run(*command, **settings):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory):
    """Return the interpreter of an environment: the package, what it requires, nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    environment = folder / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    for place, name in modules_of(required(PROJECT["dependencies"])):
        (packages / name).symlink_to(place / name)
    checkout = folder / "checkout"
    shutil.copytree(ROOT, checkout, ignore=LEFT_OUT)
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    outside = {"env": {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}}
    build = ("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder)
    run(*pip, *build, checkout, **outside)
    (wheel,) = folder.glob("annotated_transformer-*.whl")
    # pip refuses if anything that the package declares is missing: there is no index to ask.
    run(*pip, "--python", environment / "bin" / "python", "install", wheel, **outside)
    return environment / "bin" / "python"


@pytest.fixture
def alone(tmp_path):
    """Return the settings of a process that sees nothing of this checkout."""
    hidden = ("PYTHONPATH", "VIRTUAL_ENV")
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    return {"env": environment, "cwd": tmp_path}


def test_the_package_trains_and_translates_without_the_extras(bare_python, alone, tmp_path):
    plotting = required(BOOK).keys() - required(PROJECT["dependencies"]).keys()
    assert {"matplotlib", "altair", "ipython", "pygments", "pillow"} <= plotting
    names = sorted(name for _, name in modules_of({key: distribution(key) for key in plotting}))
    output = run(
        bare_python, "-c", STEPS, write_recipe(tmp_path), tmp_path / "run", *names, **alone
    )
    assert output.splitlines()[-2:] == ["steps 2", "loaded []"]
    for name in ("matplotlib", "altair", "IPython", "pygments", "PIL", "vl_convert"):
        missing = f"import importlib.util; print(importlib.util.find_spec({name!r}))"
        assert run(bare_python, "-c", missing, **alone) == "None\n"


@pytest.mark.parametrize(
    "program",
    [
        "from annotated_transformer import attention, show_source; show_source(attention)",
        "from annotated_transformer.lab.figures import show",
    ],
)
def test_what_needs_the_libraries_of_the_book_says_so(bare_python, alone, program):
    done = subprocess.run(
        [bare_python, "-c", program], capture_output=True, text=True, check=False, **alone
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ModuleNotFoundError: ")
    assert last.endswith("installed by pip install annotated-transformer[book]")
