"""A launch copy runs by itself: in an environment that has the dependencies but not the package."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import nbformat
import pytest
import yaml

import launch_copies
from launch_copies import binder_files, launch_copy, write_copies
from rules import ROOT

NOTEBOOKS = ROOT / "book"
"""Their code is that of the notebooks that are launched: tests/test_edition.py compares the two."""
README = (ROOT / "README.md").read_text(encoding="utf-8")

CHAPTER = "embeddings"
"""It reads records, tables of words and the shipped model: all that a copy has to bring along."""
LEFT_OUT = shutil.ignore_patterns(
    *(".git", ".venv", ".*_cache", "_build", "chapters", "runs", "__pycache__")
)


def run(*command, **settings):
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.strip()


ALONE = """
import sys
from importlib.metadata import packages_distributions, requires
from packaging.requirements import Requirement
allowed, found = ["nbformat"], set()
while allowed:
    name = allowed.pop()
    if name not in found:
        found.add(name)
        wanted = map(Requirement, requires(name) or [])
        allowed += [r.name for r in wanted if not r.marker or r.marker.evaluate({"extra": ""})]
known = {name.lower().replace("_", "-") for name in found}

class Nothing:
    def find_spec(self, name, path=None, target=None):
        owners = {owner.lower().replace("_", "-") for owner in OWNERS.get(name, [])}
        if owners and not owners & known:
            raise ModuleNotFoundError(f"{name} is not installed with nbformat", name=name)

OWNERS = packages_distributions()
sys.meta_path.insert(0, Nothing())
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
import runpy
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Runs a program that can import what nbformat brings with it, and no other package."""


def test_copies_are_written_where_nbformat_alone_is_installed(tmp_path):
    workflow = (ROOT / ".github/workflows/publish.yml").read_text(encoding="utf-8")
    assert "grep -E '^nbformat==' requirements.txt" in workflow
    options = ("--repository", "https://example.org/book", "--commit", "abc")
    built = tmp_path / "built"
    for folder in launch_copies.EDITIONS.values():
        shutil.copytree(NOTEBOOKS, built / folder, ignore=lambda *_: ["ko", "results", "_static"])
    options += ("--built", str(built))
    program = ROOT / "book/_tools/launch_copies.py"
    copies = tmp_path / "copies"
    run(sys.executable, "-c", ALONE, str(program), str(copies), *options, cwd=tmp_path)
    for place in ("book", "ko/book"):
        assert len([*(copies / place).iterdir()]) == len([*NOTEBOOKS.glob("*.ipynb")])
    assert (copies / "binder" / "requirements.txt").is_file()


def test_a_book_that_is_not_built_is_said(tmp_path):
    with pytest.raises(FileNotFoundError, match="nothing has no notebook: build the book first"):
        write_copies(tmp_path, url="https://a.b/c", commit="d", edition=tmp_path / "nothing")


def test_what_the_pages_offer_is_what_is_launched():
    """The job that writes the copies gets the notebooks of the job that built the pages."""
    workflow = yaml.safe_load((ROOT / ".github/workflows/publish.yml").read_text("utf-8"))
    jobs = workflow["jobs"]
    sent = next(
        step
        for step in jobs["build"]["steps"]
        if "upload-artifact" in step.get("uses", "") and step["with"]["name"] == "notebooks"
    )
    (got,) = [s for s in jobs["launch-copies"]["steps"] if "download" in s.get("uses", "")]
    (program,) = [s["run"] for s in jobs["launch-copies"]["steps"] if "run" in s]
    assert {ROOT / line for line in sent["with"]["path"].split()} == {
        launch_copies.HTML / folder / "*.ipynb" for folder in launch_copies.EDITIONS.values()
    }
    assert sent["with"]["name"] == got["with"]["name"]
    assert f"--built {got['with']['path']} " in program
    assert "build" in jobs["launch-copies"]["needs"]


def test_binder_installs_the_package_of_the_commit_with_the_tested_versions():
    files = binder_files(ROOT, url="https://example.org/a/b", commit="c0ffee")
    lines = files["requirements.txt"].splitlines()
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    assert files["constraints.txt"] == pins
    wanted = [line for line in lines if not line.startswith("#")]
    (torch,) = re.findall(r"^torch==[\d.]+", pins, re.MULTILINE)
    assert wanted == [
        "--extra-index-url https://download.pytorch.org/whl/cpu",
        "-c constraints.txt",
        f"{torch}+cpu",
        "annotated-transformer[book] @ git+https://example.org/a/b@c0ffee",
    ]
    (version,) = re.findall(r"python-(3\.\d+)", files["runtime.txt"])
    tests = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    assert version in tests["jobs"]["test"]["strategy"]["matrix"]["python"]


def test_the_tested_environment_is_what_binder_asks_for(tmp_path):
    """Pip finds every version here already; of PyTorch it may be another build."""
    text = (ROOT / "binder" / "requirements.txt").read_text(encoding="utf-8")
    text = text.replace("+cpu", "").replace("../requirements.txt", str(ROOT / "requirements.txt"))
    (tmp_path / "requirements.txt").write_text(text, encoding="utf-8")
    command = ("-m", "pip", "install", "--dry-run", "--no-index", "--no-build-isolation")
    done = run(sys.executable, *command, "-r", str(tmp_path / "requirements.txt"), cwd=ROOT)
    (line,) = [line for line in done.splitlines() if line.startswith("Would install")]
    assert re.fullmatch(r"Would install annotated.transformer-[\d.]+", line)


def test_a_devcontainer_has_what_the_readme_asks_for_and_opens_the_copies():
    text = (ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8")
    settings = json.loads(re.sub(r"(?m)^\s*//.*", "", text))
    (packages,) = re.findall(r"^sudo apt install (.*?) *# for make book", README, re.MULTILINE)
    assert settings["onCreateCommand"].endswith(f"apt-get install -y -qq {packages}")
    (target,) = re.findall(r"^make ([a-z]+)", settings["updateContentCommand"])
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{target}: $(COPIES)/" in makefile
    (file,) = settings["customizations"]["codespaces"]["openFiles"]
    folder, _, name = file.partition("/")
    assert f"\nCOPIES := $(if $(filter ko,$(LANGUAGE)),{folder}-ko,{folder})\n" in makefile
    assert (ROOT / "book" / name).is_file()


@pytest.fixture
def repository(tmp_path):
    """Commit this checkout to a repository of its own; return its folder and commit."""
    folder = tmp_path / "repository"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    run("git", "init", "--quiet", cwd=folder)
    run("git", "add", "--all", cwd=folder)
    author = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    run("git", *author, "commit", "--quiet", "--no-gpg-sign", "-m", "test", cwd=folder)
    return folder, run("git", "rev-parse", "HEAD", cwd=folder)


@pytest.fixture
def clean_python(tmp_path):
    """Return the interpreter of a new environment: every dependency, without the package."""
    dependencies = tmp_path / "dependencies"
    dependencies.mkdir()
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if "annotated_transformer" not in entry.name:
            (dependencies / entry.name).symlink_to(entry)
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "dependencies.pth").write_text(f"{dependencies}\n")
    return environment / "bin" / "python", packages


def test_launch_copy_installs_the_package_and_runs(tmp_path, repository, clean_python):
    folder, commit = repository
    url = "https://example.org/attention"
    python, packages = clean_python
    before = nbformat.read(ROOT / "book" / f"{CHAPTER}.ipynb", as_version=4)
    at = {"url": url, "commit": commit, "edition": NOTEBOOKS}
    copies = {path.stem: path for path in write_copies(tmp_path / "launch", **at)}
    copy = nbformat.read(copies[CHAPTER], as_version=4)
    assert [cell.source for cell in copy.cells[1:]] == [cell.source for cell in before.cells]
    assert f"git+{url}@{commit}" in copy.cells[0].source

    # Nothing may come from outside: not the index, not this checkout.
    outside = ("PYTHONPATH", "PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "VIRTUAL_ENV")
    environment = {key: value for key, value in os.environ.items() if key not in outside}
    environment |= {
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",
        "PIP_CONFIG_FILE": os.devnull,
        # git reads the address of the copies from the folder on this disk.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{folder.as_uri()}.insteadOf",
        "GIT_CONFIG_VALUE_0": url,
    }
    settings = {"env": environment, "cwd": tmp_path / "launch" / "book"}
    missing = subprocess.run(
        [python, "-c", "import annotated_transformer"], capture_output=True, check=False, **settings
    )
    assert b"ModuleNotFoundError" in missing.stderr
    execute = ("-m", "nbconvert", "--to", "notebook", "--execute", "--output", "executed.ipynb")
    run(python, *execute, copies[CHAPTER], **settings)

    where = run(python, "-c", "import annotated_transformer as a; print(a.__file__)", **settings)
    assert Path(where).is_relative_to(packages)
    assert not (packages / "torch").exists(), "the installed torch was replaced"
    executed = nbformat.read(tmp_path / "launch" / "book" / "executed.ipynb", as_version=4)
    assert all(cell.execution_count for cell in executed.cells if cell.cell_type == "code")

    # Its records came with it; the last chapter, which trains for minutes, asks for them likewise.
    assert (tmp_path / "launch" / "book" / "results" / "embeddings.json").is_file()
    last = nbformat.read(copies["train_and_translate"], as_version=4)
    assert last.cells[0].source == copy.cells[0].source


def test_every_notebook_has_its_copy_at_the_same_path(tmp_path):
    at = {"url": "https://example.org/a/b", "commit": "c0ffee", "edition": NOTEBOOKS}
    written = write_copies(tmp_path, **at)
    notebooks = sorted((ROOT / "book").glob("*.ipynb"))
    assert [p.relative_to(tmp_path) for p in written] == [p.relative_to(ROOT) for p in notebooks]
    for path in written:
        nbformat.validate(nbformat.read(path, as_version=4))


@pytest.mark.parametrize(
    ("source", "brings"),
    [
        ("from annotated_transformer.lab.records import record", True),
        ('Path("results/heads.json")', True),
        ("with record_attention(model) as record: ...", False),
    ],
)
def test_a_chapter_that_reads_records_brings_them_along(source, brings):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
    copy = launch_copy(notebook, url="https://example.org/a/b", commit="c0ffee")
    assert ("repository/book/results" in copy.cells[0].source) is brings


def test_command_line_names_what_is_missing(tmp_path):
    tool = ROOT / "book" / "_tools" / "launch_copies.py"
    done = subprocess.run(
        [sys.executable, tool, tmp_path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "--repository" in done.stderr
