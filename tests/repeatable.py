"""Whether a record of the book is one that its printed command gives at its printed commit.

Each rule returns what is wrong as a sentence, or None; `tests/lab/test_records.py` runs them.
"""

import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotated_transformer.training.recipe import load_recipe
from annotated_transformer.training.recipe.schema import dump


def reachable(record: Mapping[str, Any], root: Path) -> str | None:
    """The record's commit is part of the history that a reader gets."""
    version = record["commit"]
    found = _git(root, "merge-base", "--is-ancestor", version, "HEAD")
    return None if found.returncode == 0 else f"commit {version[:7]} is no ancestor of HEAD"


def settings_of_recipe(record: Mapping[str, Any], root: Path) -> str | None:
    """The settings are those of the recipe at the record's commit, changed as the command says."""
    words = shlex.split(record["command"])
    if words[:2] != ["annotated-transformer", "train"]:
        return f"{record['command']!r} does not train"
    name, overrides = words[2], [b for a, b in pairwise(words) if a == "--set"]
    overrides += [f"training.steps={b}" for a, b in pairwise(words) if a == "--steps"]
    path = f"annotated_transformer/recipes/{name}.toml"
    shown = _git(root, "show", f"{record['commit']}:{path}")
    if shown.returncode:
        return f"there is no {path} at commit {record['commit'][:7]}"
    with tempfile.TemporaryDirectory() as folder:
        asked, stored = Path(folder) / "asked.toml", Path(folder) / "stored.toml"
        asked.write_text(shown.stdout, "utf-8")
        stored.write_text(dump(record["settings"]), "utf-8")
        recipes = load_recipe(asked, overrides), load_recipe(stored)
        found = difference(*(recipe.to_dict() for recipe in recipes))
    return found and f"in the recipe and in the record: {found}"


def difference(old: Any, new: Any, key: str = "") -> str | None:
    """Return the first setting in which two recipes' tables differ, or None if they are equal."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return None if old == new else f"{key} is {old!r} there and {new!r} here"
    for name in [*old, *(name for name in new if name not in old)]:
        if first := difference(old.get(name), new.get(name), f"{key}.{name}".lstrip(".")):
            return first
    return None


def _git(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", *arguments], cwd=root, capture_output=True, text=True, timeout=3_600, check=False
    )
