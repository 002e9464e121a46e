"""Cut a release, and say what is in it: `make cut RELEASE=1.1.0`, `make notes`.

    python book/_tools/release.py cut VERSION [--date DATE]
    python book/_tools/release.py notes [VERSION]
    python book/_tools/release.py check TAG
    python book/_tools/release.py address

A release has one version, `__version__` in annotated_transformer/__init__.py, and one date, that of
its heading in CHANGELOG.md. `cut` writes both, and from them the version and the date in
CITATION.cff, and .zenodo.json. `notes` prints the release's section of CHANGELOG.md, the last one
without a version. `check` refuses a tag that is not that of the version, and one of a commit with
changes that the version's notes do not have. `address` writes the repository's address, which only
the environment knows (book/_ext/repository.py), into CITATION.cff, the package's metadata and the
links of the README, which PyPI shows: the release workflow does so before it builds.
"""

import argparse
import datetime
import json
import re
import sys
from pathlib import Path
from typing import Any

import yaml

import extensions  # noqa: F401
from annotated_transformer.storage.atomic import write_text
from repository import ROOT, Repository

CHANGES, CITATION, ZENODO = "CHANGELOG.md", "CITATION.cff", ".zenodo.json"
CODE, PROJECT, README = "annotated_transformer/__init__.py", "pyproject.toml", "README.md"
VERSION = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
ASSIGNED = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
HEADING = re.compile(r"^## ([^\s(]+)(?: \((\d{4}-\d\d-\d\d)\))?$", re.MULTILINE)
OPEN = "Unreleased"
URLS = "[project.urls]\n"
BESIDE = re.compile(r"\]\((?![a-z]+:|#)")
"""What begins a link to a file of the repository."""


def version_in(root: Path) -> str:
    """Return the version of the package below a folder."""
    (found,) = ASSIGNED.findall((root / CODE).read_text(encoding="utf-8"))
    return str(found)


def sections(changes: str) -> dict[str, tuple[str, str]]:
    """Return date and text of each section of a changelog, by its version."""
    pieces = HEADING.split(changes)[1:]
    return {
        version: (date or "", text.strip())
        for version, date, text in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    }


def notes(changes: str, version: str) -> str:
    """Return the notes of a release.

    Raises:
        ValueError: the changelog does not have it, or says nothing of it.
    """
    found = sections(changes)
    if version not in found:
        raise ValueError(f"{CHANGES} has no section {version}; expected one of {', '.join(found)}")
    if not found[version][1]:
        raise ValueError(f"{CHANGES} says nothing below {version}; what is new in it?")
    return found[version][1] + "\n"


def zenodo(citation: dict[str, Any]) -> dict[str, Any]:
    """Return what Zenodo is told of a release: what the citation says, in Zenodo's words."""
    return {
        "title": citation["title"],
        "upload_type": "software",
        "description": citation["abstract"],
        "creators": [{"name": author["name"]} for author in citation["authors"]],
        "version": citation["version"],
        "publication_date": citation["date-released"],
        "license": citation["license"],
        "access_right": "open",
        "language": "eng",
        "keywords": citation["keywords"],
        "related_identifiers": [
            {"identifier": paper["url"], "relation": "isSupplementTo", "scheme": "url"}
            for paper in citation["references"]
        ],
    }


def set_line(text: str, key: str, value: str, *, after: str) -> str:
    """Return the text of CITATION.cff with a key set, below another one if it is new."""
    line = f"{key}: {value}"
    changed, count = re.subn(rf"^{key}: .*$", line, text, flags=re.MULTILINE)
    return changed if count else re.sub(rf"^{after}: .*$", rf"\g<0>\n{line}", text, flags=re.M)


def cut(root: Path, version: str, date: str) -> None:
    """Make what is unreleased in a repository a version of this date.

    Raises:
        ValueError: the version or its date are not one, the version is not new, or there is
            nothing to release.
    """
    if not VERSION.fullmatch(version):
        raise ValueError(f"version is {version!r}, expected three numbers such as 1.2.0")
    datetime.date.fromisoformat(date)
    changes = (root / CHANGES).read_text(encoding="utf-8")
    if version in sections(changes):
        raise ValueError(f"{CHANGES} has version {version} already; choose the next one")
    notes(changes, OPEN)
    heading = f"## {OPEN}\n"
    changes = changes.replace(heading, f"{heading}\n## {version} ({date})\n", 1)
    code = ASSIGNED.sub(f'__version__ = "{version}"', (root / CODE).read_text(encoding="utf-8"))
    citation = (root / CITATION).read_text(encoding="utf-8")
    citation = set_line(citation, "version", version, after="authors")
    citation = set_line(citation, "date-released", f'"{date}"', after="version")
    deposit = json.dumps(zenodo(yaml.safe_load(citation)), ensure_ascii=False, indent=2) + "\n"
    for name, text in {CHANGES: changes, CODE: code, CITATION: citation, ZENODO: deposit}.items():
        write_text(root / name, text)


def check(root: Path, tag: str) -> None:
    """Refuse a tag that is not the version's, missing notes, and changes that are not in them.

    Raises:
        ValueError: so it is.
    """
    version = version_in(root)
    if tag != f"v{version}":
        raise ValueError(f"the tag is {tag!r} and the version {version}; expected v{version}")
    changes = (root / CHANGES).read_text(encoding="utf-8")
    notes(changes, version)
    if sections(changes).get(OPEN, ("", ""))[1]:
        raise ValueError(
            f"{CHANGES} has changes below {OPEN}, which the notes of {version} would leave out; "
            "put them into a version with make cut, commit, and tag that commit"
        )


def write_address(root: Path, repository: Repository | None) -> None:
    """Write the address of the repository into what is cited and installed.

    Raises:
        ValueError: the environment names no repository.
    """
    if repository is None:
        raise ValueError("no repository is named; set REPOSITORY_URL=https://...")
    citation = (root / CITATION).read_text(encoding="utf-8")
    citation = set_line(citation, "repository-code", repository.url, after="date-released")
    named = f'Repository = "{repository.url}"\n'
    if repository.pages is not None:
        citation = set_line(citation, "url", repository.pages, after="date-released")
        named += f'Documentation = "{repository.pages}"\n'
    project = (root / PROJECT).read_text(encoding="utf-8")
    if named not in project:
        project = project.replace(URLS, URLS + named, 1)
    readme = (root / README).read_text(encoding="utf-8")
    readme = BESIDE.sub(f"]({repository.url}/blob/{repository.commit}/", readme)
    write_text(root / CITATION, citation)
    write_text(root / PROJECT, project)
    write_text(root / README, readme)


def main() -> None:
    """Carry out one of the commands."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    cutting = commands.add_parser("cut")
    cutting.add_argument("version")
    cutting.add_argument("--date", default=datetime.datetime.now(datetime.UTC).date().isoformat())
    commands.add_parser("notes").add_argument("version", nargs="?", default=version_in(ROOT))
    commands.add_parser("check").add_argument("tag")
    commands.add_parser("address")
    arguments = parser.parse_args()
    try:
        if arguments.command == "cut":
            cut(ROOT, arguments.version, arguments.date)
        elif arguments.command == "notes":
            changes = (ROOT / CHANGES).read_text(encoding="utf-8")
            sys.stdout.write(notes(changes, arguments.version))
        elif arguments.command == "check":
            check(ROOT, arguments.tag)
        else:
            write_address(ROOT, Repository.from_environment())
    except ValueError as error:
        sys.exit(f"release: {error}")


if __name__ == "__main__":
    main()
