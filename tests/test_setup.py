"""The set-up behind `make`: what it installs, and the one sentence when something is missing."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from browser import launch
from chromium import MISSING, find_chromium
from rules import ROOT

# An interpreter that notes how it is called. AGE, VENV and VERSION say what it is asked to be, and
# an environment keeps the VERSION that it was made with. INDEX=down: an index of one's own choice
# cannot be reached; INDEX=broken: it can, and installing from it fails.
FAKE_PYTHON = """#!/bin/sh
# VERSION
echo "$*" >>"$LOG"
case "$*" in
    *version_info*) [ "$AGE" = new ] ;;
    --version) echo "Python 3.9.2" ;;
    *ensurepip*) [ "$VENV" = yes ] ;;
    *sys.version*) echo "$VERSION" ;;
    *"-m venv"*)
        mkdir -p .venv/bin && cp "$0" .venv/bin/python
        sed -i "s/^# VERSION/VERSION=$VERSION/" .venv/bin/python ;;
    *"pip show"*) false ;;
    *"pip index"*) [ "$INDEX" != down ] || { echo "no route" >&2; false; } ;;
    *--index-url*) [ "$INDEX" = up ] || { echo "the disk is full" >&2; false; } ;;
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
        here = {"AGE": "new", "VENV": "yes", "VERSION": "3.12", "INDEX": "up"}
        variables = {**here, "NVIDIA_DRIVER": str(tmp_path / "no driver"), **variables}
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


def test_without_a_driver_torch_comes_from_the_cpu_index(set_up):
    done, log, ready = set_up()
    assert done.returncode == 0
    assert ready
    torch, requirements, package = installs(log)
    assert "--index-url https://download.pytorch.org/whl/cpu torch==2.13.0" in torch
    assert "--requirement requirements.txt" in requirements
    assert "--no-deps --no-build-isolation --editable ." in package


def test_an_index_that_cannot_be_reached_is_no_obstacle(set_up):
    done, log, ready = set_up(INDEX="down")
    assert done.returncode == 0
    assert ready
    assert "cannot be reached, taking torch==2.13.0 from the default index" in done.stdout
    assert done.stderr == "", "pip's complaint stays away"
    assert len(installs(log)) == 2


def test_a_failure_of_an_index_that_was_reached_is_shown(set_up):
    done, log, ready = set_up(INDEX="broken")
    assert done.returncode == 0
    assert ready
    assert "the disk is full" in done.stderr
    assert "could not install torch==2.13.0 from PyTorch's CPU index" in done.stdout
    assert "cannot be reached" not in done.stdout
    torch, *others = installs(log)
    assert "--retries" not in torch, "pip's own patience"
    assert len(others) == 2


def test_another_python_makes_the_environment_anew(set_up):
    for python, version, is_new in [
        ("", "3.12", True),
        ("", "3.13", False),  # nobody asked for it
        ("python3", "3.13", True),
        ("python3", "3.13", False),
    ]:
        done, log, ready = set_up(PYTHON=python, VERSION=version)
        assert done.returncode == 0
        assert ready
        assert ("-m venv" in log) is is_new


@pytest.fixture
def make(tmp_path):
    """Run make in a folder that is set up; programs there are given as name and script."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for file in ("requirements.txt", "pyproject.toml", "book/_tools/setup.sh", ".venv/.ready"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()

    def runner(*arguments, **programs):
        for name, script in programs.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n{script}\n")
            path.chmod(0o755)
        done = subprocess.run(
            ["make", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return runner


@pytest.mark.parametrize(
    ("argument", "is_set_up"),
    [("", 0), ("./same", 0), ("./new", 1), ("./my pythons/same", 0), ("./my pythons/new", 1)],
)
def test_make_runs_the_set_up_again_for_another_python(make, argument, is_set_up):
    folder = argument.rpartition("/")[0] or "."
    versions = {".venv/bin/python": 1, f"{folder}/same": 1, f"{folder}/new": 2}
    programs = {name: f"echo {version}" for name, version in versions.items()}
    printed = make("--dry-run", "lab", f"PYTHON={argument}", **programs)
    assert printed.count("setup.sh") == is_set_up


def test_the_set_up_is_given_the_path_that_make_was_given(make, tmp_path):
    (tmp_path / "book/_tools/setup.sh").write_text('echo "<$PYTHON>"')
    (tmp_path / ".venv/.ready").unlink()
    name = "./it's mine/python"
    program = {name: "echo 1", ".venv/bin/jupyter-lab": ":"}
    assert (
        make("edit", f"PYTHON={name}", **program) == f"<{name}>\n{LAB} --ServerApp.root_dir=book\n"
    )


LAB = ".venv/bin/jupyter-lab --LabApp.extra_labextensions_path=book/_lab"


def test_the_lab_opens_copies_that_outlive_the_built_book(make, tmp_path):
    """They are made when they are not there or a source is newer, and `make clean` leaves them."""
    mine = tmp_path / "chapters" / ".written.json"
    programs = {
        ".venv/bin/python": f'mkdir -p _build chapters; echo "$*" >>{mine}',
        ".venv/bin/jupyter-lab": ":",
    }
    (tmp_path / "book/masks.ipynb").touch()
    opens = f"{LAB} --ServerApp.root_dir=chapters\n"
    assert make("lab", **programs).endswith(opens)
    assert mine.read_text().splitlines() == [
        "book/_tools/build.py --language en --quiet",
        "book/_tools/reading_copies.py chapters",
    ]
    make("clean")
    assert not (tmp_path / "_build").exists()
    assert make("lab", **programs) == opens
    os.utime(tmp_path / "book/masks.ipynb", (now := mine.stat().st_mtime + 10, now))
    assert make("lab", **programs).startswith("Building the book")
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {"chapters/", "chapters-ko/"} <= set(ignored)


def test_the_lab_opens_the_korean_copies(make, tmp_path):
    written = tmp_path / "written"
    programs = {
        ".venv/bin/python": f'mkdir -p chapters-ko; echo "$*" >>{written}',
        ".venv/bin/jupyter-lab": ":",
    }
    assert make("lab", "LANGUAGE=ko", **programs).endswith("root_dir=chapters-ko\n")
    assert written.read_text().splitlines() == [
        "book/_tools/build.py --quiet",
        "book/_tools/reading_copies.py --language ko chapters-ko",
    ]


@pytest.mark.parametrize(
    ("argument", "options"), [("", ""), ("LANGUAGE=", ""), ("LANGUAGE=en", "--language en ")]
)
def test_the_book_is_built_in_both_languages_or_in_one(make, tmp_path, monkeypatch, argument, options):
    """The shell's own LANGUAGE, which names the language of messages, is none of ours."""
    monkeypatch.setenv("LANGUAGE", "en_US:en")
    asked = tmp_path / "asked"
    script = f'echo "$* <$LANGUAGE>" >>{asked}'
    make("book", *filter(None, [argument]), **{".venv/bin/python": script})
    language = "en" if options else ""
    assert asked.read_text() == f"book/_tools/build.py {options}--quiet <>\n", language


ARGUMENTS = 'for word in "$@"; do echo "<$word>"; done'
PATHS = ["mine", "my data/x.toml", 'it\'s mine/a "b".toml', "a (b) & c; d/two  spaces.v2.toml"]


@pytest.mark.parametrize("recipe", PATHS)
@pytest.mark.parametrize("out", ["", "runs/mine", 'my runs/it\'s "mine"'])
def test_a_recipe_and_its_folder_may_have_spaces_in_their_names(make, recipe, out):
    program = {".venv/bin/annotated-transformer": ARGUMENTS}
    variables = (f"RECIPE={recipe}", f"OUT={out}", "FLAGS=--resume --seed 3")
    printed = make("--silent", "train", *variables, **program)
    folder = out or f"runs/{Path(recipe).name.removesuffix('.toml')}"
    words = ["train", recipe, "--out", folder, "--resume", "--seed", "3"]
    assert printed.splitlines() == [f"<{word}>" for word in words]


def test_a_tilde_is_the_home_folder(make):
    program = {".venv/bin/annotated-transformer": ARGUMENTS}
    printed = make("--silent", "train", "RECIPE=~/it's '~/x.toml", "OUT=~/my runs", **program)
    home = Path.home()
    words = ["train", f"{home}/it's '~/x.toml", "--out", f"{home}/my runs"]
    assert printed.splitlines() == [f"<{word}>" for word in words]


@pytest.mark.parametrize("data", PATHS)
def test_a_folder_of_data_may_have_spaces_in_its_name(make, data):
    program = {".venv/bin/python": ARGUMENTS}
    printed = make("--silent", "records", "ONLY=heads positions", f"DATA={data}", **program)
    words = ["-m", "experiments.records", "--only", "heads", "positions", "--data-dir", data]
    assert printed.splitlines() == [f"<{word}>" for word in words]


def test_an_nvidia_driver_means_the_default_index(set_up, tmp_path):
    (tmp_path / "version").touch()
    done, log, _ = set_up(NVIDIA_DRIVER=str(tmp_path / "version"))
    assert done.returncode == 0
    assert "--index-url" not in log


def test_nvidia_smi_means_the_default_index(set_up, tmp_path):
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
    with pytest.raises(FileNotFoundError, match="install the package chromium"), launch():
        pass


def test_a_chromium_that_does_not_run_is_passed_over(monkeypatch, tmp_path):
    stub = tmp_path / "chromium-browser"
    stub.write_text("#!/bin/sh\necho Install the chromium snap >&2\nexit 1\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    monkeypatch.delenv("CHROMIUM", raising=False)
    with pytest.raises(FileNotFoundError, match="Google Chrome"):
        find_chromium()
    monkeypatch.setenv("CHROMIUM", str(stub))
    with pytest.raises(FileNotFoundError, match=f"CHROMIUM={stub}"):
        find_chromium()
    stub.write_text("#!/bin/sh\necho Chromium 140\n")
    assert find_chromium() == str(stub)
    monkeypatch.delenv("CHROMIUM")
    assert find_chromium() == str(stub)


def test_a_chromium_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setenv("CHROMIUM", "chromium-of-mine")
    with pytest.raises(FileNotFoundError, match="CHROMIUM=chromium-of-mine"):
        find_chromium()


@pytest.mark.parametrize(
    ("subject", "status"), [("x" * 72, 0), ("가" * 72, 0), ("x" * 73, 1), ("가" * 73, 1)]
)
def test_the_hook_refuses_a_long_subject(tmp_path, subject, status):
    """The lines below the subject, and comments, may be longer."""
    message = tmp_path / "message"
    message.write_text(f"{subject}\n\n{'y' * 90}\n# {'z' * 90}\n", "utf-8")
    run = subprocess.run(
        [ROOT / ".githooks" / "commit-msg", message], capture_output=True, text=True, check=False
    )
    assert run.returncode == status
    assert ("at most 72" in run.stderr) == bool(status)
