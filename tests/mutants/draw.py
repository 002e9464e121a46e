"""Which mutants are tried: a sample of the changes that cosmic-ray can make to the modules."""

import ast
import difflib
import random
import re
import tempfile
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db

PACKAGE = "annotated_transformer/"


def contains(nodes: list, place: tuple[int, int]) -> bool:
    """Whether a line and column lie inside one of these pieces of the code."""
    spans = [((n.lineno, n.col_offset), (n.end_lineno, n.end_col_offset)) for n in nodes if n]
    return any(first <= place < last for first, last in spans)


def mutants_of(module: str, operators: list[str]) -> list[tuple[str, int]]:
    """All changes worth making: none to an annotation, nor to the star of a signature."""
    nodes = list(ast.walk(ast.parse(Path(PACKAGE + module).read_text())))
    sums = [node for node in nodes if isinstance(node, ast.BinOp)]
    types = [getattr(node, name, None) for node in nodes for name in ("annotation", "returns")]
    wanted = re.compile(rf".*[/_]({'|'.join(operators)})")
    folder = tempfile.TemporaryDirectory()
    with folder, use_db(f"{folder.name}/session", WorkDB.Mode.create) as database:
        init([Path(PACKAGE + module)], database, {})
        found = [item.mutations[0] for item in database.work_items]
    return sorted(
        (mutation.operator_name, mutation.occurrence)
        for mutation in found
        if wanted.fullmatch(mutation.operator_name)
        and not contains(types, tuple(mutation.start_pos))
        and ("Binary" not in mutation.operator_name or contains(sums, tuple(mutation.start_pos)))
    )


def sample(pool: dict[str, list[tuple[str, int]]], size: int, seed: int) -> list[dict]:
    """Draw from each module in proportion; each changed text once, and only what compiles."""
    total, chosen = sum(map(len, pool.values())), {}
    for module, mutants in pool.items():
        random.Random(f"{seed} {module}").shuffle(mutants)
        before = Path(PACKAGE + module).read_text()
        enough = len(chosen) - (-size * len(mutants) // total)  # rounded up
        for name, occurrence in mutants:
            if len(chosen) == enough:
                break
            after = mutate_code(before, get_operator(name)(), occurrence)
            diff = list(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0))[2:]
            line = int(re.match(r"@@ -(\d+)", diff[0])[1])
            was, now = (" ".join(x[1:].strip() for x in diff if x[0] == sign) for sign in "-+")
            try:
                compile(after, module, "exec")
            except SyntaxError:
                continue
            row = {"module": module, "line": line, "was": was, "now": now, "text": after}
            chosen[module, after] = row
    return list(chosen.values())
