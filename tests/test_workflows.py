"""The workflows: pinned actions, no more permission than a job needs, and only what was tested."""

import io
import os
import re
import subprocess
import tarfile

import pytest
import yaml

from rules import ROOT

FOLDER = ROOT / ".github" / "workflows"
TEXTS = {path.name: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.y*ml"))}
WORKFLOWS = {name: yaml.safe_load(text) for name, text in TEXTS.items()}
JOBS = [(name, job) for name, workflow in WORKFLOWS.items() for job in workflow["jobs"]]
# GitHub runs actions on Node 24 and no older one: from this major version on they ask for it, or
# for no Node at all.
ON_NODE_24 = {
    "actions/attest-build-provenance": 3,
    "actions/checkout": 5,
    "actions/deploy-pages": 5,
    "actions/download-artifact": 7,
    "actions/setup-python": 6,
    "actions/upload-artifact": 6,
    "actions/upload-pages-artifact": 5,
    "pypa/gh-action-pypi-publish": 1,
}
PINNED = re.compile(r"(?:- )?uses: ([\w./-]+)@([0-9a-f]{40}) # v(\d+)\.\d+\.\d+")
# Programs that bring code from elsewhere, or run code of the repository.
RUNS_CODE = re.compile(r"\b(pip3?|uv|npm|npx|make|sh|bash|python3?|docker|curl|wget)\b|\./")


def job_of(name, job):
    return WORKFLOWS[name]["jobs"][job]


def permissions(name, job):
    """Return what a job's token may do: its own list, or that of the workflow."""
    found = job_of(name, job).get("permissions", WORKFLOWS[name].get("permissions"))
    assert isinstance(found, dict), f"{name}, {job}: permissions have to be listed"
    return found


def may_write(name, job):
    return "write" in permissions(name, job).values()


def steps(name, job, uses=""):
    return [step for step in job_of(name, job)["steps"] if step.get("uses", "").startswith(uses)]


def needed(name, job):
    """Return the jobs that end well before a job begins."""
    needs = job_of(name, job).get("needs", [])
    direct = [needs] if isinstance(needs, str) else needs
    return {*direct}.union(*(needed(name, other) for other in direct))


def run_step(name, job, folder, **variables):
    """Run the only script of a job as GitHub does; return how it ended."""
    (step,) = [step for step in job_of(name, job)["steps"] if "run" in step]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), **variables}
    command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step["run"]]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def fake_gh(folder, script):
    """Put a `gh` of one's own before the real one; return the path to search."""
    (folder / "bin").mkdir()
    gh = folder / "bin" / "gh"
    gh.write_text(f"#!/bin/sh\n{script}\n")
    gh.chmod(0o755)
    return f"{gh.parent}:{os.environ['PATH']}"


def test_every_action_is_pinned_by_commit_with_its_version_beside_it():
    pins = {}
    for name, text in TEXTS.items():
        used = [line.strip() for line in text.splitlines() if re.match(r"\s*(- )?uses:", line)]
        assert used
        for line in used:
            found = PINNED.fullmatch(line)
            assert found, f"{name}: {line}"
            action, commit, major = found.groups()
            assert int(major) >= ON_NODE_24[action], f"{name}: {line}"
            pins.setdefault(action, set()).add((commit, line.partition("#")[2]))
    assert {action: found for action, found in pins.items() if len(found) > 1} == {}
    assert pins.keys() == ON_NODE_24.keys()


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_a_job_ends_and_keeps_no_credentials(name, job):
    assert job_of(name, job)["timeout-minutes"] <= 90
    for step in steps(name, job, "actions/checkout@"):
        assert step["with"]["persist-credentials"] is False


@pytest.mark.parametrize(("name", "job"), JOBS)
def test_what_may_write_runs_no_code_from_elsewhere(name, job):
    """Neither the repository's nor a package's; and what runs such code may only read."""
    runs = "\n".join(step.get("run", "") for step in steps(name, job))
    if may_write(name, job):
        assert steps(name, job, "actions/checkout@") == []
        assert not RUNS_CODE.search(runs)
    assert "write-all" not in str(permissions(name, job))


def test_jobs_of_both_kinds_are_there():
    writing = [job for name, job in JOBS if may_write(name, job)]
    assert writing == ["launch", "deploy", "attest", "pypi", "release", "pages"]
    assert permissions("release.yml", "attest") == {"id-token": "write", "attestations": "write"}
    assert permissions("release.yml", "pypi") == {"id-token": "write"}
    assert permissions("release.yml", "release") == {"contents": "write"}
    assert permissions("release.yml", "pages") == {"actions": "write"}
    assert permissions("release.yml", "build") == {"contents": "read"}
    assert permissions("publish.yml", "launch") == {"contents": "write"}
    assert permissions("test.yml", "test") == {"contents": "read"}
    for reading in ("build", "launch-copies"):
        assert permissions("publish.yml", reading) == {"contents": "read"}
        assert any(RUNS_CODE.search(s.get("run", "")) for s in steps("publish.yml", reading))


def test_nothing_is_published_but_the_commit_that_was_tested():
    publish = WORKFLOWS["publish.yml"]
    assert publish[True]["workflow_run"] == {  # YAML reads the key `on` as true
        "workflows": [WORKFLOWS["test.yml"]["name"]],
        "types": ["completed"],
        "branches": ["main"],
    }
    for job in publish["jobs"].keys() - {"tested"}:
        assert "tested" in needed("publish.yml", job)
        for step in steps("publish.yml", job, "actions/checkout@"):
            assert step["with"]["ref"] == "${{ env.REPOSITORY_COMMIT }}"
            assert job_of("publish.yml", job)["env"]["REPOSITORY_COMMIT"] == (
                "${{ needs.tested.outputs.commit }}"
            )
    assert {"build", "launch-copies"} <= needed("publish.yml", "launch")
    assert "github.sha" not in TEXTS["publish.yml"]


@pytest.mark.parametrize(
    ("run_commit", "newest", "found"),
    [("abc", "", "abc"), ("", "def", "def"), ("", "", None)],
    ids=["after the tests", "by hand", "by hand, and none has passed"],
)
def test_the_commit_is_that_of_the_tests(tmp_path, run_commit, newest, found):
    asked = tmp_path / "asked"
    path = fake_gh(tmp_path, f'echo "$2" >{asked}\necho {newest}')
    output = tmp_path / "output"
    output.touch()
    done = run_step(
        *("publish.yml", "tested", tmp_path),
        PATH=path,
        GITHUB_REPOSITORY="a/b",
        GITHUB_OUTPUT=str(output),
        RUN_COMMIT=run_commit,
    )
    assert done.returncode == (0 if found else 1)
    assert output.read_text() == (f"commit={found}\n" if found else "")
    if run_commit:
        assert not asked.exists()
    else:
        address, _, query = asked.read_text().strip().partition("?")
        assert address == "repos/a/b/actions/workflows/test.yml/runs"
        assert {"branch=main", "event=push", "status=success"} <= set(query.split("&"))
    if not found:
        assert done.stdout.startswith("::error::no commit of main has passed the tests")


@pytest.mark.parametrize("passed", [0, 1])
def test_only_a_tested_commit_becomes_a_version(tmp_path, passed):
    path = fake_gh(tmp_path, f'echo "$2" >{tmp_path}/asked\necho {passed}')
    done = run_step(
        *("release.yml", "tested", tmp_path),
        PATH=path,
        GITHUB_REPOSITORY="a/b",
        GITHUB_SHA="abc",
    )
    assert done.returncode == (0 if passed else 1)
    address, _, query = (tmp_path / "asked").read_text().strip().partition("?")
    assert address == "repos/a/b/actions/workflows/test.yml/runs"
    assert set(query.split("&")) == {"head_sha=abc", "branch=main", "event=push", "status=success"}
    for job in WORKFLOWS["release.yml"]["jobs"].keys() - {"tested"}:
        assert "tested" in needed("release.yml", job)


def test_nothing_leaves_before_it_is_attested():
    assert WORKFLOWS["release.yml"][True] == {"push": {"tags": ["v*"]}}
    assert needed("release.yml", "pages") == {"release", "pypi", "attest", "build", "tested"}
    (attested,) = steps("release.yml", "attest", "actions/attest-build-provenance@")
    assert attested["with"]["subject-path"].split() == ["dist/*", "release/pages-*.tar.gz"]
    (published,) = steps("release.yml", "pypi", "pypa/gh-action-pypi-publish@")
    assert "with" not in published, "no password: PyPI trusts the workflow"
    assert job_of("release.yml", "pypi")["environment"]["name"] == "pypi"


def test_a_version_is_checked_and_named_before_it_is_built():
    runs = [step["run"].split()[:3] for step in steps("release.yml", "build") if "run" in step]
    script = "book/_tools/release.py"
    order = [runs.index([".venv/bin/python", script, word]) for word in ("check", "address")]
    order += [runs.index(["make", *words]) for words in (["links", "slides"], ["dist"])]
    assert order == sorted(order)
    assert job_of("release.yml", "build")["env"]["LAUNCH_BRANCH"] == ""


DOWNLOADS = """
echo "$@" >>asked
case "$1 $2" in
    "api --paginate") echo "v1.0.0 v1.1.0" ;;
    "release download") cp "$SERVER/$7" . ;;
    "attestation verify") test "$3" != "$FORGED" ;;
    *) exit 2 ;;
esac"""


def packed(path, text):
    """Write an archive with one page."""
    with tarfile.open(path, "w:gz" if path.suffix == ".gz" else "w") as archive:
        page = tarfile.TarInfo("./book/attention.html")
        page.size = len(text)
        archive.addfile(page, io.BytesIO(text.encode()))


@pytest.mark.parametrize("forged", ["", "pages-v1.1.0.tar.gz"])
def test_the_pages_of_a_version_keep_their_address(tmp_path, forged):
    server = tmp_path / "server"
    server.mkdir()
    for version in ("v1.0.0", "v1.1.0"):
        packed(server / f"pages-{version}.tar.gz", version)
    packed(tmp_path / "latest.tar", "latest")
    done = run_step(
        *("publish.yml", "site", tmp_path),
        PATH=fake_gh(tmp_path, DOWNLOADS),
        GITHUB_REPOSITORY="a/b",
        SERVER=str(server),
        FORGED=forged,
        WITH_PAGES="a filter",
    )
    assert (done.returncode == 0) == (not forged), done.stderr
    if not forged:
        pages = {
            path.relative_to(tmp_path / "site").as_posix(): path.read_text()
            for path in (tmp_path / "site").rglob("*.html")
        }
        assert pages == {
            "book/attention.html": "latest",
            "v1.0.0/book/attention.html": "v1.0.0",
            "v1.1.0/book/attention.html": "v1.1.0",
        }
    assert "site" in needed("publish.yml", "deploy")
    asked = (tmp_path / "asked").read_text()
    assert "--signer-workflow a/b/.github/workflows/release.yml" in asked


def test_the_launch_branch_is_one_commit_of_the_copies(tmp_path):
    """Pushed twice, since the branch is there the second time."""
    copies, server = tmp_path / "copies", tmp_path / "server"
    (copies / "book").mkdir(parents=True)
    (copies / "book" / "a.ipynb").write_text("{}")
    subprocess.run(["git", "init", "--quiet", "--bare", server / "a" / "b"], check=True)
    for commit in ("abc", "def"):
        done = run_step(
            *("publish.yml", "launch", tmp_path),
            GITHUB_SERVER_URL=server.as_uri(),
            GITHUB_REPOSITORY="a/b",
            GITHUB_ACTOR="somebody",
            LAUNCH_BRANCH=WORKFLOWS["publish.yml"]["env"]["LAUNCH_BRANCH"],
            REPOSITORY_COMMIT=commit,
            TOKEN="secret",
        )
        assert done.returncode == 0, done.stderr
        log = ["git", "log", "--format=%s", "--name-only", "launch"]
        printed = subprocess.run(
            log, cwd=server / "a" / "b", capture_output=True, text=True, check=True
        )
        assert printed.stdout.split("\n") == [
            f"Launch copies of {commit}",
            "",
            "book/a.ipynb",
            "",
        ]
        subprocess.run(["rm", "-r", copies / ".git"], check=True)
