"""Find what a notebook asserts about measured numbers by itself, and not through a claim.

A name is measured if it was made from `record(...)` or from another measured name. An assertion
that compares something measured says how often it holds nowhere, so the sentence beside it cannot
either: a claim (`annotated_transformer.lab.evidence`) looks at each round or seed by itself. An
`if` that raises is an assertion, and a claim excuses itself alone, not what stands beside it.
"""

import ast
import copy
from collections.abc import Iterable, Iterator

from nbformat import NotebookNode

SOURCE = "record"
TRUSTED = {"claim", "find"}
ORDER = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
NEAR = {"isclose", "allclose", "approx", "round"}
"""Calls by which a number that is written down is compared without an order or a fraction."""
Asserted = ast.Assert | ast.If


def asserted_by_hand(notebook: NotebookNode) -> list[str]:
    """Assertions about measured numbers, in sentences."""
    measured: set[str] = set()
    wrong = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type != "code":
            continue
        lines = (line for line in cell.source.splitlines() if not line.startswith(("%", "!")))
        for statement in ast.parse("\n".join(lines)).body:
            wrong += [
                f"cell {number} asserts by hand: {ast.unparse(found.test)[:90]}"
                for found in _run(statement, measured)
            ]
    return wrong


def _run(statement: ast.stmt, measured: set[str]) -> Iterator[Asserted]:
    """Yield the assertions about measured numbers, and note which names are measured after it."""
    _note_inside(statement, measured)
    if isinstance(statement, ast.Assert | ast.If) and _by_hand(statement, measured):
        yield statement
    elif isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        value = statement.value
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        is_measured = value is not None and _is_measured(value, measured)
        for target in targets:
            # What is put into a list or added to a number leaves the rest of it as it was.
            keeps = isinstance(statement, ast.AugAssign) or not isinstance(
                target, ast.Name | ast.Tuple | ast.List
            )
            _note(target, measured, is_measured, keeps=keeps)
    elif isinstance(statement, ast.For):
        _note(statement.target, measured, _is_measured(statement.iter, measured), keeps=False)
        yield from _all(statement.body, measured)
    elif isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield from _defined(statement, measured)
    elif isinstance(statement, ast.Expr) and (filled := _filled(statement.value, measured)):
        _note(filled, measured, True, keeps=True)
    else:
        for field in ("body", "orelse", "finalbody"):
            yield from _all(getattr(statement, field, []), measured)
        for part in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
            yield from _all(part.body, measured)


def _note_inside(statement: ast.stmt, measured: set[str]) -> None:
    """Note what a statement names inside itself: `:=`, `with ... as`, `import ... as`."""
    for node in ast.walk(statement):
        if isinstance(node, ast.NamedExpr):
            _note(node.target, measured, _is_measured(node.value, measured), keeps=False)
        elif isinstance(node, ast.withitem) and node.optional_vars:
            is_measured = _is_measured(node.context_expr, measured)
            _note(node.optional_vars, measured, is_measured, keeps=False)
        elif isinstance(node, ast.ImportFrom):
            # What reads records by another name makes measured what it returns.
            measured |= {a.asname for a in node.names if a.name == SOURCE and a.asname}


def _by_hand(statement: Asserted, measured: set[str]) -> bool:
    if isinstance(statement, ast.If) and not isinstance(statement.body[-1], ast.Raise):
        return False
    test = _Untrusted().visit(copy.deepcopy(statement.test))
    return _is_measured(test, measured) and _compares(test)


def _defined(statement: ast.FunctionDef | ast.ClassDef, measured: set[str]) -> Iterator[Asserted]:
    own = {node.arg for node in ast.walk(statement) if isinstance(node, ast.arg)} | {
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    inside = measured - own
    measured.discard(statement.name)
    if any(_is_measured(line, inside) for line in statement.body):
        measured.add(statement.name)
    yield from _all(statement.body, inside)


def _all(body: Iterable[ast.stmt], measured: set[str]) -> Iterator[Asserted]:
    for statement in body:
        yield from _run(statement, measured)


def _note(target: ast.expr, measured: set[str], is_measured: bool, *, keeps: bool) -> None:
    names = {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
    if is_measured:
        measured |= names
    elif not keeps:
        measured -= names


def _filled(value: ast.expr, measured: set[str]) -> ast.expr | None:
    """What becomes measured by a call as an order, as rows does by `rows.append(measured)`."""
    if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
        return None
    is_measured = any(_is_measured(argument, measured) for argument in value.args)
    return value.func.value if is_measured else None


def _is_measured(value: ast.AST, measured: set[str]) -> bool:
    if _trusted(value):
        return False
    return bool(_names(value) & measured) or SOURCE in _called(value)


class _Untrusted(ast.NodeTransformer):
    """What is left of an expression when each claim in it is a name of its own."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in TRUSTED:
            return ast.Name(node.func.id, ast.Load())
        return self.generic_visit(node)


def _trusted(value: ast.AST) -> bool:
    return bool(_called(value) & TRUSTED)


def _called(value: ast.AST) -> set[str]:
    """The names that are called; of methods their own, but no method is a claim."""
    calls = [node.func for node in ast.walk(value) if isinstance(node, ast.Call)]
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)} - TRUSTED
    return methods | {call.id for call in calls if isinstance(call, ast.Name)}


def _compares(test: ast.expr) -> bool:
    """Whether it says which of two numbers is larger, or writes one down that was measured."""
    if _called(test) & NEAR:
        return True
    comparisons = [node for node in ast.walk(test) if isinstance(node, ast.Compare)]
    return any(isinstance(sign, ORDER) for node in comparisons for sign in node.ops) or any(
        isinstance(part, ast.Constant) and isinstance(part.value, float)
        for node in comparisons
        for part in ast.walk(node)
    )


def _names(value: ast.AST) -> set[str]:
    """Names from outside of an expression; what a comprehension names is from its inside."""
    bound = {
        node.id
        for part in ast.walk(value)
        if isinstance(part, ast.comprehension)
        for node in ast.walk(part.target)
        if isinstance(node, ast.Name)
    }
    return {node.id for node in ast.walk(value) if isinstance(node, ast.Name)} - bound
