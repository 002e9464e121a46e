"""Sizes that nobody gave follow in a copy, too: `dataclasses.replace` is as making anew."""

import dataclasses
import importlib
import json
import pickle
import re

import pytest
from test_numbers import CONFIGURATIONS, PUBLIC

from annotated_transformer import Transformer, TransformerConfig
from annotated_transformer.lab.family.bert.model import BERT, BERTConfig
from annotated_transformer.lab.family.llama.config import LLaMAConfig
from rules import ROOT

PACKAGE = ROOT / "annotated_transformer"
FOLLOWS = re.compile(r"\bfollow\(")


def sizes(config):
    """Return the fields that are whole numbers."""
    values = {field.name: getattr(config, field.name) for field in dataclasses.fields(config)}
    return {name: value for name, value in values.items() if isinstance(value, int)}


def outcome(make, **fields):
    """Return a configuration, or the words with which it is refused."""
    try:
        return make(**fields)
    except ValueError as error:
        return str(error)


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_copy_with_another_size_is_what_is_made_with_it(name):
    make, given = PUBLIC[name], CONFIGURATIONS[name]
    config = make(**given)
    for field, value in sizes(config).items():
        for new in (True,) if isinstance(value, bool) else (2 * value, value // 2):
            changed = outcome(lambda **new: dataclasses.replace(config, **new), **{field: new})
            assert changed == outcome(make, **{**given, field: new})


def test_no_dataclass_with_sizes_that_follow_is_forgotten():
    """One module fills in frozen fields; what uses it stands in the table, or a subclass does."""
    files = {path: path.read_text("utf-8") for path in PACKAGE.rglob("*.py")}
    assert [path.stem for path, text in files.items() if "object.__setattr__" in text] == [
        "__init__"
    ]
    known = tuple(PUBLIC[name] for name in CONFIGURATIONS)
    for path, text in files.items():
        if not FOLLOWS.search(text) or path.parent.name == "checks":
            continue
        module = importlib.import_module(
            ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        )
        classes = [each for each in vars(module).values() if dataclasses.is_dataclass(each)]
        own = [each for each in classes if each.__module__ == module.__name__]
        assert own
        assert all(any(issubclass(each, cls) for each in known) for cls in own)


def test_widths_of_heads_follow_the_width_of_the_model_unless_they_are_given():
    config = TransformerConfig(vocab_size=9, d_model=64, n_heads=4)
    narrow = dataclasses.replace(config, d_model=16)
    assert (config.d_k, config.d_v) == (16, 16)
    assert (narrow.d_k, narrow.d_v) == (4, 4)
    assert dataclasses.replace(narrow, n_heads=2).d_k == 8
    with pytest.raises(ValueError, match="d_model=18 is not divisible by n_heads=4"):
        dataclasses.replace(config, d_model=18)
    given = TransformerConfig(vocab_size=9, d_model=64, n_heads=4, d_k=16)
    narrow = dataclasses.replace(given, d_model=16)
    assert (narrow.d_k, narrow.d_v) == (16, 4)


def test_groups_of_heads_and_the_width_of_embeddings_follow():
    llama = LLaMAConfig(vocab_size=9, d_model=64, n_heads=4)
    assert dataclasses.replace(llama, n_heads=8).n_groups == 8
    reader = BERTConfig(vocab_size=9, d_model=64, n_heads=4)
    assert dataclasses.replace(reader, d_model=32).d_embedding == 32


def test_embeddings_that_no_head_divides_are_positioned():
    config = BERTConfig(vocab_size=9, n_layers=1, d_model=8, d_ff=8, n_heads=4, d_embedding=3)
    assert BERT(config).reader.positions.encoding.shape == (512, 3)


def test_what_follows_is_a_plain_number_in_files_and_modules():
    config = TransformerConfig.tiny(vocab_size=9, n_layers=1)
    assert {type(value) for value in config.to_dict().values()} <= {int, float, str, bool}
    assert TransformerConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config
    assert dataclasses.replace(pickle.loads(pickle.dumps(config)), d_model=64).d_k == 16
    kept = {
        type(value)
        for module in Transformer(config).modules()
        for value in vars(module).values()
        if isinstance(value, int)
    }
    assert kept <= {int, bool}
