"""The reference has an entry for all that is public or printed, and says it as the source does."""

import argparse
import ast
import dataclasses
import importlib
import json
import re
import shlex
import sys
from types import ModuleType, SimpleNamespace

import pytest
from docutils import nodes
from docutils.utils import new_document
from sphinx.errors import ExtensionError
from sphinx.pycode import ModuleAnalyzer

import annotated_transformer
import api_reference
from annotated_transformer import TransformerConfig, attention
from annotated_transformer.attention import MultiHeadAttention
from annotated_transformer.cli import arguments
from annotated_transformer.config import TABLE3
from annotated_transformer.export.ctranslate2 import FILES as CTRANSLATE2
from annotated_transformer.export.formats import SHARED
from annotated_transformer.export.onnx import FILES as ONNX
from annotated_transformer.fast.int8 import Int8Linear
from annotated_transformer.lab.family import gpt  # noqa: F401 - its entry is asked for
from annotated_transformer.training.recipe import Recipe
from api_reference import (
    class_signature,
    escaped,
    is_documented,
    source_signature,
    write_docstring,
)
from command_line import all_commands, help_text, spelled
from rules import ROOT

PAGE = "".join(
    (ROOT / f"{page}.md").read_text(encoding="utf-8") + "\n" for page in api_reference.PAGES
)
COMMANDS = (ROOT / "book" / "command_line.md").read_text(encoding="utf-8")
NOTEBOOKS = sorted((ROOT / "book").glob("*.ipynb"))
PACKAGE = "annotated_transformer"
PRINTED = re.compile(r"^# annotated_transformer/(\S+)\.py", re.MULTILINE)


def documented():
    return [name for block in api_reference.BLOCK.findall(PAGE) for name in block.split()]


def addresses(*anchors):
    """Return the addresses that entries have in the built page, by their own."""
    document = new_document("reference")
    document.settings.env = SimpleNamespace(docname=api_reference.PAGES[1])
    document += [nodes.target(ids=[anchor]) for anchor in anchors]
    api_reference.keep_old_addresses(None, document)
    return {node["ids"][0]: set(node["ids"]) for node in document.children}


def test_old_addresses_lead_to_what_was_moved_renamed_or_taken_out():
    new, old = f"{PACKAGE}.lab.corpora.english_korean", f"{PACKAGE}.corpora.english_korean"
    entries = (f"{new}.splits.Derived.pair", f"{new}.splits.shuffle", f"module-{new}.large")
    assert addresses(*entries) == {
        entries[0]: {entries[0], f"{old}.splits.Derived.pair", f"{old}.Derived.pair"},
        entries[1]: {entries[1], f"{old}.splits.shuffle", f"{old}.shuffle"},
        entries[2]: {
            entries[2],
            f"module-{old}.large",
            *(
                f"{home}.large.{gone}"
                for home in (new, old)
                for gone in ("noun_tables", "sections")
            ),
        },
    }


def test_each_module_is_there_once():
    assert len(documented()) == len(set(documented())) > 50
    package = ROOT / "annotated_transformer"
    for name in documented():
        path = package / name.replace(".", "/")
        assert path.with_suffix(".py").is_file() or (path / "__init__.py").is_file(), name


def test_every_module_that_a_chapter_prints_is_documented():
    outputs = (
        "".join(output["data"].get("text/plain", ""))
        for path in (ROOT / "book").glob("*.ipynb")
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        for output in cell.get("outputs", [])
        if "data" in output
    )
    printed = {found[1].replace("/", ".") for text in outputs if (found := PRINTED.match(text))}
    assert len(printed) > 40
    assert printed - set(documented()) == set()


@pytest.mark.parametrize("name", annotated_transformer.__all__)
def test_every_public_name_is_in_a_documented_module(name):
    home = getattr(annotated_transformer, name).__module__.removeprefix("annotated_transformer.")
    assert home in documented() or home.rpartition(".")[0] in documented()


@pytest.mark.parametrize("name", documented())
def test_every_field_of_a_tuple_is_explained(name):
    """Without a text of its own a field is called "Alias for field number 0"."""
    module = importlib.import_module(f"annotated_transformer.{name}")
    texts = ModuleAnalyzer.for_module(module.__name__).find_attr_docs()
    fields = {
        (cls.__name__, field)
        for cls in vars(module).values()
        if isinstance(cls, type) and cls.__module__ == module.__name__
        if not cls.__name__.startswith("_")
        for field in getattr(cls, "_fields", ())
    }
    assert fields - set(texts) == set()


def cells(path, kind):
    found = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == kind]


def imported():
    """Return the names of the package that chapters import, with the module of the statement."""
    for path in NOTEBOOKS:
        for source in cells(path, "code"):
            code = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
            for node in ast.walk(ast.parse(code)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PACKAGE):
                    yield from ((node.module, alias.name) for alias in node.names)


def entries(module, name):
    """Return the anchors that an entry of a name may have: its home's, or a package's above it.

    Data do not know their home: for them it is every module inside of that of the statement.
    """
    obj = getattr(importlib.import_module(module), name, None)
    if obj is None or isinstance(obj, ModuleType):
        return {f"module-{module}.{name}"}
    inside = {m for m in sys.modules if m.startswith(f"{module}.")}
    data = {m for m in inside if getattr(sys.modules[m], name, None) is obj}
    homes = {module, getattr(obj, "__module__", None)} | data
    homes.discard(None)
    parts = [home.split(".") for home in homes]
    return {".".join([*p[:end], name]) for p in parts for end in range(1, len(p) + 1)}


def test_what_the_package_gives_and_what_chapters_import_has_an_entry(html):
    pages = [(html / f"{page}.html").read_text(encoding="utf-8") for page in api_reference.PAGES]
    anchors = {anchor for page in pages for anchor in re.findall(r' id="([^"]+)"', page)}
    named = {(PACKAGE, name) for name in annotated_transformer.__all__} | set(imported())
    assert len(named) > 200
    assert [f"{m}.{n}" for m, n in sorted(named) if not entries(m, n) & anchors] == []


def test_the_names_of_the_front_door_come_first_and_link_to_their_entries(html):
    page = (html / "book" / "reference.html").read_text(encoding="utf-8")
    table = page.partition("<table")[2].partition("</table>")[0]
    links = re.findall(r'href="#([\w.]+)"', table)
    assert [link.rpartition(".")[2] for link in links] == annotated_transformer.__all__
    assert all(f'id="{link}"' in page for link in links)


def test_a_file_that_a_margin_names_links_to_its_module(html):
    page = (html / "book" / "masks.html").read_text(encoding="utf-8")
    margin = page.partition("<strong>Code</strong>")[2].partition("</p>")[0]
    assert 'href="reference.html#module-annotated_transformer.masks"' in margin


COMMAND = re.compile(r"\bannotated[-_]transformer ([a-z]+)\b")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_commands_that_a_chapter_shows_are_linked_beside_them(path):
    for source in cells(path, "markdown"):
        *before, _ = parts = re.split(r"^```bash\n(.*?)^```$", source, flags=re.M | re.S)
        for block, above in zip(parts[1::2], before[::2], strict=True):
            for command in COMMAND.findall(block):
                assert f"(command_line.md#{command})" in source, block
                assert block != parts[1] or f"(command_line.md#{command})" in above, block


def signature(kind, obj):
    return source_signature(None, kind, "", obj, None, "", "")


def test_a_signature_is_that_of_the_source():
    arguments, returns = signature("function", attention)
    assert arguments.startswith("(query: Float[Tensor, '*batch query d_k'], key: Float[Tensor, ")
    assert "mask: Bool[Tensor, '*#batch #query #key'] | None=None, " in arguments
    assert arguments.endswith("attn_bias: Float[Tensor, '*#batch #query #key'] | None=None)")
    assert returns.startswith("tuple[Float[Tensor, '*batch query d_v'], ")


def test_a_method_has_no_self_and_names_of_the_package_are_qualified():
    arguments, returns = signature("method", MultiHeadAttention.forward)
    assert arguments.startswith("(query: Float[Tensor, 'batch query d_model'], ")
    assert "cache: annotated_transformer.fast.attention.AttentionCache | None=None" in arguments
    assert returns == "Float[Tensor, 'batch query d_model']"


def test_a_static_method_keeps_its_first_argument():
    assert signature("method", Int8Linear.of)[0] == "(linear: nn.Linear)"


def test_a_text_that_a_field_has_from_another_class_is_known_as_such():
    assert is_documented("annotated_transformer.config.TransformerConfig.epsilon")
    assert not is_documented("annotated_transformer.lab.family.gpt.model.GPTConfig.epsilon")


def test_a_class_has_the_arguments_of_its_init_of_its_fields_or_none():
    assert class_signature(MultiHeadAttention).startswith("(d_model: int, n_heads: int, d_k: ")
    assert class_signature(TransformerConfig).startswith("(*, vocab_size: int, n_layers: int = 6, ")
    assert class_signature(Recipe).startswith("(*, name: str, ")
    assert class_signature(argparse.ArgumentParser) == "()"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rows of `x`", "rows of ``x``"),
        ("`two\nlines` |a - b| x_", "``two\nlines`` \\|a - b\\| x\\_"),
        ("*Attention* is a * b", "*Attention* is a \\* b"),
        ("    an example", "::\n\n    an example"),
        (
            "Raises:\n    ValueError: a long\n    reason.",
            "Raises:\n    ValueError: a long\n        reason.",
        ),
        ("Args:\n    x: one.\n    y: two.", "Args:\n    x: one.\n    y: two."),
    ],
)
def test_a_docstring_is_read_as_plain_text(text, expected):
    assert escaped(text) == expected


@pytest.mark.parametrize("kind", ["method", "property"])
def test_what_is_raised_is_a_field_of_its_own(kind):
    lines = ["The unit: of its value.", "", "Raises:", "    ValueError: the sides differ."]
    write_docstring(None, kind, "Claim.unit", None, SimpleNamespace(), lines)
    assert lines[0] == "The unit: of its value."
    assert ":raises ValueError: the sides differ." in lines


def test_every_argument_of_every_command_is_on_the_page():
    page = all_commands("annotated_transformer.cli.arguments", "parser", examples())
    (group,) = [a for a in arguments.parser()._actions if isinstance(a, argparse._SubParsersAction)]
    assert re.findall(r"^## (\w+)$", page, re.MULTILINE) == list(group.choices)
    for name, command in group.choices.items():
        part = page.partition(f"## {name}\n")[2].partition("\n## ")[0]
        assert f".. program:: annotated-transformer {name}" in part
        options = [a for a in command._actions if a.dest != "help"]
        assert re.findall(r"^\.\. option:: (.+)$", part, re.MULTILINE) == sorted(
            map(spelled, options), key=lambda text: text.startswith("-")
        )
        assert all(help_text(a) in part for a in options)
        bare = [re.sub("``.*?``", "", help_text(a)) for a in options]
        assert not [text for text in bare if "--" in text or '"' in text]  # a page would curl them
        assert not [text for text in bare if re.search(r"\w=\w", text)]
        needed = [spelled(a) for a in options if a.option_strings and a.required]
        assert re.findall(r"option:: (.+)\n\n .*\(required\)$", part, re.MULTILINE) == needed
        assert f"```sh\nannotated-transformer {name} " in part
        assert max(map(len, part.partition("```text")[2].partition("```")[0].splitlines())) <= 78


def test_the_page_of_the_commands_is_made_of_the_parser_of_the_program():
    assert "```{commands}\nannotated_transformer.cli.arguments:parser\n" in COMMANDS
    lines = re.findall(r"^annotated-transformer (.+)$", COMMANDS, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        arguments.parser().parse_args(shlex.split(line))


def test_a_command_without_an_example_is_named():
    others = examples().partition("annotated-transformer export")[0]
    with pytest.raises(ExtensionError, match="annotated-transformer export has 0 examples"):
        all_commands("annotated_transformer.cli.arguments", "parser", others)


def test_the_page_of_the_commands_names_all_rows_keys_and_files():
    rows = COMMANDS.partition("by these names:")[2].partition(". ")[0]
    assert re.findall(r"`([^`]+)`", rows) == [*TABLE3]
    tables = {field.name for field in dataclasses.fields(Recipe) if is_table(field)}
    assert set(re.findall(r"`(\w+) <annotated_transformer.training.recipe", COMMANDS)) == tables
    for name in SHARED | CTRANSLATE2 | ONNX:
        assert f"`{name}`" in COMMANDS


def is_table(field):
    return dataclasses.is_dataclass(field.type)


def examples():
    return COMMANDS.partition(":parser\n")[2].partition("```")[0]
