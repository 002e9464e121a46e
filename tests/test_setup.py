"""The set-up behind `make`: what it installs, and the one sentence when something is missing."""

import os
import re
import shutil
import subprocess

import pytest

from chromium import MISSING, find_chromium
from rules import ROOT

# An interpreter that notes how it is called. AGE and VENV say what it is asked to be, INDEX=down
# lets installing from an index of one's own choice fail.
FAKE_PYTHON = """#!/bin/sh
echo "$*" >>"$LOG"
case "$*" in
    *version_info*) [ "$AGE" = new ] ;;
    --version) echo "Python 3.9.2" ;;
    *ensurepip*) [ "$VENV" = yes ] ;;
    *"-m venv"*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *"pip show"*) false ;;
    *--index-url*) [ "$INDEX" = up ] || { echo "a long message" >&2; false; } ;;
esac
"""
TOOLS = ("sh", "sed", "grep", "dirname", "touch", "mkdir", "cp")
FAKE_UNAME = "#!/bin/sh\necho ${KERNEL:-Linux}\n"


@pytest.fixture
def set_up(tmp_path):
    """Run the set-up in a folder of its own, with nothing but the fake interpreter on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for tool in TOOLS:
        (programs / tool).symlink_to(shutil.which(tool))
    for name, text in {"python3": FAKE_PYTHON, "uname": FAKE_UNAME}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    checkout = tmp_path / "checkout"
    (checkout / "book" / "_tools").mkdir(parents=True)
    shutil.copy(ROOT / "book" / "_tools" / "setup.sh", checkout / "book" / "_tools")
    shutil.copy(ROOT / "requirements.txt", checkout)
    log = tmp_path / "log"

    def runner(**variables):
        log.write_text("")
        variables = {"AGE": "new", "VENV": "yes", "INDEX": "up", **variables}
        done = subprocess.run(
            ["sh", checkout / "book" / "_tools" / "setup.sh"],
            env={"PATH": str(programs), "LOG": str(log), **variables},
            capture_output=True,
            text=True,
            check=False,
        )
        return done, log.read_text(), (checkout / ".venv" / ".ready").exists()

    return runner


def installs(log):
    return [line for line in log.splitlines() if "pip install" in line]


def test_an_old_python_is_one_sentence(set_up):
    done, log, ready = set_up(AGE="old")
    assert done.returncode == 1
    assert not ready
    (sentence,) = done.stderr.splitlines()
    assert "Python 3.11 or newer is needed" in sentence
    assert "Python 3.9.2" in sentence
    assert installs(log) == []


def test_a_python_that_is_not_there_is_one_sentence(set_up):
    done, _, _ = set_up(PYTHON="python9")
    assert done.returncode == 1
    assert done.stderr == "set-up: PYTHON=python9 cannot be run.\n"


def test_a_missing_venv_module_names_the_package(set_up):
    done, log, ready = set_up(VENV="no")
    assert done.returncode == 1
    assert not ready
    assert done.stderr == "set-up: python3 has no venv module; install the package python3-venv.\n"
    assert installs(log) == []


@pytest.mark.skipif(
    os.path.exists("/proc/driver/nvidia/version"), reason="the set-up sees this machine's driver"
)
def test_without_a_driver_torch_comes_from_the_cpu_index(set_up):
    done, log, ready = set_up()
    assert done.returncode == 0
    assert ready
    torch, requirements, package = installs(log)
    assert "--index-url https://download.pytorch.org/whl/cpu torch==2.13.0" in torch
    assert "--requirement requirements.txt" in requirements
    assert "--no-deps --no-build-isolation --editable ." in package


@pytest.mark.skipif(
    os.path.exists("/proc/driver/nvidia/version"), reason="the set-up sees this machine's driver"
)
def test_an_index_that_cannot_be_reached_is_no_obstacle(set_up):
    done, log, ready = set_up(INDEX="down")
    assert done.returncode == 0
    assert ready
    assert "cannot be reached, taking torch==2.13.0 from the default index" in done.stdout
    assert done.stderr == "", "pip's complaint stays away"
    assert len(installs(log)) == 3


def test_a_driver_means_the_default_index(set_up, tmp_path):
    driver = tmp_path / "bin" / "nvidia-smi"
    driver.write_text("#!/bin/sh\n")
    driver.chmod(0o755)
    done, log, _ = set_up()
    assert done.returncode == 0
    assert "--index-url" not in log


def test_macos_takes_torch_from_the_default_index(set_up):
    done, log, _ = set_up(KERNEL="Darwin")
    assert done.returncode == 0
    assert "--index-url" not in log


def test_requirements_are_pinned_and_belong_to_no_machine():
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    pins = [line.partition("#")[0].strip() for line in text.splitlines()]
    pins = [pin for pin in pins if pin]
    assert [p for p in pins if not re.match(r"[a-z0-9._-]+==[\w.]+( ; .+)?$", p)] == []
    assert "torch==2.13.0" in pins
    assert not re.search(r"\+cpu|file:|find-links|^-|nvidia.*==|/", "\n".join(pins), re.MULTILINE)


def test_a_missing_chromium_names_the_package(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(FileNotFoundError, match="install the package chromium"):
        find_chromium()
    assert "\n" not in MISSING


def test_a_chromium_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "chromium-of-mine")
    with pytest.raises(FileNotFoundError, match="CHROMIUM=chromium-of-mine"):
        find_chromium()
