"""Old names of modules: they work for one version more, with a warning that names the new place.

`import annotated_transformer.family` gives `annotated_transformer.lab.family`, the same module.
"""

import importlib
import sys
import warnings
from collections.abc import Iterable
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

PACKAGE = "annotated_transformer"
MOVED = dict(map(str.split, Path(__file__).with_suffix(".txt").read_text("utf-8").splitlines()))
"""The names now by the old ones, both from the package; in moved.txt a line has one of each."""
EMPTIED = frozenset({"serving"})
"""Folders that are gone; only the old names of their modules are left."""


def new_name(old: str) -> str | None:
    """Return the name that a module has now, or None where it did not move."""
    parts = old.split(".")
    if parts[0] != PACKAGE:
        return None
    for end in range(len(parts), 1, -1):
        if home := MOVED.get(".".join(parts[1:end])):
            return ".".join([PACKAGE, home, *parts[end:]])
    return None


class OldNames(MetaPathFinder, Loader):
    """Find a module by its old name."""

    def find_spec(
        self, fullname: str, path: Iterable[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for an old name, and None for all others."""
        emptied = fullname.removeprefix(f"{PACKAGE}.") in EMPTIED
        if not emptied and new_name(fullname) is None:
            return None
        return ModuleSpec(fullname, self, is_package=emptied)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Import the module where it is now, and warn."""
        new = new_name(spec.name)
        if new is None:
            return None
        warnings.warn(f"{spec.name} is now {new}", FutureWarning, stacklevel=2)
        module = importlib.import_module(new)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own spec back, which the import of the old name replaced."""
        if module.__spec__ is not None and module.__spec__.loader_state is not None:
            module.__spec__ = module.__spec__.loader_state


def install() -> None:
    """Let old names be imported."""
    if not any(isinstance(finder, OldNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, OldNames())
