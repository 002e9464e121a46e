"""What is given away: a source distribution with all of the repository, and a wheel made of it."""

import email
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from packaging.licenses import canonicalize_license_expression

from citation import metadata
from rules import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
MADE = re.compile(r"PKG-INFO|setup\.cfg|annotated_transformer\.egg-info/.*")
SETTINGS_OF_TOOLS = {"ruff.toml"}
BUILD = "from setuptools import build_meta; build_meta.build_{}({!r})"


def tracked():
    """Return the files of the repository, in an unpacked distribution those that it came with."""
    if (ROOT / ".git").exists():
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True)
        names = done.stdout.split("\0")[:-1]
    else:
        sources = ROOT / "annotated_transformer.egg-info" / "SOURCES.txt"
        names = sources.read_text(encoding="utf-8").splitlines()
    return {name for name in names if not MADE.fullmatch(name) and (ROOT / name).is_file()}


def build(kind, folder, out):
    """Build as a release is built, with nothing from an index."""
    command = [sys.executable, "-c", BUILD.format(kind, str(out))]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Return the folder of an unpacked source distribution of this repository."""
    checkout = tmp_path_factory.mktemp("checkout")
    for name in tracked():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, checkout / name)
    # What lies about in a folder that one works in.
    for name in (
        "tests/__pycache__/a.pyc",
        "book/.ipynb_checkpoints/a.ipynb",
        "book/_ext/.ruff_cache/0.17.5/a",
        "runs/a/state.json",
    ):
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).touch()
    archive = build("sdist", checkout, tmp_path_factory.mktemp("sdist"))
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as packed:
        # Python 3.11.2, that of Debian 12, has no filters yet.
        packed.extraction_filter = getattr(tarfile, "data_filter", None)
        packed.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def wheel(unpacked, tmp_path_factory):
    """Return the wheel that is built of the unpacked source distribution."""
    with zipfile.ZipFile(build("wheel", unpacked, tmp_path_factory.mktemp("wheel"))) as wheel:
        yield wheel


@pytest.fixture(scope="module")
def head(wheel):
    (name,) = [name for name in wheel.namelist() if name.endswith("dist-info/METADATA")]
    return email.message_from_bytes(wheel.read(name))


def test_the_source_distribution_has_every_file_of_the_repository(unpacked):
    files = {
        path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()
    }
    assert {name for name in files if not MADE.fullmatch(name)} == tracked()
    assert {"tests/conftest.py", "book/references.bib", ".ci/run"} <= files


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    package = {
        name
        for name in tracked()
        if name.startswith("annotated_transformer/") and Path(name).name not in SETTINGS_OF_TOOLS
    }
    outside = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert outside == package


def test_what_is_unpacked_tests_itself(unpacked):
    """One file of tests, with the settings, the shared files and the package that it brings."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/test_masks.py",
    ]
    done = subprocess.run(command, cwd=unpacked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    dry = ["make", "--dry-run", "--old-file", ".venv/.ready", "test"]
    done = subprocess.run(dry, cwd=unpacked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_each_licence_is_named_and_its_text_is_inside(head, wheel):
    expression = head["License-Expression"]
    assert canonicalize_license_expression(expression) == expression
    titles = {
        "MIT": "MIT License",
        "CC-BY-4.0": "Creative Commons Attribution 4.0 International License",
        "CC0-1.0": "CC0 1.0 Universal",
        "OFL-1.1": "SIL OPEN FONT LICENSE Version 1.1",
    }
    assert expression.split(" AND ") == list(titles)
    given = set()
    for file in head.get_all("License-File"):
        (name,) = [name for name in wheel.namelist() if name.endswith(f"dist-info/licenses/{file}")]
        text = wheel.read(name).decode()
        # A file may name another licence further down, and two files may give the same one.
        named = [licence for licence, title in titles.items() if title in text]
        given.add(min(named, key=lambda licence: text.index(titles[licence])))
    assert given == set(titles)


def test_every_file_with_a_licence_of_its_own_is_among_them(head):
    """A licence that lies beside something in the package is named in the metadata."""
    beside = [n for n in tracked() if re.search(r"(?i)licen[cs]e|copying|OFL", Path(n).name)]
    assert set(beside) == set(head.get_all("License-File"))


def test_the_metadata_say_what_the_citation_says(head):
    citation = metadata()
    assert head["Author"] == ", ".join(author["name"] for author in citation["authors"])
    assert head["Version"] == str(citation["version"])
    assert head["Keywords"].split(",") == citation["keywords"]
    (paper,) = [source["url"] for source in citation["references"]]
    assert head.get_all("Project-URL") == [f"Paper, {paper}"]


def test_the_versions_of_python_are_those_that_ci_tests(head):
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    tested = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    prefix = "Programming Language :: Python :: 3."
    classifiers = head.get_all("Classifier")
    named = [c.removeprefix(prefix[:-2]) for c in classifiers if c.startswith(prefix)]
    assert named == tested
    assert head["Requires-Python"] == f">={tested[0]}"
    assert "Typing :: Typed" in classifiers
    assert not [c for c in classifiers if c.startswith("License ::")], "the expression says it"
