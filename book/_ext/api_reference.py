"""The pages of the *API reference*, made by autodoc from docstrings and signatures of the package.

A block `{api}` names modules; each gets a heading and all its public names. A block `{names}` is a
table of the names that the package itself gives, each with the first sentence of its docstring.
Signatures are those of the source, because what jaxtyping makes of a shape at run time is long.
Docstrings are plain text with `code` in backticks, which reStructuredText would read otherwise.
Names of other libraries do not link: the book asks no other host for anything.
"""

import ast
import importlib
import inspect
import re
import sys
import textwrap
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.ext.napoleon import Config as Napoleon
from sphinx.ext.napoleon import GoogleDocstring
from sphinx.pycode import ModuleAnalyzer

from annotated_transformer.moved import MOVED
from words import say

PAGES = ("book/reference", "book/reference_chapters")
PACKAGE = "annotated_transformer"
# What an entry was called before it got a better name or module: people may have its address.
RENAMED = {
    f"{PACKAGE}.lab.variants.all_at_once.AllAtOnce.output_positions": (
        f"{PACKAGE}.lab.variants.all_at_once.AllAtOnce.places"
    ),
    f"{PACKAGE}.lab.corpora.english_korean.splits.Derived": (
        f"{PACKAGE}.corpora.english_korean.Derived"
    ),
    f"{PACKAGE}.lab.corpora.english_korean.splits.shuffle": (
        f"{PACKAGE}.corpora.english_korean.shuffle"
    ),
    f"{PACKAGE}.lab.analysis.subwords.log_probabilities": (
        f"{PACKAGE}.tokenizer.Tokenizer.log_probabilities"
    ),
    f"{PACKAGE}.lab.caching.Uncached": f"{PACKAGE}.decoding.prefixes.Uncached",
    f"{PACKAGE}.lab.caching.cache_bytes": f"{PACKAGE}.decoding.cache.cache_bytes",
    f"{PACKAGE}.lab.recording.record_inputs": f"{PACKAGE}.inspection.record_inputs",
    f"{PACKAGE}.lab.recording.record_outputs": f"{PACKAGE}.inspection.record_outputs",
    f"{PACKAGE}.lab.run_data.padding_share": f"{PACKAGE}.training.batching.padding_share",
    f"{PACKAGE}.lab.run_data.prepare_data": f"{PACKAGE}.training.data.prepare_data",
    f"{PACKAGE}.lab.run_data.split_names": f"{PACKAGE}.training.data.split_names",
    f"{PACKAGE}.training.step.Trainable": f"{PACKAGE}.training.step.EncoderDecoder",
    f"{PACKAGE}.translation.PreparedText": f"{PACKAGE}.translation.Given",
    f"{PACKAGE}.translation.prepare_texts": f"{PACKAGE}.translation.given",
    f"{PACKAGE}.translation.prepare_pairs": f"{PACKAGE}.translation.given_pairs",
    f"{PACKAGE}.translation.checked_texts": f"{PACKAGE}.translation.checked",
}
# Entries that a module had and no page has any more: their addresses lead to the module.
GONE = {
    f"{PACKAGE}.decoding.prefixes": ("EncoderDecoder.eval", "EncoderDecoder.modules"),
    f"{PACKAGE}.lab.corpora.english_korean.large": ("noun_tables", "sections"),
    f"{PACKAGE}.lab.records": (
        *("Measurement", "Measurement.count", "Measurement.write"),
        *("assemble", "write_record"),
    ),
    f"{PACKAGE}.shipped": ("Loaded", "Loaded.coverage", "Loaded.text", "Loaded.threshold"),
    f"{PACKAGE}.training.averaging": ("checkpoints_to_average",),
    f"{PACKAGE}.training.cost": ("Cost.to_dict",),
    f"{PACKAGE}.training.data": ("Split.files",),
    f"{PACKAGE}.training.recipe": ("difference",),
}
FIELDS = "__dataclass_fields__"
BLOCK = re.compile(r"^```\{api\}\n(.*?)\n```$", re.DOTALL | re.MULTILINE)
NAMES = re.compile(r"^```\{names\}\n```$", re.MULTILINE)
ENTRY = """\
### {name}

```{{eval-rst}}
.. automodule:: {package}.{name}
   :members:
   :special-members: __call__
```
"""
SECTIONS = ("Args:", "Raises:")
VALUES = ("attribute", "data")
FIRST = re.compile(r"    \*{0,2}[\w., ]+: ")
CODE = re.compile(r"(`[^`]+`)")
MARKUP = re.compile(r"[|\\]|(?<=\w)_(?!\w)|(?<!\w)\*(?=\s)|(?<=\S)\*(?=\w)|\*(?=\*)")


def write_entries(_app: Sphinx, page: str, source: list[str]) -> None:
    """Replace each block of module names by headings and autodoc directives."""
    if page in PAGES:
        source[0] = BLOCK.sub(lambda block: entries(block[1]), source[0])
        source[0] = NAMES.sub(lambda _block: front_door(), source[0])


def front_door() -> str:
    """Return a table of the names in the package's `__all__`, each with a link to its entry."""
    package = importlib.import_module(PACKAGE)
    homes = {name: home for home, names in package._HOMES.items() for name in names}
    rows = ["| name | what it is |", "| --- | --- |"]
    for name in package.__all__:
        obj = getattr(package, name)
        text = " ".join((inspect.getdoc(obj) or "").partition("\n\n")[0].split())
        text = text.replace("|", "\\|")
        rows.append(f"| {{py:obj}}`{name} <{PACKAGE}.{homes[name]}.{name}>` | {text} |")
    return "\n".join(rows)


def entries(names: str) -> str:
    """Return the Markdown that documents the modules of a block."""
    return "\n".join(ENTRY.format(name=name, package=PACKAGE) for name in names.split())


def write_docstring(app: Sphinx, kind: str, name: str, *given: Any) -> None:
    """Make reStructuredText of a docstring, in place, with its sections in Google's style."""
    obj, options, lines = given
    if kind == "attribute" and lines and not is_documented(name):
        own = say("The value is this model's own. What it sets, in the words of its parent class:")
        lines[0] = f"{own} {lines[0]}"
    paragraphs = "\n".join(lines).split("\n\n")
    lines[:] = "\n\n".join(map(escaped, paragraphs)).split("\n")
    if kind not in VALUES:  # there napoleon takes what precedes a colon for a type, "Raises" too
        kind = "method" if kind == "property" else kind
        lines[:] = GoogleDocstring(lines, Napoleon(), app, kind, name, obj, options).lines()


def is_documented(attribute: str) -> bool:
    """Say whether the class of an attribute has a text for it: autodoc takes an inherited one."""
    owner, _, name = attribute.rpartition(".")
    module, _, cls = owner.rpartition(".")
    own, *parents = getattr(sys.modules[module], cls).__mro__
    where = [base for base in (own, *parents) if name in vars(base).get("__annotations__", {})]
    if len(where) < 2 or where[0] is not own:
        return True
    return (own.__name__, name) in ModuleAnalyzer.for_module(own.__module__).find_attr_docs()


def escaped(paragraph: str) -> str:
    """Return a paragraph whose `code` is a literal and whose other signs mean nothing.

    One that is indented as a whole is an example, and is kept as it is.
    """
    if paragraph.startswith("    "):
        return f"::\n\n{paragraph}"
    pieces = CODE.split(indented(paragraph))
    pieces[1::2] = [f"`{piece}`" for piece in pieces[1::2]]
    pieces[::2] = [MARKUP.sub(lambda sign: f"\\{sign[0]}", piece) for piece in pieces[::2]]
    return "".join(pieces)


def indented(paragraph: str) -> str:
    """Return a section such as "Raises:" with the further lines of an entry below its first."""
    head, *lines = paragraph.split("\n")
    if head not in SECTIONS:
        return paragraph
    return "\n".join([head, *(line if FIRST.match(line) else f"    {line}" for line in lines)])


def source_signature(
    _app: Sphinx, kind: str, _name: str, obj: Any, _options: object, signature: str, _returns: str
) -> tuple[str, str | None] | None:
    """Return arguments and result as the source has them, or None to leave autodoc's."""
    obj = inspect.unwrap(obj)
    if kind == "class":
        return class_signature(obj), None
    if not inspect.isfunction(obj):
        return None
    node = definition(obj)
    arguments = node.args.posonlyargs or node.args.args
    if kind == "method" and arguments and arguments[0].arg in ("self", "cls"):
        del arguments[0]
    return f"({ast.unparse(node.args)})", node.returns and ast.unparse(node.returns)


def class_signature(cls: type) -> str:
    """Return what a class of the package is called with, by its own or an inherited __init__."""
    for base in cls.__mro__:
        if not base.__module__.startswith(PACKAGE):
            continue
        node = definition(base)
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == "__init__":
                del part.args.args[0]
                return f"({ast.unparse(part.args)})"
        if FIELDS in base.__dict__ or issubclass(base, tuple):
            fields = [ast.unparse(p) for p in node.body if isinstance(p, ast.AnnAssign)]
            if not fields:
                continue
            by_name = any(field.kw_only for field in base.__dict__.get(FIELDS, {}).values())
            return f"({', '.join(['*'] * by_name + fields)})"
    return "()"


class Qualified(ast.NodeTransformer):
    """Names of the package in an annotation, with the module that they come from.

    Sphinx shows the last part and links it; a name alone it would look for in all modules.
    """

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put the full name of a class or alias in the place of its name."""
        obj = self.names.get(node.id)
        home = getattr(obj, "__module__", "")
        if inspect.isclass(obj) and home.startswith(PACKAGE):
            return ast.parse(f"{home}.{obj.__qualname__}", mode="eval").body
        return node


def definition(obj: Any) -> Any:
    """Return the syntax tree of a function or class, a new one each time, with names qualified."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(obj))).body[0]
    names = vars(sys.modules[obj.__module__])
    for node in ast.walk(tree):
        for part in ("annotation", "returns"):
            if getattr(node, part, None) is not None:
                setattr(node, part, Qualified(names).visit(getattr(node, part)))
    return tree


def unlink_strangers(_app: Sphinx, doctree: nodes.document) -> None:
    """Make plain text of the names of other libraries, which Sphinx would look for among ours."""
    if doctree.settings.env.docname not in PAGES:
        return
    for node in list(doctree.findall(addnodes.pending_xref)):
        if node["refdomain"] == "py" and not node["reftarget"].startswith(PACKAGE):
            node.replace_self(last_part(node))


def keep_old_addresses(_app: Sphinx, doctree: nodes.document) -> None:
    """Let an entry be found at the address that it had before its module moved, too."""
    if doctree.settings.env.docname not in PAGES:
        return
    for node in doctree.findall(nodes.Element):
        for anchor in list(node.get("ids", ())):
            kind, name = ("module-", anchor[7:]) if anchor.startswith("module-") else ("", anchor)
            names = [name, *renamed(name)]
            moved = [f"{PACKAGE}.{old}" for each in names for old in old_names(each)]
            node["ids"] += [f"{kind}{old}" for old in (*names[1:], *moved)]
            homes = [name, *moved] if kind else []
            node["ids"] += [f"{home}.{gone}" for home in homes for gone in GONE.get(name, ())]
        if isinstance(node, nodes.section):
            title = node.next_node(nodes.title).astext()
            node["ids"] += [re.sub("[._]", "-", old) for old in old_names(f"{PACKAGE}.{title}")]


def renamed(name: str) -> list[str]:
    """Return the name that an entry had, or its class had, with the package's before it."""
    for new, old in RENAMED.items():
        if name == new or name.startswith(f"{new}."):
            return [old + name.removeprefix(new)]
    return []


def old_names(name: str) -> list[str]:
    """Return the names that a name of the package had, without the package's, before it moved."""
    parts = name.removeprefix(f"{PACKAGE}.").split(".")
    for end in range(len(parts), 0, -1):
        home, rest = ".".join(parts[:end]), parts[end:]
        if found := [".".join([old, *rest]) for old, new in MOVED.items() if new == home]:
            return found
    return []


def leave_plain(
    _app: Sphinx, _env: object, node: addnodes.pending_xref, _content: nodes.Node
) -> nodes.Node | None:
    """Show a name of a module that the reference does not have without a link."""
    known = node.get("refdoc") in PAGES and node.get("refdomain") == "py"
    return last_part(node) if known else None


def last_part(node: addnodes.pending_xref) -> nodes.Node:
    """Return what is shown of a name: all that follows the last dot."""
    return nodes.inline("", node["reftarget"].rpartition(".")[2], classes=["pre"])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the extension."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("source-read", write_entries)
    app.connect("autodoc-process-docstring", write_docstring)
    app.connect("autodoc-process-signature", source_signature)
    app.connect("doctree-read", unlink_strangers)
    app.connect("doctree-read", keep_old_addresses)
    app.connect("missing-reference", leave_plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
