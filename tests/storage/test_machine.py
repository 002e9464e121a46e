"""The commit that a program runs from."""

import importlib.util
import os
import subprocess
from pathlib import Path

import pytest

from annotated_transformer.storage import machine


@pytest.fixture
def checkout(tmp_path):
    """A repository of its own that holds a copy of the module, and that copy, imported."""
    copy = tmp_path / "annotated_transformer/storage/machine.py"
    for path in (copy, tmp_path / "book/results/heads.json", tmp_path / "book/a.md"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
    copy.write_bytes(Path(machine.__file__).read_bytes())
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    head = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=tmp_path, check=True, capture_output=True, text=True
    ).stdout.strip()
    specification = importlib.util.spec_from_file_location("copy_of_machine", copy)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return tmp_path, module, head


def test_a_clean_checkout_is_its_commit_and_records_do_not_count(checkout):
    root, module, head = checkout
    assert module.commit() == head
    (root / "book/results/heads.json").write_text('{"new": 1}\n')
    (root / "book/results/new.json").write_text("{}\n")
    assert module.commit() == head


@pytest.mark.parametrize("name", ["book/a.md", "annotated_transformer/storage/machine.py"])
@pytest.mark.parametrize("staged", [False, True])
def test_any_other_change_makes_it_dirty(checkout, name, staged):
    root, module, head = checkout
    with (root / name).open("a") as file:
        file.write("# changed\n")
    if staged:
        subprocess.run(["git", "add", name], cwd=root, check=True)
    assert module.commit() == f"{head}-dirty"


def test_outside_a_repository_it_is_unknown(tmp_path, checkout, monkeypatch):
    _, module, _ = checkout
    monkeypatch.setattr(module, "__file__", str(tmp_path.parent / "machine.py"))
    assert module.commit() == "unknown"


def test_asking_for_the_commit_takes_no_lock(checkout):
    """Git would leave the lock behind if it were killed, and its user could not commit."""
    root, module, head = checkout
    index = root / ".git/index"
    before = index.read_bytes()
    (root / "book/a.md").touch()  # of another time, which git would write into its index
    os.utime(root / "book/a.md", (1, 1))
    assert module.commit() == head
    assert index.read_bytes() == before
