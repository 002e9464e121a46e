"""Count what a reader of Python files passes: code, checks, docstrings, comments, blank lines.

    python book/_tools/count_lines.py FILES...

Each line counts once. Checks are statements that only raise, with the `if` (or the `for` or `with`)
around them, and calls and definitions of functions named `check_...` or `_check_...`.
"""

import argparse
import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

KINDS = ("code", "checks", "docstrings", "comments", "blank")
CHECK = re.compile(r"_?check_")


def kinds_of_lines(source: str) -> list[str]:
    """Return the kind of every line of a source."""
    tree = ast.parse(source)
    kinds = ["code" if line.strip() else "blank" for line in source.splitlines()]
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#"):
            kinds[token.start[0] - 1] = "comments"
    marks = [(node, "checks") for node in _checks(tree)]
    marks += [(node, "docstrings") for node in _docstrings(tree)]
    for node, kind in marks:
        for line in range(node.lineno - 1, node.end_lineno or node.lineno):
            if kind == "docstrings" or kinds[line] == "code":
                kinds[line] = kind
    return kinds


def count(source: str) -> dict[str, int]:
    """Return how many lines of each kind a source has."""
    kinds = kinds_of_lines(source)
    return {kind: kinds.count(kind) for kind in KINDS}


def _checks(tree: ast.AST) -> Iterator[ast.stmt]:
    for node in ast.walk(tree):
        is_check = isinstance(node, ast.FunctionDef) and CHECK.match(node.name)
        if isinstance(node, ast.stmt) and (is_check or _only_raises(node)):
            yield node


def _only_raises(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
        return bool(CHECK.match(name))
    if isinstance(node, ast.If | ast.For | ast.With):
        return all(_only_raises(part) for part in [*node.body, *getattr(node, "orelse", [])])
    return False


def _docstrings(tree: ast.AST) -> Iterator[ast.Expr]:
    """Yield docstrings, those that stand after the value they describe included."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield node


def main() -> None:
    """Print a table: a row for each file on the command line, and their sum."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILES")
    files = parser.parse_args().files
    rows = {str(path): count(path.read_text("utf-8")) for path in files}
    if len(rows) > 1:
        rows["together"] = {kind: sum(row[kind] for row in rows.values()) for kind in KINDS}
    width = max(map(len, rows))
    print(" " * width, *(f"{kind:>10}" for kind in KINDS))
    for name, row in rows.items():
        print(f"{name:{width}}", *(f"{row[kind]:>10}" for kind in KINDS))


if __name__ == "__main__":
    main()
