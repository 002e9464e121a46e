"""The page Notation and dimensions says what the code says."""

import ast
import inspect
import re

from annotated_transformer import TransformerConfig, Translator, attention
from rules import ROOT

PAGE = (ROOT / "book" / "notation.md").read_text(encoding="utf-8")


def signature(source):
    """Return arguments and result of the function in a source, however its lines are broken."""
    (function,) = ast.parse(inspect.cleandoc(source)).body
    return function.name, ast.unparse(function.args), ast.unparse(function.returns)


def table(heading):
    """Return the rows of the table under a heading, as lists of cells; the first is its head."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in section.group(1).splitlines() if line.startswith("|")]
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]
    return [rows[0], *rows[2:]]


def test_the_signature_is_the_one_of_attention():
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    printed = signature(block)
    assert printed == signature(inspect.getsource(attention))
    names = ["query", "key", "value", "mask", "attn_bias"]
    assert list(inspect.signature(attention).parameters) == names
    assert printed != signature(block.replace("#batch", "*batch"))


def test_the_sizes_are_those_of_the_presets_and_of_the_shipped_model():
    head, *rows = table("Sizes")
    assert head == ["", "paper", "base", "big", "tiny", "english_korean"]
    sizes = ["n_layers", "d_model", "d_ff", "n_heads", "d_k", "d_v", "dropout"]
    assert [row[0] for row in rows] == sizes
    for column, preset in enumerate(head[2:], start=2):
        if preset == "english_korean":
            config = Translator.load(preset).model.config
        else:
            config = getattr(TransformerConfig, preset)(vocab_size=1_000)
        for row in rows:
            assert float(row[column]) == getattr(config, row[0]), f"{preset}: {row[0]}"
