"""Show the package's own source code in a notebook cell.

A chapter never copies code: it prints the lines of the imported object, so that the page
cannot drift from what the tests run. Line numbers and the link to the commit are added when
the book is built and are not part of the stored output, because an edit elsewhere in a file
would change them.
"""

import ast
import difflib
import functools
import html
import inspect
import io
import textwrap
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

_ROOT = Path(__file__).resolve().parents[2]
_PACKAGE = "annotated_transformer"
_COLUMNS = 80  # a page is as wide as this

# Only for pages without a Pygments theme (Colab): zero specificity, so every theme wins, and
# weight and slant instead of colours, so that it reads on any background.
_STYLE = (
    "<style>:where(.at-source .k,.at-source .kn,.at-source .kc){font-weight:600}"
    ":where(.at-source .sd,.at-source .c1){font-style:italic;opacity:.8}"
    ":where(.at-source pre){overflow-x:auto}</style>"
)
_MARKS = {"-": "at-removed", "+": "at-added", " ": "at-kept"}
_MARKS_STYLE = "<style>:where(.at-added){font-weight:600}</style>"


class SourceListing:
    """The source code of one object of this package, ready to be displayed.

    `file` is relative to the repository, `name` is the object's qualified name, `code` its text.
    A module is its whole file and has an empty name. Raises ValueError for anything that is not
    a module, function, class or method of this package. Without `types` the signatures of all
    functions in it are shown without their annotations; nothing else of the code changes.
    """

    def __init__(self, obj: object, *, docstring: bool = True, types: bool = True) -> None:
        target = _underlying(obj)
        whole_file = isinstance(target, ModuleType)
        home = target.__name__ if whole_file else _module(target)
        if home.split(".")[0] != _PACKAGE:
            raise ValueError(
                f"show_source: {obj!r} is not a module, function, class or method of "
                f"{_PACKAGE}; pass the object itself, for instance show_source(attention)"
            )
        path = inspect.getsourcefile(target)
        assert path is not None  # every module of the package is a .py file
        self.file = Path(path).resolve().relative_to(_ROOT).as_posix()
        self.name: str = "" if whole_file else target.__qualname__
        code = textwrap.dedent(inspect.getsource(target)).rstrip()
        code = code if docstring else _without_docstring(code, whole_file)
        self.code = code if types else _without_types(code)
        self.typed = self.code == code

    def __repr__(self) -> str:
        title = " · ".join(filter(None, [self.file, self.name]))
        return f"# {title}\n{self.code}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        body = _coloured(self.code, wrapcode=False)
        file, name = html.escape(self.file), html.escape(self.name)
        attributes, title = f'data-file="{file}"', f"<code>{file}</code>"
        if name:
            attributes += f' data-object="{name}"'
            title += f" · <code>{name}</code>"
        if not self.typed:
            title += " without types"
        return (
            f'{_STYLE}<div class="at-source" {attributes}>'
            f'<div class="at-source-title">{title}</div>{body}</div>'
        )


class SourceDifference:
    """How the source of one object of this package becomes that of another, line by line.

    `lines` are of both: "- " the first object's alone, "+ " the second's, "  " of both. `types` and
    what it raises are as in `SourceListing`, and ValueError if nothing differs.
    """

    def __init__(self, before: object, after: object, *, types: bool = True) -> None:
        listings = [SourceListing(obj, docstring=False, types=types) for obj in (before, after)]
        self.typed = all(listing.typed for listing in listings)
        self.title = " → ".join(f"{listing.file} · {listing.name}" for listing in listings)
        old, new = (listing.code.splitlines() for listing in listings)
        self.lines: list[str] = []
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for kind, first, end, begin, last in matcher.get_opcodes():
            if kind == "equal":
                self.lines += [f"  {line}" for line in old[first:end]]
            else:
                self.lines += [f"- {line}" for line in old[first:end]]
                self.lines += [f"+ {line}" for line in new[begin:last]]
        if all(line.startswith("  ") for line in self.lines):
            raise ValueError(f"show_difference: {self.title} do not differ")

    def __repr__(self) -> str:
        return "\n".join([f"# {self.title}", *map(str.rstrip, self.lines)])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": repr(self), "text/html": self._html()}

    def _html(self) -> str:
        code = "\n".join(line[2:] for line in self.lines)
        body = "\n".join(
            f'<span class="{_MARKS[line[0]]}">{line[0]} {coloured}</span>'
            for line, coloured in zip(
                self.lines, _coloured(code, nowrap=True).split("\n"), strict=True
            )
        )
        title = f"<code>{html.escape(self.title)}</code>{'' if self.typed else ' without types'}"
        return (
            f'{_STYLE}{_MARKS_STYLE}<div class="at-source at-difference">'
            f'<div class="at-source-title">{title}</div>'
            f'<div class="highlight"><pre>{body}\n</pre></div></div>'
        )


def _coloured(code: str, **options: Any) -> str:
    """Highlight Python code as HTML."""
    with book_libraries():
        from pygments import highlight  # noqa: PLC0415
        from pygments.formatters import HtmlFormatter  # noqa: PLC0415
        from pygments.lexers import PythonLexer  # noqa: PLC0415

    return highlight(code, PythonLexer(), HtmlFormatter(**options)).strip()


@contextmanager
def book_libraries() -> Iterator[None]:
    """Import within this what only the chapters need; an error says how to get it."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error.name} is missing; what the chapters need is installed by "
            "pip install annotated-transformer[book]",
            name=error.name,
        ) from error


def show_source(*objects: object, docstring: bool = True, types: bool = True) -> None:
    """Display the source of objects of this package, one output each.

    They are functions, classes, methods or whole modules. `docstring=False` leaves the docstring
    of each object out, for a short listing, and `types=False` the types in the signatures. Raises
    ValueError when called without an object or with one that is not defined in this package, and
    ModuleNotFoundError when the libraries of the chapters are not installed.
    """
    if not objects:
        raise ValueError("show_source: expected at least one module, function, class or method")
    _display(*[SourceListing(obj, docstring=docstring, types=types) for obj in objects])


def show_difference(before: object, after: object, *, types: bool = True) -> None:
    """Display how the source of one object of this package becomes that of another.

    It takes what `show_source` takes, without docstrings, and raises what that raises, or
    ValueError when nothing differs.
    """
    _display(SourceDifference(before, after, types=types))


def _display(*listings: object) -> None:
    with book_libraries():
        from IPython.display import display  # noqa: PLC0415

    for listing in listings:
        display(listing)


def _underlying(obj: object) -> Any:
    """Look through properties, bound methods and decorators such as those of jaxtyping."""
    if isinstance(obj, property):
        obj = obj.fget
    elif isinstance(obj, functools.cached_property):
        obj = obj.func
    return inspect.unwrap(getattr(obj, "__func__", obj))  # type: ignore[arg-type]


def _module(target: Any) -> str:
    """Return the name of the module in which a function or class is defined, or nothing."""
    home = getattr(target, "__module__", None) or ""
    return home if hasattr(target, "__qualname__") else ""


def _without_docstring(code: str, whole_file: bool) -> str:
    tree = ast.parse(code)
    node = tree if whole_file else tree.body[0]
    assert isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    if ast.get_docstring(node) is None or len(node.body) == 1:
        return code
    lines = code.splitlines()
    first, after = node.body[0].lineno - 1, node.body[0].end_lineno or 0
    while not lines[after].strip():
        after += 1
    return "\n".join([*lines[:first], *lines[after:]])


def _without_types(code: str) -> str:
    """Take the annotations out of all signatures, from the last to the first.

    A signature that has become short moves to one line, as the formatter would have it.
    """
    functions = [
        node
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    for node in sorted(functions, key=lambda function: -function.lineno):
        code = _without_types_of(node, code)
    return code


def _without_types_of(node: ast.FunctionDef | ast.AsyncFunctionDef, code: str) -> str:
    head, body = _position(code, node.lineno, node.col_offset), node.body[0]
    parts = node.args
    every = [*parts.posonlyargs, *parts.args, parts.vararg, *parts.kwonlyargs, parts.kwarg]
    typed = [arg for arg in every if arg is not None and arg.annotation is not None]
    if not typed and node.returns is None:
        return code
    defaults = dict(
        [
            *zip([*parts.posonlyargs, *parts.args][::-1], parts.defaults[::-1], strict=False),
            *zip(parts.kwonlyargs, parts.kw_defaults, strict=True),
        ]
    )
    cuts = []
    for arg in typed:
        begin, default = _position(code, arg.lineno, arg.col_offset), defaults.get(arg)
        assert arg.annotation is not None  # chosen so above
        if default is None:
            cuts.append((begin + len(arg.arg), _end(code, arg.annotation), ""))
        else:
            first = _position(code, default.lineno, default.col_offset)
            cuts.append((begin + len(arg.arg), first, "="))
    last = _position(code, body.lineno, body.col_offset)
    if node.returns is not None:
        begin = _position(code, node.returns.lineno, node.returns.col_offset)
        arrow = code.rindex("->", head, begin)
        cuts.append((len(code[:arrow].rstrip()), _end(code, node.returns), ""))
    for begin, end, between in sorted(cuts, reverse=True):
        code = code[:begin] + between + code[end:]
        last += len(between) - (end - begin)
    colon = _colon(code, head, last)
    return code[:head] + _short(code[head:colon], node.col_offset) + code[colon:]


def _short(signature: str, indent: int) -> str:
    """Write a signature in one line, or its arguments in one, if they are short enough for that."""
    if "\n" not in signature or "#" in signature:
        return signature
    opening, closing = signature.index("("), signature.rindex(")")
    arguments = " ".join(signature[opening + 1 : closing].split()).removesuffix(",")
    first, last = signature[: opening + 1], signature[closing:]
    if indent + len(first + arguments + last) < _COLUMNS:
        return f"{first}{arguments}{last}"
    if indent + 4 + len(arguments) <= _COLUMNS:
        return f"{first}\n{' ' * (indent + 4)}{arguments}\n{' ' * indent}{last}"
    return signature


def _position(code: str, line: int, column: int) -> int:
    """Return where a line and a column of bytes, as `ast` counts them, lie in the text."""
    lines = code.splitlines(keepends=True)
    before = lines[line - 1].encode()[:column].decode()
    return sum(map(len, lines[: line - 1])) + len(before)


def _end(code: str, node: ast.expr) -> int:
    assert node.end_lineno is not None  # it was parsed
    assert node.end_col_offset is not None
    return _position(code, node.end_lineno, node.end_col_offset)


def _colon(code: str, head: int, body: int) -> int:
    """Find the colon that ends a signature, before its body begins."""
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(code[head:]).readline):
        depth += (
            (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
        )
        if depth == 0 and token.string == ":" and token.type == tokenize.OP:
            place = head + _position(code[head:], token.start[0], 0) + token.start[1]
            assert place < body  # the first colon outside of brackets
            return place
    raise AssertionError(f"no colon in {code[head:body]!r}")
