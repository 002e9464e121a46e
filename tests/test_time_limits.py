"""No clock decides a test: a slow machine is slow, and what trains is left to finish."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib

import nbformat
import pytest
from patience import PATIENCE

from rules import ROOT

AN_HOUR = 3_600
HANGING_PAGE = """
from browser import launch
def test_waits():
    with launch() as browser:
        browser.new_page().evaluate("() => new Promise(() => {})")
def test_after_it(): pass
"""
SLOW_CELL = "import time\ntime.sleep(3)\nprint(6 * 7)"


@pytest.fixture(scope="module")
def options(tmp_path_factory):
    """Return the options that `make notebooks` gives to pytest, the folder left out."""
    folder = tmp_path_factory.mktemp("make")
    shutil.copy(ROOT / "Makefile", folder)
    for file in ("requirements.txt", "pyproject.toml", "book/_tools/setup.sh", ".venv/.ready"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).touch()
    command = ["make", "--dry-run", "notebooks"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    (line,) = [line for line in done.stdout.splitlines() if "--nbval" in line]
    return [word for word in line.split() if word.startswith("--nbval")]


def limit(options):
    (seconds,) = re.findall(r"--nbval-cell-timeout=(\d+)", " ".join(options))
    return int(seconds)


def run_slow_cell(folder, options):
    """Run nbval on a notebook whose cell takes three seconds; return status and output."""
    output = nbformat.v4.new_output("stream", name="stdout", text="42\n")
    cell = nbformat.v4.new_code_cell(SLOW_CELL, execution_count=1, outputs=[output])
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=[cell], metadata={"kernelspec": kernel})
    nbformat.write(notebook, folder / "slow.ipynb")
    (folder / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *options, "slow.ipynb"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_cell_that_trains_has_an_hour_at_least(options):
    assert limit(options) >= AN_HOUR


def test_the_limit_of_make_is_the_one_that_stops_a_cell(options, tmp_path):
    status, output = run_slow_cell(tmp_path, options)
    assert status == 0, output
    short = [option.replace(str(limit(options)), "1") for option in options]
    status, output = run_slow_cell(tmp_path, short)
    assert status == 1
    assert "Timeout of 1 seconds exceeded" in output


def test_a_test_that_hangs_has_an_hour_and_then_a_name(tmp_path):
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    seconds = settings["tool"]["pytest"]["ini_options"]["timeout"]
    assert seconds > AN_HOUR
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_page.py").write_text(HANGING_PAGE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--timeout=5"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "book/_tools"), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment
    )
    assert "FAILED test_page.py::test_waits" in done.stdout
    assert "1 failed, 1 passed" in done.stdout


def clocked(source):
    """Return the lines of a test that measure a time and compare it, or wait less than an hour."""
    tree, found = ast.parse(source), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "timeout":
            name = node.value.id if isinstance(node.value, ast.Name) else None
            number = node.value.value if isinstance(node.value, ast.Constant) else 0
            if name != "PATIENCE" and (number is None or number < AN_HOUR):
                found.add(node.value.lineno)
        # The end of waiting for another program, an hour from now, is no measurement.
        elif reads_clock(node) and not re.search("PATIENCE|deadline", ast.unparse(node)):
            found.add(node.lineno)
    return sorted(found)


def reads_clock(node):
    if not isinstance(node, ast.BinOp | ast.Compare):
        return False
    calls = (part for part in ast.walk(node) if isinstance(part, ast.Call))
    return any(re.search(r"perf_counter|monotonic|\btime\.time\b", ast.unparse(c)) for c in calls)


def test_no_test_measures_time_or_gives_a_program_less_than_an_hour():
    # `make mutants` is no test: it prints how long each mutant took.
    files = [file for file in (ROOT / "tests").rglob("*.py") if file.parent.name != "mutants"]
    wrong = {str(path): clocked(path.read_text("utf-8")) for path in files}
    assert {path: lines for path, lines in wrong.items() if lines} == {}
    assert PATIENCE >= AN_HOUR


def test_a_measured_time_and_a_short_wait_are_found():
    source = (
        "began = time.perf_counter()\n"
        "assert time.perf_counter() - began < 3\n"
        "run(timeout=60)\n"
        "run(timeout=3_600)\n"
        "run(timeout=PATIENCE)\n"
    )
    assert clocked(source) == [2, 3]
