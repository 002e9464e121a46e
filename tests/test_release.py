"""A release: one version and one date everywhere, and a tag that belongs to it."""

import json
import re
import shutil
import tomllib

import pytest
import yaml

import annotated_transformer
from make_pdf import imprint
from release import (
    CHANGES,
    CITATION,
    CODE,
    OPEN,
    PROJECT,
    README,
    ZENODO,
    check,
    cut,
    notes,
    sections,
    version_in,
    write_address,
    zenodo,
)
from repository import Repository
from rules import ROOT

VERSION = annotated_transformer.__version__
HOME = Repository(
    url="https://github.com/a/b",
    branch="main",
    commit="c0ffee" * 7,
    launch_branch="launch",
    pages="https://a.github.io/b",
)


def read(name, root=ROOT):
    return (root / name).read_text(encoding="utf-8")


def changes():
    return read(CHANGES)


@pytest.fixture
def checkout(tmp_path):
    """A folder with the files that a release changes, and something that is not released yet."""
    for name in (CHANGES, CITATION, CODE, PROJECT, README, ZENODO):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    text = re.sub(rf"## {OPEN}\n.*?(?=## )", f"## {OPEN}\n\n- A change.\n\n", changes(), flags=re.S)
    (tmp_path / CHANGES).write_text(text, encoding="utf-8")
    return tmp_path


def test_one_version_is_everywhere():
    assert version_in(ROOT) == VERSION
    citation = yaml.safe_load(read(CITATION))
    assert citation["version"] == VERSION
    assert f"Version {VERSION}<br>" in imprint()
    project = tomllib.loads(read(PROJECT))
    assert project["project"]["dynamic"] == ["version"]
    attribute = {"attr": "annotated_transformer.__version__"}
    assert project["tool"]["setuptools"]["dynamic"]["version"] == attribute
    assert json.loads(read(ZENODO)) == zenodo(citation)
    ours = re.compile(r"annotated-transformer==|Version \d|version[^\n]{0,9}0\.1\.0")
    for page in (ROOT / "book").glob("*.md"):
        assert not ours.search(page.read_text("utf-8")), f"{page.name} has a version of its own"


def test_the_newest_section_is_the_version_and_its_date():
    found = sections(changes())
    open_section, newest, *_ = found
    assert (open_section, newest) == (OPEN, VERSION)
    assert yaml.safe_load(read(CITATION))["date-released"] == found[VERSION][0]
    assert not found[OPEN][0]


def test_the_notes_are_the_section():
    printed = notes(changes(), VERSION)
    assert f"\n{printed}" in changes()
    assert "\n## " not in printed
    with pytest.raises(ValueError, match=r"has no section 9\.0\.0; expected one of Unreleased, "):
        notes(changes(), "9.0.0")


def test_a_cut_is_a_release(checkout):
    cut(checkout, "9.8.7", "2031-02-03")
    assert notes(read(CHANGES, checkout), "9.8.7") == "- A change.\n"
    assert list(sections(read(CHANGES, checkout)))[:3] == [OPEN, "9.8.7", VERSION]
    assert sections(read(CHANGES, checkout))[OPEN] == ("", "")
    assert version_in(checkout) == "9.8.7"
    citation = yaml.safe_load(read(CITATION, checkout))
    assert (citation["version"], citation["date-released"]) == ("9.8.7", "2031-02-03")
    assert json.loads(read(ZENODO, checkout)) == zenodo(citation)
    check(checkout, "v9.8.7")
    kept = yaml.safe_load(read(CITATION))
    assert citation | {key: kept[key] for key in ("version", "date-released")} == kept


@pytest.mark.parametrize(
    ("version", "day", "message"),
    [
        ("v9.0.0", "2031-02-03", "version is 'v9.0.0', expected three numbers such as 1.2.0"),
        ("9.0", "2031-02-03", "version is '9.0', expected three numbers"),
        (VERSION, "2031-02-03", f"has version {VERSION} already; choose the next one"),
        ("9.0.0", "3 February", "Invalid isoformat string: '3 February'"),
    ],
)
def test_a_wrong_cut_changes_nothing(checkout, version, day, message):
    before = {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()}
    with pytest.raises(ValueError, match=message):
        cut(checkout, version, day)
    assert {path: path.read_bytes() for path in checkout.rglob("*") if path.is_file()} == before


def test_what_is_not_said_is_not_released(checkout):
    cut(checkout, "9.8.7", "2031-02-03")
    with pytest.raises(ValueError, match="says nothing below Unreleased; what is new in it"):
        cut(checkout, "9.8.8", "2031-02-04")


def test_the_tag_is_that_of_the_version(checkout):
    for tag in (VERSION, "v9.0.0", f"v{VERSION}rc1", "main"):
        with pytest.raises(ValueError, match=f"expected v{VERSION}"):
            check(ROOT, tag)
    (checkout / CODE).write_text('__version__ = "9.8.7"\n')
    with pytest.raises(ValueError, match=r"has no section 9\.8\.7"):
        check(checkout, "v9.8.7")


def test_a_tag_is_refused_while_the_notes_leave_changes_out(checkout):
    """Between two versions the tree still has the number of the last one."""
    with pytest.raises(ValueError, match=f"the notes of {VERSION} would leave out; put them into"):
        check(checkout, f"v{VERSION}")
    cut(checkout, "9.8.7", "2031-02-03")
    check(checkout, "v9.8.7")


def test_the_address_comes_from_the_environment_alone(checkout):
    with pytest.raises(ValueError, match="set REPOSITORY_URL=https"):
        write_address(checkout, None)
    for _ in range(2):  # a second time changes nothing
        write_address(checkout, HOME)
        citation = yaml.safe_load(read(CITATION, checkout))
        assert citation["repository-code"] == HOME.url
        assert citation["url"] == HOME.pages
        urls = tomllib.loads(read(PROJECT, checkout))["project"]["urls"]
        assert list(urls.items())[:2] == [("Repository", HOME.url), ("Documentation", HOME.pages)]
        assert list(urls)[2:] == ["Paper"]
        # PyPI shows the README, and has no other file of the repository.
        links = re.findall(r"\]\((.+?)\)", read(README, checkout))
        assert f"{HOME.url}/blob/{HOME.commit}/README.ko.md" in links
        assert [link for link in links if not link.startswith("https://")] == []


def test_a_version_has_no_button_that_leads_to_the_latest():
    assert HOME.launches("book/attention.ipynb")
    fixed = Repository(**{**vars(HOME), "launch_branch": ""})
    assert fixed.launches("book/attention.ipynb") == {}
