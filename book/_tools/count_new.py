"""Count what a member of the family adds to the paper's blocks: statements of code.

    python book/_tools/count_new.py [NAMES...]

Counted is the file in which the member is defined, and each file of the family that this one
imports, directly or through others, and that is neither another member's own file nor shared by all
(training and files, tables of names). A member that inherits from another, as DeiT does from ViT,
adds no file that the other has already. Checks, docstrings and imports do not count
(count_lines.py), nor does a field of a configuration that repeats the default which it inherits.
"""

import argparse
import ast
import dataclasses
import importlib
import inspect
from collections.abc import Collection, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from annotated_transformer.lab import family
from annotated_transformer.lab.family.member import Member
from count_lines import statements

HOME = "annotated_transformer.lab.family"
SHARED = ("member", "reference", "published")
"""What every member needs, and none adds."""


def members() -> dict[str, type[Member]]:
    """Return all members by name, as the family's front door has them."""
    found = {name: getattr(family, name) for name in family.__all__}
    return {
        name: kind
        for name, kind in found.items()
        if isinstance(kind, type) and issubclass(kind, Member) and kind is not Member
    }


def own_modules(member: type[Member], others: Collection[type[Member]]) -> list[ModuleType]:
    """Return the modules that a member adds, its own first."""
    foreign = {other.__module__ for other in others} - {member.__module__}
    foreign |= {f"{HOME}.{name}" for name in SHARED}
    for base in others:
        if base is not member and base in getattr(member, "__mro__", ()):
            foreign |= {module.__name__ for module in own_modules(base, others)}
    found = [member.__module__]
    for name in found:
        for imported in _family_imports(importlib.import_module(name)):
            if imported not in foreign and imported not in found:
                found.append(imported)
    return [importlib.import_module(name) for name in found]


def _family_imports(module: ModuleType) -> list[str]:
    """Return the modules of the family, folders excepted, that a module imports by their names."""
    nodes = ast.walk(ast.parse(inspect.getsource(module)))
    names = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]
    own = [n for n in names if n.startswith(f"{HOME}.") and not n.endswith("names")]
    here = Path(str(family.__file__)).parent
    return [n for n in own if not here.joinpath(*n.removeprefix(f"{HOME}.").split(".")).is_dir()]


def repeated_fields(source: str, names: Mapping[str, Any]) -> int:
    """Return how many fields of configurations repeat the default that they inherit.

    `names` has the classes of the source, as `vars` of its module does.
    """
    found = 0
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and dataclasses.is_dataclass(names.get(node.name)):
            kind = names[node.name]
            declared = {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            own = {f.name: f.default for f in dataclasses.fields(kind) if f.name in declared}
            found += len(own.items() & _inherited(kind).items())
    return found


def _inherited(kind: Any) -> dict[str, Any]:
    bases = [base for base in reversed(kind.__mro__[1:]) if dataclasses.is_dataclass(base)]
    return {field.name: field.default for base in bases for field in dataclasses.fields(base)}


def new_statements(member: type[Member], others: Collection[type[Member]] | None = None) -> int:
    """Return how many statements a member adds; `others` are all members unless given."""
    others = members().values() if others is None else others
    total = 0
    for module in own_modules(member, others):
        source = inspect.getsource(module)
        total += statements(source) - repeated_fields(source, vars(module))
    return total


def main() -> None:
    """Print a row for each member: its statements and its files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    known = members()
    parser.add_argument("names", nargs="*", metavar="NAMES", help=f"of {', '.join(known)}")
    given = parser.parse_args().names
    for name in given:
        if name not in known:
            parser.error(f"{name!r} is no member; there are {', '.join(known)}")
    for name in given or known:
        own = own_modules(known[name], known.values())
        files = [module.__name__.removeprefix(f"{HOME}.") for module in own]
        print(f"{name:18}{new_statements(known[name]):5}  {', '.join(files)}")


if __name__ == "__main__":
    main()
