"""`.ci/run` sets a machine up as the README says, and then runs `make test`."""

import re
import shutil
import subprocess

import pytest

from rules import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^sudo apt install (.*?) *#", README, re.MULTILINE)
PACKAGES = " ".join(LINES).split()
TOOLS = ("bash", "sed", "grep", "dirname", "env")
SYSTEMS = {"debian": "ID=debian\n", "ubuntu": "ID=ubuntu\nID_LIKE=debian\n"}
SYSTEMS["mint"] = 'ID=linuxmint\nID_LIKE="ubuntu debian"\n'
WRITES_DOWN = '#!/bin/bash\necho "${0##*/} $*" >>"$LOG"\n'
FAKES = {
    "apt-get": WRITES_DOWN,
    "sudo": WRITES_DOWN + 'exec "$@"\n',
    "id": '#!/bin/bash\necho "${USER_ID:-0}"\n',
    "make": WRITES_DOWN + 'echo "CI=$CI" >>"$LOG"\n',
    "dpkg-query": '#!/bin/bash\n[[ " ${INSTALLED:-} " == *" ${!#} "* ]] && echo ok installed\n',
}


@pytest.fixture
def ci(tmp_path):
    """Run the script in a folder of its own, on a machine that has `programs`; return its log."""
    checkout = tmp_path / "a checkout"
    (checkout / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci" / "run", checkout / ".ci")
    shutil.copy(ROOT / "README.md", checkout)
    path, log = tmp_path / "bin", tmp_path / "log"
    path.mkdir()
    for tool in TOOLS:
        (path / tool).symlink_to(shutil.which(tool))

    def runner(system, *programs, without=(), **variables):
        log.write_text("")
        texts = dict.fromkeys(programs, "#!/bin/bash\n") | FAKES
        for name in texts.keys() - set(without):
            (path / name).write_text(texts[name])
            (path / name).chmod(0o755)
        release = tmp_path / "os-release"
        release.write_text(SYSTEMS[system])
        environment = {"PATH": str(path), "LOG": str(log), "OS_RELEASE": str(release)}
        done = subprocess.run(
            [checkout / ".ci" / "run"],
            env=environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        return done, log.read_text().splitlines()

    return runner


def installed(log):
    """Return what apt-get was asked to install; it may leave out nothing that it recommends."""
    (line,) = [line for line in log if line.startswith("apt-get install")]
    assert "recommends" not in line
    return [word for word in line.split()[2:] if not word.startswith("-")]


def test_the_readme_names_packages():
    assert {"git", "make", "python3", "python3-venv", "chromium", "firefox-esr"} <= set(PACKAGES)


def test_on_a_bare_debian_root_installs_the_readmes_lines(ci):
    done, log = ci("debian")
    assert done.returncode == 0, done.stderr
    assert installed(log) == [name for name in PACKAGES if name != "make"]  # the fake one is there
    assert log[0].startswith("apt-get update")
    assert log[-2:] == ["make test", "CI=1"]
    assert not any(line.startswith("sudo") for line in log)


def test_another_user_installs_them_with_sudo(ci):
    here = ("git", "make", "python3", "python3-venv")
    done, log = ci("debian", "git", "python3", USER_ID="1000")
    assert done.returncode == 0, done.stderr
    assert installed(log) == [name for name in PACKAGES if name not in here]
    asked = [line for line in log if line.startswith("sudo")]
    assert [line.split()[1] for line in asked] == ["apt-get", "env"]


def test_without_sudo_it_says_what_only_root_can_do(ci):
    done, log = ci("debian", "git", without=["sudo"], USER_ID="1000")
    assert done.returncode == 1
    sentence = r"\.ci/run: only root can install python3 .*, and there is no sudo\n"
    assert re.fullmatch(sentence, done.stderr)
    assert log == []


@pytest.mark.parametrize("system", ["ubuntu", "mint"])
def test_on_ubuntu_the_browsers_are_not_those_of_apt(ci, system):
    everything = ("git", "python3")
    done, log = ci(system, *everything)
    assert done.returncode == 1
    assert re.fullmatch(r"\.ci/run: .*Google Chrome's \.deb, or set CHROMIUM\n", done.stderr)
    done, log = ci(system, *everything, "google-chrome")
    assert done.stderr == ".ci/run: there is no Firefox: install firefox\n"
    assert log == []
    done, log = ci(system, *everything, "firefox")
    assert done.returncode == 0, done.stderr
    assert log[-2:] == ["make test", "CI=1"]
    assert "chromium" not in " ".join(log)
    assert "firefox" not in " ".join(log)


def test_where_everything_is_there_nothing_is_installed(ci):
    programs = ("git", "python3", "browser-of-mine", "firefox-esr")
    here = {"CHROMIUM": "browser-of-mine", "INSTALLED": " ".join(PACKAGES), "USER_ID": "1000"}
    done, log = ci("debian", *programs, **here)
    assert done.returncode == 0, done.stderr
    assert log == ["make test", "CI=1"]
