"""What is new in each member: the counter by a written example, and rules for all members.

Members are those of the family's front door, so that one who joins is held to the rules too.
"""

import ast
import inspect
import json
import re
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pytest

import count_new
from annotated_transformer import attention, layers, minimal, transformer
from annotated_transformer.lab.family import BERT, ELECTRA, DiT
from count_new import members, new_statements, own_modules, repeated_fields
from rules import ROOT

BLOCKS = {"Encoder", "Decoder", "EncoderLayer", "DecoderLayer", "MultiHeadAttention"}
BLOCKS |= {"self_attention", "cross_attention"}  # they make a MultiHeadAttention
BLOCKS |= {"Transformer"}  # an encoder and a decoder
HOMES = ("attention", "transformer", "variants")
PAPER = (attention, layers, transformer, minimal)
ROW = rf"^\| ({'|'.join(members())}) \| (\d+) \|"
"""A member and its statements, as a table of a chapter has them."""
EXAMPLE = '''
"""A docstring."""

from dataclasses import dataclass
import helper

LIMIT = 3  # 1


@dataclass  # 2
class Base:  # 3
    width: int = 4  # 4
    """A docstring of a field."""
    depth: int = 2  # 5
    table: tuple = (1,
                    2)  # 6, once


@dataclass  # 7
class Config(Base):  # 8
    width: int = 8  # 9: another default
    depth: int = 2  # repeated
    mask: bool = False  # 10: a new field

    def test(self):  # 11
        if self.mask:  # a check
            raise ValueError("no")
        return LIMIT  # 12
'''


def test_the_example_has_the_statements_that_are_numbered_in_it():
    names = {}
    exec(EXAMPLE.replace("import helper", ""), names)
    assert repeated_fields(EXAMPLE, names) == 1
    assert count_new.statements(EXAMPLE) - repeated_fields(EXAMPLE, names) == 12


def test_a_member_counts_its_helpers_but_no_other_member_and_nothing_that_all_share(monkeypatch):
    sources = {
        "own": "from annotated_transformer.lab.family.helper import f\n"
        "from annotated_transformer.lab.family.bert.model import BERT\n"
        "from annotated_transformer.lab.family.member import Member\n"
        "from annotated_transformer.lab.family.own.names import REFERENCE\nx = 1\n",
        "helper": "from annotated_transformer.lab.family.deeper import f\ny = 2\nz = 3\n",
        "deeper": "from annotated_transformer.layers import LayerNorm\nu = 4\n",
    }
    sources["bert.model"] = ""
    modules = {f"annotated_transformer.lab.family.{name}": name for name in sources}

    def load(name):
        return SimpleNamespace(__name__=name, source=sources[modules[name]])

    monkeypatch.setattr(count_new.importlib, "import_module", load)
    monkeypatch.setattr(count_new.inspect, "getsource", lambda module: module.source)
    own = SimpleNamespace(__module__="annotated_transformer.lab.family.own")
    found = own_modules(own, [own, BERT])
    assert [modules[module.__name__] for module in found] == ["own", "helper", "deeper"]
    assert new_statements(own, [own, BERT]) == 4


@pytest.mark.parametrize("name", members())
def test_a_member_adds_no_file_that_one_which_it_inherits_from_has(name):
    every = members()
    bases = [kind for kind in every.values() if kind in every[name].__mro__[1:]]
    own = {module.__name__ for module in own_modules(every[name], every.values())}
    for base in bases:
        theirs = {module.__name__ for module in own_modules(base, every.values())}
        assert not own & theirs


def test_the_positions_of_detr_are_not_counted_again():
    every = members()
    files = [m.__name__ for m in own_modules(every["DeformableDETR"], every.values())]
    assert not [file for file in files if ".detr." in file]


def test_all_members_of_the_front_door_are_found():
    found = members()
    assert found["BERT"] is BERT
    assert found["DiT"] is DiT
    assert not {"fit", "BERTConfig"} & found.keys()


@pytest.mark.parametrize("name", members())
def test_a_member_is_at_most_160_lines_of_its_own(name):
    source = inspect.getsource(sys.modules[members()[name].__module__])
    assert len(source.splitlines()) <= 160
    assert 0 < new_statements(members()[name]) < 400


def reached(member):
    """Return all modules of the family, other members included, that a member is made of."""
    return own_modules(member, [])


@pytest.mark.parametrize("name", members())
def test_a_member_is_made_of_the_blocks_of_the_paper(name):
    imported = {
        alias.name
        for module in reached(members()[name])
        for node in ast.walk(tree(module))
        if isinstance(node, ast.ImportFrom)
        and node.module in [f"annotated_transformer.{home}" for home in HOMES]
        for alias in node.names
    }
    assert imported & BLOCKS


@pytest.mark.parametrize("name", members())
def test_nothing_of_the_paper_is_copied(name):
    """No class has the name of one of the paper's, no function of two statements its body."""
    kinds, bodies = definitions(*PAPER)
    own_kinds, own_bodies = definitions(*own_modules(members()[name], members().values()))
    assert kinds
    assert not own_kinds & kinds
    assert not own_bodies & bodies


def tree(module: ModuleType):
    return ast.parse(inspect.getsource(module))


def definitions(*modules):
    """Return names of classes, and bodies of functions of two statements or more."""
    nodes = [node for module in modules for node in ast.walk(tree(module))]
    kinds = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    bodies = set()
    for node in nodes:
        if isinstance(node, ast.FunctionDef):
            has_docstring = ast.get_docstring(node) is not None
            body = node.body[has_docstring:]
            # `super().__init__()` and one assignment say nothing by themselves.
            if len(body) > 2:
                bodies.add(ast.dump(ast.Module(body, [])))
    return kinds, bodies


def test_a_copy_would_be_found():
    source = inspect.getsource(transformer.EncoderLayer)
    copy = SimpleNamespace(source=source.replace("class EncoderLayer", "class Mine"))
    original = inspect.getsource
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            inspect, "getsource", lambda m: m.source if hasattr(m, "source") else original(m)
        )
        kinds, bodies = definitions(copy)
    assert kinds == {"Mine"}
    assert bodies & definitions(transformer)[1]


def test_chapters_print_the_number_of_statements_that_a_member_adds():
    found = {}
    for path in (ROOT / "book").glob("*.ipynb"):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "markdown":
                found |= dict(re.findall(ROW, "".join(cell["source"]), re.MULTILINE))
    assert {"BERT", "ELECTRA", "GPT"} <= found.keys()
    for name, printed in found.items():
        assert int(printed) == new_statements(members()[name]), name


def test_the_command_prints_a_row_for_each_member():
    def run(*names):
        command = [sys.executable, ROOT / "book/_tools/count_new.py", *names]
        return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)

    rows = [line.split() for line in run("BERT", "ELECTRA").stdout.splitlines()]
    assert [row[0] for row in rows] == ["BERT", "ELECTRA"]
    assert [int(row[1]) for row in rows] == [new_statements(BERT), new_statements(ELECTRA)]
    assert rows[0][2:] == ["bert.model,", "reader"]
    wrong = run("Bert")
    assert wrong.returncode == 2
    assert f"'Bert' is no member; there are {', '.join(members())}" in wrong.stderr
