"""Rules of the page that says where we differ; the claims ledger has its own, in book/_ext."""

import ast
import re
from pathlib import Path

from prose import sections

TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
RECORD = re.compile(r"`(book/results/\w+\.json)`")
PARTS = ("The paper", "The released code", "Here", "Why", "Tests")


def differences_are_tested(markdown: str, root: Path) -> list[str]:
    """Every difference says what each side does, and why, and names tests that exist."""
    wrong = []
    for section in sections(markdown):
        title, parts = section.title, dict(section.definitions)
        if section.level != 3:
            continue
        if tuple(parts) != PARTS:
            wrong.append(f"{title}: the parts are {tuple(parts)}, not {PARTS}")
        elif not TEST.search(parts["Tests"]):
            wrong.append(f"{title}: no test")
    return wrong + evidence_exists(markdown, root)


def evidence_exists(markdown: str, root: Path) -> list[str]:
    """Every test and record that a page names is there."""
    wrong = []
    for file, test in TEST.findall(markdown):
        path = root / file
        tree = ast.parse(path.read_text(encoding="utf-8") if path.is_file() else "")
        if test not in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}:
            wrong.append(f"there is no {file}::{test}")
    missing = (name for name in RECORD.findall(markdown) if not (root / name).is_file())
    return wrong + [f"there is no {name}" for name in missing]
